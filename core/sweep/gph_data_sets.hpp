// The sweeps of gph over its data sets other than Random.
#pragma once

#include <vector>

#include "core/sweep/sweep.hpp"

namespace pivotscope {

std::vector<sweep> gph_data_sets();

}  // namespace pivotscope
