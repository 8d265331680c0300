// The nodes of an index as a picture of a tree needs them. Pure.
#pragma once

#include <vector>

#include "core/index/model.hpp"

namespace pivotscope::viz {

struct tree_model {
  std::vector<tree_node> nodes;  // level by level, from left to right
  u32 levels = 0;
  u64 widest = 0;  // cells in the widest level
};

tree_model make_tree(const index_model& model);
// Does a step of its search tell where the next one goes? Else its nodes stand side by side.
bool is_tree(const index_model& model);

}  // namespace pivotscope::viz
