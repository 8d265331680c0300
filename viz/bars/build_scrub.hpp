// The transport's line of slots, while the build is shown.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

void build_scrub(frame& f, float width, float height);  // in pixels

}  // namespace pivotscope::viz
