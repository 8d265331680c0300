// The cells of the Layout panel on their way from one index to the next.
#pragma once

#include "viz/layout/layout_picture.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Is it worth a look: does an entry lie elsewhere, or change its colour, and are they few?
bool glides(const index_model& before, const index_model& now);
// Draws the cells where they are now; false when they have arrived.
bool draw_glide(frame& f, const layout_picture& p);

}  // namespace pivotscope::viz
