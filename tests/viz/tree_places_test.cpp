// Nodes that live on stand where they stood, while others come and go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/build_index.hpp"
#include "viz/models/tree_model.hpp"

namespace pivotscope::viz {
namespace {

constexpr double width = 1000, cell = 20, gap = 10;

// A level of nodes of so many cells, evenly spread by their model.
tree_model level_of(const std::vector<u64>& ids, u32 cells = 2) {
  tree_model tree;
  tree.levels = 1;
  for (std::size_t i = 0; i < ids.size(); ++i)
    tree.nodes.push_back({.first = ids[i] * cells,
                          .cells = cells,
                          .middle = (static_cast<double>(i) + 0.5) / static_cast<double>(ids.size()),
                          .id = ids[i]});
  return tree;
}
double middle_of(const tree_model& tree, const node_places& places, u64 id) {
  const auto at = std::find_if(tree.nodes.begin(), tree.nodes.end(), [&](const tree_node& n) { return n.id == id; });
  EXPECT_NE(at, tree.nodes.end());
  return places.middle[static_cast<std::size_t>(at - tree.nodes.begin())];
}

TEST(tree_places, a_node_that_splits_stays_and_the_new_one_stands_beside_it) {
  const tree_model before = level_of({0, 1, 2, 3});
  const kept_places kept = places_to_keep(before, place_nodes(before, width, cell, gap), width);
  ASSERT_EQ(kept.size(), 4u);
  const tree_model after = level_of({0, 1, 7, 2, 3});  // 7 is the right half of 1
  const node_places moved = place_nodes(after, width, cell, gap), stays = place_nodes(after, width, cell, gap, kept);
  for (const u64 id : {0, 1, 2, 3}) {
    EXPECT_NEAR(middle_of(after, stays, id), kept.at(id) * width, 1e-9) << id;
    EXPECT_GT(std::abs(middle_of(after, moved, id) - kept.at(id) * width), 1) << "it would move without: " << id;
  }
  EXPECT_NEAR(middle_of(after, stays, 7), (kept.at(1) + kept.at(2)) / 2 * width, 1e-9);
}

TEST(tree_places, what_goes_leaves_its_place_empty) {
  const tree_model before = level_of({0, 1, 2, 3});
  const kept_places kept = places_to_keep(before, place_nodes(before, width, cell, gap), width);
  const tree_model after = level_of({0, 3});
  const node_places places = place_nodes(after, width, cell, gap, kept);
  for (const u64 id : {0, 3}) EXPECT_NEAR(middle_of(after, places, id), kept.at(id) * width, 1e-9);
}

TEST(tree_places, those_that_come_at_the_ends_stand_there) {
  const kept_places kept{{5, 0.4}, {6, 0.6}};
  const tree_model tree = level_of({1, 5, 6, 8, 9});
  const node_places places = place_nodes(tree, width, cell, gap, kept);
  EXPECT_NEAR(middle_of(tree, places, 1), 200, 1e-9);
  EXPECT_NEAR(middle_of(tree, places, 8), 600 + 400.0 / 3, 1e-9);
  EXPECT_NEAR(middle_of(tree, places, 9), 600 + 800.0 / 3, 1e-9);
}

TEST(tree_places, of_a_level_where_nobody_was_before_are_the_models) {
  const tree_model tree = level_of({1, 2, 3});
  EXPECT_EQ(place_nodes(tree, width, cell, gap, {{7, 0.1}}).middle, place_nodes(tree, width, cell, gap).middle);
  tree_model unnamed = tree;
  for (tree_node& node : unnamed.nodes) node.id.reset();
  EXPECT_EQ(place_nodes(unnamed, width, cell, gap, {{1, 0.1}}).middle, place_nodes(tree, width, cell, gap).middle);
  EXPECT_TRUE(places_to_keep(unnamed, place_nodes(tree, width, cell, gap), width).empty());
}

// Splits and merges without end: all stand apart, in their order and within the picture, and who has room does not move.
TEST(tree_places, hold_through_any_splits_and_merges) {
  std::mt19937 chance(5);
  u64 unmoved = 0, all = 0;
  for (u32 run = 0; run < 40; ++run) {
    std::vector<u64> ids{0};
    u64 next = 1;
    kept_places kept;
    for (u32 change = 0; change < 40; ++change) {
      const std::size_t at = chance() % ids.size();
      if (ids.size() > 1 && chance() % 4 == 0)
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at));
      else if (ids.size() < 10)
        ids.insert(ids.begin() + static_cast<std::ptrdiff_t>(at) + 1, next++);
      const tree_model tree = level_of(ids);
      const node_places places = place_nodes(tree, width, cell, gap, kept);
      const double half = places.cell[0];
      for (std::size_t i = 0; i < ids.size(); ++i) {
        ASSERT_GE(places.middle[i] - half, -1e-6);
        ASSERT_LE(places.middle[i] + half, width + 1e-6);
        if (i > 0) {
          ASSERT_GE(places.middle[i] - places.middle[i - 1], 2 * half - 1e-6) << "apart";
        }
        const auto before = kept.find(ids[i]);
        if (before == kept.end()) continue;
        ++all, unmoved += std::abs(before->second * width - places.middle[i]) < 1e-6;
      }
      kept = places_to_keep(tree, places, width);
    }
  }
  EXPECT_GT(unmoved, all * 8 / 10) << "of " << all;
}

// Windows of a table are what they are, however the table changes.
TEST(tree_places, a_tables_windows_live_on) {
  for (const tree_node& node : model_of(testing::config_of("HT+OA window=8"), 100)->nodes())
    EXPECT_EQ(node.id, node.first / 8);
  for (const char* line : {"PACKED", "EO+BS", "PLAIN"})
    for (const tree_node& node : model_of(testing::config_of(line), 100)->nodes()) EXPECT_FALSE(node.id) << line;
}

}  // namespace
}  // namespace pivotscope::viz
