// The bar of a pivot buffer's levels: which are stored, of those that could be.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

void stored_levels_bar(frame& f);  // draws nothing where no level can be left out

}  // namespace pivotscope::viz
