// The tree that is drawn against the search that walks it: from node to node, parent to child.
#include "viz/tree_model.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/ordered/mapping.hpp"

namespace pivotscope::viz {
namespace {

index_config config_of(const char* line) {
  const outcome<index_config> config = config_from_line(line);
  EXPECT_TRUE(config.ok()) << line;
  return config.ok() ? *config : default_config();
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
      const auto model = model_of(config, n);
      const tree_model tree = make_tree(*model);
      ASSERT_EQ(tree.nodes.size(), model->node_count()) << line << " n=" << n;
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
        for (u32 s = 0; s < node.cells; ++s) {
          const u64 slot = node.first + s;
          ASSERT_EQ(++seen[std::make_pair(node.region, slot)], 1) << line << " n=" << n << " slot " << slot;
          const u64 slots = node.region == ordered_region::entries ? shape.entry_slots : shape.pivot_slots;
          if (node.region == ordered_region::entries && slot < slots && entry_rank(config, shape, slot) != no_rank)
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
      const auto model = model_of(config, n);
      const tree_model tree = make_tree(*model);
      for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
        const tree_node &a = tree.nodes[i - 1], &b = tree.nodes[i];
        if (a.level != b.level || a.region != b.region) continue;
        ASSERT_LT(a.middle, b.middle) << line << " n=" << n;
      }
    }
  }
}

TEST(TreeModel, WhereNoStepLeadsToAnotherThereIsNoTree) {
  for (const char* line : lines) EXPECT_TRUE(is_tree(*model_of(config_of(line), 14))) << line;
  EXPECT_TRUE(is_tree(*model_of(config_of("EO+BS"), 1))) << "a root alone is one";
  const auto model = model_of(config_of("PLAIN"), 100);
  EXPECT_FALSE(is_tree(*model));
  const tree_model runs = make_tree(*model);
  ASSERT_EQ(runs.nodes.size(), 4u);
  EXPECT_EQ(runs.widest, 128u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(runs.nodes[i].first, 32 * i);
    EXPECT_EQ(runs.nodes[i].parent, -1);
    EXPECT_DOUBLE_EQ(runs.nodes[i].middle, 0.125 + 0.25 * static_cast<double>(i));
  }
}

}  // namespace
}  // namespace pivotscope::viz
