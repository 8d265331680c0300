// The oracle's own tests: by a loop over all keys, which needs no oracle.
#include "core/reference/reference.hpp"
#include "core/reference/answer_checker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/batches.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::check_answers;

using ::testing::HasSubstr;

TEST(Reference, AgreesWithALoopOnEverySmallSet) {
  u64 checked = 0;
  for (u64 n = 0; n <= 40; ++n) {
    for (const auto pattern :
         {testing::key_pattern::spaced, testing::key_pattern::with_extremes, testing::key_pattern::pairs,
          testing::key_pattern::all_equal, testing::key_pattern::all_greatest}) {
      const auto keys = testing::pattern_keys<u32>(pattern, n);
      const reference truth{key_array(keys)};
      for (const u32 key : testing::telling_lookups(keys)) {
        u32 first = not_found;
        for (u32 row = static_cast<u32>(n); row-- > 0;) {
          if (keys[row] == key) first = row;
          EXPECT_EQ(truth.accepts(key, row), keys[row] == key);
        }
        EXPECT_EQ(truth.find(key), first);
        EXPECT_EQ(truth.contains(key), first != not_found);
        EXPECT_EQ(truth.accepts(key, not_found), first == not_found);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 5000u);
}

TEST(Reference, SortsStably) {
  const reference truth{key_array(std::vector<u32>{5, 3, 5, 3, 5})};
  EXPECT_EQ(truth.row_at_rank(0), 1u);
  EXPECT_EQ(truth.row_at_rank(1), 3u);
  EXPECT_EQ(truth.row_at_rank(2), 0u);
  EXPECT_EQ(truth.row_at_rank(4), 4u);
}

check_report check_of_lookups(std::vector<u32> keys, std::vector<u32> lookups, std::vector<u32> answers) {
  return check_answers(key_array(std::move(keys)), key_array(std::move(lookups)), answers);
}

TEST(CheckAnswers, AcceptsRightOnes) {
  const check_report r = check_of_lookups({10, 20, 20}, {20, 10, 15}, {2, 0, not_found});
  EXPECT_EQ(r.checked, 3u);
  EXPECT_EQ(r.wrong, 0u);
  EXPECT_EQ(r.found, 2u);
}

TEST(CheckAnswers, FindsEveryKindOfWrongOneAndTellsTheFirst) {
  EXPECT_THAT(check_of_lookups({10, 20}, {20}, {0}).first_wrong, HasSubstr("row 0 holds key 10"));
  EXPECT_THAT(check_of_lookups({10, 20}, {20}, {not_found}).first_wrong, HasSubstr("the key is in the set"));
  EXPECT_THAT(check_of_lookups({10, 20}, {20}, {2}).first_wrong, HasSubstr("there are 2 rows"));
  EXPECT_THAT(check_of_lookups({10, 20}, {15}, {1}).first_wrong, HasSubstr("lookup 0 of key 15"));
  EXPECT_EQ(check_of_lookups({10, 20}, {20, 10, 20}, {0, 0, 0}).wrong, 2u);
  EXPECT_GT(check_of_lookups({10, 20}, {20}, {}).wrong, 0u) << "a missing answer is wrong";
}

TEST(Reference, SuccessorIsTheLeastGreaterKeyByALoopOverAllOfThem) {
  const std::vector<u32> keys = {30, 10, 4294967295, 0, 10, 30};
  const reference truth{key_array(keys)};
  for (const u64 asked : {0u, 1u, 9u, 10u, 11u, 29u, 30u, 31u, 4294967294u, 4294967295u}) {
    successor_answer right;
    for (u32 row = 0; row < keys.size(); ++row)
      if (keys[row] > asked && (right.row == not_found || keys[row] < right.key)) right = {keys[row], row};
    EXPECT_EQ(truth.next_key(asked, false), right) << asked;
    for (u32 row = 0; row <= keys.size(); ++row) {
      for (const u64 key : {u64{0}, u64{10}, u64{30}, u64{4294967295}}) {
        const bool accepted = right.row != not_found && row < keys.size() && keys[row] == key && key == right.key;
        EXPECT_EQ(truth.accepts_next_key(asked, false, {key, row}), accepted) << asked << " " << key << " " << row;
      }
    }
    EXPECT_EQ(truth.accepts_next_key(asked, false, {}), right.row == not_found);
    EXPECT_FALSE(truth.accepts_next_key(asked, false, unanswered_successor));
  }
  EXPECT_EQ(reference(key_array(key_width::u64, 0)).next_key(0, false), successor_answer{});
}

check_report check_of_successors(std::vector<u32> keys, std::vector<u32> asked, std::vector<successor_answer> answers) {
  return testing::check_successors(key_array(std::move(keys)), key_array(std::move(asked)), std::move(answers));
}

TEST(CheckSuccessors, TakesAnyRowOfTheNextKeyAndNothingElse) {
  const std::vector<u32> keys = {10, 20, 20};
  for (const u32 row : {1u, 2u}) EXPECT_EQ(check_of_successors(keys, {10}, {{20, row}}).wrong, 0u);
  EXPECT_EQ(check_of_successors(keys, {20, 9}, {{}, {10, 0}}).found, 1u);
  const auto words = [&](u32 asked, const successor_answer& answer) {
    const check_report report = check_of_successors(keys, {asked}, {answer});
    EXPECT_EQ(report.wrong, 1u);
    return report.first_wrong;
  };
  EXPECT_EQ(words(10, {20, 0}), "successor 0 of key 10 answered key 20 with row id 0, but row 0 holds key 10");
  EXPECT_EQ(words(10, {20, 3}), "successor 0 of key 10 answered key 20 with row id 3, but there are 3 rows");
  EXPECT_EQ(words(9, {20, 1}), "successor 0 of key 9 answered key 20 with row id 1, but the next key is 10");
  EXPECT_EQ(words(9, {}), "successor 0 of key 9 answered no key, but the next key is 10");
  EXPECT_EQ(words(20, {20, 1}), "successor 0 of key 20 answered key 20 with row id 1, but no key is greater");
  EXPECT_EQ(words(20, {5, not_found}), "successor 0 of key 20 answered no key, but no key is greater");
  EXPECT_THAT(check_of_successors(keys, {20, 9}, {{}}).first_wrong, HasSubstr("2 successors but 1 answers"));
}

}  // namespace
}  // namespace pivotscope
