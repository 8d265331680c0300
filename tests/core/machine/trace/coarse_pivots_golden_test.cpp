// lightweight, Figure 13 and Section 4.5: AO+PB+BS over the 14 keys, its pivot buffer limited to two levels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/families/ordered/mapping.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::config_of;
using ::testing::ElementsAre;

const char* const two_levels = "AO+PB+BS pivots=2";

// Keys that each step compares.
std::vector<std::vector<u64>> compared(u64 key) {
  const auto index = testing::build_on_cpu(config_of(two_levels), testing::paper_keys_in_order());
  const auto trace = trace_lookup(*index, key);
  EXPECT_TRUE(trace);
  std::vector<std::vector<u64>> steps;
  for (const trace_step& step : trace->steps) {
    steps.emplace_back();
    for (const comparison& c : step.compared) steps.back().push_back(c.key);
  }
  return steps;
}

TEST(CoarsePivotsGolden, Figure13KeepsThreePivotsOverPartitionsOfFour) {
  const index_config c = config_of(two_levels);
  const index_shape s = make_shape(c, 14);
  EXPECT_EQ(s.pivot_slots, 3u);
  EXPECT_EQ(s.leaf_entries, 4u);
  EXPECT_EQ(s.levels, 3u) << "two of pivots, then the partitions";
  EXPECT_THAT((std::vector<u64>{pivot_rank(c, s, 0), pivot_rank(c, s, 1), pivot_rank(c, s, 2)}), ElementsAre(7, 3, 11))
      << "10 at the root, 6 and 14 below it: the last keys of their partitions";
  const index_shape all = make_shape(config_of("AO+PB+BS"), 14);
  EXPECT_EQ(all.pivot_slots, 7u) << "all three inner levels";
  EXPECT_EQ(all.leaf_entries, 2u);
}

TEST(CoarsePivotsGolden, Figure13SearchesAPartitionOfFour) {
  // Left of 10, right of 6: 7 7 9 10, searched back to front.
  EXPECT_THAT(compared(7), ElementsAre(ElementsAre(10), ElementsAre(6), ElementsAre(), ElementsAre(7), ElementsAre(7),
                                       ElementsAre(7)));
  // The last partition has only two entries; it takes as many steps.
  EXPECT_THAT(compared(17), ElementsAre(ElementsAre(10), ElementsAre(14), ElementsAre(), ElementsAre(), ElementsAre(16),
                                        ElementsAre(17)));
}

}  // namespace
}  // namespace pivotscope
