// A batch on the cpu machine, in parallel; false when cancelled. The answers of block `forgotten` are left out.
#pragma once

#include <span>

#include "core/common/job_control.hpp"
#include "core/workload/batch.hpp"

namespace pivotscope {

// Which of x86-64's levels of instructions this processor has: 1 to 4. Elsewhere 1.
u32 instruction_level();

// answers[i] = row id of keys[i], or not_found. `level`: of the instructions to use, at most the processor's.
bool run_lookups(const index_config& config, const index_view& view, const key_array& keys, std::span<u32> answers,
                 u64 forgotten, const job_control& control, u32 level = instruction_level());

// How many entries each range has, and the sum of their row ids.
bool count_ranges(const index_config& config, const index_view& view, const batch& asked,
                  std::span<range_answer> answers, u64 forgotten, const job_control& control);

// The ranges' row ids, to where answers.begins says.
bool write_rows(const index_config& config, const index_view& view, const batch& asked, batch_answers& answers,
                u64 forgotten, const job_control& control);

}  // namespace pivotscope
