// The strip "scratch" below memory in the Layout panel: what a block has pinned (O2), as it lies there.
#pragma once

#include "viz/cells/scratch_row.hpp"
#include "viz/parts/strip.hpp"

namespace pivotscope::viz {

float scratch_strip_height();
// Handles the mouse and draws; `area` are the cells. `left_first` and `left_end` as in a strip.
void scratch_strip(frame& f, const box& area, u64 left_first, u64 left_end);
// The loads from scratch up to the step shown, as marks on the strip.
std::vector<strip_mark> scratch_reads(const scratch_row& row, const lookup_trace& trace, u32 step);

}  // namespace pivotscope::viz
