// What a range may count, against every choice of the entries that may be there.
#include "core/reference/possible_sums.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pivotscope {
namespace {

using count_and_sum = std::pair<u64, u64>;

// Rows of which one counts, or none where that may be.
struct drawn_choice {
  std::vector<u32> rows;
  bool may_be_absent;
};

struct checked_sums {
  bool known = true;       // few enough for all to be
  std::string fault = {};  // empty: what is accepted is right
};

// Every answer that some choice gives is right, and what lies beyond all of them is wrong; where they are few enough to be known,
// every other answer is wrong too.
checked_sums check_sums(const std::vector<drawn_choice>& choices) {
  possible_sums sums;
  checked_sums checked;
  std::set<count_and_sum> right{{0, 0}};
  for (const auto& [rows, may_be_absent] : choices) {
    sums.add(rows, may_be_absent);
    if (rows.empty()) continue;
    std::set<count_and_sum> next;
    for (const auto& [count, sum] : right) {
      if (may_be_absent) next.emplace(count, sum);
      for (const u32 row : rows) next.emplace(count + 1, sum + row);
    }
    right = std::move(next);
    checked.known = checked.known && right.size() <= possible_sums::most_known;
  }
  const auto expect = [&](bool is_right, u64 count, u64 sum) {
    const bool accepted = sums.fault({count, sum}).empty();
    if (accepted != is_right && checked.fault.empty())
      checked.fault = fmt::format("{} entries with row sum {} are {}", count, sum, accepted ? "accepted" : "refused");
  };
  for (const auto& [count, sum] : right) expect(true, count, sum);
  for (auto at = right.begin(); at != right.end();) {
    const auto [count, least] = *at;
    at = right.upper_bound({count, ~0ull});
    const u64 most = std::prev(at)->second;
    expect(false, count, least - 1), expect(false, count, most + 1);
    for (u64 sum = least; checked.known && sum <= std::min(most, least + 60); ++sum)
      expect(right.contains({count, sum}), count, sum);
  }
  expect(false, right.begin()->first - 1, right.begin()->second);
  expect(false, right.rbegin()->first + 1, right.rbegin()->second);
  return checked;
}

RC_GTEST_PROP(PossibleSums, AreThoseOfSomeChoice, ()) {
  std::vector<drawn_choice> choices(*rc::gen::inRange<std::size_t>(0, 9));
  for (drawn_choice& one : choices) {
    one.rows =
        *rc::gen::container<std::vector<u32>>(*rc::gen::inRange<std::size_t>(0, 4), rc::gen::inRange<u32>(0, 12));
    one.may_be_absent = *rc::gen::arbitrary<bool>();
  }
  const checked_sums checked = check_sums(choices);
  RC_ASSERT(checked.known);
  RC_ASSERT(checked.fault == "");
}

// Each set of these has a sum of its own: of eleven there are too many for all to be known.
TEST(PossibleSums, AreAcceptedWhereTheyAreTooManyToBeKnown) {
  for (const u32 count : {9u, 10u, 11u, 12u}) {
    for (const u32 certain : {0u, 2u}) {
      for (const u32 of_two : {0u, 1u, 3u}) {
        std::vector<drawn_choice> choices;
        for (u32 i = 0; i < certain; ++i) choices.push_back({{7 + i}, false});
        for (u32 i = 0; i < count; ++i) {
          const u32 row = 1u << (2 * i);
          // One of two rows has as many sums as one that may be there.
          choices.push_back(i < of_two ? drawn_choice{{row, 3 * row}, false} : drawn_choice{{row}, true});
        }
        const checked_sums checked = check_sums(choices);
        EXPECT_EQ(checked.known, count <= 10);
        EXPECT_EQ(checked.fault, "") << count << " that may be there, " << certain << " that are, " << of_two
                                     << " of two";
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
