// Matches and lower bounds, over keys of which two are equal: as the pages say them.
#include <gtest/gtest.h>

#include <map>

#include "core/machine/trace/trace.hpp"
#include "core/run/run.hpp"
#include "core/workload/operation_table.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/index_like.hpp"

namespace pivotscope {
namespace {

const key_array ten_to_thirty(std::vector<u32>{10, 20, 20, 30});

batch_answers asked_on_the_cpu(const char* line, operation kind, std::vector<u32> keys) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(testing::config_of(line), ten_to_thirty);
  auto done = cpu->run(*index, {kind, key_array(std::move(keys))}, {.rows = true}, {});
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().words);
  return done.ok() ? std::move(done->answers) : batch_answers{};
}

TEST(LowerBound, IsTheLeastKeyThatIsNotSmaller) {
  const std::map<u32, u64> right = {{0, 10}, {5, 10}, {10, 10}, {11, 20}, {20, 20}, {25, 30}, {30, 30}};
  for (const char* line :
       {"AO+BS", "AO+KS fanout=3", "EO+BS", "EO+KS fanout=5", "AO+PB+BS", "AO+PB+KS fanout=3", "PACKED"}) {
    SCOPED_TRACE(line);
    const auto index = testing::build_on_cpu(testing::config_of(line), ten_to_thirty);
    for (const auto& [key, next] : right) {
      const auto answers = asked_on_the_cpu(line, operation::lower_bound, {key}).successors;
      ASSERT_EQ(answers.size(), 1u);
      EXPECT_EQ(answers[0].key, next) << key;
      EXPECT_EQ(ten_to_thirty[answers[0].row], next) << key;
      const auto trace = trace_of(*index, question(operation::lower_bound, key));
      ASSERT_TRUE(trace.ok());
      EXPECT_EQ(*trace->successor, answers[0]) << key;
      EXPECT_EQ(question_of(*trace), question(operation::lower_bound, key));
    }
    EXPECT_EQ(asked_on_the_cpu(line, operation::lower_bound, {31, ~0u}).successors, std::vector<successor_answer>(2));
  }
}

TEST(LowerBound, IsRefusedWithoutAnOrder) {
  for (const char* line : {"PLAIN", "HT+OA"}) {
    const auto why = check_serves(testing::config_of(line), operation::lower_bound);
    ASSERT_TRUE(why) << line;
    EXPECT_TRUE(why->starts_with(std::string(line) + " has no order, so it has no lower bounds; AO+BS, ")) << *why;
  }
}

TEST(Matches, AreAllEntriesOfAKey) {
  for (const char* line : {"AO+BS", "EO+KS fanout=5", "AO+PB+KS fanout=3", "PACKED", "PLAIN"}) {
    SCOPED_TRACE(line);
    const batch_answers a = asked_on_the_cpu(line, operation::matches, {20, 10, 15, 30});
    EXPECT_EQ(a.ranges, (std::vector<range_answer>{{2, 3}, {1, 0}, {0, 0}, {1, 3}}));
    EXPECT_EQ(a.begins, (std::vector<u64>{0, 2, 3, 3, 4}));
  }
}

// Of two entries it keeps one.
TEST(Matches, AreOneEntryWhereDuplicatesAreNotKept) {
  const batch_answers a = asked_on_the_cpu("HT+OA", operation::matches, {20, 10, 15});
  ASSERT_EQ(a.ranges.size(), 3u);
  EXPECT_EQ(a.ranges[0].count, 1u);
  EXPECT_TRUE(a.ranges[0].row_sum == 1 || a.ranges[0].row_sum == 2);
  EXPECT_EQ(a.ranges[1], (range_answer{1, 0}));
  EXPECT_EQ(a.ranges[2], range_answer{});
  EXPECT_EQ(a.begins, (std::vector<u64>{0, 1, 2, 2}));
  EXPECT_TRUE(a.found.empty()) << "they are told as matches";
}

TEST(OperationTable, ASignIsTakenAsLongAsItFits) {
  EXPECT_EQ(take_sign(">=9"), (std::pair<operation, std::string_view>{operation::lower_bound, "9"}));
  EXPECT_EQ(take_sign(">9"), (std::pair<operation, std::string_view>{operation::successor, "9"}));
  EXPECT_EQ(take_sign("=9"), (std::pair<operation, std::string_view>{operation::matches, "9"}));
  EXPECT_EQ(take_sign("9"), std::nullopt);
  EXPECT_EQ(take_sign(""), std::nullopt);
  for (const operation kind : all_operations) EXPECT_EQ(info_of(kind).kind, kind) << "the table is in its order";
}

}  // namespace
}  // namespace pivotscope
