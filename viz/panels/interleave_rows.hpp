// The accesses of operations that meet, a row each and a column an operation: with the latches that they hold, and who
// waits for whom.
#pragma once

#include "viz/models/interleave_model.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

inline constexpr float access_row_height = 20;

void interleave_rows(frame& f, const interleave_model& model, float height);

}  // namespace pivotscope::viz
