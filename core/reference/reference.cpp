#include "core/reference/reference.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace pivotscope {

reference::reference(const key_array& keys) {
  sorted_.resize(keys.size());
  for (u64 i = 0; i < keys.size(); ++i) sorted_[i] = {keys[i], static_cast<u32>(i)};
  std::stable_sort(sorted_.begin(), sorted_.end(), [](const entry& a, const entry& b) { return a.key < b.key; });
}

u32 reference::find(u64 key) const {
  const auto at =
      std::lower_bound(sorted_.begin(), sorted_.end(), key, [](const entry& e, u64 k) { return e.key < k; });
  return at != sorted_.end() && at->key == key ? at->row : not_found;
}

bool reference::contains(u64 key) const { return find(key) != not_found; }

bool reference::accepts(u64 key, u32 row) const {
  if (row == not_found) return !contains(key);
  auto at = std::lower_bound(sorted_.begin(), sorted_.end(), key, [](const entry& e, u64 k) { return e.key < k; });
  for (; at != sorted_.end() && at->key == key; ++at) {
    if (at->row == row) return true;
  }
  return false;
}

std::span<const reference::entry> reference::within(u64 low, u64 high) const {
  if (low > high) return {};
  const auto first =
      std::lower_bound(sorted_.begin(), sorted_.end(), low, [](const entry& e, u64 k) { return e.key < k; });
  const auto last = std::upper_bound(first, sorted_.end(), high, [](u64 k, const entry& e) { return k < e.key; });
  return {first, last};
}

range_answer reference::range(u64 low, u64 high) const {
  range_answer answer;
  for (const entry& e : within(low, high)) ++answer.count, answer.row_sum += e.row;
  return answer;
}

std::vector<u32> reference::range_rows(u64 low, u64 high) const {
  std::vector<u32> rows;
  for (const entry& e : within(low, high)) rows.push_back(e.row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

namespace {

constexpr u64 check_grain = 1u << 16;

template <class Key>
check_report check_typed(std::span<const Key> keys, std::span<const Key> lookups, std::span<const u32> answers,
                         const job_control& control) {
  // Made on the first "not found": a batch of hits needs no sorting.
  std::once_flag once;
  std::vector<Key> sorted;
  const auto in_keys = [&](Key key) {
    std::call_once(once, [&] {
      sorted.assign(keys.begin(), keys.end());
      // Isolated: a thread that waits within the sort must not take up another chunk of the check, whose call_once
      // would wait for this one.
      tbb::this_task_arena::isolate([&] { tbb::parallel_sort(sorted.begin(), sorted.end()); });
    });
    return std::binary_search(sorted.begin(), sorted.end(), key);
  };
  std::atomic<u64> wrong{0}, found{0}, done{0}, first_wrong{~0ull};
  tbb::parallel_for(tbb::blocked_range<u64>(0, lookups.size(), check_grain), [&](const tbb::blocked_range<u64>& range) {
    if (control.cancelled()) return;
    u64 wrong_here = 0, found_here = 0;
    for (u64 i = range.begin(); i < range.end(); ++i) {
      const u32 row = answers[i];
      found_here += row != not_found;
      const bool right = row == not_found ? !in_keys(lookups[i]) : row < keys.size() && keys[row] == lookups[i];
      if (right) continue;
      ++wrong_here;
      for (u64 seen = first_wrong; i < seen && !first_wrong.compare_exchange_weak(seen, i);) {
      }
    }
    wrong += wrong_here, found += found_here;
    control.progress("checking", static_cast<double>(done += range.size()) / static_cast<double>(lookups.size()));
  });
  check_report report{lookups.size(), wrong, found, {}};
  if (report.wrong > 0) {
    const u64 i = first_wrong;
    const u32 row = answers[i];
    const std::string answered = row == not_found ? "not found" : fmt::format("row id {}", row);
    const std::string right = row == not_found     ? "the key is in the set"
                              : row >= keys.size() ? fmt::format("there are {} rows", keys.size())
                                                   : fmt::format("row {} holds key {}", row, keys[row]);
    report.first_wrong = fmt::format("lookup {} of key {} answered {}, but {}", i, lookups[i], answered, right);
  }
  return report;
}

}  // namespace

check_report check_answers(const key_array& keys, const key_array& lookups, std::span<const u32> answers,
                           const job_control& control) {
  if (answers.size() != lookups.size() || keys.width() != lookups.width()) {
    return {0, std::max<u64>(1, lookups.size()), 0,
            fmt::format("{} lookups but {} answers, or key widths that differ", lookups.size(), answers.size())};
  }
  return keys.visit([&](const auto& k) {
    using Key = typename std::decay_t<decltype(k)>::value_type;
    return check_typed<Key>(k, lookups.as<Key>(), answers, control);
  });
}

}  // namespace pivotscope
