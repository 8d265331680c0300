// What changes, in Layout: of a batch of updates a tick below each cell that is another one now, and for a moment its
// flash, or its way from the cell where it was; of a write's step the cells that it writes.
#pragma once

#include "viz/layout/layout_picture.hpp"

namespace pivotscope::viz {

// The index in view is another one: takes up what a batch changed in it.
void take_up_changes(frame& f);
void draw_batch_changes(frame& f, const layout_picture& p);
// What was there, and what is there now.
void draw_step_changes(frame& f, const layout_picture& p);

// How many of [first, end) are among the cells, which ascend.
u64 changed_among(const cell_changes& changes, u64 first, u64 end);

}  // namespace pivotscope::viz
