// The tile of the batch that views show, counted a little further in each frame.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Returns the study of the tile in view after some milliseconds of work, at most once a frame. Null if the batch has no
// tile of lookups, or if numbers of the user's own are still being read.
tile_study* study_tile(frame& f);

}  // namespace pivotscope::viz
