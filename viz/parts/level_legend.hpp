// The legend of the levels' colours.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Draws a square a level, at most `room` pixels wide in all. `clickable`: a click zooms Layout to the level's cells.
void level_legend(frame& f, bool clickable, float room);

}  // namespace pivotscope::viz
