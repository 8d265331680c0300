// Where cells of one row of Layout lead to those of another, whatever regions these are; and what the search has in
// hand.
#pragma once

#include "viz/layout/layout_picture.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Between two rows: of what is in view what its cells hold (index_model::leads_of), the way that the path took, and
// where it goes on from this step. Behind the rows.
void draw_ways(const frame& f, const layout_picture& p);
// Beside the cells that the step reads.
void draw_in_hand(const frame& f, const layout_picture& p);

}  // namespace pivotscope::viz
