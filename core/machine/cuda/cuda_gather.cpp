#include "core/machine/cuda/cuda_gather.hpp"

#include <algorithm>

#include "core/machine/cuda/batch_timer.hpp"
#include "core/machine/cuda/gather_kernels.hpp"
#include "core/machine/cuda/sort.hpp"
#include "core/machine/gather_code.hpp"

namespace pivotscope {
namespace {

class gatherer {
 public:
  static outcome<gatherer> make(const cuda_device& device, cudaStream_t stream,
                                std::span<const gather_question> asked) {
    std::size_t free = 0, total = 0;
    if (auto s = checked(cudaMemGetInfo(&free, &total), "asking how much memory is free"); !s) return s.error();
    const gather_room room = room_of(asked, free / 2);
    gatherer made;
    made.stream_ = stream;
    made.room_ = free / 2;
    auto array = device_buffer::allocate(room.array, "the array to gather from");
    if (!array) return array.error();
    made.array_ = std::move(*array);
    auto copy = device_buffer::allocate(room.copy, "what is copied");
    if (!copy) return copy.error();
    made.copy_ = std::move(*copy);
    u32 blocks = 0;
    if (auto s = checked(gather_blocks(blocks), "asking how many blocks there is room for"); !s) return s.error();
    made.blocks_ = blocks * device.info.processors;
    if (room.array == 0) return made;
    const cudaError_t queued = queue_gather_words(made.array_.as<u32>(), room.array / sizeof(u32), stream);
    if (auto s = checked(queued, "filling the array"); !s) return s.error();
    if (auto s = checked(cudaStreamSynchronize(stream), "filling the array"); !s) return s.error();
    return made;
  }

  bool has_room_for(const gather_question& asked) const { return (asked.copy ? 2 : 1) * asked.bytes <= room_; }

  outcome<gather_times> gather(const gather_question& asked, batch_timer& timer, const batch_options& options,
                               const job_control& control) const {
    constexpr u32 whole = 1024;  // lanes of the largest group: threads are a multiple of them
    gather_shape shape = shape_of(asked, ceil_div(blocks_ * gather_threads, whole) * whole);
    auto said = device_buffer::allocate(u64{shape.threads} * sizeof(u64), "the sums");
    if (!said) return said.error();
    gather_work work{.array = array_.data(),
                     .entry_bytes = asked.entry_bytes,
                     .lanes = asked.lanes,
                     .loading = asked.loading,
                     .entries_apart = asked.align_bytes / asked.entry_bytes,
                     .dependent = asked.dependent,
                     .threads = shape.threads,
                     .steps = shape.steps,
                     .places = shape.places,
                     .salt = 0,
                     .said = said->as<u64>()};
    // A thread that says nothing made no step.
    const cudaError_t cleared = cudaMemsetAsync(said->data(), 0, said->bytes(), stream_);
    if (auto s = checked(cleared, "clearing the sums"); !s) return s.error();
    gather_times told{.requests = u64{shape.groups} * shape.steps, .threads = shape.threads};
    told.time.name = "gather";
    if (auto s = time(told.time, {"starting a gather", "gathering"}, timer, options, control,
                      [&](u64 run) {
                        work.salt = shape.salt = salt_of_run(static_cast<u32>(run));
                        return queue_gather(work, stream_);
                      });
        !s)
      return s.error();
    std::vector<u64> sums(shape.threads);
    if (auto s = download(sums.data(), said->data(), said->bytes(), stream_, "copying sums", job_control()); !s)
      return s.error();
    if (auto s = check_gather(asked, shape, sums); !s) return s.error();
    return told;
  }

  outcome<gather_times> copy(const gather_question& asked, batch_timer& timer, const batch_options& options,
                             const job_control& control) const {
    const cudaError_t cleared = cudaMemsetAsync(copy_.data(), 0, asked.bytes, stream_);
    if (auto s = checked(cleared, "clearing the copy"); !s) return s.error();
    gather_times told;
    told.time.name = "copy";
    if (auto s = time(told.time, {"starting a copy", "copying"}, timer, options, control,
                      [&](u64) { return queue_copy(copy_.data(), array_.data(), asked.bytes, blocks_, stream_); });
        !s)
      return s.error();
    // Some words of it, spread over all, its last one too.
    constexpr u32 looked_at = 1024;
    const u64 all = asked.bytes / sizeof(u32), apart = std::max<u64>(1, all / looked_at);
    std::vector<u32> words, places;
    for (u64 i = all - 1; i < all; i -= apart) {  // below 0 it wraps
      words.push_back(0), places.push_back(static_cast<u32>(i));
      const cudaError_t fetched =
          cudaMemcpyAsync(&words.back(), copy_.as<u32>() + i, sizeof(u32), cudaMemcpyDeviceToHost, stream_);
      if (auto s = checked(fetched, "looking at the copy"); !s) return s.error();
      if (auto s = checked(cudaStreamSynchronize(stream_), "looking at the copy"); !s) return s.error();
    }
    if (auto s = check_copy(words, places); !s) return s.error();
    return told;
  }

 private:
  template <class Queue>
  status time(stage_time& into, const stage_words& words, batch_timer& timer, const batch_options& options,
              const job_control& control, const Queue& queue) const {
    auto timed = time_runs(options, "", control, [&](u64 run) {
      return timer.time(stream_, run, words, control, [&] { return queue(run); });
    });
    if (!timed) return timed.error();
    into.samples_ms = std::move(timed->samples_ms);
    into.how = timed->how;
    return fine();
  }

  cudaStream_t stream_ = nullptr;
  u64 room_ = 0;
  device_buffer array_, copy_;
  u32 blocks_ = 0;  // that fill the device
};

}  // namespace

outcome<std::vector<gather_times>> cuda_gather(const cuda_device& device, cudaStream_t stream,
                                               std::span<const gather_question> asked, const batch_options& options,
                                               const job_control& control) {
  auto device_gathers = gatherer::make(device, stream, asked);
  if (!device_gathers) return device_gathers.error();
  std::vector<gather_times> all;
  for (const gather_question& one : asked) {
    control.progress(gather_words(one), static_cast<double>(all.size()) / static_cast<double>(asked.size()));
    if (!device_gathers->has_room_for(one)) {
      all.emplace_back();
      continue;
    }
    auto timer = batch_timer::make(device, options);
    if (!timer) return timer.error();
    auto told = one.copy ? device_gathers->copy(one, *timer, options, control)
                         : device_gathers->gather(one, *timer, options, control);
    if (!told) return told.error();
    all.push_back(std::move(*told));
  }
  return all;
}

}  // namespace pivotscope
