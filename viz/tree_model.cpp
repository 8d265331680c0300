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

node_places place_nodes(const tree_model& tree, double width, double largest_cell) {
  constexpr double gap_cells = 0.35;  // between neighbours
  node_places out;
  out.cell.assign(tree.levels, largest_cell);
  out.middle.resize(tree.nodes.size());
  double largest = largest_cell;
  for (std::size_t first = 0, end = 0; first < tree.nodes.size(); first = end) {
    const u32 level = tree.nodes[first].level;
    double cells = 0;
    while (end < tree.nodes.size() && tree.nodes[end].level == level) cells += tree.nodes[end++].cells + gap_cells;
    largest = out.cell[level] = std::min(largest, width / (cells - gap_cells));
    const auto half = [&](std::size_t i) { return tree.nodes[i].cells * largest / 2; };
    const auto apart = [&](std::size_t i) { return half(i) + half(i + 1) + gap_cells * largest; };
    for (std::size_t i = first; i < end; ++i) {
      out.middle[i] = std::max(tree.nodes[i].middle * width, half(i));
      if (i > first) out.middle[i] = std::max(out.middle[i], out.middle[i - 1] + apart(i - 1));
    }
    out.middle[end - 1] = std::min(out.middle[end - 1], width - half(end - 1));
    for (std::size_t i = end - 1; i-- > first;) out.middle[i] = std::min(out.middle[i], out.middle[i + 1] - apart(i));
  }
  return out;
}

std::vector<path_row> path_rows(const lookup_trace& trace) {
  std::vector<path_row> rows;
  for (u32 i = 0; i < trace.steps.size(); ++i) {
    const trace_step& step = trace.steps[i];
    const bool scan = step.kind != step_kind::search;
    if (scan && !rows.empty() && rows.back().scan && trace.steps[rows.back().first].level == step.level)
      rows.back().end = i + 1;
    else
      rows.push_back({i, i + 1, scan});
  }
  return rows;
}

}  // namespace pivotscope::viz
