// The tree that is drawn against the search that walks it: from node to node, parent to child.
#include "viz/tree_model.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/config/config_text.hpp"
#include "core/index/ordered/mapping.hpp"
#include "viz/cells.hpp"

namespace pivotscope::viz {
namespace {

index_config config_of(const char* line) {
  const outcome<index_config> config = config_from_line(line);
  EXPECT_TRUE(config.ok()) << line;
  return config.ok() ? *config : index_config{};
}

constexpr const char* lines[] = {"AO+BS",
                                 "EO+BS",
                                 "EO+KS fanout=3",
                                 "EO+KS fanout=5",
                                 "EO+KS",
                                 "AO+PB+BS",
                                 "AO+PB+KS fanout=3",
                                 "AO+PB+KS fanout=5",
                                 "AO+PB+KS fanout=17",
                                 "AO+KS fanout=5",
                                 "AO+PB+KS fanout=3 pivots=2"};

TEST(TreeModel, HasEverySlotOnceAndParentsOneLevelUpOrMore) {
  for (const char* line : lines) {
    const index_config config = config_of(line);
    for (u64 n = 0; n <= 300; ++n) {
      const index_shape shape = make_shape(config, n);
      const tree_model tree = make_tree(config, shape);
      ASSERT_EQ(tree.nodes.size(), count_nodes(config, shape)) << line << " n=" << n;
      std::map<std::pair<region_id, u64>, int> seen;
      u64 ranks = 0;
      for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const tree_node& node = tree.nodes[i];
        if (node.parent >= 0) {
          ASSERT_LT(node.parent, static_cast<int>(i)) << line;
          ASSERT_LT(tree.nodes[static_cast<std::size_t>(node.parent)].level, node.level) << line << " n=" << n;
        }
        ASSERT_GE(node.middle, 0) << line;
        ASSERT_LE(node.middle, 1) << line;
        for (u32 s = 0; s < node.slots; ++s) {
          const u64 slot = node.first_slot + s;
          ASSERT_EQ(++seen[std::make_pair(node.array, slot)], 1) << line << " n=" << n << " slot " << slot;
          const u64 slots = node.array == ordered_region::entries ? shape.entry_slots : shape.pivot_slots;
          if (node.array == ordered_region::entries && slot < slots && entry_rank(config, shape, slot) != no_rank)
            ++ranks;
        }
      }
      ASSERT_EQ(ranks, n) << line << " n=" << n << ": every entry is in the tree";
    }
  }
}

TEST(TreeModel, ChildrenStandInTheOrderOfTheirKeys) {
  for (const char* line : lines) {
    const index_config config = config_of(line);
    for (const u64 n : {2ull, 14ull, 63ull, 100ull, 255ull}) {
      const index_shape shape = make_shape(config, n);
      const tree_model tree = make_tree(config, shape);
      for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
        const tree_node &a = tree.nodes[i - 1], &b = tree.nodes[i];
        if (a.level != b.level || a.array != b.array) continue;
        ASSERT_LT(a.middle, b.middle) << line << " n=" << n;
      }
    }
  }
}

TEST(Cells, RanksOnALevelAreCountedAsByHand) {
  for (const char* line : {"EO+BS", "EO+KS fanout=3", "EO+KS fanout=5", "EO+KS"}) {
    const index_config config = config_of(line);
    for (const u64 n : {1ull, 2ull, 14ull, 15ull, 16ull, 100ull, 257ull, 1000ull}) {
      const index_shape shape = make_shape(config, n);
      for (u32 level = 0; level < shape.levels; ++level) {
        u64 by_hand = 0;
        for (u64 rank = 0; rank <= n; ++rank) {
          ASSERT_EQ(ranks_on_level_below(config, shape, level, rank), by_hand)
              << line << " n=" << n << " level " << level;
          if (rank < n && entry_level(config, shape, entry_slot(config, shape, rank)) == level) ++by_hand;
        }
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope::viz
