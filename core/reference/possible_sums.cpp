#include "core/reference/possible_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

bool comes_before(const range_answer& a, const range_answer& b) {
  return std::tie(a.count, a.row_sum) < std::tie(b.count, b.row_sum);
}

std::string words_of(const range_answer& answer) {
  return fmt::format("{} entr{} with row sum {}", answer.count, answer.count == 1 ? "y" : "ies", answer.row_sum);
}

std::string from_to(u64 low, u64 high) {
  return low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
}

}  // namespace

void possible_sums::add(const std::vector<u32>& rows, bool may_be_absent) {
  if (rows.empty()) return;
  if (rows.size() == 1 && !may_be_absent) {
    ++certain_.count, certain_.row_sum += rows.front();
    return;
  }
  const auto [least, greatest] = std::minmax_element(rows.begin(), rows.end());
  changing_.push_back({*least, *greatest, may_be_absent});
  std::vector<range_answer> known;
  for (const range_answer& sum : known_) {
    if (may_be_absent) known.push_back(sum);
    for (const u32 row : rows) known.push_back({sum.count + 1, sum.row_sum + row});
  }
  std::sort(known.begin(), known.end(), comes_before);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (known.size() > most_known) known.clear();
  known_ = std::move(known);
}

u64 possible_sums::least_count() const {
  return static_cast<u64>(
      std::count_if(changing_.begin(), changing_.end(), [](const changing& c) { return !c.may_be_absent; }));
}

// The least, or the greatest, sum of `count` of what changes: all that must be there, and the best of the others.
range_answer possible_sums::sums_of(u64 count, bool greatest) const {
  PIVOTSCOPE_EXPECT(least_count() <= count && count <= changing_.size());
  range_answer sum;
  std::vector<u32> others;
  for (const changing& c : changing_) {
    const u32 row = greatest ? c.greatest : c.least;
    if (c.may_be_absent) {
      others.push_back(row);
    } else {
      ++sum.count, sum.row_sum += row;
    }
  }
  if (greatest) {
    std::sort(others.begin(), others.end(), std::greater<>());
  } else {
    std::sort(others.begin(), others.end());
  }
  for (u64 i = 0; sum.count < count; ++i) ++sum.count, sum.row_sum += others[i];
  return sum;
}

std::string possible_sums::fault(const range_answer& answer) const {
  if (changing_.empty()) return answer == certain_ ? "" : "right is " + words_of(certain_);
  const u64 least = certain_.count + least_count(), most = certain_.count + changing_.size();
  if (answer.count < least || answer.count > most) return fmt::format("right is a count of {}", from_to(least, most));
  const u64 count = answer.count - certain_.count;
  const u64 low = certain_.row_sum + sums_of(count, false).row_sum;
  const u64 high = certain_.row_sum + sums_of(count, true).row_sum;
  if (answer.row_sum < low || answer.row_sum > high)
    return fmt::format("right is a row sum of {} for so many", from_to(low, high));
  // Unsigned numbers: a difference below zero is none of the known ones.
  const range_answer changed{count, answer.row_sum - certain_.row_sum};
  if (known_.empty() || std::binary_search(known_.begin(), known_.end(), changed, comes_before)) return {};
  return "but no such choice of the entries that may be there has that row sum";
}

}  // namespace pivotscope
