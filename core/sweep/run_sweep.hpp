// Measuring a sweep: each row by the autotuner (core/tuning), which goes the way that `run` goes, and what comes of it
// beside what is wanted.
#pragma once

#include <functional>

#include "core/common/time_source.hpp"
#include "core/machine/machine_source.hpp"
#include "core/memory_benchmark/device_rates.hpp"
#include "core/sweep/sweep_point.hpp"

namespace pivotscope {

struct sweep_progress {
  std::string words = {};  // "row 3 of 58, misses inside 2^16: round 1 of 2, finalist 1 of 2: PACKED"
  double fraction = 0;     // by the work that rows are, not by their number
};

struct sweep_options {
  u32 scale = 0;                                               // bits that every count is cut by
  round_plan rounds = {.least = 2, .most = 12, .repeats = 7};  // of each config: 14 to 84 runs
  counter_source counters = {};                                // of the machine's GPU, for sweeps that ask for them
  device_rates rates = {};  // of the GPU that rows are measured on: what the traffic model takes
  std::function<void(const sweep_progress&)> report = {};
  time_source now = std::chrono::steady_clock::now;
};

// Told each point when it is measured; a problem ends the sweep: what cannot be kept need not be measured.
using each_point = std::function<status(const sweep_point&)>;

// Measures its rows in order on `on`, rows that name another machine on that one, and puts a point for each into
// `points`, in the order of the rows: what was measured before a cancellation is there. Rows that are among the points
// already, in that order, are not measured again. A row that cannot be measured is a point with words. Problem:
// cancelled, or what `each` says.
status run_sweep(
    const sweep& what, machine& on, const machine_source& machines, const sweep_options& options,
    const job_control& control, std::vector<sweep_point>& points,
    const each_point& each = [](const sweep_point&) { return fine(); });

}  // namespace pivotscope
