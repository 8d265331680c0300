// A scenario's line opened and copied with its place: a step, or a slot of the build, waits for its path or index.
#pragma once

#include <string_view>

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Where one is now; nothing while what is chosen is not there yet.
view_position place_in_view(const session_view& session, const view_state& view);
// The same with the panel that is looked at and, where Layout does not show all, its cells: what a colleague is to see.
view_position sight_in_view(const session_view& session, const view_state& view);

void copy_scenario(frame& f);
// False: it is no scenario, and that has been told.
bool open_scenario(frame& f, std::string_view line);
void open_snapshot(frame& f, const snapshot& kept);
// Once a frame, after advance_transport(): goes to the place of what is being opened once it is there.
void follow_opening(frame& f);

}  // namespace pivotscope::viz
