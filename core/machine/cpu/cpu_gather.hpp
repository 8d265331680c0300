// Gathers on the CPU, whose lanes are loops: of one task after another, on all of its threads.
#pragma once

#include "core/machine/gather.hpp"

namespace pivotscope {

outcome<std::vector<gather_times>> cpu_gather(std::span<const gather_question> asked, const batch_options& options,
                                              const job_control& control);

}  // namespace pivotscope
