// Measuring a sweep: each row by the autotuner (core/choose), which goes the way that `run` goes, and what comes of it
// beside what is wanted.
#pragma once

#include <functional>

#include "core/common/time_source.hpp"
#include "core/machine/machine_source.hpp"
#include "core/sweep/sweep_point.hpp"

namespace pivotscope {

struct sweep_progress {
  std::string words = {};  // "row 3 of 58, misses inside 2^16: round 1 of 2, finalist 1 of 2: PACKED"
  double fraction = 0;     // by the work that rows are, not by their number
};

struct sweep_options {
  u32 scale = 0;                // bits that every count is cut by
  u32 rounds = 2, repeats = 7;  // of each config: 14 runs
  std::function<void(const sweep_progress&)> report = {};
  time_source now = std::chrono::steady_clock::now;
};

// Measures its rows in order on `on`, rows that name another machine on that one, and appends a point for each: what was
// measured before a cancellation is there. `each` is called after each. A row that cannot be measured is a point with
// words. Problem: cancelled.
status run_sweep(
    const sweep& what, machine& on, const machine_source& machines, const sweep_options& options,
    const job_control& control, std::vector<sweep_point>& points, const std::function<void()>& each = [] {});

}  // namespace pivotscope
