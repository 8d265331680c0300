// A lookup's way through the nodes of a tree: which it reads, from which to which it goes, and where it goes to a neighbour.
#include <gtest/gtest.h>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "viz/models/tree_model.hpp"

namespace pivotscope::viz {
namespace {

trace_step loads(region_id region, u64 slot, u64 slots) {
  trace_step step;
  step.accesses.push_back({region, memory_space::global, slot, static_cast<u32>(slots)});
  return step;
}
trace_step compares(u64 first, u64 end) {
  trace_step step = loads(main_region, first, end - first);
  for (u64 slot = first; slot < end; ++slot) step.compared.push_back({main_region, slot});
  return step;
}

// Two blocks above four leaves of three cells each.
tree_model blocks_and_leaves() {
  tree_model tree;
  tree.levels = 2;
  for (u64 block = 0; block < 2; ++block)
    tree.nodes.push_back({.level = 0, .region = region_id{1}, .first = block, .cells = 1});
  for (u64 leaf = 0; leaf < 4; ++leaf) tree.nodes.push_back({.level = 1, .first = 3 * leaf, .cells = 3});
  return tree;
}

TEST(tree_way, a_step_reads_what_it_compares_or_else_loads) {
  const tree_model tree = blocks_and_leaves();
  lookup_trace trace;
  trace.steps = {loads(region_id{1}, 1, 1), compares(9, 12), compares(6, 9)};
  const auto read = nodes_read(tree, trace, 3);
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0], (std::vector<u32>{1}));
  EXPECT_EQ(read[1], (std::vector<u32>{5}));
  EXPECT_EQ(read[2], (std::vector<u32>{4}));
  EXPECT_EQ(nodes_read(tree, trace, 1).size(), 1u) << "up to the step that is shown";
  EXPECT_TRUE(goes(read, 1, 5));
  EXPECT_FALSE(goes(read, 1, 4)) << "it comes there by another leaf";
  EXPECT_FALSE(goes(read, 0, 2));
  EXPECT_EQ(ways_beside(tree, read), (std::vector<std::pair<u32, u32>>{{5, 4}}));
  trace.steps.back().kind = step_kind::scan;
  EXPECT_TRUE(nodes_read(tree, trace, 3).back().empty());
  EXPECT_TRUE(ways_beside(tree, nodes_read(tree, trace, 3)).empty());
}

TEST(tree_way, a_leaf_that_is_read_twice_is_no_way) {
  const tree_model tree = blocks_and_leaves();
  lookup_trace trace;
  trace.steps = {loads(region_id{1}, 0, 1), loads(main_region, 3, 3), compares(3, 6)};
  const auto read = nodes_read(tree, trace, 3);
  EXPECT_EQ(read[1], (std::vector<u32>{3})) << "a leaf that tells nothing is loaded";
  EXPECT_EQ(read[2], (std::vector<u32>{3}));
  EXPECT_TRUE(ways_beside(tree, read).empty());
}

// Cells of a node may lie far apart.
TEST(tree_way, of_nodes_with_strides_only_their_cells_count) {
  tree_model tree;
  tree.levels = 1;
  tree.nodes.push_back({.level = 0, .first = 3, .cells = 2, .stride = 4});  // 3 and 7
  lookup_trace trace;
  for (u64 slot = 0; slot < 10; ++slot) trace.steps.push_back(compares(slot, slot + 1));
  const auto read = nodes_read(tree, trace, 10);
  for (u64 slot = 0; slot < 10; ++slot) EXPECT_EQ(read[slot].empty(), slot != 3 && slot != 7) << slot;
  trace.steps = {loads(main_region, 4, 3), loads(main_region, 4, 4), loads(main_region, 8, 2)};
  const auto loaded = nodes_read(tree, trace, 3);
  EXPECT_TRUE(loaded[0].empty());
  EXPECT_FALSE(loaded[1].empty());
  EXPECT_TRUE(loaded[2].empty());
}

// In the orders a lookup goes from parent to child, one a step.
TEST(tree_way, of_an_order_is_from_parents_to_children) {
  for (const char* line : {"EO+BS", "EO+KS fanout=4", "AO+PB+BS"}) {
    const auto index = testing::build_on_cpu(testing::config_of(line), testing::paper_keys_in_order());
    const auto model = model_of(*index);
    const tree_model tree = make_tree(*model);
    for (u64 key = 0; key < 19; ++key) {
      const auto trace = trace_lookup(*index, key);
      ASSERT_TRUE(trace.ok());
      const auto read = nodes_read(tree, *trace, static_cast<u32>(trace->steps.size()));
      EXPECT_TRUE(ways_beside(tree, read).empty()) << line << " " << key;
      for (std::size_t s = 1; s < read.size(); ++s) {
        if (read[s - 1].empty() || read[s].empty() || read[s] == read[s - 1]) continue;
        EXPECT_EQ(tree.nodes[read[s][0]].parent, static_cast<int>(read[s - 1][0])) << line << " " << key << " " << s;
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope::viz
