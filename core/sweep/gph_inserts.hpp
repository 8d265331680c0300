// The sweeps of gph, Figure 15: inserts.
#pragma once

#include <vector>

#include "core/sweep/sweep.hpp"

namespace pivotscope {

std::vector<sweep> gph_inserts();

}  // namespace pivotscope
