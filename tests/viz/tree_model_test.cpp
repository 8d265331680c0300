// The tree that is drawn against the search that walks it: from node to node, parent to child.
#include "viz/models/tree_model.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/families/ordered/mapping.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"

namespace pivotscope::viz {
namespace {

index_config config_of(const char* line) {
  const outcome<index_config> config = config_from_line(line);
  EXPECT_TRUE(config.ok()) << line;
  return config.ok() ? *config : default_config();
}

constexpr const char* tree_lines[] = {"AO+BS",
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

// Does its search go back from the last entry?
bool config_line_has_offsets(std::string_view line) { return line == "AO+BS" || line.starts_with("AO+KS"); }

TEST(TreeModel, HasEverySlotOnceAndParentsOneLevelUpOrMore) {
  for (const char* line : tree_lines) {
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
          // The last entry of ascending ones stands beside the node that leads to it.
          const bool beside = config_line_has_offsets(line) && node.first == n - 1;
          ASSERT_LE(tree.nodes[static_cast<std::size_t>(node.parent)].level + (beside ? 0 : 1), node.level)
              << line << " n=" << n;
        }
        ASSERT_GE(node.middle, 0) << line;
        ASSERT_LE(node.middle, 1) << line;
        for (u32 s = 0; s < node.cells; ++s) {
          const u64 slot = node.cell(s);
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
  for (const char* line : tree_lines) {
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

// In a picture of any width nodes stand side by side in their order, all of each within it.
TEST(TreeModel, NodesAreDrawnApartAndWithinThePicture) {
  for (const char* line : tree_lines) {
    for (const u64 n : {1ull, 2ull, 14ull, 20ull, 31ull, 40ull, 63ull, 80ull, 100ull}) {
      const tree_model tree = make_tree(*model_of(config_of(line), n));
      for (const double width : {60.0, 400.0, 1500.0}) {
        SCOPED_TRACE(std::string(line) + " n=" + std::to_string(n) + " in " + std::to_string(width));
        const double largest = width > 1000 ? 156 : 44;  // as wide as keys of twenty digits
        const node_places places = place_nodes(tree, width, largest, 10);
        ASSERT_EQ(places.middle.size(), tree.nodes.size());
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
          const tree_node& node = tree.nodes[i];
          const double cell = places.cell[node.level], half = node.cells * cell / 2;
          EXPECT_GT(cell, 0);
          EXPECT_LE(cell, node.level == 0 ? largest : places.cell[node.level - 1]);
          EXPECT_GE(places.middle[i] - half, -1e-6);
          EXPECT_LE(places.middle[i] + half, width + 1e-6);
          if (i == 0 || tree.nodes[i - 1].level != node.level) continue;
          const double before = places.middle[i - 1] + tree.nodes[i - 1].cells * cell / 2;
          EXPECT_LE(before, places.middle[i] - half + 1e-6);
        }
      }
    }
  }
}

TEST(TreeModel, WhereNoStepLeadsToAnotherThereIsNoTree) {
  for (const char* line : tree_lines) EXPECT_TRUE(is_tree(*model_of(config_of(line), 14))) << line;
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

TEST(TreeModel, APathHasARowAStepAndOneForALevelsScans) {
  lookup_trace trace;
  const auto add = [&](step_kind kind, u32 level) {
    trace.steps.emplace_back();
    trace.steps.back().kind = kind, trace.steps.back().level = level;
  };
  EXPECT_TRUE(path_rows(trace).empty());
  add(step_kind::search, 0), add(step_kind::scan, 0), add(step_kind::search, 1), add(step_kind::scan, 1);
  add(step_kind::scan, 1), add(step_kind::warp_scan, 1), add(step_kind::scan, 2), add(step_kind::search, 3);
  const std::vector<path_row> rows = path_rows(trace);
  ASSERT_EQ(rows.size(), 6u);
  const u32 firsts[] = {0, 1, 2, 3, 6, 7}, ends[] = {1, 2, 3, 6, 7, 8};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(rows[i].first, firsts[i]);
    EXPECT_EQ(rows[i].end, ends[i]);
    EXPECT_EQ(rows[i].scan, i == 1 || i == 3 || i == 4);
  }
}

}  // namespace
}  // namespace pivotscope::viz
