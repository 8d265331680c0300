// The last net: what the check of a batch says of every kind of wrong answer, word for word and counted one by one.
#include "core/reference/answer_checker.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "core/reference/reference.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

using testing::check_answers;
using testing::check_ranges;
using testing::ranges_of;

// Keys 10 20 20 30 in rows 0 to 3.
const key_array& four_keys() {
  static const key_array keys(std::vector<u32>{10, 20, 20, 30});
  return keys;
}

check_report one_lookup(u32 key, u32 answer) {
  return check_answers(four_keys(), key_array(std::vector<u32>{key}), std::vector<u32>{answer});
}

TEST(AnswerChecker, SaysOfEveryWrongRowWhatIsWrongWithIt) {
  EXPECT_EQ(one_lookup(20, 0).first_wrong, "lookup 0 of key 20 answered row id 0, but row 0 holds key 10");
  EXPECT_EQ(one_lookup(20, 3).first_wrong, "lookup 0 of key 20 answered row id 3, but row 3 holds key 30");
  EXPECT_EQ(one_lookup(20, 4).first_wrong, "lookup 0 of key 20 answered row id 4, but there are 4 rows");
  EXPECT_EQ(one_lookup(20, 5).first_wrong, "lookup 0 of key 20 answered row id 5, but there are 4 rows");
  EXPECT_EQ(one_lookup(20, 0xFFFFFFFE).first_wrong,
            "lookup 0 of key 20 answered row id 4294967294, but there are 4 rows");
  EXPECT_EQ(one_lookup(20, not_found).first_wrong, "lookup 0 of key 20 answered not found, but the key is in the set");
  EXPECT_EQ(one_lookup(15, 0).first_wrong, "lookup 0 of key 15 answered row id 0, but row 0 holds key 10");
}

TEST(AnswerChecker, TakesAnyRowOfTheKeyAndNoOther) {
  for (u32 row = 0; row < 6; ++row) {
    const check_report report = one_lookup(20, row);
    EXPECT_EQ(report.wrong, row == 1 || row == 2 ? 0u : 1u) << row;
    EXPECT_EQ(report.checked, 1u);
    EXPECT_EQ(report.found, 1u);
    EXPECT_EQ(report.first_wrong.empty(), report.wrong == 0);
  }
  for (const u32 absent : {0u, 9u, 11u, 19u, 21u, 31u, ~0u}) {
    EXPECT_EQ(one_lookup(absent, not_found).wrong, 0u) << absent;
    EXPECT_EQ(one_lookup(absent, not_found).found, 0u) << absent;
  }
  for (const u32 present : {10u, 20u, 30u}) EXPECT_EQ(one_lookup(present, not_found).wrong, 1u) << present;
}

TEST(AnswerChecker, WithoutKeysOnlyNotFoundIsRight) {
  const key_array none(key_width::u32, 0);
  const key_array lookups(std::vector<u32>{0, 7});
  EXPECT_EQ(check_answers(none, lookups, std::vector<u32>{not_found, not_found}).wrong, 0u);
  EXPECT_EQ(check_answers(none, lookups, std::vector<u32>{not_found, 0}).first_wrong,
            "lookup 1 of key 7 answered row id 0, but there are 0 rows");
}

TEST(AnswerChecker, ABatchWithMoreOrFewerAnswersIsWrongAsAWhole) {
  const key_array lookups(std::vector<u32>{10, 20, 30});
  for (const std::vector<u32>& answers : {std::vector<u32>{0, 1}, std::vector<u32>{0, 1, 3, 3}}) {
    const check_report report = check_answers(four_keys(), lookups, answers);
    EXPECT_EQ(report.wrong, 3u);
    EXPECT_EQ(report.checked, 0u);
    EXPECT_EQ(report.found, 0u);
    EXPECT_EQ(report.first_wrong,
              "3 lookups but " + std::to_string(answers.size()) + " answers, or key widths that differ");
  }
  const check_report wide = check_answers(four_keys(), key_array(std::vector<u64>{10}), std::vector<u32>{0});
  EXPECT_EQ(wide.wrong, 1u);
  EXPECT_EQ(wide.first_wrong, "1 lookups but 1 answers, or key widths that differ");
  EXPECT_EQ(check_answers(four_keys(), key_array(key_width::u32, 0), std::vector<u32>{1}).wrong, 1u)
      << "an answer to no lookup is one wrong, not none";
}

// Batches of many chunks: every wrong answer is counted, wherever it stands, and the first of them is the one that is
// told, whichever chunk is done first.
TEST(AnswerChecker, CountsEveryWrongAnswerOfManyChunks) {
  constexpr u64 chunk = 1 << 16;
  for (const u64 count : {chunk - 1, chunk + 1, 3 * chunk + 17}) {
    std::vector<u32> keys(1000), lookups(count), right(count);
    for (u32 i = 0; i < keys.size(); ++i) keys[i] = 2 * i;
    u64 found = 0;
    for (u64 i = 0; i < count; ++i) {
      lookups[i] = static_cast<u32>(i * 7 % 2003);
      right[i] = lookups[i] % 2 == 0 && lookups[i] < 2000 ? lookups[i] / 2 : not_found;
      found += right[i] != not_found;
    }
    const key_array key_set(keys), batch(lookups);
    const answer_checker checker(key_set);
    const check_report all_right = check_answers(checker, batch, right);
    EXPECT_EQ(all_right.checked, count);
    EXPECT_EQ(all_right.wrong, 0u);
    EXPECT_EQ(all_right.found, found);
    const std::set<u64> places = {1,         2,         chunk - 1, chunk,         chunk + 1,
                                  2 * chunk, count / 2, count - 1, 3 * chunk - 1, 3 * chunk + 16};
    for (auto first = places.begin(); first != places.end() && *first < count; ++first) {
      std::vector<u32> answers = right;
      u64 wrong = 0;
      for (auto place = first; place != places.end(); ++place) {
        if (*place >= count) continue;
        answers[*place] = 1000;
        ++wrong;
      }
      const check_report report = check_answers(checker, batch, answers);
      EXPECT_EQ(report.wrong, wrong);
      EXPECT_EQ(report.checked, count);
      EXPECT_EQ(report.first_wrong, "lookup " + std::to_string(*first) + " of key " + std::to_string(lookups[*first]) +
                                        " answered row id 1000, but there are 1000 rows");
    }
  }
}

// Many misses are looked through together; the one that is none is found all the same.
TEST(AnswerChecker, FindsTheOneWrongMissAmongMany) {
  for (const key_width width : {key_width::u32, key_width::u64}) {
    const workload load{.keys = 5000, .dist = distribution::clusters, .lookups = 800'000, .hits = 0.25};
    const key_array keys = *make_keys(load, width);
    const batch asked = *make_batch(load, keys);
    const reference right(keys);
    std::vector<u32> answers(asked.size());
    for (u64 i = 0; i < asked.size(); ++i) answers[i] = right.find(asked.keys[i]);
    const answer_checker checker(keys);
    check_report report = checker.check(asked, {.found = answers});
    EXPECT_EQ(report.wrong, 0u);
    const u64 hit = static_cast<u64>(
        std::find_if(answers.begin() + 600'000, answers.end(), [](u32 row) { return row != not_found; }) -
        answers.begin());
    answers[hit] = not_found;
    report = checker.check(asked, {.found = answers});
    EXPECT_EQ(report.wrong, 1u);
    EXPECT_TRUE(report.first_wrong.starts_with(fmt::format("lookup {} of key ", hit))) << report.first_wrong;
    const free_memory free(1 << 10);  // nor for a list of them
    EXPECT_EQ(checker.check(asked, {.found = answers}).wrong, 1u);
  }
}

TEST(AnswerChecker, TellsHowFarItIs) {
  const u64 count = 300'000;
  const key_array lookups(std::vector<u32>(count, 10));
  std::mutex mutex;
  std::multiset<double> fractions;
  const job_control control([&](std::string_view stage, double fraction) {
    const std::scoped_lock lock(mutex);
    EXPECT_EQ(stage, "checking");
    fractions.insert(fraction);
  });
  EXPECT_EQ(check_answers(four_keys(), lookups, std::vector<u32>(count, 0), control).found, count);
  ASSERT_FALSE(fractions.empty());
  EXPECT_GT(*fractions.begin(), 0);
  EXPECT_EQ(*fractions.rbegin(), 1) << "all of it, once, and never more";
  EXPECT_EQ(fractions.count(1), 1u);
}

TEST(AnswerChecker, SortsForMissesAndForRangesAndSaysSo) {
  std::mutex mutex;
  std::vector<std::string> stages;
  const job_control control([&](std::string_view stage, double fraction) {
    const std::scoped_lock lock(mutex);
    if (stage == "checking") return;
    EXPECT_EQ(fraction, -1) << "nobody knows how far";
    stages.emplace_back(stage);
  });
  const answer_checker checker(four_keys());
  const auto check = [&](u32 key, u32 row) {
    return check_answers(checker, key_array(std::vector<u32>{key}), std::vector<u32>{row}, control);
  };
  EXPECT_EQ(check(10, 0).wrong, 0u);
  EXPECT_TRUE(stages.empty()) << "a hit is known by its row";
  EXPECT_EQ(check(11, not_found).wrong, 0u);
  EXPECT_EQ(check(12, not_found).wrong, 0u);
  EXPECT_EQ(stages, std::vector<std::string>{"sorting the keys to check misses"});
  stages.clear();
  const batch range = ranges_of(key_array(std::vector<u32>{1}), key_array(std::vector<u32>{2}));
  EXPECT_EQ(check_ranges(checker, range, std::vector<range_answer>(1), {}, {}, control).wrong, 0u);
  ASSERT_FALSE(stages.empty());
  EXPECT_EQ(stages.front(), "sorting the keys to check ranges");
}

TEST(AnswerChecker, StopsWhenItIsCancelled) {
  job_control control;
  control.cancel();
  const key_array lookups(std::vector<u32>(300'000, 10));
  const check_report report = check_answers(four_keys(), lookups, std::vector<u32>(300'000, 3), control);
  EXPECT_EQ(report.wrong, 0u) << "nothing was looked at";
  EXPECT_EQ(report.found, 0u);
  const batch ranges = ranges_of(lookups, lookups);
  EXPECT_EQ(check_ranges(four_keys(), ranges, std::vector<range_answer>(300'000), {}, {}, control).wrong, 0u);
}

check_report one_range(u32 low, u32 high, range_answer answer, std::vector<u64> begins = {},
                       std::vector<u32> rows = {}) {
  return check_ranges(four_keys(), ranges_of(key_array(std::vector<u32>{low}), key_array(std::vector<u32>{high})),
                      std::vector<range_answer>{answer}, begins, rows);
}

TEST(AnswerChecker, OfARangeEveryCountAndSumButTheRightOneIsWrong) {
  for (u64 count = 0; count <= 4; ++count) {
    for (u64 sum = 0; sum <= 7; ++sum) {
      const check_report report = one_range(11, 30, {count, sum});
      EXPECT_EQ(report.wrong, count == 3 && sum == 6 ? 0u : 1u) << count << " " << sum;
      EXPECT_EQ(report.found, count != 0 ? 1u : 0u);
      EXPECT_EQ(report.checked, 1u);
    }
  }
  EXPECT_EQ(one_range(11, 30, {2, 6}).first_wrong,
            "range 0 from 11 to 30 answered 2 entries with row sum 6, right is 3 entries with row sum 6");
  EXPECT_EQ(one_range(11, 30, {3, 7}).first_wrong,
            "range 0 from 11 to 30 answered 3 entries with row sum 7, right is 3 entries with row sum 6");
  EXPECT_EQ(one_range(30, 30, {0, 0}).first_wrong,
            "range 0 from 30 to 30 answered 0 entries with row sum 0, right is 1 entry with row sum 3");
  EXPECT_EQ(one_range(30, 11, {0, 0}).wrong, 0u) << "an end before the begin holds nothing";
  EXPECT_EQ(one_range(30, 11, {~0ull, ~0ull}).wrong, 1u) << "and no answer is no answer";
}

TEST(AnswerChecker, OfRowIdsItSaysWhatIsWrong) {
  const auto words = [](std::vector<u32> rows, std::vector<u64> begins = {0, 3}) {
    return one_range(11, 30, {3, 6}, std::move(begins), std::move(rows)).first_wrong;
  };
  EXPECT_EQ(words({1, 2, 3}), "");
  EXPECT_EQ(words({3, 1, 2}), "") << "in any order";
  EXPECT_EQ(words({1, 2}, {0, 2}), "range 0 from 11 to 30 listed 2 row ids, but counted 3 entries");
  EXPECT_EQ(words({1, 2, 3, 3}, {0, 4}), "range 0 from 11 to 30 listed 4 row ids, but counted 3 entries");
  EXPECT_EQ(words({1, 2, 4}), "range 0 from 11 to 30 listed row 4, but there are 4 rows");
  EXPECT_EQ(words({1, 2, not_found}), "range 0 from 11 to 30 listed row 4294967295, but there are 4 rows");
  EXPECT_EQ(words({0, 1, 2}), "range 0 from 11 to 30 listed row 0, but its key 10 lies outside");
  EXPECT_EQ(one_range(10, 20, {3, 3}, {0, 3}, {0, 1, 3}).first_wrong,
            "range 0 from 10 to 20 listed row 3, but its key 30 lies outside");
  EXPECT_EQ(words({1, 3, 1}), "range 0 from 11 to 30 listed row 1 twice");
  EXPECT_EQ(words({3, 2, 3}), "range 0 from 11 to 30 listed row 3 twice");
}

TEST(AnswerChecker, RowIdsMustBeCutIntoAPieceForEachRange) {
  const batch two = ranges_of(key_array(std::vector<u32>{10, 30}), key_array(std::vector<u32>{20, 30}));
  const std::vector<range_answer> answers = {{3, 3}, {1, 3}};
  const auto check = [&](std::vector<u64> begins, std::vector<u32> rows = {0, 1, 2, 3}) {
    return check_ranges(four_keys(), two, answers, begins, rows);
  };
  EXPECT_EQ(check({0, 3, 4}).wrong, 0u);
  EXPECT_EQ(check({0, 3, 4}).found, 2u);
  const std::vector<std::vector<u64>> uncut = {{0, 3}, {0, 3, 4, 4}, {1, 3, 4}, {0, 3, 3}, {0, 3, 5}, {0, 5, 4}, {4}};
  for (const std::vector<u64>& begins : uncut) {
    const check_report report = check(begins);
    EXPECT_EQ(report.wrong, 2u) << ::testing::PrintToString(begins);
    EXPECT_EQ(report.checked, 0u);
    EXPECT_EQ(report.first_wrong, "4 row ids are not cut into one piece for each of 2 ranges");
  }
  EXPECT_EQ(check({0, 2, 4}).wrong, 2u) << "cut at another place: both pieces are wrong";
  EXPECT_EQ(check({0, 2, 4}).first_wrong, "range 0 from 10 to 20 listed 2 row ids, but counted 3 entries");
}

TEST(AnswerChecker, ABatchOfRangesWithMoreOrFewerAnswersIsWrongAsAWhole) {
  const key_array low(std::vector<u32>{10, 30}), high(std::vector<u32>{20, 30}), short_high(std::vector<u32>{20});
  const key_array wide(std::vector<u64>{20, 30});
  for (const std::size_t count : {1u, 3u}) {
    const check_report report = check_ranges(four_keys(), ranges_of(low, high), std::vector<range_answer>(count));
    EXPECT_EQ(report.wrong, 2u);
    EXPECT_EQ(report.first_wrong, "2 ranges but " + std::to_string(count) + " answers, or key widths that differ");
  }
  const std::vector<range_answer> two = {{3, 3}, {1, 3}};
  EXPECT_EQ(check_ranges(four_keys(), ranges_of(low, high), two).wrong, 0u);
  EXPECT_EQ(check_ranges(four_keys(), ranges_of(low, short_high), two).checked, 0u);
  EXPECT_EQ(check_ranges(four_keys(), ranges_of(low, wide), two).checked, 0u);
  EXPECT_EQ(check_ranges(four_keys(), ranges_of(wide, wide), two).checked, 0u);
}

// Sums of row ids before each key, by parts that several threads add up: every boundary.
TEST(AnswerChecker, KnowsSumsAcrossTheBoundariesOfItsParts) {
  const u64 n = (1 << 18) + 3;
  std::vector<u32> keys(n);
  for (u64 i = 0; i < n; ++i) keys[i] = static_cast<u32>(n - i);  // row of key k: n - k
  const key_array key_set(keys);
  std::vector<u32> low, high;
  std::vector<range_answer> right;
  for (const u64 edge : {u64{1} << 16, u64{2} << 16, u64{3} << 16, n - 1}) {
    for (u64 first = edge - 1; first <= edge + 1; ++first) {
      for (const u64 last : {first, edge + 1, n}) {
        if (last < first || last > n) continue;
        u64 sum = 0;
        for (u64 key = first; key <= last; ++key) sum += n - key;
        low.push_back(static_cast<u32>(first)), high.push_back(static_cast<u32>(last));
        right.push_back({last - first + 1, sum});
      }
    }
  }
  const batch ranges = ranges_of(key_array(low), key_array(high));
  const answer_checker checker(key_set);
  EXPECT_EQ(check_ranges(checker, ranges, right).wrong, 0u) << check_ranges(checker, ranges, right).first_wrong;
  for (range_answer& answer : right) ++answer.row_sum;
  EXPECT_EQ(check_ranges(checker, ranges, right).wrong, right.size());
}

}  // namespace
}  // namespace pivotscope
