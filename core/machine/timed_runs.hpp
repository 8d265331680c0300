// The one loop in which machines time a batch: warm-ups, then runs for as long as the rule wants them.
#pragma once

#include <functional>

#include "core/machine/machine.hpp"

namespace pivotscope {

struct timed_run {
  double ms = 0;
  bool held_back = false;  // on a clock that was: it does not count
};

struct timed_runs {
  std::vector<double> samples_ms;
  sampling how;
  u64 runs = 0;  // of all kinds: the last was run number runs - 1
};

// `once(run)`: run 0 is the first to warm up. `doing`: for the progress; empty, where a run tells its own. Problem: that
// of a run, or cancelled.
outcome<timed_runs> time_runs(const batch_options& options, std::string_view doing, const job_control& control,
                              const std::function<outcome<timed_run>(u64 run)>& once);

// The most runs that there are to be, warm-ups among them; those that do not count are made again.
u64 most_runs(const batch_options& options);

// Of this computer, before a measurement: governor and load. Nothing without one.
measuring_conditions conditions_before(const batch_options& options);

namespace detail {
// Text of /sys/.../scaling_governor of each processor, and of /proc/loadavg: "performance"; "performance, powersave"; ""
std::string governors_of(std::vector<std::string> governors);
std::optional<double> load_of(const std::string& loadavg);
}  // namespace detail

}  // namespace pivotscope
