// The state of a cell as its content tells it. Pure.
#pragma once

#include "viz/cells/cells.hpp"

namespace pivotscope::viz {

// Returns a place with the state of its cell, where its content tells that; as it is while that is not at hand.
cell_place state_seen(const index_model& model, cell_place place, const region_reader& read);

}  // namespace pivotscope::viz
