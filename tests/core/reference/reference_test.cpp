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

}  // namespace
}  // namespace pivotscope
