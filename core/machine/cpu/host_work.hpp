// What the stages of the cpu machine share: their time, room for what they make, and work cut into chunks.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string_view>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/common/parallel.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {

class stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline problem out_of_memory(std::string_view what, u64 bytes) {
  return {fmt::format("not enough memory for {}: it needs {:.1f} GiB; ask for fewer keys or lookups", what,
                      static_cast<double>(bytes) / (1u << 30))};
}

// Asking what is free reads a file of the system's; for less than this it is not worth it.
inline constexpr u64 worth_asking = 64u << 20;
inline status room_for(u64 bytes, std::string_view what) {
  return bytes < worth_asking ? fine() : check_host_memory(bytes, what);
}

inline constexpr u64 slots_a_task = 1u << 16;

// f(begin, end) over [0, n) in parallel; false when cancelled.
template <class F>
bool in_chunks(std::string_view stage, u64 n, u64 chunk, const job_control& control, F&& f) {
  std::atomic<u64> done{0};
  const u64 chunks = ceil_div(n, chunk);
  parallel_each(chunks, [&](u64 c) {
    if (control.cancelled()) return;
    f(c * chunk, std::min(n, (c + 1) * chunk));
    control.progress(stage, static_cast<double>(++done) / static_cast<double>(chunks));
  });
  return !control.cancelled();
}

}  // namespace pivotscope
