// Tree of a table whose keys have several homes: buckets around those of the key looked for, an arrow from each key to its other homes,
// and the way along which an insert makes room (viz/models/home_graph.hpp).
#pragma once

#include "core/index/homes_model.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Draws it for the path in view, which must be of the index in view.
void draw_homes(frame& f, const homes_model& homes);

}  // namespace pivotscope::viz
