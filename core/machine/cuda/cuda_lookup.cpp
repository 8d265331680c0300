#include "core/machine/cuda/cuda_lookup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine/cuda/sort.hpp"

namespace pivotscope {
namespace {

// The ring of copies: copy c begins at c * stride items of both arrays.
struct batch {
  u64 count = 0, stride = 0, copies = 1;
  u32 key_size = 4;
  device_buffer keys, answers;

  char* keys_of(u64 copy) const { return keys.as<char>() + copy * stride * key_size; }
  u32* answers_of(u64 copy) const { return answers.as<u32>() + copy * stride; }
};

outcome<batch> prepare_batch(const cuda_device& device, cudaStream_t stream, const key_array& lookups, u64 runs,
                             const job_control& control) {
  batch b;
  b.count = lookups.size();
  b.key_size = lookups.width() == key_width::u32 ? 4 : 8;
  b.stride = ceil_div<u64>(b.count, 64) * 64;  // keeps every copy aligned like the first
  b.copies = lookup_copies(b.count, b.key_size, runs, device.info.l2_bytes);
  const memory_need needs[] = {{"keys", b.copies * b.stride * b.key_size},
                               {"answers", b.copies * b.stride * sizeof(u32)}};
  if (auto s = check_device_memory(device, fmt::format("looking up {} keys", count_text(b.count)), needs,
                                   "Use fewer lookups");
      !s) {
    return s.error();
  }
  auto keys = device_buffer::allocate(needs[0].bytes, "the lookups' keys");
  if (!keys) return keys.error();
  b.keys = std::move(*keys);
  auto answers = device_buffer::allocate(needs[1].bytes, "the answers");
  if (!answers) return answers.error();
  b.answers = std::move(*answers);

  const u64 bytes = b.count * b.key_size;
  if (auto s = upload(b.keys.data(), lookups.data(), bytes, stream, "copying lookups to the GPU", control); !s) {
    return s.error();
  }
  for (u64 copy = 1; copy < b.copies; ++copy) {
    const cudaError_t queued = cudaMemcpyAsync(b.keys_of(copy), b.keys.data(), bytes, cudaMemcpyDeviceToDevice, stream);
    if (auto s = checked(queued, "copying the lookups"); !s) return s.error();
  }
  const cudaError_t filled = fill_with(b.answers.as<u32>(), b.copies * b.stride, unanswered, stream);
  if (auto s = checked(filled, "clearing the answers"); !s) return s.error();
  return b;
}

}  // namespace

u64 lookup_copies(u64 lookups, u32 key_bytes, u64 runs, u64 l2_bytes) {
  const u64 bytes = lookups * (key_bytes + sizeof(u32));
  if (runs <= 1 || bytes == 0 || bytes >= 4 * l2_bytes) return 1;
  return std::min(runs, ceil_div(4 * l2_bytes, bytes));
}

outcome<lookup_result> cuda_lookup(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                                   const cuda_index& index, const key_array& lookups, const lookup_options& options,
                                   const job_control& control) {
  const index_config& config = index.config();
  auto loaded = kernels.get(lookup_program(config), config.threads, control);
  if (!loaded) return loaded.error();
  const loaded_kernel& kernel = loaded->front();
  lookup_result result;
  result.kernel = kernel.info;
  result.time.name = "lookup";
  if (lookups.size() == 0) return result;
  result.answers.resize(lookups.size());

  const u64 runs = u64{options.warm_ups} + std::max(1u, options.repeats);
  auto made = prepare_batch(device, stream, lookups, runs, control);
  if (!made) return made.error();
  const batch& b = *made;
  auto timer = device_timer::make();
  if (!timer) return timer.error();

  const index_view view = index.view();
  const u64 blocks = grid_blocks(device, config, b.count);
  for (u64 run = 0; run < runs; ++run) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const u64 copy = run % b.copies;
    if (auto s = timer->start(stream); !s) return s.error();
    const void* keys = b.keys_of(copy);
    const cudaError_t queued = launch(kernel, blocks, config.threads, stream, view, keys, b.answers_of(copy), b.count);
    if (auto s = checked(queued, "starting the lookups"); !s) return s.error();
    auto ms = timer->stop(stream, "looking up");
    if (!ms) return ms.error();
    if (run >= options.warm_ups) result.time.samples_ms.push_back(*ms);
    control.progress("looking up", static_cast<double>(run + 1) / static_cast<double>(runs));
  }
  const u32* last = b.answers_of((runs - 1) % b.copies);
  auto copied = download(result.answers.data(), last, b.count * sizeof(u32), stream, "copying answers", control);
  if (!copied) return copied.error();
  return result;
}

}  // namespace pivotscope
