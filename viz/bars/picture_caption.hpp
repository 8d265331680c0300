// The caption of a panel that is a picture by itself.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Draws the index and its keys, the question, and what the step says, where the panel shows a lookup.
void picture_caption(frame& f, panel which);

}  // namespace pivotscope::viz
