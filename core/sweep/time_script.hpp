// Times a row whose workload has a script: the script is run and checked as `pivotscope run` does it (core/run), and
// the times of those of its batches count that timed_part.hpp names.
#pragma once

#include "core/run/key_set.hpp"
#include "core/tuning/autotuner.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

// Builds the index and runs the script, each batch `repeats` times. A run of the part that is timed is the sum of a run
// of each of its batches. Problem: a wrong answer (then `wrong` is set), the machine's, or cancelled.
outcome<tuned_config> time_script(machine& on, const index_config& config, const key_set& keys, const script& s,
                                  const workload& load, u32 repeats, const job_control& control);

}  // namespace pivotscope
