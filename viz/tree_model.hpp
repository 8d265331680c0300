// The search tree of an index as nodes: what lies in memory is only arrays, the tree is in the formulas. Pure.
#pragma once

#include <vector>

#include "core/config/index_config.hpp"
#include "core/index/ordered/shape.hpp"

namespace pivotscope::viz {

struct tree_node {
  u32 level = 0;
  region_id array = ordered_region::entries;
  u64 first_slot = 0;
  u32 slots = 0;      // empty ones too
  double middle = 0;  // 0 to 1 across the tree
  int parent = -1;
};

struct tree_model {
  std::vector<tree_node> nodes;  // level by level, from left to right
  u32 levels = 0;
  u64 widest = 0;  // slots in the widest level
};

// Nodes that the tree has; for deciding whether all of them can be drawn.
u64 count_nodes(const index_config& config, const index_shape& shape);
tree_model make_tree(const index_config& config, const index_shape& shape);

}  // namespace pivotscope::viz
