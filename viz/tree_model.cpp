#include "viz/tree_model.hpp"

#include <algorithm>

namespace pivotscope::viz {

tree_model make_tree(const index_model& model) {
  tree_model tree{model.nodes(), model.levels()};
  std::vector<u64> cells(tree.levels + 1, 0);
  for (const tree_node& node : tree.nodes) cells[std::min(node.level, tree.levels)] += node.cells;
  if (!tree.nodes.empty()) tree.widest = *std::max_element(cells.begin(), cells.end());
  return tree;
}

bool is_tree(const index_model& model) { return model.levels() > 1 || model.ranks(); }

}  // namespace pivotscope::viz
