// NVIDIA's Nsight Compute, which reads a GPU's counters: `ncu` runs a program, and one kernel of it once for each group
// of counters. It comes with a CUDA toolkit, and is asked for only where a sweep is of counters (docs/sweeps.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/counters/hardware_counters.hpp"

namespace pivotscope {

// `ncu` on $PATH, else in the bin folder of a toolkit. Problem: where it was looked for.
outcome<std::filesystem::path> find_ncu();

// Its arguments: count the first kernel of that name which `program` runs. Clocks are left as they are.
std::vector<std::string> ncu_arguments(std::string_view kernel, const std::vector<std::string>& program);

// Out of what it and the program printed. Problem: no counters are there; its own words, where it said why.
outcome<hardware_counters> counters_from_ncu(std::string_view output);

// The lookups counted in a process of their own: `program` is pivotscope, `ncu` Nsight Compute.
outcome<hardware_counters> count_lookups(const std::filesystem::path& ncu, const std::filesystem::path& program,
                                         const workload& asked, const index_config& config, const job_control& control);

// By the `ncu` that is found here, and this very program.
counter_source counters_by_ncu();

}  // namespace pivotscope
