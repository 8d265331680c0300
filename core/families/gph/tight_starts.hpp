// Tables of `gph` that are one insert before a cell's keys move, or before some are spilled.
#pragma once

#include <vector>

#include "core/families/gph/config.hpp"
#include "core/index/tight_start.hpp"

namespace pivotscope {

std::vector<tight_start> tight_cells(const gph_config& config);

}  // namespace pivotscope
