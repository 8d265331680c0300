#include "core/machine/cuda/cuda_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine/cuda/sort.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// begins[i], i <= count, on the device and in the result.
outcome<device_buffer> scan_answers(const cuda_device& device, cudaStream_t stream, const device_batch& b, u64 copy,
                                    batch_result& result, const job_control& control) {
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
      scan_counts(b.answers_of<range_answer>(copy), begins->as<u64>(), b.count + 1, space->data(), space_bytes, stream);
  if (auto s = checked(queued, "scanning counts"); !s) return s.error();
  auto ms = timer->stop(stream, "scanning counts");
  if (!ms) return ms.error();
  result.row_times.push_back({"scan counts", {*ms}});
  result.answers.begins.resize(b.count + 1);
  if (auto s =
          download(result.answers.begins.data(), begins->data(), begins->bytes(), stream, "copying begins", control);
      !s) {
    return s.error();
  }
  return begins;
}

}  // namespace

status write_rows(const cuda_device& device, cudaStream_t stream, const loaded_kernel& kernel, const cuda_index& index,
                  const device_batch& b, u64 copy, batch_result& result, const job_control& control) {
  auto begins = scan_answers(device, stream, b, copy, result, control);
  if (!begins) return begins.error();
  // With a count that no index has there is no place for row ids.
  std::vector<u64>& at = result.answers.begins;
  const auto impossible = [most = index.rows()](u64 begin, u64 end) { return end - begin > most; };
  if (std::adjacent_find(at.begin(), at.end(), impossible) != at.end()) {
    at.clear();
    return fine();
  }
  const u64 total = at.back();
  const memory_need needs[] = {{"row ids", total * sizeof(u32)}};
  const std::string what = fmt::format("the {} row ids of {} ranges", count_text(total), count_text(b.count));
  if (auto s = check_device_memory(device, what, needs, "Use fewer or shorter ranges"); !s) return s;
  if (auto s = check_host_memory(needs[0].bytes, what); !s) return s;
  auto rows = device_buffer::allocate(needs[0].bytes, what);
  if (!rows) return rows.error();
  result.answers.rows.resize(total);
  stage_time time{"write rows", {}};
  if (total > 0) {
    if (auto s = checked(fill_with(rows->as<u32>(), total, not_found, stream), "clearing the row ids"); !s) return s;
    auto timer = device_timer::make();
    if (!timer) return timer.error();
    if (auto s = timer->start(stream); !s) return s;
    const cudaError_t queued =
        launch(kernel, grid_blocks(device, index.config().launch, b.count), index.config().launch.threads, stream,
               index.view(), b.keys_of(copy), b.last_keys_of(copy), b.count, begins->data(), rows->data());
    if (auto s = checked(queued, "writing the row ids"); !s) return s;
    auto ms = timer->stop(stream, "writing the row ids");
    if (!ms) return ms.error();
    time.samples_ms.push_back(*ms);
    auto copied = download(result.answers.rows.data(), rows->data(), rows->bytes(), stream, "copying row ids", control);
    if (!copied) return copied;
  }
  result.row_times.push_back(std::move(time));
  return fine();
}

}  // namespace pivotscope
