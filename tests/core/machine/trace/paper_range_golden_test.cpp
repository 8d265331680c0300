// Lightweight, Figure 5: the range lookup [9, 12] on the worked example's keys, in Eytzinger order level by level.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::paper_keys_in_order;

lookup_trace traced(std::string_view config, u64 low, u64 high) {
  const auto index = build_on_cpu(config_of(config), paper_keys_in_order());
  auto trace = trace_range(*index, low, high);
  EXPECT_TRUE(trace);
  return *trace;
}

// The keys that the steps of a kind read, and their slots.
std::vector<std::vector<u64>> keys_of(const lookup_trace& trace, step_kind kind) {
  std::vector<std::vector<u64>> steps;
  for (const trace_step& step : trace.steps) {
    if (step.kind != kind) continue;
    steps.emplace_back();
    for (const comparison& c : step.compared) steps.back().push_back(c.key);
  }
  return steps;
}

TEST(PaperRangeGolden, Figure5ScansEveryLevelOfEytzingerOrder) {
  const lookup_trace t = traced("EO+BS", 9, 12);
  // The path to the low end: 10, then 6, 7 and 9. Beside it 10 is a result; 14 ends the next level at once; 12 is one
  // and 17 ends its level; 9 and 11 are, and 13 ends it.
  EXPECT_THAT(keys_of(t, step_kind::search),
              ElementsAre(ElementsAre(10), ElementsAre(6), ElementsAre(7), ElementsAre(9)));
  EXPECT_THAT(keys_of(t, step_kind::scan),
              ElementsAre(ElementsAre(10), ElementsAre(14), ElementsAre(12, 17), ElementsAre(9, 11, 13)));
  std::vector<u64> first_slots;
  for (const trace_step& step : t.steps) {
    if (step.kind == step_kind::scan) first_slots.push_back(step.compared.front().slot);
  }
  EXPECT_THAT(first_slots, ElementsAre(1, 3, 6, 11));
  EXPECT_EQ(t.range->answer, (range_answer{4, 6 + 7 + 8 + 9})) << "9, 10, 11, 12 at ranks 6 to 9";
  EXPECT_THAT(t.steps[3].words, HasSubstr("14 is greater than 12: the scan ends."));
  EXPECT_THAT(t.verdict, HasSubstr("4 entries from 9 to 12"));
}

TEST(PaperRangeGolden, Figure5InAscendingOrderIsOneScan) {
  const lookup_trace t = traced("AO+BS", 9, 12);
  EXPECT_THAT(keys_of(t, step_kind::scan), ElementsAre(ElementsAre(9, 10, 11, 12, 13)));
  EXPECT_EQ(t.range->answer, (range_answer{4, 30}));
}

TEST(PaperRangeGolden, DuplicatesAreTheRangeFromAKeyToItself) {
  for (const char* config : {"AO+BS", "EO+BS", "AO+PB+BS", "EO+KS fanout=3", "AO+PB+KS fanout=3", "AO+KS fanout=3"}) {
    EXPECT_EQ(traced(config, 7, 7).range->answer, (range_answer{2, 4 + 5})) << config;
    EXPECT_EQ(traced(config, 12, 9).range->answer, (range_answer{0, 0})) << config;
  }
}

// "This implementation only visits up to two additional entries per level apart from the entries that are part of the
// range" (Section 3.2): the one on the path, and the one that ends the scan.
TEST(PaperRangeGolden, EytzingerReadsAtMostTwoEntriesALevelThatAreNotInTheRange) {
  for (u32 n = 0; n <= 130; ++n) {
    std::vector<u32> keys(n);
    for (u32 i = 0; i < n; ++i) keys[i] = 2 * i + 1;
    const auto index = build_on_cpu(config_of("EO+BS"), key_array(keys));
    for (u32 low = 0; low <= 2 * n + 1; low += 1 + n / 16) {
      for (u32 high = low; high <= 2 * n + 1; high += 1 + n / 8) {
        const auto trace = trace_range(*index, low, high);
        ASSERT_TRUE(trace);
        std::vector<std::set<u64>> extra(40);
        for (const trace_step& step : trace->steps) {
          for (const comparison& c : step.compared) {
            if (c.key < low || c.key > high) extra[step.level].insert(c.slot);
          }
        }
        for (const auto& level : extra) ASSERT_LE(level.size(), 2u) << n << " keys, " << low << " to " << high;
      }
    }
  }
}

// Section 5.7: 32 entries alone, the rest of the run and all runs after it by the warp.
TEST(PaperRangeGolden, CooperativeScansGoOverToTheWarpAfter32Entries) {
  std::vector<u32> keys(1000);
  for (u32 i = 0; i < 1000; ++i) keys[i] = i;
  const auto kinds = [&](std::string_view config, u64 low, u64 high) {
    const auto trace = trace_range(*build_on_cpu(config_of(config), key_array(keys)), low, high);
    EXPECT_TRUE(trace);
    EXPECT_EQ(trace->range->answer.count, high - low + 1);
    std::vector<std::pair<step_kind, u64>> scans;
    for (const trace_step& step : trace->steps) {
      if (step.kind == step_kind::search) continue;
      u64 inside = 0;
      for (const comparison& c : step.compared) inside += c.met == relation::equal;
      scans.emplace_back(step.kind, inside);
    }
    return scans;
  };
  using scans = std::vector<std::pair<step_kind, u64>>;
  EXPECT_EQ(kinds("AO+BS scan=cooperative", 100, 130), (scans{{step_kind::scan, 31}}));
  EXPECT_EQ(kinds("AO+BS scan=cooperative", 100, 131), (scans{{step_kind::scan, 32}, {step_kind::warp_scan, 0}}));
  EXPECT_EQ(kinds("AO+BS scan=cooperative", 100, 399), (scans{{step_kind::scan, 32}, {step_kind::warp_scan, 268}}));
  EXPECT_EQ(kinds("AO+BS", 100, 399), (scans{{step_kind::scan, 300}}));
  const auto levels = kinds("EO+BS scan=cooperative", 0, 999);
  ASSERT_EQ(levels.size(), 11u) << "levels of 1, 2 ... 32 entries, and a hand-over in that of 64";
  EXPECT_EQ(levels[5], (std::pair{step_kind::scan, u64{32}}));
  EXPECT_EQ(levels[6], (std::pair{step_kind::scan, u64{32}}));
  EXPECT_EQ(levels[7], (std::pair{step_kind::warp_scan, u64{32}}));
  EXPECT_EQ(levels[8], (std::pair{step_kind::warp_scan, u64{128}}));
}

}  // namespace
}  // namespace pivotscope
