// check_ranges: counts and sums by two binary searches and a difference of prefix sums; row ids one by one.
#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>

#include "core/reference/reference.hpp"

namespace pivotscope {
namespace {

std::string words(const range_answer& answer) {
  return fmt::format("{} entr{} with row sum {}", answer.count, answer.count == 1 ? "y" : "ies", answer.row_sum);
}

// The sorted keys, and before each the sum of the row ids of those before it.
template <class Key>
class range_truth {
 public:
  explicit range_truth(std::span<const Key> keys) : sorted_(keys.size()), sums_(keys.size() + 1) {
    struct entry {
      Key key;
      u32 row;
    };
    std::vector<entry> entries(keys.size());
    tbb::parallel_for(u64{0}, u64{keys.size()}, [&](u64 i) { entries[i] = {keys[i], static_cast<u32>(i)}; });
    tbb::parallel_sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) { return a.key < b.key; });
    for (u64 i = 0; i < keys.size(); ++i) {
      sorted_[i] = entries[i].key;
      sums_[i + 1] = sums_[i] + entries[i].row;
    }
  }

  range_answer operator()(Key low, Key high) const {
    if (low > high) return {};
    const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), low) - sorted_.begin();
    const auto last = std::upper_bound(sorted_.begin() + first, sorted_.end(), high) - sorted_.begin();
    return {static_cast<u64>(last - first),
            sums_[static_cast<std::size_t>(last)] - sums_[static_cast<std::size_t>(first)]};
  }

 private:
  std::vector<Key> sorted_;
  std::vector<u64> sums_;
};

// Words for what is wrong with a range's row ids; empty: they are the right ones, given that `count` is.
template <class Key>
std::string wrong_rows(std::span<const Key> keys, Key low, Key high, u64 count, std::span<const u32> rows) {
  if (rows.size() != count) return fmt::format("listed {} row ids, but counted {} entries", rows.size(), count);
  for (const u32 row : rows) {
    if (row >= keys.size()) return fmt::format("listed row {}, but there are {} rows", row, keys.size());
    if (keys[row] < low || keys[row] > high) {
      return fmt::format("listed row {}, but its key {} lies outside", row, keys[row]);
    }
  }
  std::vector<u32> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  return twice == sorted.end() ? "" : fmt::format("listed row {} twice", *twice);
}

// Do `begins` cut `rows` into as many pieces as there are ranges?
bool pieces_fit(u64 ranges, std::span<const u64> begins, std::span<const u32> rows) {
  return begins.size() == ranges + 1 && begins.front() == 0 && begins.back() == rows.size() &&
         std::is_sorted(begins.begin(), begins.end());
}

template <class Key>
check_report check_typed(std::span<const Key> keys, const range_array& ranges, std::span<const range_answer> answers,
                         std::span<const u64> begins, std::span<const u32> rows, const job_control& control) {
  control.progress("sorting the keys to check ranges", -1);
  const range_truth<Key> truth(keys);
  const std::span<const Key> low = ranges.low.as<Key>(), high = ranges.high.as<Key>();
  const auto wrong_words = [&](u64 i) -> std::string {
    const range_answer right = truth(low[i], high[i]);
    if (answers[i] != right) return fmt::format("answered {}, right is {}", words(answers[i]), words(right));
    if (begins.empty()) return {};
    return wrong_rows(keys, low[i], high[i], right.count, rows.subspan(begins[i], begins[i + 1] - begins[i]));
  };
  constexpr u64 grain = 1 << 10;  // ranges between two looks at the control: some hold all keys
  std::atomic<u64> wrong{0}, found{0}, done{0}, first_wrong{~0ull};
  tbb::parallel_for(tbb::blocked_range<u64>(0, ranges.size(), grain), [&](const tbb::blocked_range<u64>& part) {
    u64 wrong_here = 0, found_here = 0;
    for (u64 i = part.begin(); i < part.end(); ++i) {
      if (i % grain == 0 && control.cancelled()) return;
      found_here += answers[i].count != 0;
      if (wrong_words(i).empty()) continue;
      ++wrong_here;
      for (u64 seen = first_wrong; i < seen && !first_wrong.compare_exchange_weak(seen, i);) {
      }
    }
    wrong += wrong_here, found += found_here;
    control.progress("checking", static_cast<double>(done += part.size()) / static_cast<double>(ranges.size()));
  });
  check_report report{ranges.size(), wrong, found, {}};
  if (report.wrong > 0) {
    const u64 i = first_wrong;
    report.first_wrong = fmt::format("range {} from {} to {} {}", i, low[i], high[i], wrong_words(i));
  }
  return report;
}

}  // namespace

check_report check_ranges(const key_array& keys, const range_array& ranges, std::span<const range_answer> answers,
                          std::span<const u64> begins, std::span<const u32> rows, const job_control& control) {
  const auto refuse = [&](std::string said) {
    return check_report{0, std::max<u64>(1, ranges.size()), 0, std::move(said)};
  };
  if (answers.size() != ranges.size() || ranges.high.size() != ranges.size() || keys.width() != ranges.width() ||
      ranges.high.width() != ranges.width()) {
    return refuse(fmt::format("{} ranges but {} answers, or key widths that differ", ranges.size(), answers.size()));
  }
  if (!begins.empty() && !pieces_fit(ranges.size(), begins, rows)) {
    return refuse(
        fmt::format("{} row ids are not cut into one piece for each of {} ranges", rows.size(), ranges.size()));
  }
  return keys.visit([&]<class Key>(const std::vector<Key>& all) {
    return check_typed<Key>(all, ranges, answers, begins, rows, control);
  });
}

}  // namespace pivotscope
