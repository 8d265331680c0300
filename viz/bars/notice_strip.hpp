// The line of notices above the transport.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

float notice_strip_height();
void notice_strip(frame& f);

}  // namespace pivotscope::viz
