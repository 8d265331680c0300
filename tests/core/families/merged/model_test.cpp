// The search tree that is told of a sorted array, against the steps that lookups take.
#include <gtest/gtest.h>

#include <map>

#include "core/families/merged/merged.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;

// Every lookup goes from a root down by parents, to the left or the right as the gaps say.
TEST(MergedModel, NodesAreTheStepsOfLookups) {
  for (const u64 n : {1, 2, 3, 4, 7, 8, 9, 14, 31, 32, 33}) {
    const auto index = build_on_cpu(config_of("SA"), testing::spaced_keys(n));
    const auto model = model_of(*index);
    const std::vector<tree_node> nodes = model->nodes();
    ASSERT_EQ(nodes.size(), n);
    std::map<u64, int> node_of;  // by slot
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      EXPECT_TRUE(node_of.emplace(nodes[i].first, i).second);
      EXPECT_EQ(model->describe(main_region, nodes[i].first).level, nodes[i].level);
    }
    for (u32 key = 0; key <= 3 * n + 2; ++key) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", lookup " + std::to_string(key));
      const auto trace = trace_lookup(*index, key);
      int at = -1;
      u32 gap = 0;
      for (u32 level = 0; level < model->levels(); ++level) {
        const trace_step& step = trace->steps[level];
        if (step.accesses.empty()) continue;
        const tree_node& node = nodes[static_cast<std::size_t>(node_of.at(step.accesses[0].slot))];
        EXPECT_EQ(node.level, level);
        EXPECT_EQ(node.parent, at);
        EXPECT_EQ(node.gap, gap);
        at = node_of.at(node.first);
        gap = step.compared[0].met == relation::greater ? 1 : 0;
      }
    }
  }
}

TEST(MergedModel, CountsTheSlotsOfEachLevel) {
  for (const u64 n : {0, 1, 2, 3, 14, 64, 65, 100}) {
    const auto model = model_of(config_of("SA"), n);
    for (u64 first = 0; first <= n + 1; ++first) {
      for (u64 end = first; end <= n + 2; ++end) {
        std::vector<u64> counted(max_levels), right(max_levels);
        model->count_levels(main_region, first, end, counted.data());
        for (u64 slot = first; slot < std::min(end, n); ++slot) ++right[model->describe(main_region, slot).level];
        ASSERT_EQ(counted, right) << n << ": " << first << " to " << end;
      }
    }
  }
}

// What changes will change: an index knows its entries by its state.
TEST(MergedModel, HasAsManyCellsAsTheStateHasEntries) {
  const auto index = build_on_cpu(config_of("SA"), testing::spaced_keys(5));
  EXPECT_EQ(model_of(*index)->keys(), index->state_as<merged_view>().entries);
  EXPECT_EQ(model_of(*index)->region(main_region).cells, 5u);
  EXPECT_EQ(model_of(config_of("SA keys=u64"), 5)->region(main_region).bytes(), 80u);
}

TEST(MergedModel, TheBuildCopiesAsManyAtOnceAsItsPassSays) {
  const build_step step = model_of(config_of("SA"), 5)->step_of_build(0, 3);
  EXPECT_EQ(step.at_once, family_of(config_of("SA")).on_device().passes[0].at_once);
  EXPECT_EQ(step.rank, 3u);
  EXPECT_EQ(step.turn, 3u);
  EXPECT_EQ(step.words, "A copy: the array is the sorted keys, so slot 3 gets the key of rank 3.");
}

}  // namespace
}  // namespace pivotscope
