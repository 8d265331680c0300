// The keys that work everywhere, and the list of them that F1 shows, where they are changed.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Runs what was pressed. Keys that are being typed into a field are not for here.
void handle_shortcuts(frame& f);
// The list of all keys, when it is open.
void shortcut_list(frame& f);

}  // namespace pivotscope::viz
