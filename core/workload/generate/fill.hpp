// Arrays filled by formula, in parallel, with memory that is asked for before it is taken.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <span>
#include <stdexcept>

#include "core/common/job_control.hpp"
#include "core/common/parallel.hpp"
#include "core/workload/host_memory.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

inline constexpr u64 fill_chunk = 1 << 16;  // values between two looks at the control

// body(i) for all i below n.
template <class Body>
status for_each_index(u64 n, const Body& body, std::string_view stage, const job_control& control) {
  control.progress(stage, 0);
  std::atomic<u64> done{0};
  parallel_parts(ceil_div<u64>(n, fill_chunk), 1, [&](const index_part& chunks) {
    for (u64 c = chunks.begin(); c < chunks.end() && !control.cancelled(); ++c) {
      const u64 begin = c * fill_chunk, end = std::min<u64>(n, begin + fill_chunk);
      for (u64 i = begin; i < end; ++i) body(i);
      const u64 so_far = done.fetch_add(end - begin, std::memory_order_relaxed) + (end - begin);
      control.progress(stage, static_cast<double>(so_far) / static_cast<double>(n));
    }
  });
  if (control.cancelled()) return job_control::cancelled_problem();
  return fine();
}

// out[i] = formula(i) for all i.
template <class Key, class Formula>
status fill(std::span<Key> out, const Formula& formula, std::string_view stage, const job_control& control) {
  return for_each_index(
      out.size(), [&](u64 i) { out[i] = static_cast<Key>(formula(i)); }, stage, control);
}

// Runs `make`, which allocates `bytes` for `what`, and turns a failed allocation into words.
template <class Make>
std::invoke_result_t<Make> with_memory(u64 bytes, std::string_view what, const Make& make) {
  if (status enough = check_host_memory(bytes, what); !enough) return enough.error();
  try {
    return make();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return problem{fmt::format("not enough memory: {} could not be had for {}; use fewer", bytes_text(bytes), what)};
}

}  // namespace pivotscope
