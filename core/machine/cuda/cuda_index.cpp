#include "core/machine/cuda/cuda_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "core/common/timing_turns.hpp"
#include "core/index/axes.hpp"
#include "core/machine/change_index.hpp"
#include "core/machine/cuda/sort.hpp"
#include "core/machine/cuda/stage_timer.hpp"
#include "core/simt/search_lanes.hpp"
#include "core/workload/operation_table.hpp"

namespace pivotscope {
namespace {

u64 pass_blocks(const build_pass& pass, u64 items) {
  switch (pass.by) {
    case done_by::thread:
      return ceil_div<u64>(items, u64{build_threads} * pass.at_once);
    case done_by::warp:
      return ceil_div<u64>(items * search_lanes(items), build_threads);
    case done_by::block:
      return items;
  }
  return 0;
}

}  // namespace

// Builds an index, or changes one that is a copy.
class cuda_executor final : public index_changer {
 public:
  cuda_executor(cuda_index& index, const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                const job_control& control)
      : index_(index), device_(device), stream_(stream), kernels_(kernels), control_(control) {}
  // What a build is of, in the order that its family asks for.
  status take(const cuda_keys& keys) {
    from_ = &keys;
    const family& kind = family_of(index_.config_);
    if (kind.sorted_input()) {
      may_take_groups_ = takes_groups(kind.on_device().passes);
      if (auto s = may_take_groups_ ? keys.sort_to_groups(device_, stream_, control_)
                                    : keys.sort(device_, stream_, control_);
          !s) {
        return s;
      }
    }
    auto range = keys.range(stream_);
    if (!range) return range.error();
    index_.key_range_ = *range;
    see_keys();
    return fine();
  }

  u64 keys() const override { return index_.keys_; }

  std::pair<u64, u64> key_range() const override { return index_.key_range_; }

  status resize(region_id region, u64 cells) override {
    index_region& r = index_.regions_[number_of(region)];
    device_buffer& now = index_.cells_[number_of(region)];
    const u64 bytes = cells * r.cell_bytes, kept = std::min(bytes, r.bytes());
    const std::string what =
        fmt::format("the {} of {} over {} keys", r.name, method_name(index_.config_), count_text(index_.keys_));
    const memory_need need{r.name, bytes};
    if (auto s = check_device_memory(device_, what, {&need, 1}, "Use fewer keys"); !s) return s;
    auto buffer = device_buffer::allocate(bytes, what);
    if (!buffer) return buffer.error();
    if (kept > 0) {
      const cudaError_t queued = cudaMemcpyAsync(buffer->data(), now.data(), kept, cudaMemcpyDeviceToDevice, stream_);
      if (auto s = checked(queued, what); !s) return s;
      if (auto s = checked(cudaStreamSynchronize(stream_), what); !s) return s;
    }
    now = std::move(*buffer);
    r.cells = cells;
    return fine();
  }
  void trim(region_id region, u64 cells) override { index_.regions_[number_of(region)].cells = cells; }
  status read(region_id region, u64 byte_offset, std::span<std::byte> out) override {
    const auto* const from = static_cast<const std::byte*>(index_.cells_[number_of(region)].data()) + byte_offset;
    return download(out.data(), from, out.size(), stream_, "reading the index", control_);
  }

  outcome<u64> run(const build_pass& pass, u64 items, const state_bytes& state) override {
    // Keys may lie in groups as another build left them, and this one take them in any order.
    if (may_take_groups_ && from_->in_groups() && pass.keys == key_use::each) {
      auto done = run_from_groups(pass, items, state);
      if (!done) return done.error();
      may_take_groups_ = false;  // once: the pass may be run again, over arrays
      if (*done) return **done;
      from_->give_groups_up();
      if (auto s = from_->sort(device_, stream_, control_); !s) return s.error();
      see_keys();
    }
    auto loaded = kernel_of(pass);
    if (!loaded) return loaded.error();
    if (control_.cancelled()) return job_control::cancelled_problem();
    control_.progress(pass.stage, -1);
    stage_time time{std::string(pass.stage), {}};
    u64 counted = 0;
    if (items > 0) {
      const u64 chain_bytes = chain_words(items) * sizeof(u64);
      if (pass.by == done_by::block)
        if (auto s = allocate_array(tile_chain, chain_bytes, "the chain of tiles"); !s) return s.error();
      see(state);
      auto count = device_buffer::allocate(sizeof(u64), "a pass's count");
      if (!count) return count.error();
      if (auto s = checked(cudaMemsetAsync(count->data(), 0, sizeof(u64), stream_), pass.stage); !s) return s.error();
      const u64 blocks = pass_blocks(pass, items);
      const auto ms = timed(pass.stage, [&] {
        if (pass.by == done_by::block) {
          const cudaError_t begun = cudaMemsetAsync(arrays_[number_of(tile_chain)].data(), 0, chain_bytes, stream_);
          if (begun != cudaSuccess) return begun;
        }
        return launch(*loaded, blocks, build_threads, stream_, view_, items, count->as<u64>());
      });
      if (!ms) return ms.error();
      time.samples_ms.push_back(*ms);
      if (auto s = download(&counted, count->data(), sizeof(u64), stream_, pass.stage, control_); !s) return s.error();
    }
    index_.times_.push_back(std::move(time));
    index_.kernels_.push_back(loaded->info);
    return counted;
  }

  status allocate_array(array_id array, u64 bytes, std::string_view what) override {
    auto buffer = device_buffer::allocate(bytes, what);
    if (!buffer) return buffer.error();
    arrays_[number_of(array)] = std::move(*buffer);
    return fine();
  }
  status sort_pairs(array_id keys, array_id values, u64 count, std::string_view stage) override {
    return index_.config_.keys == key_width::u32 ? sort<u32>(keys, values, count, stage)
                                                 : sort<u64>(keys, values, count, stage);
  }
  std::span<const stage_time> stages() const override { return index_.times_; }

  status take_writes(const write_part& part) override {
    const u64 key = key_bytes(index_.config_.keys);
    if (auto s = allocate_array(batch_keys, part.count * key, "a batch's keys"); !s) return s;
    if (auto s = allocate_array(batch_numbers, part.count * sizeof(u32), "a batch's numbers"); !s) return s;
    void* to = arrays_[number_of(batch_keys)].data();
    if (auto s = upload(to, part.keys, part.count * key, stream_, "copying the batch to the GPU", control_); !s)
      return s;
    const cudaError_t queued = fill_counting(arrays_[number_of(batch_numbers)].as<u32>(), part.count, stream_);
    if (auto s = checked(queued, "numbering the batch"); !s) return s;
    return send(done_, view_.done, part.done.data(), part.done.size_bytes());
  }
  status give_done(std::span<write_done> done) override {
    return download(done.data(), done_.data(), done.size_bytes(), stream_, "copying answers", control_);
  }

  outcome<double> perform(const update_part& part, const state_bytes& state, std::span<write_done> done,
                          std::span<script_answer> answers) override {
    auto loaded = kernels_.get(update_program(index_.config_), build_threads, control_);
    if (!loaded) return loaded.error();
    const std::vector<std::string_view> names = update_kernels(index_.config_);
    const auto name = std::ranges::find(names, part.mixed ? "mixed" : info_of(part.kind).kernel);
    PIVOTSCOPE_EXPECT(name != names.end());
    const loaded_kernel& kernel = (*loaded)[static_cast<std::size_t>(name - names.begin())];
    kernel_ = kernel.info;
    if (part.count == 0) return 0.0;
    see(state);
    const u32 key = key_bytes(index_.config_.keys);
    update_work work{.count = part.count, .kind = part.kind, .first_row = part.first_row};
    device_buffer keys, highs, kinds, rows, out, mixed, begins;
    if (auto s = send(keys, work.keys, part.keys, part.count * key); !s) return s.error();
    if (auto s = send(highs, work.highs, part.highs, part.count * key); !s) return s.error();
    if (auto s = send(kinds, work.kinds, part.mixed ? part.kinds : nullptr, part.count); !s) return s.error();
    if (auto s = send(rows, work.rows, part.rows, part.count * sizeof(u32)); !s) return s.error();
    if (auto s = send(out, work.done, done.data(), part.count); !s) return s.error();  // what is not done is seen
    if (auto s = send(mixed, work.answers, part.mixed ? answers.data() : nullptr, part.count * sizeof(script_answer));
        !s)
      return s.error();

    const bool looks_ahead = family_of(index_.config_).looks_ahead(index_.config_);
    if (looks_ahead) {
      auto buffer = device_buffer::allocate(part.count * sizeof(u32), "where a batch's operations begin");
      if (!buffer) return buffer.error();
      begins = std::move(*buffer);
      work.begins = begins.as<u32>();
    }

    timing_turns::turn quiet = timed_pass(control_);
    const u64 blocks = ceil_div<u64>(part.count, build_threads);
    const auto ms = timed("updating", [&] {
      if (looks_ahead) {
        index_view seen;
        static_cast<state_view&>(seen) = view_.found_by;
        for (u32 r = 0; r < max_regions; ++r) seen.regions[r] = view_.regions[r];
        const cudaError_t queued =
            launch(loaded->back(), blocks, build_threads, stream_, seen, work.keys, begins.as<u32>(), work.count);
        if (queued != cudaSuccess) return queued;
      }
      return launch(kernel, blocks, build_threads, stream_, view_, work);
    });
    quiet.end();
    if (!ms) return ms.error();
    if (auto s = download(done.data(), out.data(), part.count, stream_, "copying answers", control_); !s)
      return s.error();
    if (part.mixed) {
      if (auto s = download(answers.data(), mixed.data(), part.count * sizeof(script_answer), stream_,
                            "copying answers", control_);
          !s)
        return s.error();
    }
    return *ms;
  }

  // The regions of another, as they are.
  status copy(const cuda_index& from) {
    if (auto s = replace_regions(from.regions_); !s) return s;
    for (std::size_t r = 0; r < from.regions_.size(); ++r) {
      const u64 bytes = from.regions_[r].bytes();
      if (bytes == 0) continue;
      const cudaError_t queued =
          cudaMemcpyAsync(index_.cells_[r].data(), from.cells_[r].data(), bytes, cudaMemcpyDeviceToDevice, stream_);
      if (auto s = checked(queued, "copying the index"); !s) return s;
    }
    return checked(cudaStreamSynchronize(stream_), "copying the index");
  }
  // Sees the regions of another, which stay as they are.
  void look_at(const cuda_index& from) {
    looked_at_ = &from;
    index_.regions_ = from.regions_;
  }
  const kernel_info& kernel() const { return kernel_; }

 private:
  // The milliseconds of work that queue() queues.
  template <class Queue>
  outcome<double> timed(std::string_view doing, const Queue& queue) {
    if (!timer_) {
      auto made = stage_timer::make();
      if (!made) return made.error();
      timer_ = std::move(*made);
    }
    return timer_->time(stream_, doing, queue);
  }
  template <class Key>
  status sort(array_id keys, array_id values, u64 count, std::string_view stage) {
    device_buffer &sorted = arrays_[number_of(keys)], &with = arrays_[number_of(values)];
    auto other_keys = device_buffer::allocate(count * sizeof(Key), "a sort's second keys");
    if (!other_keys) return other_keys.error();
    auto other_values = device_buffer::allocate(count * sizeof(u32), "a sort's second values");
    if (!other_values) return other_values.error();
    std::size_t bytes = 0;
    if (auto s = checked(sort_space<Key>(count, bytes), stage); !s) return s;
    auto space = device_buffer::allocate(bytes, "a sort's work space");
    if (!space) return space.error();
    ping_pong<Key> key_buffers{{sorted.as<Key>(), other_keys->as<Key>()}};
    ping_pong<u32> value_buffers{{with.as<u32>(), other_values->as<u32>()}};
    const auto queue = [&] {
      return pivotscope::sort_pairs(key_buffers, value_buffers, count, 0, u32{8 * sizeof(Key)}, space->data(), bytes,
                                    stream_);
    };
    const auto ms = timed(stage, queue);
    if (!ms) return ms.error();
    index_.times_.push_back({std::string(stage), {*ms}});
    if (key_buffers.current == 1) std::swap(sorted, *other_keys);
    if (value_buffers.current == 1) std::swap(with, *other_values);
    return fine();
  }

  status replace_regions(std::vector<index_region> regions) override {
    for (u32 r = 0; r < max_regions; ++r) {
      before_[r] = std::exchange(index_.cells_[r], {});
      view_.before[r] = looked_at_ ? looked_at_->cells_[r].data() : before_[r].data();
    }
    looked_at_ = nullptr;
    index_.regions_ = std::move(regions);
    std::vector<memory_need> needs;
    for (const index_region& r : index_.regions_) needs.push_back({r.name, r.bytes()});
    const std::string what = fmt::format("{} over {} keys", method_name(index_.config_), count_text(index_.keys_));
    if (auto s = check_device_memory(device_, what, needs, "Use fewer keys"); !s) return s;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      auto buffer = device_buffer::allocate(needs[i].bytes, fmt::format("the {} of {}", needs[i].what, what));
      if (!buffer) return buffer.error();
      index_.cells_[i] = std::move(*buffer);
    }
    return fine();
  }

  void free_before() override {
    for (u32 r = 0; r < max_regions; ++r) before_[r] = {}, view_.before[r] = nullptr;
  }

  // The first pass stores each key by itself, and is the only one that reads them: it may put groups of keys in order as
  // it does so, in place of a pass of the sort that stores them sorted.
  static bool takes_groups(std::span<const build_pass> passes) {
    return passes.front().keys == key_use::each &&
           std::all_of(passes.begin() + 1, passes.end(), [](const build_pass& p) { return p.keys == key_use::none; });
  }
  // Returns how many items the pass counted; nothing: groups were too long, and the index is of no use yet.
  outcome<std::optional<u64>> run_from_groups(const build_pass& pass, u64 items, const state_bytes& state) {
    auto loaded = kernels_.get(group_build_program(index_.config_, pass), group_block, control_);
    if (!loaded) return loaded.error();
    if (control_.cancelled()) return job_control::cancelled_problem();
    const loaded_kernel& kernel = loaded->front();
    control_.progress(pass.stage, -1);
    see(state);
    auto failed = device_buffer::allocate(sizeof(u32), "what a pass says of groups");
    if (!failed) return failed.error();
    if (auto s = checked(cudaMemsetAsync(failed->data(), 0, sizeof(u32), stream_), pass.stage); !s) return s.error();
    auto counted = device_buffer::allocate(sizeof(u64), "a pass's count");
    if (!counted) return counted.error();
    if (auto s = checked(cudaMemsetAsync(counted->data(), 0, sizeof(u64), stream_), pass.stage); !s) return s.error();
    const u64 keys = from_->size();
    const auto ms = timed(pass.stage, [&] {
      return launch(kernel, group_blocks(key_bytes(index_.config_.keys), keys), group_block, stream_, view_, keys,
                    items, failed->as<u32>(), counted->as<u64>());
    });
    if (!ms) return ms.error();
    u32 too_long = 0;
    if (auto s = download(&too_long, failed->data(), sizeof(u32), stream_, pass.stage, control_); !s) return s.error();
    u64 count = 0;
    if (auto s = download(&count, counted->data(), sizeof(u64), stream_, pass.stage, control_); !s) return s.error();
    // Its time counts, whatever it came to.
    index_.times_.push_back({kernel.info.name, {*ms}});
    index_.kernels_.push_back(kernel.info);
    if (too_long != 0) return std::optional<u64>();
    return std::optional<u64>(count);
  }

  void see_keys() {
    view_.keys = from_->keys();
    view_.rows = from_->rows();
  }
  void see(const state_bytes& state) {
    for (u32 r = 0; r < max_regions; ++r)
      view_.regions[r] = looked_at_ ? looked_at_->cells_[r].data() : index_.cells_[r].data();
    for (u32 a = 0; a < max_arrays; ++a) view_.arrays[a] = arrays_[a].data();
    state.copy_to(view_.found_by.state);
  }

  // What a batch asks, on the device: nothing for null.
  template <class Pointer>
  status send(device_buffer& to, Pointer& there, const void* from, u64 bytes) {
    if (from == nullptr || bytes == 0) return fine();
    auto buffer = device_buffer::allocate(bytes, "a batch of updates");
    if (!buffer) return buffer.error();
    to = std::move(*buffer);
    there = static_cast<Pointer>(to.data());
    return upload(to.data(), from, bytes, stream_, "copying the batch to the GPU", control_);
  }

  // All passes are one program, compiled when the first is run.
  outcome<loaded_kernel> kernel_of(const build_pass& pass) {
    if (passes_.empty()) {
      auto loaded = kernels_.get(build_program(index_.config_), build_threads, control_);
      if (!loaded) return loaded.error();
      passes_ = std::move(*loaded);
    }
    const auto all = family_of(index_.config_).on_device().passes;
    const auto at = std::find_if(all.begin(), all.end(), [&](const build_pass& p) { return p.kernel == pass.kernel; });
    return passes_[static_cast<std::size_t>(at - all.begin())];
  }

  cuda_index& index_;
  const cuda_device& device_;
  cudaStream_t stream_;
  kernel_store& kernels_;
  const job_control& control_;
  const cuda_keys* from_ = nullptr;  // of a build
  bool may_take_groups_ = false;
  build_view view_;
  const cuda_index* looked_at_ = nullptr;  // until the first allocate()
  std::array<device_buffer, max_regions> before_;
  std::array<device_buffer, max_arrays> arrays_;
  device_buffer done_;  // of a batch's writes
  std::optional<stage_timer> timer_;
  std::vector<loaded_kernel> passes_;
  kernel_info kernel_;
};

outcome<std::shared_ptr<const cuda_index>> cuda_index::build(const cuda_device& device, cudaStream_t stream,
                                                             kernel_store& kernels, const index_config& config,
                                                             const cuda_keys& keys, const job_control& control) {
  auto index = std::make_shared<cuda_index>();
  index->device_ = device.ordinal;
  index->config_ = config;
  index->keys_ = index->rows_ = keys.size();
  cuda_executor on(*index, device, stream, kernels, control);
  if (auto s = on.take(keys); !s) return s.error();
  const auto state = family_of(config).build(on, config);
  if (!state) return state.error();
  index->state_ = *state;
  return std::shared_ptr<const cuda_index>(std::move(index));
}

outcome<update_result> cuda_index::update(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                                          const cuda_index& from, const script& s, u64 batch,
                                          const job_control& control) {
  const auto index = std::make_shared<cuda_index>();
  index->device_ = from.device_;
  index->config_ = from.config_;
  index->keys_ = from.keys_;
  index->key_range_ = from.key_range_;
  cuda_executor on(*index, device, stream, kernels, control);
  if (!writes_all_anew(from, s, batch)) {
    if (auto done = on.copy(from); !done) return done.error();
  } else {
    on.look_at(from);
  }
  outcome<changed_index> changed = change_index(on, from, s, batch, control);
  if (!changed) return changed.error();
  index->state_ = changed->state;
  index->rows_ = changed->rows;
  update_result result{.done = std::move(changed->done),
                       .answers = std::move(changed->answers),
                       .counts = changed->counts,
                       .time = {std::string(update_name(s, batch)), {changed->ms}},
                       .stages = std::move(changed->stages),
                       .kernel = on.kernel()};
  take_stages(result, s, batch, std::exchange(index->times_, from.times_));
  index->kernels_ = from.kernels_;
  result.index = index;
  return result;
}

index_view cuda_index::view() const {
  index_view v;
  for (u32 r = 0; r < max_regions; ++r) v.regions[r] = cells_[r].data();
  std::tie(v.sort_begin, v.sort_end) = sort_bits();
  state_.copy_to(v.state);
  return v;
}

status cuda_index::read(region_id region, u64 byte_offset, std::span<std::byte> out) const {
  const device_buffer& buffer = cells_[number_of(region)];
  if (byte_offset > buffer.bytes() || out.size() > buffer.bytes() - byte_offset) {
    return problem{fmt::format("bytes {} to {} are outside an array of {}", byte_offset, byte_offset + out.size(),
                               buffer.bytes())};
  }
  if (out.empty()) return fine();
  if (auto s = checked(cudaSetDevice(device_), "choosing the GPU"); !s) return s;
  return checked(cudaMemcpy(out.data(), buffer.as<std::byte>() + byte_offset, out.size(), cudaMemcpyDeviceToHost),
                 "reading the index");
}

u64 grid_blocks(const cuda_device& device, const launch_config& launch, u64 lookups) {
  const u64 tiles = ceil_div(lookups, u64{tile_lookups(launch)});
  const u64 resident = u64{device.info.processors} * launch.blocks_per_sm;
  return launch.schedule == schedule_kind::fixed ? std::min(tiles, resident) : tiles;
}

}  // namespace pivotscope
