// Trees of `btree` that are one insert before a split: of a leaf, an inner node, the root.
#pragma once

#include "core/families/btree/config.hpp"
#include "core/index/tight_start.hpp"

namespace pivotscope {

// Of inner nodes only where nodes are small, and none at all where they are large: schedules would be too many.
std::vector<tight_start> tight_trees(const btree_config& config);

}  // namespace pivotscope
