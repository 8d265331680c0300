// An answer that is never given: answers begin as what no index says, so every judge of a batch sees the gap.
#include <gtest/gtest.h>

#include "core/machine/machine.hpp"
#include "core/reference/reference.hpp"
#include "core/verify/cases.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::check_answers;
using testing::check_ranges;
using testing::config_of;
using testing::look_up;
using testing::ranges_of;

// Keys 0, 2, 4 ...; row ids are halves of keys.
key_array even_keys(u32 n) {
  std::vector<u32> keys(n);
  for (u32 i = 0; i < n; ++i) keys[i] = 2 * i;
  return key_array(std::move(keys));
}

TEST(Unanswered, IsNeitherARowIdNorNotFound) {
  EXPECT_EQ(unanswered, 0xFFFFFFFEu);
  EXPECT_GE(unanswered, max_keys) << "row ids end below it, however many keys there are";
  EXPECT_NE(unanswered, not_found);
  EXPECT_GT(unanswered_range.count, max_keys);
  EXPECT_EQ(unanswered_range.row_sum, ~0ull);
}

TEST(Unanswered, IsRightForNoKey) {
  const key_array keys = even_keys(100);
  const reference truth(keys);
  for (const u32 key : {0u, 1u, 50u, 198u, 199u, ~0u}) {
    EXPECT_FALSE(truth.accepts(key, unanswered));
    EXPECT_EQ(check_answers(keys, key_array(std::vector<u32>{key}), std::vector<u32>{unanswered}).wrong, 1u);
  }
}

struct forgotten_batch {
  std::unique_ptr<machine> on;
  key_array keys = even_keys(1000);
  std::shared_ptr<const built_index> index;

  forgotten_batch(std::string_view line, const detail::forgetful& forgets) : on(detail::open_cpu(forgets)) {
    index = *on->build(config_of(line), *on->load(keys, job_control{}), job_control{});
  }
};

// Tiles of 64, the second one left out; hits and misses.
TEST(Unanswered, ATileThatIsLeftOutStaysUnanswered) {
  for (const char* line : {"EO+BS threads=64", "AO+PB+KS fanout=5 threads=64 reorder=double pin=full scratch=1KiB"}) {
    const forgotten_batch b(line, {.block = 1});
    std::vector<u32> lookups(200);
    for (u32 i = 0; i < 200; ++i) lookups[i] = 3 * i;
    const auto result = look_up(*b.on, *b.index, key_array(lookups), {.repeats = 2, .warm_ups = 1});
    ASSERT_TRUE(result);
    for (u32 i = 0; i < 200; ++i) {
      const u32 right = lookups[i] % 2 == 0 ? lookups[i] / 2 : not_found;
      EXPECT_EQ(result->answers.found[i], i >= 64 && i < 128 ? unanswered : right) << i;
    }
    const check_report report = check_answers(b.keys, key_array(lookups), result->answers.found);
    EXPECT_EQ(report.wrong, 64u);
    EXPECT_EQ(report.first_wrong, "lookup 64 of key 192 answered row id 4294967294, but there are 1000 rows");
  }
}

TEST(Unanswered, ABlockOfAStaticGridIsEveryTileOfIt) {
  const forgotten_batch b("EO+BS threads=64 schedule=static", {.block = 0});
  const u64 blocks = b.on->info().processors;
  const u64 count = 64 * (2 * blocks + 1);  // block 0 has three tiles
  const key_array lookups(std::vector<u32>(count, 4));
  const auto result = look_up(*b.on, *b.index, lookups);
  ASSERT_TRUE(result);
  for (u64 i = 0; i < count; ++i) {
    EXPECT_EQ(result->answers.found[i], i / 64 % blocks == 0 ? unanswered : 2u) << i;
  }
}

TEST(Unanswered, ARangeThatIsLeftOutStaysUnansweredAndHasNoRowIds) {
  const forgotten_batch b("AO+BS threads=64", {.block = 1});
  std::vector<u32> low(150), high(150);
  for (u32 i = 0; i < 150; ++i) low[i] = 2 * i, high[i] = 2 * i + 3;
  const batch ranges = ranges_of(key_array(low), key_array(high));
  for (const bool rows : {false, true}) {
    const auto result = b.on->run(*b.index, ranges, {.rows = rows}, job_control{});
    ASSERT_TRUE(result);
    for (u32 i = 0; i < 150; ++i) {
      const range_answer right{2, 2 * u64{i} + 1};
      EXPECT_EQ(result->answers.ranges[i], i >= 64 && i < 128 ? unanswered_range : right) << i;
    }
    EXPECT_TRUE(result->answers.begins.empty() && result->answers.rows.empty()) << "there is no place for them";
    const check_report report =
        check_ranges(b.keys, ranges, result->answers.ranges, result->answers.begins, result->answers.rows);
    EXPECT_EQ(report.wrong, 64u);
    EXPECT_EQ(report.first_wrong,
              "range 64 from 128 to 131 answered 18446744073709551615 entries with row sum 18446744073709551615, right "
              "is 2 entries with row sum 129");
  }
}

TEST(Unanswered, ASuccessorThatIsLeftOutStaysUnanswered) {
  const forgotten_batch b("EO+KS threads=64", {.block = 1});
  std::vector<u32> asked(150);
  for (u32 i = 0; i < 150; ++i) asked[i] = 2 * i;
  const auto result = b.on->run(*b.index, testing::successors_of(key_array(asked)), {}, job_control{});
  ASSERT_TRUE(result);
  for (u32 i = 0; i < 150; ++i) {
    const successor_answer right{2 * u64{i} + 2, i + 1};
    EXPECT_EQ(result->answers.successors[i], i >= 64 && i < 128 ? unanswered_successor : right) << i;
  }
  const check_report report = testing::check_successors(b.keys, key_array(asked), result->answers.successors);
  EXPECT_EQ(report.wrong, 64u);
  EXPECT_EQ(report.found, 150u);
  EXPECT_EQ(
      report.first_wrong,
      "successor 64 of key 128 answered key 18446744069414584318 with row id 4294967294, but the next key is 130");
}

TEST(Unanswered, RowIdsThatAreLeftOutAreNoRows) {
  const forgotten_batch b("AO+BS threads=64", {.rows_of_block = 1});
  const batch ranges = ranges_of(key_array(std::vector<u32>(100, 4)), key_array(std::vector<u32>(100, 7)));
  const auto result = b.on->run(*b.index, ranges, {.rows = true}, job_control{});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->answers.rows.size(), 200u);
  for (u64 i = 0; i < 200; ++i) EXPECT_EQ(result->answers.rows[i], i >= 128 ? not_found : 2 + i % 2) << i;
  const check_report report =
      check_ranges(b.keys, ranges, result->answers.ranges, result->answers.begins, result->answers.rows);
  EXPECT_EQ(report.wrong, 36u);
  EXPECT_EQ(report.first_wrong, "range 64 from 4 to 7 listed row 4294967295, but there are 1000 rows");
}

TEST(Unanswered, VerifySeesALookupAndARangeThatAreLeftOut) {
  const verify_case c{
      config_of("EO+BS threads=64"), {.keys = 500, .dist = distribution::dense, .seed = 9, .lookups = 300}, true};
  case_counts counts;
  const auto lookups = check_case(*detail::open_cpu({.block = 2}), c, counts);
  ASSERT_TRUE(lookups && *lookups);
  EXPECT_TRUE((*lookups)->words.starts_with("lookup 128 of key ")) << (*lookups)->words;
  EXPECT_NE((*lookups)->words.find(" answered row id 4294967294, right is row id "), std::string::npos);
  const auto rows = check_case(*detail::open_cpu({.rows_of_block = 0}), c, counts);
  ASSERT_TRUE(rows && *rows);
  EXPECT_EQ((*rows)->asked.kind, operation::range);
  EXPECT_TRUE((*rows)->words.ends_with(" listed other row ids than the right ones")) << (*rows)->words;
  EXPECT_FALSE(*check_case(*detail::open_cpu(), c, counts));
}

}  // namespace
}  // namespace pivotscope
