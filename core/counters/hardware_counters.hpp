// What a GPU itself counts while a kernel runs: the measures of gph, Section 3 (its Table 2), by the names it gives
// them.
#pragma once

#include <functional>

#include "core/common/job_control.hpp"
#include "core/config/index_config.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

struct hardware_counters {
  double occupancy = 0;  // AO, achieved: warps active on a multiprocessor over those it has room for, 0 to 1
  u64 instructions = 0;  // EI, that warps executed
  double cycles_per_instruction = 0;  // CPI: from an instruction of a warp to its next, on average

  double warp_cycles() const { return static_cast<double>(instructions) * cycles_per_instruction; }  // EI x CPI
  bool operator==(const hardware_counters&) const = default;
};

// Counts the lookups of a workload by an index once, on the machine that measures them. Problem: why not, in words.
using counter_source =
    std::function<outcome<hardware_counters>(const workload&, const index_config&, const job_control&)>;

}  // namespace pivotscope
