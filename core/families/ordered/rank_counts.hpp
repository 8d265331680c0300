// Ranks from afar: how many of a range of ranks lie on each level, for orders that scatter them.
#pragma once

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"

namespace pivotscope {

// How many ranks below `rank` lie on a level, for orders whose ranks ascend along a level's slots. Costs a search.
u64 ranks_on_level_below(const ordered_config& config, const index_shape& shape, u32 level, u64 rank);

}  // namespace pivotscope
