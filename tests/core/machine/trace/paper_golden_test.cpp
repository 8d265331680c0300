// The worked examples of lightweight, Section 3, as golden data. The paper prints nine of its 14 keys (3, 6, 7, 9, 10,
// 12, 13, 14, 17 with their positions); the other five are ours and take part in no printed path.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/families/ordered/mapping.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::paper_keys_in_order;

// The keys that each step compares, and for the last of them the slots.
std::vector<std::vector<u64>> keys_of(const lookup_trace& trace) {
  std::vector<std::vector<u64>> steps;
  for (const trace_step& step : trace.steps) {
    steps.emplace_back();
    for (const comparison& c : step.compared) {
      if (c.rank != no_rank) steps.back().push_back(c.key);
    }
  }
  return steps;
}

lookup_trace traced(std::string_view config, u64 key) {
  const auto index = build_on_cpu(config_of(config), paper_keys_in_order());
  auto trace = trace_lookup(*index, key);
  EXPECT_TRUE(trace);
  return *trace;
}

TEST(PaperGolden, Figure3NumbersTheEntriesByTheStepThatFirstVisitsThem) {
  const index_config c = config_of("AO+BS");
  const index_shape s = make_shape(c, 14);
  std::vector<u32> steps;
  for (u64 slot = 0; slot < 13; ++slot) steps.push_back(entry_level(c, s, slot) + 1);
  EXPECT_THAT(steps, ElementsAre(4, 2, 4, 3, 4, 1, 4, 3, 4, 2, 4, 3, 4));
  EXPECT_EQ(s.levels, 4u) << "steps 8, 4, 2, 1";
}

TEST(PaperGolden, Figure4WalksEytzingerOrderTo9) {
  const lookup_trace t = traced("EO+BS", 9);
  EXPECT_THAT(keys_of(t), ElementsAre(ElementsAre(10), ElementsAre(6), ElementsAre(7), ElementsAre(9)));
  EXPECT_EQ(t.slot, 11u) << "slot 2 x 5 + 1, counted with the empty slot at the front";
  EXPECT_EQ(t.row, 6u);
  EXPECT_THAT(t.steps[0].words,
              HasSubstr("9 is less than 10, so 10 and everything after it is out. 7 of 14 keys are left."));
  EXPECT_THAT(t.steps[2].next, HasSubstr("slot 2 x 5 + 1 = 11"));
  EXPECT_THAT(t.steps[3].words, HasSubstr("9 is equal to 9. Found."));
}

TEST(PaperGolden, Figure6GoesThroughThreePivotsToAPartitionOfTwo) {
  const lookup_trace t = traced("AO+PB+BS", 7);
  EXPECT_THAT(keys_of(t), ElementsAre(ElementsAre(10), ElementsAre(6), ElementsAre(7), ElementsAre(7, 7)));
  EXPECT_EQ(t.row, 4u) << "the first of the two";
  // The last key has no partition to its right, so it is no pivot: the slot that would hold it is empty.
  const index_config c = config_of("AO+PB+BS");
  const index_shape s = make_shape(c, 14);
  EXPECT_EQ(s.pivot_slots, 7u);
  EXPECT_EQ(pivot_rank(c, s, 6), no_rank);
}

TEST(PaperGolden, Figure8FindsThirteenWithThreeWaysAStep) {
  const lookup_trace t = traced("AO+PB+KS fanout=3", 13);
  EXPECT_THAT(keys_of(t), ElementsAre(ElementsAre(7, 14), ElementsAre(10, 12), ElementsAre(13, 14)));
  EXPECT_EQ(t.row, 10u);
  // On the other side of the root the second step compares with 3 and 6.
  EXPECT_THAT(keys_of(traced("AO+PB+KS fanout=3", 4))[1], ElementsAre(3, 6));
}

TEST(PaperGolden, Figure9FindsThirteenOnTheSecondLevel) {
  const lookup_trace t = traced("EO+KS fanout=3", 13);
  EXPECT_THAT(keys_of(t), ElementsAre(ElementsAre(11, 14), ElementsAre(12, 13)));
  EXPECT_EQ(t.row, 10u);
}

// Section 3.4: "EO does not have to traverse the tree all the way to the bottom if we find a key in an inner node."
TEST(PaperGolden, AHitEndsTheSearchInEytzingerOrder) {
  EXPECT_EQ(traced("EO+BS", 10).steps.size(), 1u);
  EXPECT_EQ(traced("EO+KS fanout=3", 11).steps.size(), 1u);
  EXPECT_EQ(traced("EO+BS", 8).steps.size(), 4u) << "a miss goes to the bottom";
}

TEST(PaperGolden, Figure10LoadPositionsForKThreeAndSixLeaves) {
  const index_config c = config_of("EO+KS fanout=3");
  const index_shape s = make_shape(c, 14);
  std::vector<u64> loads;
  for (u64 slot = 0; slot < s.entry_slots; ++slot) loads.push_back(entry_rank(c, s, slot));
  EXPECT_THAT(loads, ElementsAre(8, 11, 2, 5, 9, 10, 12, 13, 0, 1, 3, 4, 6, 7));
}

}  // namespace
}  // namespace pivotscope
