// The tree that operations meet in, as it is behind the access that is shown: of a staged_model.
#pragma once

#include "viz/models/interleave_model.hpp"

namespace pivotscope::viz {

float interleave_tree_height(const interleave_model& model, std::size_t step);
void interleave_tree(const interleave_model& model, std::size_t step);

}  // namespace pivotscope::viz
