// The nodes of an index as a picture of a tree needs them. Pure.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/index/lookup_trace.hpp"
#include "core/index/model.hpp"

namespace pivotscope::viz {

struct tree_model {
  std::vector<tree_node> nodes;  // level by level, from left to right
  u32 levels = 0;
  u64 widest = 0;  // cells in the widest level
};

// `read`: for an index whose cells alone tell where its nodes stand; without it they stand as they were built.
tree_model make_tree(const index_model& model, const region_reader& read = {});
// Does a step of its search tell where the next one goes? Else its nodes stand side by side.
bool is_tree(const index_model& model);

// The nodes that each of a lookup's first steps reads; a step of a scan reads none here.
std::vector<std::vector<u32>> nodes_read(const tree_model& tree, const lookup_trace& trace, u32 steps);
// Does the lookup go from one node straight to the other?
bool goes(const std::vector<std::vector<u32>>& read, u32 from, u32 to);
// Ways between neighbours of a level, which no link of the tree has: one leaf back.
std::vector<std::pair<u32, u32>> ways_beside(const tree_model& tree, const std::vector<std::vector<u32>>& read);

// Where nodes stand in a picture so wide: each as near to its own place as its neighbours and the two ends allow.
// Between neighbours is a gap of a third of a cell, `largest_gap` at most.
struct node_places {
  std::vector<double> cell;    // width of one, by level; no level's are larger than those above it
  std::vector<double> middle;  // of each node, from the left end
};
// Where nodes that live on stood before, by their ids: 0 to 1 across the picture. They stay there as long as there is
// room; those that come stand between their neighbours.
using kept_places = std::map<u64, double>;
node_places place_nodes(const tree_model& tree, double width, double largest_cell, double largest_gap,
                        const kept_places& kept = {});
kept_places places_to_keep(const tree_model& tree, const node_places& places, double width);

// A lookup's path from node to node, where the tree is too large to be drawn: a row each step of the search, and one
// for all scans of a level that follow each other. [first, end) are steps of the trace.
struct path_row {
  u32 first = 0, end = 0;
  bool scan = false;
};
std::vector<path_row> path_rows(const lookup_trace& trace);

}  // namespace pivotscope::viz
