// lightweight, Figure 13: what trimming a pivot buffer leaves out and what it makes of the leaves.
#include "core/families/ordered/pivot_levels.hpp"

#include <gtest/gtest.h>

#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/tree_nodes.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using testing::config_of;

std::optional<stored_levels> levels_of(const ordered_config& config, u64 n) {
  return pivot_levels_of(config, make_shape(config, n));
}

TEST(PivotLevels, Figure13KeepsTwoOfThreeLevels) {
  const auto all = levels_of(config_of("AO+PB+BS"), 14);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->cells, (std::vector<u64>{1, 2, 4}));
  EXPECT_EQ(all->kept, 3u);
  EXPECT_EQ(all->saved_bytes(), 0u);
  EXPECT_EQ(all->leaf_entries, 2u);

  const auto two = levels_of(config_of("AO+PB+BS pivots=2"), 14);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->kept, 2u);
  EXPECT_EQ(two->whole(), 3u);
  EXPECT_EQ(two->kept_bytes, 3u * 4);
  EXPECT_EQ(two->saved_bytes(), 4u * 4);
  EXPECT_EQ(two->leaf_entries, 4u);
  EXPECT_EQ(two->leaf_bytes, 4u * 8);
}

TEST(PivotLevels, AreOfPivotBuffersOnly) {
  EXPECT_FALSE(levels_of(config_of("EO+BS"), 14));
  EXPECT_FALSE(levels_of(config_of("AO+PB+BS"), 0));
  EXPECT_FALSE(levels_of(config_of("AO+PB+BS"), 2)) << "one leaf, nothing above it";
}

TEST(PivotLevels, KeepingAllIsTheUntrimmedConfig) {
  const ordered_config trimmed = config_of("AO+PB+KS fanout=3 pivots=1");
  EXPECT_EQ(keep_pivot_levels(trimmed, 3, 3), config_of("AO+PB+KS fanout=3"));
  EXPECT_EQ(keep_pivot_levels(trimmed, 2, 3).pivots, 2u);
  EXPECT_EQ(keep_pivot_levels(trimmed, 0, 3).pivots, 1u) << "a root is always stored";
}

TEST(PivotLevels, StoredAndTrimmedNodesAreTheWholeTree) {
  for (const char* line : {"AO+PB+BS", "AO+PB+KS fanout=3", "AO+PB+KS fanout=5"}) {
    for (u64 n = 1; n <= 300; ++n) {
      const ordered_config whole = config_of(line);
      const auto levels = levels_of(whole, n);
      if (!levels) continue;
      for (u32 kept = 1; kept <= levels->whole(); ++kept) {
        const ordered_config config = keep_pivot_levels(whole, kept, levels->whole());
        const index_shape shape = make_shape(config, n), whole_shape = make_shape(whole, n);
        const std::vector<missing_node> ghosts = trimmed_nodes(config, shape);
        u64 slots = shape.pivot_slots;
        for (const auto& [node, ranks] : ghosts) {
          slots += node.cells;
          ASSERT_EQ(ranks.size(), node.cells);
          ASSERT_GE(node.first, shape.pivot_slots) << "the stored levels are the first of the whole buffer";
          ASSERT_GE(node.level, kept);
          ASSERT_GE(node.middle, 0) << line << " n=" << n;
          ASSERT_LE(node.middle, 1) << line << " n=" << n;
          ASSERT_LT(node.parent, static_cast<int>(ghosts.size()));
          if (node.parent < 0) continue;
          ASSERT_EQ(ghosts[static_cast<std::size_t>(node.parent)].node.level + 1, node.level);
        }
        ASSERT_EQ(slots, whole_shape.pivot_slots) << line << " n=" << n << " kept " << kept;
        for (u64 slot = 0; slot < shape.pivot_slots; ++slot)
          ASSERT_EQ(pivot_rank(config, shape, slot), pivot_rank(whole, whole_shape, slot)) << line << " n=" << n;
      }
    }
  }
}

TEST(PivotLevels, TrimmedNodesHangTogetherAsInTheWholeTree) {
  for (const char* line : {"AO+PB+BS", "AO+PB+KS fanout=3", "AO+PB+KS fanout=5"}) {
    for (const u64 n : {9u, 14u, 40u, 77u, 300u}) {
      const ordered_config whole = config_of(line);
      const u32 levels = levels_of(whole, n)->whole();
      const index_shape whole_shape = make_shape(whole, n);
      const std::vector<tree_node> tree = make_nodes(whole, whole_shape);
      for (u32 kept = 1; kept < levels; ++kept) {
        const ordered_config config = keep_pivot_levels(whole, kept, levels);
        const index_shape shape = make_shape(config, n);
        const std::vector<missing_node> ghosts = trimmed_nodes(config, shape);
        const auto leaves = [](const index_shape& of) {
          return static_cast<double>(ceil_div(of.keys, of.leaf_entries) * of.leaf_entries);
        };
        std::size_t at = 0;
        for (const tree_node& node : tree) {
          if (node.level < kept || node.region != ordered_region::pivots) continue;
          ASSERT_LT(at, ghosts.size());
          const auto& [ghost, ranks] = ghosts[at++];
          EXPECT_EQ(ghost.level, node.level);
          EXPECT_EQ(ghost.first, node.first);
          EXPECT_EQ(ghost.cells, node.cells);
          ASSERT_EQ(ranks.size(), node.cells);
          for (u32 i = 0; i < node.cells; ++i) EXPECT_EQ(ranks[i], pivot_rank(whole, whole_shape, node.first + i));
          EXPECT_DOUBLE_EQ(ghost.middle * leaves(shape), node.middle * leaves(whole_shape));
          const tree_node& parent = tree[static_cast<std::size_t>(node.parent)];
          if (parent.level < kept) {
            EXPECT_EQ(ghost.parent, -1) << "it is stored";
            continue;
          }
          ASSERT_GE(ghost.parent, 0) << line << " n=" << n << " kept " << kept;
          EXPECT_EQ(ghosts[static_cast<std::size_t>(ghost.parent)].node.first, parent.first);
        }
        EXPECT_EQ(at, ghosts.size());
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
