#include "viz/models/tree_model.hpp"

#include <algorithm>

namespace pivotscope::viz {

tree_model make_tree(const index_model& model, const region_reader& read) {
  tree_model tree{model.nodes(), model.levels()};
  if (read) model.arrange(tree.nodes, read);  // what is on its way comes with another frame
  for (const tree_node& node : tree.nodes) tree.levels = std::max(tree.levels, node.level + 1);
  std::vector<u64> cells(tree.levels + 1, 0);
  for (const tree_node& node : tree.nodes) cells[std::min(node.level, tree.levels)] += node.cells;
  if (!tree.nodes.empty()) tree.widest = *std::max_element(cells.begin(), cells.end());
  return tree;
}

bool is_tree(const index_model& model) { return model.levels() > 1 || model.ranks(); }

std::vector<std::vector<u32>> nodes_read(const tree_model& tree, const lookup_trace& trace, u32 steps) {
  std::vector<std::vector<u32>> read(std::min<std::size_t>(steps, trace.steps.size()));
  for (std::size_t s = 0; s < read.size(); ++s) {
    const trace_step& step = trace.steps[s];
    if (step.kind != step_kind::search) continue;
    const auto is_read = [&](const tree_node& node) {
      const auto within = [&](region_id region, u64 first, u64 count) {
        if (region != node.region || first + count <= node.first) return false;
        const u64 from = first > node.first ? ceil_div(first - node.first, node.stride) : 0;
        return from < node.cells && node.cell(static_cast<u32>(from)) < first + count;
      };
      if (!step.compared.empty())
        return std::any_of(step.compared.begin(), step.compared.end(),
                           [&](const comparison& c) { return within(c.array, c.slot, 1); });
      return std::any_of(step.accesses.begin(), step.accesses.end(),
                         [&](const memory_access& a) { return within(a.array, a.slot, a.slots); });
    };
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
      if (is_read(tree.nodes[i])) read[s].push_back(static_cast<u32>(i));
  }
  return read;
}

bool goes(const std::vector<std::vector<u32>>& read, u32 from, u32 to) {
  const auto has = [](const std::vector<u32>& list, u32 node) {
    return std::find(list.begin(), list.end(), node) != list.end();
  };
  for (std::size_t s = 1; s < read.size(); ++s)
    if (has(read[s - 1], from) && has(read[s], to)) return true;
  return false;
}

std::vector<std::pair<u32, u32>> ways_beside(const tree_model& tree, const std::vector<std::vector<u32>>& read) {
  std::vector<std::pair<u32, u32>> ways;
  for (std::size_t s = 1; s < read.size(); ++s) {
    if (read[s - 1].size() != 1 || read[s].size() != 1) continue;
    const std::pair way{read[s - 1].front(), read[s].front()};
    if (way.first != way.second && tree.nodes[way.first].level == tree.nodes[way.second].level) ways.push_back(way);
  }
  return ways;
}

namespace {

// Where the nodes [first, end) of a level would stand if each were alone.
void wish_places(const tree_model& tree, std::size_t first, std::size_t end, double width, const kept_places& kept,
                 std::vector<double>& middle) {
  const auto kept_of = [&](std::size_t i) {
    const auto at = tree.nodes[i].id ? kept.find(*tree.nodes[i].id) : kept.end();
    return at == kept.end() ? std::nullopt : std::optional(at->second * width);
  };
  bool any = false;
  for (std::size_t i = first; i < end; ++i) {
    const auto stays = kept_of(i);
    middle[i] = stays.value_or(tree.nodes[i].middle * width);
    any |= stays.has_value();
  }
  if (!any) return;
  // Those that came, evenly between neighbours that were there.
  for (std::size_t i = first; i < end;) {
    std::size_t behind = i;
    while (behind < end && !kept_of(behind)) ++behind;
    const double left = i == first ? 0 : middle[i - 1], right = behind == end ? width : middle[behind];
    const auto parts = static_cast<double>(behind - i + 1);
    for (std::size_t k = i; k < behind; ++k) middle[k] = left + (right - left) * static_cast<double>(k - i + 1) / parts;
    i = behind + 1;
  }
}

}  // namespace

node_places place_nodes(const tree_model& tree, double width, double largest_cell, double largest_gap,
                        const kept_places& kept) {
  constexpr double gap_cells = 0.35;
  node_places out;
  out.cell.assign(tree.levels, largest_cell);
  out.middle.resize(tree.nodes.size());
  double largest = largest_cell;
  for (std::size_t first = 0, end = 0; first < tree.nodes.size(); first = end) {
    const u32 level = tree.nodes[first].level;
    double cells = 0;
    while (end < tree.nodes.size() && tree.nodes[end].level == level) cells += tree.nodes[end++].cells;
    const auto gaps = static_cast<double>(end - first - 1);
    largest = std::min(largest, std::max(width / (cells + gaps * gap_cells), (width - gaps * largest_gap) / cells));
    out.cell[level] = largest;
    const double gap = std::min(gap_cells * largest, largest_gap);
    const auto half = [&](std::size_t i) { return tree.nodes[i].cells * largest / 2; };
    const auto apart = [&](std::size_t i) { return half(i) + half(i + 1) + gap; };
    wish_places(tree, first, end, width, kept, out.middle);
    for (std::size_t i = first; i < end; ++i) {
      out.middle[i] = std::max(out.middle[i], half(i));
      if (i > first) out.middle[i] = std::max(out.middle[i], out.middle[i - 1] + apart(i - 1));
    }
    out.middle[end - 1] = std::min(out.middle[end - 1], width - half(end - 1));
    for (std::size_t i = end - 1; i-- > first;) out.middle[i] = std::min(out.middle[i], out.middle[i + 1] - apart(i));
  }
  return out;
}

kept_places places_to_keep(const tree_model& tree, const node_places& places, double width) {
  kept_places kept;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].id) kept[*tree.nodes[i].id] = places.middle[i] / width;
  return kept;
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
