// The sweeps of gph's hash join.
#pragma once

#include <vector>

#include "core/sweep/sweep.hpp"

namespace pivotscope {

std::vector<sweep> gph_joins();

}  // namespace pivotscope
