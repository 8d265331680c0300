// Opening a snapshot: its scenario, and its step once the path is there.
#pragma once

#include "viz/view_state.hpp"

namespace pivotscope::viz {

void open_snapshot(frame& f, const snapshot& kept);
// Once a frame, after advance_transport(): goes to the step of a snapshot that is being opened.
void follow_snapshot(frame& f);

}  // namespace pivotscope::viz
