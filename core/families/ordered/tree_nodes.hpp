// The search tree of an order as nodes: what lies in memory is only arrays, the tree is in the formulas. Pure.
#pragma once

#include <vector>

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

u64 count_nodes(const ordered_config& config, const index_shape& shape);
// Level by level, from left to right.
std::vector<tree_node> make_nodes(const ordered_config& config, const index_shape& shape);

}  // namespace pivotscope
