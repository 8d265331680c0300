// The lines of memory that a warp touches in a step, below its grid.
#pragma once

#include <optional>

#include "core/traffic/warp_step.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Four sectors a line, and in them the threads that read there; a broken outline about a sector that the other order
// reads in this step, which is `other` there (null: none yet) and called `other_name`. Of the index in view; `number`
// is the step's, from 0. `pointed`: a thread that the mouse is over.
void warp_lines(frame& f, const warp_step& step, const warp_step* other, const char* other_name, u32 number,
                std::optional<u32> pointed);

}  // namespace pivotscope::viz
