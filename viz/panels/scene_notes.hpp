// What stands below the picture of a scene: how much of it is shown, and what is left out.
#pragma once

#include <string>
#include <vector>

#include "viz/models/scene_lookup.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

class scene_study;

// Returns a sentence on the triangles; one on the boxes, if a level of them was chosen; and one on the key looked for, if
// it has no place in the scene. `lookup`: up to the step in view; null: none is.
std::vector<std::string> scene_notes(const frame& f, const scene_study& study, const scene_lookup* lookup);

}  // namespace pivotscope::viz
