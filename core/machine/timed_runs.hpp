// The one loop in which machines time a batch: first the warm-ups, then as many runs as the rule wants.
#pragma once

#include <functional>

#include "core/machine/machine.hpp"

namespace pivotscope {

struct timed_run {
  double ms = 0;
  bool held_back = false;  // the clock was held back during this run, so it does not count
};

struct timed_runs {
  std::vector<double> samples_ms;
  sampling how;
  u64 runs = 0;  // of all kinds; the last run was number runs - 1
};

// Times the runs. once(run) does one; run 0 is the first warm-up. `doing`: words for the progress; empty if a run
// reports its own. Problem: that of a run, or cancelled.
outcome<timed_runs> time_runs(const batch_options& options, std::string_view doing, const job_control& control,
                              const std::function<outcome<timed_run>(u64 run)>& once);

// Returns the greatest possible number of runs, warm-ups included. Runs that do not count are repeated on top of it.
u64 most_runs(const batch_options& options);

// Returns the governor and the load of this computer, before a measurement. Empty if nothing is measured.
measuring_conditions conditions_before(const batch_options& options);

namespace detail {
// The scaling_governor of each processor as one text: "performance"; "performance, powersave"; "". And
// the load of /proc/loadavg.
std::string governors_of(std::vector<std::string> governors);
std::optional<double> load_of(const std::string& loadavg);
}  // namespace detail

}  // namespace pivotscope
