// Which reads a cell shows, and what stands under a key that a step compared.
#include "viz/reads.hpp"

#include <gtest/gtest.h>

#include "core/index/ordered/shape.hpp"
#include "tests/support/build_index.hpp"
#include "viz/icons.hpp"

namespace pivotscope::viz {
namespace {

TEST(Reads, AreOfTheLastStepThatMadeThem) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const lookup_trace trace = *trace_lookup(*index, 8);  // slots 1, 2, 5, 11
  ASSERT_EQ(trace.steps.size(), 4u);
  const u64 slots[] = {1, 2, 5, 11};
  for (u32 current = 0; current < 4; ++current) {
    for (u32 step = 0; step < 4; ++step) {
      const cell_reads reads = reads_of(trace, current, ordered_region::entries, slots[step]);
      EXPECT_EQ(reads.mark, step == current ? read_mark::now : step < current ? read_mark::before : read_mark::none);
      EXPECT_EQ(reads.step, step <= current ? step : 0);
      EXPECT_EQ(reads.compared, step == current ? &trace.steps[step].compared[0] : nullptr);
    }
    EXPECT_EQ(reads_of(trace, current, ordered_region::pivots, 1).mark, read_mark::none);
    EXPECT_EQ(reads_of(trace, current, ordered_region::entries, 3).mark, read_mark::none);
  }
  EXPECT_EQ(reads_of(trace, 9, ordered_region::entries, 11).mark, read_mark::before) << "past the last step";
}

TEST(Reads, SignsAndArrowsPointTheSameWay) {
  trace_step search, scan;
  scan.kind = step_kind::scan;
  const auto sign = [](const trace_step& step, int order) {
    comparison c;
    c.order = order;
    return std::string(comparison_sign(step, c));
  };
  EXPECT_EQ(sign(search, -1), "<");
  EXPECT_EQ(sign(search, 0), "=");
  EXPECT_EQ(sign(search, 1), ">");
  EXPECT_EQ(sign(scan, -1), "<");
  EXPECT_EQ(sign(scan, 0), "in");
  EXPECT_EQ(sign(scan, 1), ">");
  EXPECT_STREQ(order_icon(-1), icon::left);
  EXPECT_STREQ(order_icon(0), icon::check);
  EXPECT_STREQ(order_icon(1), icon::right);
}

TEST(Reads, TheTwoBesideTheKeyDecide) {
  const auto decides = [](std::vector<std::pair<u64, int>> compared) {  // ranks and orders
    trace_step step;
    for (const auto& [rank, order] : compared) step.compared.push_back({.rank = rank, .order = order});
    std::vector<u64> ranks;
    for (u64 rank = 0; rank < 20; ++rank)
      if (decided(step, rank)) ranks.push_back(rank);
    EXPECT_FALSE(decided(step, no_rank));
    return ranks;
  };
  using ranks = std::vector<u64>;
  EXPECT_EQ(decides({}), ranks{});
  EXPECT_EQ(decides({{7, 1}}), ranks{7});
  EXPECT_EQ(decides({{7, 0}}), ranks{7});
  EXPECT_EQ(decides({{7, -1}}), ranks{7});
  EXPECT_EQ(decides({{3, 1}, {6, 1}, {9, -1}, {12, -1}}), (ranks{6, 9}));
  EXPECT_EQ(decides({{12, -1}, {9, 0}, {6, 1}, {3, 1}}), (ranks{6, 9})) << "whatever the lanes' order";
  EXPECT_EQ(decides({{3, 1}, {6, 1}, {no_rank, 1}}), ranks{6}) << "an empty slot decides nothing";
  EXPECT_EQ(decides({{no_rank, -1}, {9, -1}}), ranks{9});
}

// The words of every comparison of the last step.
std::vector<std::string> last_words(const lookup_trace& trace) {
  std::vector<std::string> words;
  for (const comparison& c : trace.steps.back().compared) {
    words.push_back(comparison_words(trace, trace.steps.back(), c));
  }
  return words;
}

TEST(ComparisonWords, SetTheKeyLookedForAgainstTheOneCompared) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  EXPECT_EQ(last_words(*trace_lookup(*index, 9)), std::vector<std::string>{"9 = 9"});
  EXPECT_EQ(last_words(*trace_lookup(*index, 8)), std::vector<std::string>{"8 < 9"});
  EXPECT_EQ(last_words(*trace_lookup(*index, 15)), std::vector<std::string>{"15 < 16"});
}

TEST(ComparisonWords, OfAScanSetTheEndThatDecidesAgainstIt) {
  const auto index = testing::build_on_cpu(testing::config_of("AO+BS"), testing::paper_keys_in_order());
  const std::vector<std::string> words = last_words(*trace_range(*index, 9, 12));
  EXPECT_EQ(words, (std::vector<std::string>{"in", "in", "in", "in", "12 < 13"}));
  EXPECT_EQ(last_words(*trace_range(*index, 9, 3)), std::vector<std::string>{"3 < 9"}) << "no key is in it";
}

}  // namespace
}  // namespace pivotscope::viz
