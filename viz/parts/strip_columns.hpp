// A row of cells from afar: a pixel column is the mix of its cells' levels.
#pragma once

#include "viz/parts/strip.hpp"

namespace pivotscope::viz {

// Draws the row as pixel columns. They are summed up when the camera or the index is another one, and go on a little
// each frame where pages of a GPU's memory are on their way.
void draw_columns(frame& f, strip_state& state, const strip_input& in);

}  // namespace pivotscope::viz
