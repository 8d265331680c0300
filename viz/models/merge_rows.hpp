// The merge path as a list of rows about one step. Pure.
#pragma once

#include <string>
#include <vector>

#include "core/index/batch_merge.hpp"

namespace pivotscope::viz {

// Returns the first of `count` steps that are listed with `step` among them, in their middle where there is room.
u64 first_listed(u64 step, u64 count, u64 steps);
// "insert 7", "erase 5"
std::string write_words(const merged_write& write);
// Returns what a step does, in a sentence or two.
std::string step_words(const batch_merge& merge, const path_step& at);
// Returns where the entry of a slot comes from: "old slot 6", "the batch: insert 7, row id 16".
std::string source_words(const batch_merge& merge, const path_step& at);

}  // namespace pivotscope::viz
