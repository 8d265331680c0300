// How many cells lie on each level of an index.
#pragma once

#include <array>

#include "core/index/model.hpp"
#include "core/index/rank.hpp"

namespace pivotscope::viz {

// Of all regions that are searched, not of those that go beside them.
std::array<u64, max_levels> cells_by_level(const index_model& model);

}  // namespace pivotscope::viz
