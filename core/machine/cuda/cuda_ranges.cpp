#include "core/machine/cuda/cuda_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine/cuda/sort.hpp"

namespace pivotscope {
namespace {

struct batch {
  u64 count = 0;
  device_buffer lows, highs, answers;
};

outcome<batch> prepare_batch(const cuda_device& device, cudaStream_t stream, const range_array& ranges,
                             const job_control& control) {
  batch b;
  b.count = ranges.size();
  const u64 key_size = ranges.width() == key_width::u32 ? 4 : 8;
  // One answer more, of nothing: scanned along, it makes the last sum the total.
  const memory_need needs[] = {{"ends", 2 * b.count * key_size}, {"answers", (b.count + 1) * sizeof(range_answer)}};
  if (auto s = check_device_memory(device, fmt::format("looking up {} ranges", count_text(b.count)), needs,
                                   "Use fewer ranges");
      !s) {
    return s.error();
  }
  for (auto [buffer, ends] : {std::pair{&b.lows, &ranges.low}, std::pair{&b.highs, &ranges.high}}) {
    auto made = device_buffer::allocate(b.count * key_size, "the ranges' ends");
    if (!made) return made.error();
    *buffer = std::move(*made);
    auto copied =
        upload(buffer->data(), ends->data(), b.count * key_size, stream, "copying ranges to the GPU", control);
    if (!copied) return copied.error();
  }
  auto answers = device_buffer::allocate(needs[1].bytes, "the answers");
  if (!answers) return answers.error();
  b.answers = std::move(*answers);
  // An answer that no thread wrote is seen as wrong.
  const cudaError_t filled = fill_with(b.answers.as<u32>(), b.count * sizeof(range_answer) / sizeof(u32), ~0u, stream);
  if (auto s = checked(filled, "clearing the answers"); !s) return s.error();
  const cudaError_t ended = fill_with(b.answers.as<u32>() + b.count * sizeof(range_answer) / sizeof(u32),
                                      sizeof(range_answer) / sizeof(u32), 0, stream);
  if (auto s = checked(ended, "clearing the answers"); !s) return s.error();
  return b;
}

// begins[i], i <= count, on the device and in the result.
outcome<device_buffer> scan_answers(const cuda_device& device, cudaStream_t stream, const batch& b,
                                    range_result& result, const job_control& control) {
  std::size_t space_bytes = 0;
  if (auto s = checked(scan_space(b.count + 1, space_bytes), "asking what a scan needs"); !s) return s.error();
  const memory_need needs[] = {{"begins", (b.count + 1) * sizeof(u64)}, {"work space", space_bytes}};
  if (auto s = check_device_memory(device, "numbering the ranges' row ids", needs, "Use fewer ranges"); !s) {
    return s.error();
  }
  auto begins = device_buffer::allocate(needs[0].bytes, "the begins of the ranges' row ids");
  if (!begins) return begins.error();
  auto space = device_buffer::allocate(space_bytes, "the scan's work space");
  if (!space) return space.error();
  auto timer = device_timer::make();
  if (!timer) return timer.error();
  if (auto s = timer->start(stream); !s) return s.error();
  const cudaError_t queued =
      scan_counts(b.answers.as<range_answer>(), begins->as<u64>(), b.count + 1, space->data(), space_bytes, stream);
  if (auto s = checked(queued, "scanning counts"); !s) return s.error();
  auto ms = timer->stop(stream, "scanning counts");
  if (!ms) return ms.error();
  result.row_times.push_back({"scan counts", {*ms}});
  result.begins.resize(b.count + 1);
  if (auto s = download(result.begins.data(), begins->data(), begins->bytes(), stream, "copying begins", control); !s) {
    return s.error();
  }
  return begins;
}

status write_rows(const cuda_device& device, cudaStream_t stream, const loaded_kernel& kernel, const cuda_index& index,
                  const batch& b, range_result& result, const job_control& control) {
  auto begins = scan_answers(device, stream, b, result, control);
  if (!begins) return begins.error();
  const u64 total = result.begins.back();
  const memory_need needs[] = {{"row ids", total * sizeof(u32)}};
  const std::string what = fmt::format("the {} row ids of {} ranges", count_text(total), count_text(b.count));
  if (auto s = check_device_memory(device, what, needs, "Use fewer or shorter ranges"); !s) return s;
  auto rows = device_buffer::allocate(needs[0].bytes, what);
  if (!rows) return rows.error();
  result.rows.resize(total);
  stage_time time{"write rows", {}};
  if (total > 0) {
    if (auto s = checked(fill_with(rows->as<u32>(), total, not_found, stream), "clearing the row ids"); !s) return s;
    auto timer = device_timer::make();
    if (!timer) return timer.error();
    if (auto s = timer->start(stream); !s) return s;
    const cudaError_t queued =
        launch(kernel, grid_blocks(device, index.config(), b.count), index.config().threads, stream, index.view(),
               b.lows.data(), b.highs.data(), b.count, begins->data(), rows->data());
    if (auto s = checked(queued, "writing the row ids"); !s) return s;
    auto ms = timer->stop(stream, "writing the row ids");
    if (!ms) return ms.error();
    time.samples_ms.push_back(*ms);
    auto copied = download(result.rows.data(), rows->data(), rows->bytes(), stream, "copying row ids", control);
    if (!copied) return copied;
  }
  result.row_times.push_back(std::move(time));
  return fine();
}

}  // namespace

outcome<range_result> cuda_ranges(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                                  const cuda_index& index, const range_array& ranges, const range_options& options,
                                  const job_control& control) {
  const index_config& config = index.config();
  auto loaded = kernels.get(range_program(config), config.threads, control);
  if (!loaded) return loaded.error();
  range_result result;
  result.kernel = loaded->front().info;
  result.time.name = "ranges";
  if (options.rows) result.begins = {0};
  if (ranges.size() == 0) return result;

  auto made = prepare_batch(device, stream, ranges, control);
  if (!made) return made.error();
  const batch& b = *made;
  auto timer = device_timer::make();
  if (!timer) return timer.error();
  const u64 runs = u64{options.warm_ups} + std::max(1u, options.repeats);
  for (u64 run = 0; run < runs; ++run) {
    if (control.cancelled()) return job_control::cancelled_problem();
    if (auto s = timer->start(stream); !s) return s.error();
    const cudaError_t queued = launch(loaded->front(), grid_blocks(device, config, b.count), config.threads, stream,
                                      index.view(), b.lows.data(), b.highs.data(), b.count, b.answers.data());
    if (auto s = checked(queued, "starting the ranges"); !s) return s.error();
    auto ms = timer->stop(stream, "looking up ranges");
    if (!ms) return ms.error();
    if (run >= options.warm_ups) result.time.samples_ms.push_back(*ms);
    control.progress("looking up ranges", static_cast<double>(run + 1) / static_cast<double>(runs));
  }
  result.answers.resize(b.count);
  auto copied = download(result.answers.data(), b.answers.data(), b.count * sizeof(range_answer), stream,
                         "copying answers", control);
  if (!copied) return copied.error();
  if (!options.rows) return result;
  if (auto s = write_rows(device, stream, loaded->back(), index, b, result, control); !s) return s.error();
  return result;
}

}  // namespace pivotscope
