// What stands under a key that a step compared.
#include "viz/marks.hpp"

#include <gtest/gtest.h>

#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

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
