// How far the batch's lookups go in the index in view, counted a little further in each frame.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Returns the study of the index in view, which must be there, after some milliseconds of work, at most once a frame. Null while
// numbers of the user's own are still being read.
probe_study* study_probes(frame& f);

}  // namespace pivotscope::viz
