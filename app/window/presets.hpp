// Arrangements of the panels: the same panels, docked for learning or for tuning.
#pragma once

#include <imgui.h>

#include <span>

#include "viz/state/view_state.hpp"

namespace pivotscope {

// Docks every panel into `dock_space`, which has this size. 1: Learn. 2: Tune.
void arrange_panels(int preset, ImGuiID dock_space, ImVec2 size, bool lesson_first);
// The panels that are in front of those they share a place with.
std::span<const viz::panel> front_panels(int preset);

}  // namespace pivotscope
