// Ranges of the oracle, by a loop over all keys; and what the check of a batch finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/reference/answer_checker.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::check_answers;
using testing::check_ranges;
using testing::ranges_of;

using ::testing::HasSubstr;

struct looped {
  range_answer answer;
  std::vector<u32> rows;
};

template <class Key>
looped by_loop(const std::vector<Key>& keys, Key low, Key high) {
  looped found;
  for (u32 row = 0; row < keys.size(); ++row) {
    if (keys[row] < low || keys[row] > high) continue;
    ++found.answer.count, found.answer.row_sum += row;
    found.rows.push_back(row);
  }
  return found;
}

template <class Key>
void agrees_with_a_loop(u64 most) {
  for (u64 n = 0; n <= most; ++n) {
    for (const auto pattern :
         {testing::key_pattern::spaced, testing::key_pattern::with_extremes, testing::key_pattern::pairs,
          testing::key_pattern::all_equal, testing::key_pattern::all_greatest}) {
      const auto keys = testing::pattern_keys<Key>(pattern, n);
      const reference truth{key_array(keys)};
      const auto ends = testing::telling_lookups(keys);
      std::vector<Key> low, high;
      std::vector<range_answer> answers;
      std::vector<u64> begins{0};
      std::vector<u32> rows;
      for (const Key first : ends) {
        for (const Key last : ends) {  // low > high too
          const looped right = by_loop(keys, first, last);
          ASSERT_EQ(truth.range(first, last), right.answer) << n << " keys, " << first << " to " << last;
          ASSERT_EQ(truth.range_rows(first, last), right.rows);
          low.push_back(first), high.push_back(last), answers.push_back(right.answer);
          rows.insert(rows.end(), right.rows.rbegin(), right.rows.rend());
          begins.push_back(rows.size());
        }
      }
      const batch ranges = ranges_of(key_array(low), key_array(high));
      const check_report report = check_ranges(key_array(keys), ranges, answers, begins, rows);
      EXPECT_EQ(report.wrong, 0u) << report.first_wrong;
      EXPECT_EQ(report.checked, ranges.size());
      EXPECT_EQ(check_ranges(key_array(keys), ranges, answers).wrong, 0u);
    }
  }
}

TEST(ReferenceRange, AgreesWithALoopOnEverySmallSet) {
  agrees_with_a_loop<u32>(24);
  agrees_with_a_loop<u64>(12);
}

// Keys 10 20 20 30 in rows 0 to 3.
check_report check_of_ranges(std::vector<u32> low, std::vector<u32> high, std::vector<range_answer> answers,
                             std::vector<u64> begins = {}, std::vector<u32> rows = {}) {
  const key_array keys(std::vector<u32>{10, 20, 20, 30});
  return check_ranges(keys, ranges_of(key_array(std::move(low)), key_array(std::move(high))), answers, begins, rows);
}

TEST(CheckRanges, AcceptsRightOnes) {
  const check_report r = check_of_ranges({0, 15, 25, 11}, {9, 25, 15, 30}, {{0, 0}, {2, 3}, {0, 0}, {3, 6}},
                                         {0, 0, 2, 2, 5}, {2, 1, 3, 1, 2});
  EXPECT_EQ(r.wrong, 0u) << r.first_wrong;
  EXPECT_EQ(r.checked, 4u);
  EXPECT_EQ(r.found, 2u);
}

TEST(CheckRanges, FindsEveryKindOfWrongOneAndTellsTheFirst) {
  EXPECT_EQ(check_of_ranges({0, 15}, {9, 25}, {{0, 0}, {1, 3}}).first_wrong,
            "range 1 from 15 to 25 answered 1 entry with row sum 3, right is 2 entries with row sum 3");
  EXPECT_THAT(check_of_ranges({15}, {25}, {{2, 4}}).first_wrong, HasSubstr("right is 2 entries with row sum 3"));
  EXPECT_THAT(check_of_ranges({25}, {15}, {{2, 3}}).first_wrong, HasSubstr("right is 0 entries"));
  EXPECT_THAT(check_of_ranges({15}, {25}, {{2, 3}}, {0, 1}, {1}).first_wrong,
              HasSubstr("listed 1 row ids, but counted 2"));
  EXPECT_THAT(check_of_ranges({15}, {25}, {{2, 3}}, {0, 2}, {0, 3}).first_wrong,
              HasSubstr("row 0, but its key 10 lies"));
  EXPECT_THAT(check_of_ranges({15}, {25}, {{2, 3}}, {0, 2}, {1, 1}).first_wrong, HasSubstr("row 1 twice"));
  EXPECT_THAT(check_of_ranges({15}, {25}, {{2, 3}}, {0, 2}, {1, 4}).first_wrong, HasSubstr("there are 4 rows"));
  EXPECT_EQ(check_of_ranges({0, 0, 0}, {9, 9, 9}, {{1, 0}, {0, 0}, {0, 1}}).wrong, 2u);
}

// Of an index that keeps one entry of each key any one is right: of 20 row 1 or row 2.
TEST(CheckRanges, AcceptsAnyOneEntryOfAKeyWhereOneIsKept) {
  const key_array keys(std::vector<u32>{10, 20, 20, 30});
  const answer_checker checker(keys);
  const reference truth(keys);
  const auto wrong = [&](u32 low, u32 high, range_answer answer, std::vector<u32> rows) {
    const batch asked = ranges_of(key_array(std::vector<u32>{low}), key_array(std::vector<u32>{high}));
    const check_report listed =
        checker.check(asked, {.ranges = {answer}, .begins = {0, rows.size()}, .rows = rows}, true, {}, true);
    const check_report counted = checker.check(asked, {.ranges = {answer}}, false, {}, true);
    EXPECT_EQ(counted.wrong == 0, truth.accepts_range(low, high, true, answer));
    EXPECT_EQ(listed.wrong == 0, counted.wrong == 0 && truth.accepts_range_rows(low, high, true, rows));
    return listed.first_wrong;
  };
  EXPECT_EQ(wrong(15, 25, {1, 1}, {1}), "");
  EXPECT_EQ(wrong(15, 25, {1, 2}, {2}), "");
  EXPECT_EQ(wrong(10, 30, {3, 5}, {3, 2, 0}), "");
  EXPECT_EQ(wrong(30, 10, {0, 0}, {}), "");
  EXPECT_THAT(wrong(15, 25, {2, 3}, {1, 2}), HasSubstr("right is 1 entry with row sum 1 to 2"));
  EXPECT_THAT(wrong(15, 25, {1, 3}, {2}), HasSubstr("right is 1 entry with row sum 1 to 2"));
  EXPECT_THAT(wrong(10, 30, {2, 4}, {0, 1}), HasSubstr("right is 3 entries with row sum 4 to 5"));
  EXPECT_THAT(wrong(10, 30, {3, 4}, {0, 1, 2}), HasSubstr("listed rows 1 and 2 of key 20"));
}

TEST(CheckRanges, MissesNothingThatIsNotThere) {
  EXPECT_GT(check_of_ranges({0}, {9}, {}).wrong, 0u) << "a missing answer is wrong";
  EXPECT_GT(check_of_ranges({0}, {9}, {{0, 0}}, {0}).wrong, 0u) << "a missing piece of row ids is wrong";
  EXPECT_GT(check_of_ranges({0}, {9}, {{0, 0}}, {0, 2}, {1}).wrong, 0u) << "so is one beyond the row ids";
  EXPECT_GT(check_of_ranges({0}, {9}, {{0, 0}}, {0, 0}, {1}).wrong, 0u) << "so are row ids of no range";
  EXPECT_EQ(check_of_ranges({}, {}, {}).wrong, 0u);
  EXPECT_EQ(check_of_ranges({}, {}, {}, {0}).wrong, 0u);
}

TEST(CheckRanges, FindsOneWrongAnswerAmongMany) {
  const workload w{.keys = 300'000, .dist = distribution::duplicates, .hits = 0.9, .ranges = 20'000, .range_hits = 70};
  for (const key_width width : {key_width::u32, key_width::u64}) {
    const key_array keys = *make_keys(w, width);
    const batch ranges = *draw_ranges(keys, w);
    const reference truth(keys);
    std::vector<range_answer> answers;
    std::vector<u64> begins{0};
    std::vector<u32> rows;
    for (u64 i = 0; i < ranges.size(); ++i) {
      answers.push_back(truth.range(ranges.keys[i], ranges.highs[i]));
      const auto those = truth.range_rows(ranges.keys[i], ranges.highs[i]);
      rows.insert(rows.end(), those.begin(), those.end());
      begins.push_back(rows.size());
    }
    EXPECT_EQ(check_ranges(keys, ranges, answers, begins, rows).wrong, 0u);
    std::swap(rows.front(), rows.back());
    EXPECT_EQ(check_ranges(keys, ranges, answers).wrong, 0u);
    EXPECT_EQ(check_ranges(keys, ranges, answers, begins, rows).wrong, 2u);
    answers[12'345].row_sum ^= 1;
    const check_report report = check_ranges(keys, ranges, answers);
    EXPECT_EQ(report.wrong, 1u);
    EXPECT_THAT(report.first_wrong, HasSubstr("range 12345 from "));
  }
}

// What it sorted for a batch serves the next one, of either kind.
template <class Key>
void check_many_batches() {
  const key_array keys(std::vector<Key>{10, 20, 20, 5});
  const answer_checker checker(keys);
  EXPECT_EQ(&checker.keys(), &keys);
  const key_array lookups(std::vector<Key>{20, 7, 5});
  const batch ranges =
      ranges_of(key_array(std::vector<Key>{6, 0}), key_array(std::vector<Key>{20, greatest_key<Key>()}));
  int sorts = 0;
  const job_control counts([&](std::string_view stage, double) { sorts += stage.starts_with("sorting"); });
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(check_answers(checker, lookups, std::vector<u32>{1, not_found, 3}).wrong, 0u);
    EXPECT_EQ(check_answers(checker, lookups, std::vector<u32>{not_found, not_found, not_found}).wrong, 2u);
    EXPECT_EQ(check_ranges(checker, ranges, std::vector<range_answer>{{3, 3}, {4, 6}}, {}, {}, counts).wrong, 0u);
    EXPECT_EQ(check_ranges(checker, ranges, std::vector<range_answer>{{3, 6}, {4, 6}}, {}, {}, counts).wrong, 1u);
  }
  EXPECT_EQ(sorts, 1);
}
TEST(AnswerChecker, SortsOnceForManyBatchesOverOneKeySet) {
  check_many_batches<u32>();
  check_many_batches<u64>();
}

// A cancelled sort leaves nothing behind that a later batch would trust.
TEST(AnswerChecker, CanBeCancelledWhileItSortsAndThenUsedAgain) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "an exception leaves std::call_once, which the thread sanitizer takes for a call that never ends";
#endif
  const key_array keys = *make_keys({.keys = 400'000, .dist = distribution::uniform}, key_width::u32);
  const answer_checker checker(keys);
  const key_array lookups(std::vector<u32>(100'000, static_cast<u32>(keys[0])));
  const std::vector<u32> missed(lookups.size(), not_found);
  const batch ranges = ranges_of(key_array(std::vector<u32>{0}), key_array(std::vector<u32>{~0u}));
  const std::vector<range_answer> all = {{keys.size(), keys.size() * (keys.size() - 1) / 2}};
  for (int round = 0; round < 2; ++round) {
    std::unique_ptr<job_control> control;
    control = std::make_unique<job_control>([&](std::string_view stage, double) {
      if (stage.starts_with("sorting")) control->cancel();
    });
    EXPECT_EQ(check_answers(checker, lookups, missed, *control).wrong, 0u);
    EXPECT_TRUE(control->cancelled());
    control = std::make_unique<job_control>([&](std::string_view stage, double) {
      if (stage.starts_with("sorting")) control->cancel();
    });
    EXPECT_EQ(check_ranges(checker, ranges, all, {}, {}, *control).checked, 0u);
    EXPECT_TRUE(control->cancelled());
  }
  EXPECT_EQ(check_answers(checker, lookups, missed).wrong, lookups.size());
  EXPECT_EQ(check_ranges(checker, ranges, all).wrong, 0u);
}

// None of them is known to be right; of no ranges it is the batch that is wrong.
TEST(CheckRanges, WithoutTheRowIdsThatWereAskedForEveryAnswerIsWrong) {
  const key_array keys(std::vector<u32>{5, 3, 9});
  const answer_checker checker(keys);
  for (const u64 count : {0u, 1u, 5u}) {
    const batch asked = ranges_of(key_array(std::vector<u32>(count, 4)), key_array(std::vector<u32>(count, 9)));
    const batch_answers counted{.ranges = std::vector<range_answer>(count, {2, 2})};
    const check_report without = checker.check(asked, counted, true);
    EXPECT_EQ(without.checked, count);
    EXPECT_EQ(without.wrong, std::max<u64>(count, 1));
    EXPECT_EQ(without.found, 0u);
    EXPECT_EQ(without.first_wrong, "row ids are missing");
    EXPECT_EQ(checker.check(asked, counted, false).wrong, 0u) << "where nobody asked for them";
  }
}

}  // namespace
}  // namespace pivotscope
