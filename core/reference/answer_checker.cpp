#include "core/reference/answer_checker.hpp"

#include <fmt/format.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/parallel.hpp"
#include "core/reference/check_each.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// Thrown out of a call_once, which the next caller may then try again.
struct sort_cancelled {};

// For use within a call_once. Isolated: a thread that waits in it must not take up another task of the caller's, whose
// call_once would wait for this one. Throws sort_cancelled; what is left then is in no order.
template <class Item, class Less>
void sort_in_parallel(std::vector<Item>& items, const Less& less, const job_control& control) {
  tbb::task_group_context context;
  const auto watched = [&](const Item& a, const Item& b) {
    if (control.cancelled()) context.cancel_group_execution();
    return less(a, b);
  };
  tbb::this_task_arena::isolate([&] {
    tbb::task_group group(context);
    group.run_and_wait([&] { tbb::parallel_sort(items.begin(), items.end(), watched); });
  });
  if (control.cancelled()) throw sort_cancelled{};
  PIVOTSCOPE_EXPECT(std::is_sorted(items.begin(), items.end(), less));
}

template <class Key>
class sorted_keys {
 public:
  bool contain(std::span<const Key> keys, Key key, const job_control& control) {
    make(keys, "sorting the keys to check misses", control);
    return std::binary_search(sorted_.begin(), sorted_.end(), key);
  }
  // Whether none of `asked`, which are sorted for it, is a key: neighbours share what their searches read.
  bool lack_all(std::span<const Key> keys, std::vector<Key>& asked, const job_control& control) {
    make(keys, "sorting the keys to check misses", control);
    control.progress("sorting the misses", -1);
    sort_in_parallel(asked, std::less<>(), control);
    std::atomic<bool> some{false};
    parallel_parts(asked.size(), 1 << 16, [&](const index_part& part) {
      if (control.cancelled() || some) return;
      for (u64 i = part.begin(); i < part.end(); ++i)
        if (std::binary_search(sorted_.begin(), sorted_.end(), asked[i])) some = true;
    });
    return !some && !control.cancelled();
  }
  // The least key greater than `key`, or with `itself` the least that is not smaller; or null.
  const Key* after(std::span<const Key> keys, Key key, bool itself, const job_control& control) {
    make(keys, "sorting the keys to check successors", control);
    const auto at = itself ? std::lower_bound(sorted_.begin(), sorted_.end(), key)
                           : std::upper_bound(sorted_.begin(), sorted_.end(), key);
    return at == sorted_.end() ? nullptr : &*at;
  }

 private:
  void make(std::span<const Key> keys, const char* doing, const job_control& control) {
    std::call_once(once_, [&] {
      control.progress(doing, -1);
      sorted_.assign(keys.begin(), keys.end());
      sort_in_parallel(sorted_, std::less<>(), control);
    });
  }

  std::once_flag once_;
  std::vector<Key> sorted_;
};

// A range's right answers: the count, and the row sums from the least to the greatest. They are one where all of a key's
// entries count.
struct right_range {
  u64 count = 0, least_sum = 0, greatest_sum = 0;

  bool accepts(const range_answer& answer) const {
    return answer.count == count && least_sum <= answer.row_sum && answer.row_sum <= greatest_sum;
  }
};

// The sorted keys, and before each the sum of the row ids of those before it.
template <class Key>
class range_truth {
 public:
  void make(std::span<const Key> keys, const job_control& control) {
    std::call_once(once_, [&] {
      control.progress("sorting the keys to check ranges", -1);
      sort(keys, control);
    });
  }

  right_range operator()(Key low, Key high) const {
    PIVOTSCOPE_EXPECT(sums_.size() == sorted_.size() + 1);  // make() came before
    if (low > high) return {};
    const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), low) - sorted_.begin();
    const auto last = std::upper_bound(sorted_.begin() + first, sorted_.end(), high) - sorted_.begin();
    const u64 sum = sums_[static_cast<std::size_t>(last)] - sums_[static_cast<std::size_t>(first)];
    return {static_cast<u64>(last - first), sum, sum};
  }

 private:
  void sort(std::span<const Key> keys, const job_control& control) {
    struct entry {
      Key key;
      u32 row;
    };
    const u64 n = keys.size();
    std::vector<entry> entries(n);
    tbb::this_task_arena::isolate([&] {
      parallel_each(n, [&](u64 i) { entries[i] = {keys[i], static_cast<u32>(i)}; });
    });
    sort_in_parallel(
        entries, [](const entry& a, const entry& b) { return a.key < b.key; }, control);
    sorted_.resize(n), sums_.resize(n + 1);
    const auto add = [&](const index_part& part, u64 sum, bool last) {
      for (u64 i = part.begin(); i < part.end(); ++i) {
        sum += entries[i].row;
        if (last) sorted_[i] = entries[i].key, sums_[i + 1] = sum;
      }
      return sum;
    };
    tbb::this_task_arena::isolate([&] { parallel_sums(n, 1 << 16, add); });
  }

  std::once_flag once_;
  std::vector<Key> sorted_;
  std::vector<u64> sums_;
};

// The same where of each key any one entry counts.
template <class Key>
class one_a_key_truth {
 public:
  void make(std::span<const Key> keys, const job_control& control) {
    std::call_once(once_, [&] {
      control.progress("sorting the keys to check ranges", -1);
      sort(keys, control);
    });
  }

  right_range operator()(Key low, Key high) const {
    PIVOTSCOPE_EXPECT(least_.size() == sorted_.size() + 1);  // make() came before
    if (low > high) return {};
    const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), low) - sorted_.begin();
    const auto last = std::upper_bound(sorted_.begin() + first, sorted_.end(), high) - sorted_.begin();
    const auto within = [&](const std::vector<u64>& sums) {
      return sums[static_cast<std::size_t>(last)] - sums[static_cast<std::size_t>(first)];
    };
    return {static_cast<u64>(last - first), within(least_), within(greatest_)};
  }

 private:
  void sort(std::span<const Key> keys, const job_control& control) {
    using entry = std::pair<Key, u32>;
    std::vector<entry> entries(keys.size());
    tbb::this_task_arena::isolate([&] {
      parallel_each(keys.size(), [&](u64 i) { entries[i] = {keys[i], static_cast<u32>(i)}; });
    });
    sort_in_parallel(entries, std::less<>(), control);
    sorted_.clear(), least_ = {0}, greatest_ = {0};
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& [key, row] = entries[i];
      if (sorted_.empty() || sorted_.back() != key)
        sorted_.push_back(key), least_.push_back(least_.back() + row), greatest_.push_back(greatest_.back() + row);
      else
        greatest_.back() = greatest_[greatest_.size() - 2] + row;
    }
  }

  std::once_flag once_;
  std::vector<Key> sorted_;  // each key once
  std::vector<u64> least_, greatest_;
};

template <class Key>
struct sorted_of {
  sorted_keys<Key> keys;
  range_truth<Key> ranges;
  one_a_key_truth<Key> one_a_key;
};

// Whether all lookups that found nothing are right, where there are many of them; false: not known yet.
template <class Key>
bool misses_are_right(sorted_keys<Key>& sorted, std::span<const Key> keys, std::span<const Key> lookups,
                      std::span<const u32> answers, const job_control& control) {
  constexpr u64 many = 1 << 19, part_of_lookups = 1 << 16;  // of fewer, sorting them takes as long as searches do
  std::atomic<u64> count{0};
  const auto each_miss = [&](const index_part& part, auto&& f) {
    for (u64 i = part.begin(); i < part.end(); ++i)
      if (answers[i] == not_found) f(i);
  };
  parallel_parts(lookups.size(), part_of_lookups, [&](const index_part& part) {
    u64 here = 0;
    each_miss(part, [&](u64) { ++here; });
    count += here;
  });
  if (count < many || !check_host_memory(count * sizeof(Key), "misses")) return false;
  std::vector<Key> missed(count);
  std::atomic<u64> taken{0};
  parallel_parts(lookups.size(), part_of_lookups, [&](const index_part& part) {
    u64 here = 0;
    each_miss(part, [&](u64) { ++here; });
    u64 at = taken.fetch_add(here);
    each_miss(part, [&](u64 i) { missed[at++] = lookups[i]; });
  });
  return sorted.lack_all(keys, missed, control);
}

template <class Key>
check_report check_lookups(sorted_keys<Key>& sorted, std::span<const Key> keys, std::span<const Key> lookups,
                           std::span<const u32> answers, const job_control& control) {
  const bool misses_right = misses_are_right(sorted, keys, lookups, answers, control);
  const auto right = [&](u64 i) {
    const u32 row = answers[i];
    return row == not_found ? misses_right || !sorted.contain(keys, lookups[i], control)
                            : row < keys.size() && keys[row] == lookups[i];
  };
  const auto found = [&](u64 i) { return answers[i] != not_found; };
  const auto words = [&](u64 i) {
    const u32 row = answers[i];
    const std::string answered = row == not_found ? "not found" : fmt::format("row id {}", row);
    const std::string truth = row == not_found     ? "the key is in the set"
                              : row >= keys.size() ? fmt::format("there are {} rows", keys.size())
                                                   : fmt::format("row {} holds key {}", row, keys[row]);
    return fmt::format("lookup {} of key {} answered {}, but {}", i, lookups[i], answered, truth);
  };
  return check_each(lookups.size(), 1 << 16, control, right, found, words);
}

std::string words_of(const successor_answer& answer) {
  return answer.row == not_found ? "no key" : fmt::format("key {} with row id {}", answer.key, answer.row);
}

// Returns words for what is wrong with a successor or a lower bound; empty: it is right. `next`: the right key, or null.
template <class Key>
std::string wrong_next(std::span<const Key> keys, const Key* next, bool itself, const successor_answer& answer) {
  if (!next) return answer == successor_answer{} ? "" : itself ? "all keys are smaller" : "no key is greater";
  if (answer.row == not_found || answer.key != *next) return fmt::format("the next key is {}", *next);
  if (answer.row >= keys.size()) return fmt::format("there are {} rows", keys.size());
  return keys[answer.row] == *next ? "" : fmt::format("row {} holds key {}", answer.row, keys[answer.row]);
}

template <class Key>
check_report check_next(sorted_keys<Key>& sorted, std::span<const Key> keys, operation kind, std::span<const Key> asked,
                        std::span<const successor_answer> answers, const job_control& control) {
  const bool itself = takes_itself(kind);
  const auto wrong = [&](u64 i) {
    return wrong_next(keys, sorted.after(keys, asked[i], itself, control), itself, answers[i]);
  };
  return check_each(
      asked.size(), 1 << 16, control, [&](u64 i) { return wrong(i).empty(); },
      [&](u64 i) { return answers[i].row != not_found; },
      [&](u64 i) {
        return fmt::format("{} {} of key {} answered {}, but {}", info_of(kind).one, i, asked[i], words_of(answers[i]),
                           wrong(i));
      });
}

std::string words_of(const range_answer& answer) {
  return fmt::format("{} entr{} with row sum {}", answer.count, answer.count == 1 ? "y" : "ies", answer.row_sum);
}
std::string words_of(const right_range& right) {
  const std::string least = words_of(range_answer{right.count, right.least_sum});
  return right.least_sum == right.greatest_sum ? least : fmt::format("{} to {}", least, right.greatest_sum);
}

// Words for what is wrong with a range's row ids; empty: they are the right ones, given that `count` is. `once`: no two have
// the same key.
template <class Key>
std::string wrong_rows(std::span<const Key> keys, Key low, Key high, u64 count, bool once, std::span<const u32> rows) {
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
  if (twice != sorted.end()) return fmt::format("listed row {} twice", *twice);
  if (!once) return {};
  std::sort(sorted.begin(), sorted.end(), [&](u32 a, u32 b) { return keys[a] < keys[b]; });
  const auto same = std::adjacent_find(sorted.begin(), sorted.end(), [&](u32 a, u32 b) { return keys[a] == keys[b]; });
  return same == sorted.end() ? "" : fmt::format("listed rows {} and {} of key {}", *same, same[1], keys[*same]);
}

// Do `begins` cut `rows` into as many pieces as there are ranges?
bool pieces_fit(u64 ranges, std::span<const u64> begins, std::span<const u32> rows) {
  return begins.size() == ranges + 1 && begins.front() == 0 && begins.back() == rows.size() &&
         std::is_sorted(begins.begin(), begins.end());
}

template <class Key, class Truth>
check_report check_ranges_typed(Truth& truth, std::span<const Key> keys, const batch& asked, const batch_answers& given,
                                bool one_a_key, const job_control& control) {
  truth.make(keys, control);
  const std::span<const Key> low = asked.keys.as<Key>(), high = asked.last_keys().as<Key>();
  const std::span<const range_answer> answers = given.ranges;
  const std::span<const u64> begins = given.begins;
  const std::span<const u32> rows = given.rows;
  const auto wrong_words = [&](u64 i) -> std::string {
    const right_range right = truth(low[i], high[i]);
    if (!right.accepts(answers[i]))
      return fmt::format("answered {}, right is {}", words_of(answers[i]), words_of(right));
    if (begins.empty()) return {};
    return wrong_rows(keys, low[i], high[i], right.count, one_a_key,
                      rows.subspan(begins[i], begins[i + 1] - begins[i]));
  };
  // Few at a time: some ranges hold all keys.
  return check_each(
      asked.size(), 1 << 10, control, [&](u64 i) { return wrong_words(i).empty(); },
      [&](u64 i) { return answers[i].count != 0; },
      [&](u64 i) {
        if (asked.kind == operation::matches) return fmt::format("match {} of key {} {}", i, low[i], wrong_words(i));
        return fmt::format("range {} from {} to {} {}", i, low[i], high[i], wrong_words(i));
      });
}

template <class F>
check_report until_cancelled(const F& check) {
  try {
    return check();
  } catch (const sort_cancelled&) {
    return {};
  }
}

check_report refuse(u64 count, std::string words) { return {0, std::max<u64>(1, count), 0, std::move(words)}; }

}  // namespace

struct answer_checker::sorted {
  sorted_of<u32> narrow;
  sorted_of<u64> wide;

  template <class Key>
  sorted_of<Key>& of() {
    if constexpr (sizeof(Key) == sizeof(u32)) {
      return narrow;
    } else {
      return wide;
    }
  }
};

answer_checker::answer_checker(const key_array& keys) : keys_(keys), sorted_(std::make_unique<sorted>()) {}
answer_checker::~answer_checker() = default;

check_report answer_checker::lookups(const key_array& lookups, std::span<const u32> answers,
                                     const job_control& control) const {
  if (answers.size() != lookups.size() || keys_.width() != lookups.width()) {
    return refuse(lookups.size(),
                  fmt::format("{} lookups but {} answers, or key widths that differ", lookups.size(), answers.size()));
  }
  return until_cancelled([&] {
    return keys_.visit([&]<class Key>(const std::vector<Key>& keys) {
      return check_lookups<Key>(sorted_->of<Key>().keys, keys, lookups.as<Key>(), answers, control);
    });
  });
}

check_report answer_checker::ranges(const batch& asked, const batch_answers& answers, const job_control& control,
                                    bool one_a_key) const {
  const u64 count = asked.size();
  const key_array& last = asked.last_keys();
  if (answers.ranges.size() != count || last.size() != count || keys_.width() != asked.width() ||
      last.width() != asked.width()) {
    return refuse(count, fmt::format("{} {} but {} answers, or key widths that differ", count,
                                     operation_noun(asked.kind), answers.ranges.size()));
  }
  if (!answers.begins.empty() && !pieces_fit(count, answers.begins, answers.rows)) {
    return refuse(
        count, fmt::format("{} row ids are not cut into one piece for each of {} ranges", answers.rows.size(), count));
  }
  return until_cancelled([&] {
    return keys_.visit([&]<class Key>(const std::vector<Key>& keys) {
      sorted_of<Key>& sorted = sorted_->of<Key>();
      if (one_a_key) return check_ranges_typed<Key>(sorted.one_a_key, keys, asked, answers, true, control);
      return check_ranges_typed<Key>(sorted.ranges, keys, asked, answers, false, control);
    });
  });
}

check_report answer_checker::next_keys(const batch& asked, std::span<const successor_answer> answers,
                                       const job_control& control) const {
  if (answers.size() != asked.size() || keys_.width() != asked.width()) {
    return refuse(asked.size(), fmt::format("{} {} but {} answers, or key widths that differ", asked.size(),
                                            operation_noun(asked.kind), answers.size()));
  }
  return until_cancelled([&] {
    return keys_.visit([&]<class Key>(const std::vector<Key>& keys) {
      return check_next<Key>(sorted_->of<Key>().keys, keys, asked.kind, asked.keys.as<Key>(), answers, control);
    });
  });
}

// A count of one with a sum that is a row of the key, or none where there is none: what its lookup would have found.
check_report answer_checker::matches_one_a_key(const batch& asked, const batch_answers& answers,
                                               const job_control& control) const {
  std::vector<u32> found;
  found.reserve(answers.ranges.size());
  for (const range_answer& answer : answers.ranges) {
    const bool none = answer == range_answer{}, one = answer.count == 1 && answer.row_sum < keys_.size();
    // No row has this id, so that anything else is wrong.
    found.push_back(none ? not_found : one ? static_cast<u32>(answer.row_sum) : unanswered);
  }
  return lookups(asked.keys, found, control);
}

check_report answer_checker::check(const batch& asked, const batch_answers& answers, bool rows,
                                   const job_control& control, bool one_a_key) const {
  switch (answer_of(asked.kind)) {
    case answer_kind::row:
      return lookups(asked.keys, answers.found, control);
    case answer_kind::next:
      return next_keys(asked, answers.successors, control);
    case answer_kind::sum:
    case answer_kind::done:
      break;
  }
  if (rows && answers.begins.empty()) {
    return {asked.size(), std::max<u64>(1, asked.size()), 0, "row ids are missing"};
  }
  if (asked.kind == operation::matches && one_a_key) return matches_one_a_key(asked, answers, control);
  return ranges(asked, answers, control, one_a_key);
}

}  // namespace pivotscope
