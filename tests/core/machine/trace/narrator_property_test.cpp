// The narrator against a second one, which walks the keys itself (support/walk.hpp) and knows nothing of a trace: every
// number, key and relation of every sentence, the keys that are left, where the search goes next, and the verdict.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/index/config_text.hpp"
#include "tests/support/any_config.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/walk.hpp"

namespace pivotscope {
namespace {

using testing::walked_read;
using testing::walked_step;

class second_narrator {
 public:
  second_narrator(const ordered_config& c, const std::vector<u64>& sorted, std::vector<walked_step> steps, u64 key,
                  std::optional<u64> high, std::optional<u64> after = {}, bool itself = false)
      : c_(c),
        sorted_(sorted),
        n_(sorted.size()),
        steps_(std::move(steps)),
        key_(key),
        high_(high),
        after_(after),
        itself_(itself) {}

  // Ranks that no key seen up to step i rules out: the answer is the first equal key, so it lies behind every smaller
  // one, before every greater one and not behind an equal one; of a range the answers lie behind every key before it and
  // before every key behind it.
  std::vector<u64> left(std::size_t i) const {
    std::vector<u64> ranks;
    for (u64 rank = 0; rank < n_; ++rank) {
      bool possible = true;
      for (std::size_t s = 0; s <= i; ++s) {
        for (const walked_read& r : steps_[s].reads) {
          if (r.rank == no_rank) continue;
          const u64 seen = sorted_[r.rank];
          if (after_) {
            if (!large(seen) ? rank <= r.rank : rank > r.rank) possible = false;
          } else if (high_) {
            if (seen < key_ ? rank <= r.rank : seen > *high_ && rank >= r.rank) possible = false;
          } else if (seen < key_ ? rank <= r.rank : seen > key_ ? rank >= r.rank : rank > r.rank)
            possible = false;
        }
      }
      if (possible) ranks.push_back(rank);
    }
    return ranks;
  }

  std::string words(std::size_t i) const {
    const walked_step& step = steps_[i];
    if (step.kind == step_kind::next) return next_words(i);
    if (step.kind != step_kind::search) return scan_words(i);
    if (step.reads.empty()) return "This step would leave the array, so nothing is read.";
    if (after_) return after_comparison(step);
    const bool last = i + 1 == steps_.size();
    const bool equal = !keys_of(step, [&](u64 k) { return k == key_; }).empty();
    const bool in_entries = step.reads.front().array == ordered_region::entries;
    if (high_) return range_comparison(step, equal && in_entries);
    if (last && equal) return fmt::format("{0} is equal to {0}. Found.", key_);
    const std::size_t ranks = left(i).size();
    const std::string count = ranks == 0   ? "No key is left."
                              : n_ == 1    ? "1 of 1 key is left."
                              : ranks == 1 ? fmt::format("1 of {} keys is left.", n_)
                                           : fmt::format("{} of {} keys are left.", ranks, n_);
    return comparison(step) + " " + count;
  }

  std::string next(std::size_t i) const {
    if (i + 1 == steps_.size()) return "";
    const walked_step &from = steps_[i], &to = steps_[i + 1];
    if (to.kind == step_kind::warp_scan) {
      return "More than 32 entries: from here on all 32 lanes of the warp scan together.";
    }
    if (to.kind == step_kind::scan) {
      return fmt::format("Scan to the right from slot {}: nothing from there on is less than {}.",
                         to.reads.front().slot, key_);
    }
    if (to.kind == step_kind::next) {
      return fmt::format(
          "Look at slot {}: on this level no slot before it has a key {} than {}, and none behind "
          "it a smaller one.",
          to.reads.front().slot, enough(), *after_);
    }
    if (from.kind == step_kind::next)
      return fmt::format("On to the next level: a key nearer to {} may lie there.", *after_);
    if (high_ && from.kind != step_kind::search) return "On to the next level, on the path to the range's low end.";
    if (is_step_back(from)) return step_back(to);
    const char* where = from.smaller == 0 ? "left" : from.smaller == c_.fanout - 1 ? "right" : "to the middle";
    if (c_.order == order_kind::eytzinger && c_.fanout == 2) {
      return fmt::format("Go {}: slot 2 x {}{} = {}.", where, from.reads.front().slot, from.smaller == 1 ? " + 1" : "",
                         to.reads.front().slot);
    }
    if (c_.order == order_kind::eytzinger) {
      return fmt::format("Go {}: node {} x {} + 1 + {} = {}, {}.", where, c_.fanout, from.node, from.smaller, to.node,
                         slots(to));
    }
    const bool leaf = to.reads.empty() || to.reads.front().array == ordered_region::entries;
    return fmt::format("Go {}, to child {} of {}: {}.", where, from.smaller, c_.fanout,
                       to.reads.empty() ? "a partition shorter than the first step"
                       : leaf           ? "the leaf in entry " + slots(to)
                                        : "pivot " + slots(to));
  }

  std::string start() const {
    if (steps_.empty()) return "";
    if (c_.order == order_kind::ascending) {
      return fmt::format("Begin at the last slot, {}. The longest step is {}, the greatest power of {} up to n.",
                         steps_[0].stands, steps_[0].length, c_.fanout);
    }
    if (c_.order == order_kind::eytzinger) return fmt::format("Begin at the root: {}.", slots(steps_[0]));
    return steps_[0].reads.empty() || steps_[0].reads.front().array == ordered_region::entries
               ? "So few keys need no pivots: read the only leaf."
               : fmt::format("Begin at the root of the pivots: {}.", slots(steps_[0]));
  }

  // By the keys alone.
  std::string verdict_of_a_miss() const {
    if (n_ == 0) return fmt::format("{} is not in the index: it is empty.", key_);
    const auto above = std::lower_bound(sorted_.begin(), sorted_.end(), key_);
    if (above == sorted_.begin()) return fmt::format("{} is not in the index: it would lie before {}.", key_, *above);
    const u64 below = *(above - 1);
    if (above == sorted_.end()) return fmt::format("{} is not in the index: it would lie after {}.", key_, below);
    return fmt::format("{} is not in the index: it would lie between {} and {}.", key_, below, *above);
  }

 private:
  template <class F>
  std::vector<u64> keys_of(const walked_step& step, F&& wanted) const {
    std::vector<u64> keys;
    for (const walked_read& r : step.reads) {
      if (r.rank != no_rank && wanted(sorted_[r.rank])) keys.push_back(sorted_[r.rank]);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  static std::string list(const std::vector<u64>& keys) {
    const std::size_t n = keys.size();
    if (n > 6) return fmt::format("{}, {} … {}, {}", keys[0], keys[1], keys[n - 2], keys[n - 1]);
    if (n == 1) return fmt::format("{}", keys[0]);
    return fmt::format("{} and {}", fmt::join(keys.begin(), keys.end() - 1, ", "), keys.back());
  }

  static std::string slots(const walked_step& step) {
    const u64 first = step.reads.front().slot, last = step.reads.back().slot;
    return first == last ? fmt::format("slot {}", first) : fmt::format("slots {} to {}", first, last);
  }

  std::string comparison(const walked_step& step) const {
    const auto smaller = keys_of(step, [&](u64 k) { return k < key_; });
    const auto greater = keys_of(step, [&](u64 k) { return k > key_; });
    if (!keys_of(step, [&](u64 k) { return k == key_; }).empty()) {
      return step.reads.front().array == ordered_region::pivots
                 ? fmt::format("{0} is equal to the pivot {0}, which is the last key to its left: go there.", key_)
                 : fmt::format("{0} is equal to {0}: keep it, and see if there is an earlier one.", key_);
    }
    if (smaller.empty() && greater.empty()) return "These slots are empty: nothing to compare.";
    if (greater.empty()) {
      return fmt::format("{} is greater than {}, so {} and everything before it is out.", key_, list(smaller),
                         smaller.back());
    }
    if (smaller.empty()) {
      return fmt::format("{} is less than {}, so {} and everything after it is out.", key_, list(greater), greater[0]);
    }
    return fmt::format("{0} lies between {1} and {2}: what is before {1} and after {2} is out.", key_, smaller.back(),
                       greater[0]);
  }

  std::string range_comparison(const walked_step& step, bool begins_here) const {
    const auto before = keys_of(step, [&](u64 k) { return k < key_; });
    const auto inside = keys_of(step, [&](u64 k) { return k >= key_ && k <= *high_; });
    const auto behind = keys_of(step, [&](u64 k) { return k >= key_ && k > *high_; });
    std::vector<std::string> said;
    if (!before.empty()) {
      said.push_back(fmt::format("{} is greater than {}, so {} and everything before it is out.", key_, list(before),
                                 before.back()));
    }
    if (!inside.empty() && begins_here) {
      said.push_back(fmt::format("{0} is equal to {0}: the range begins there, or with an equal key before it.", key_));
    } else if (!inside.empty()) {
      said.push_back(list(inside) + (inside.size() == 1 ? " is" : " are") +
                     " in the range, which begins there or before.");
    }
    if (!behind.empty()) {
      said.push_back(
          fmt::format("{} is less than {}, so {} and everything after it is out.", *high_, list(behind), behind[0]));
    }
    return said.empty() ? "These slots are empty: nothing to compare." : fmt::format("{}", fmt::join(said, " "));
  }

  std::string after_comparison(const walked_step& step) const {
    const auto out = keys_of(step, [&](u64 k) { return !large(k); });
    const auto greater = keys_of(step, [&](u64 k) { return large(k); });
    std::vector<std::string> said;
    if (!out.empty()) {
      said.push_back(fmt::format("{} {} {} than {}, so {} and everything before it is out.", list(out),
                                 out.size() == 1 ? "is" : "are", itself_ ? "smaller" : "not greater", *after_,
                                 out.back()));
    }
    if (!greater.empty()) {
      said.push_back(fmt::format("{} {} {} than {}: {} is {}, or lies before it.", list(greater),
                                 greater.size() == 1 ? "is" : "are", enough(), *after_,
                                 itself_ ? "the lower bound" : "what comes next", greater.front()));
    }
    return said.empty() ? "These slots are empty: nothing to compare." : fmt::format("{}", fmt::join(said, " "));
  }

  std::string next_words(std::size_t i) const {
    const u64 here = sorted_[steps_[i].reads.front().rank];
    if (!large(here))
      return fmt::format("{} is {} than {}, and it is the last key.", here, itself_ ? "smaller" : "not greater",
                         *after_);
    std::optional<u64> least;
    for (std::size_t s = 0; s < i; ++s) {
      if (steps_[s].kind != step_kind::next) continue;
      const u64 there = sorted_[steps_[s].reads.front().rank];
      if (large(there) && (!least || there < *least)) least = there;
    }
    if (!least) return fmt::format("{} is {} than {}: the least so far.", here, enough(), *after_);
    return here < *least ? fmt::format("{} is less than {}: it is the least so far.", here, *least)
                         : fmt::format("{} is not less than {}, which stays the least so far.", here, *least);
  }

  static bool is_step_back(const walked_step& step) { return step.length > 0; }

  std::string step_back(const walked_step& to) const {
    if (to.length == 0) return fmt::format("The steps are used up: read the entry arrived at, slot {}.", to.stands);
    const std::string shrink = fmt::format("{} the step to {}", c_.fanout == 2 ? "Halve" : "Cut", to.length);
    if (to.reads.empty()) return fmt::format("{}: back from slot {} it would leave the array.", shrink, to.stands);
    if (to.reads.size() == 1) {
      return fmt::format("{}: from slot {} back to slot {}.", shrink, to.stands, to.reads[0].slot);
    }
    return fmt::format("{}: from slot {} back to the slots from {} to {}.", shrink, to.stands, to.reads.front().slot,
                       to.reads.back().slot);
  }

  std::string scan_words(std::size_t i) const {
    const walked_step& step = steps_[i];
    std::vector<u64> inside;
    std::optional<u64> outside;
    for (const walked_read& r : step.reads) {
      const u64 k = sorted_[r.rank];
      if (key_ <= k && k <= *high_) {
        inside.push_back(k);
      } else if (!outside) {
        outside = k;
      }
    }
    std::string said;
    if (!inside.empty()) said = list(inside) + (inside.size() == 1 ? " is" : " are") + " in the range. ";
    if (outside) {
      return said + (*outside < key_ ? fmt::format("{} is less than {}, and it is the last key.", *outside, key_)
                                     : fmt::format("{} is greater than {}: the scan ends.", *outside, *high_));
    }
    const bool goes_on =
        i + 1 < steps_.size() && steps_[i + 1].kind == step_kind::warp_scan && steps_[i + 1].level == step.level;
    return said + (goes_on ? "The scan is not at its end." : "That was the last slot to scan here.");
  }

  const ordered_config c_;
  const std::vector<u64>& sorted_;
  const u64 n_;
  const std::vector<walked_step> steps_;
  const u64 key_;
  // May the key be the answer?
  bool large(u64 k) const { return itself_ ? k >= *after_ : k > *after_; }
  const char* enough() const { return itself_ ? "not smaller" : "greater"; }

  const std::optional<u64> high_, after_;  // of a range its end; of a next key the one that is given
  const bool itself_;                      // a lower bound
};

// The slots that a step compares, in order of the lanes; what the walk says of each.
void expect_same_reads(const trace_step& said, const walked_step& right, const std::vector<u64>& sorted, u64 key,
                       std::optional<u64> high, std::optional<u64> after, bool itself) {
  RC_ASSERT(said.kind == right.kind);
  RC_ASSERT(said.level == right.level);
  std::vector<comparison> compared = said.compared;
  if (said.kind != step_kind::search) {  // several slots a lane
    std::sort(compared.begin(), compared.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
  }
  RC_ASSERT(compared.size() == right.reads.size());
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const comparison& c = compared[i];
    const walked_read& r = right.reads[i];
    RC_ASSERT(c.array == r.array);
    RC_ASSERT(c.slot == r.slot);
    RC_ASSERT(c.rank == r.rank);
    RC_ASSERT(c.lane == r.lane);
    if (c.rank == no_rank) continue;
    const u64 here = sorted[r.rank];
    RC_ASSERT(c.key == here);
    if (said.kind == step_kind::next) {
      RC_ASSERT(c.met == ((itself ? here >= *after : here > *after) ? relation::equal : relation::greater));
      continue;
    }
    RC_ASSERT(c.met == (key > here                                       ? relation::greater
                        : said.kind == step_kind::search && key < here   ? relation::less
                        : said.kind != step_kind::search && here > *high ? relation::less
                                                                         : relation::equal));
  }
}

void expect_told_right(const ordered_config& c, const std::vector<u64>& sorted, const lookup_trace& trace, u64 key,
                       std::optional<u64> high, std::optional<u64> after = {}, bool itself = false) {
  testing::walker walk(c, sorted);
  after ? walk.next(key) : high ? walk.scan(key, *high) : walk.find(key);
  const second_narrator right(c, sorted, walk.steps(), key, high, after, itself);
  RC_ASSERT(trace.keys == sorted.size());
  RC_ASSERT(trace.start == right.start());
  RC_ASSERT(trace.steps.size() == walk.steps().size());
  u64 first = 0, end = sorted.size();
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const trace_step& step = trace.steps[i];
    RC_LOG() << "step " << i << "\n";
    expect_same_reads(step, walk.steps()[i], sorted, key, high, after, itself);
    const std::vector<u64> left = right.left(i);
    RC_ASSERT(step.left_end - step.left_first == left.size());
    if (!left.empty()) RC_ASSERT(step.left_first == left.front());
    RC_ASSERT(step.left_first >= first);
    RC_ASSERT(step.left_end <= end);
    first = step.left_first, end = step.left_end;
    RC_ASSERT(step.words == right.words(i));
    RC_ASSERT(step.next == right.next(i));
  }
  const bool there = std::binary_search(sorted.begin(), sorted.end(), key);
  if (!high && !after && !there) RC_ASSERT(trace.verdict == right.verdict_of_a_miss());
}

// Sorted keys, and the row ids that go with them: equal keys in the order of their row ids.
template <class Key>
std::vector<u32> rows_of(const std::vector<Key>& keys) {
  std::vector<u32> rows(keys.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::stable_sort(rows.begin(), rows.end(), [&](u32 a, u32 b) { return keys[a] < keys[b]; });
  return rows;
}

template <class Key>
struct told_case {
  ordered_config c;
  std::vector<Key> keys;
  std::vector<u64> sorted;
  std::shared_ptr<const built_index> index;

  explicit told_case(const ordered_config& config) : c(config), keys(*testing::any_keys<Key>()) {
    if (keys.size() > 700) keys.resize(700);
    sorted.assign(keys.begin(), keys.end());
    std::sort(sorted.begin(), sorted.end());
    index = testing::build_on_cpu(c, key_array(keys));
  }
  // A key of the set, a neighbour of one, or any.
  u64 draw() const {
    const u64 any = *rc::gen::arbitrary<Key>();
    if (keys.empty() || *rc::gen::inRange(0, 5) == 0) return any;
    return static_cast<Key>(keys[*rc::gen::inRange<std::size_t>(0, keys.size())] + static_cast<Key>(any % 3) - 1);
  }
};

template <class Key>
void expect_lookups_told(const ordered_config& config) {
  const told_case<Key> t(config);
  for (int i = 0; i < 3; ++i) {
    const u64 key = t.draw();
    RC_LOG() << to_line(t.c) << " n=" << t.keys.size() << " key " << key << "\n";
    const outcome<lookup_trace> trace = trace_lookup(*t.index, key);
    RC_ASSERT(trace.ok());
    expect_told_right(t.c, t.sorted, *trace, key, std::nullopt);
    const bool there = std::binary_search(t.sorted.begin(), t.sorted.end(), key);
    RC_ASSERT((trace->row != not_found) == there);
    RC_ASSERT((trace->slot != no_rank) == there);
    if (!there) continue;
    RC_ASSERT(t.keys[trace->row] == key);
    RC_ASSERT(trace->verdict ==
              fmt::format("{} is in the index: row id {}, in slot {} of the entries.", key, trace->row, trace->slot));
    // The slot is one that the last step looked at, with that row id in it.
    const std::vector<u32> rows = rows_of(t.keys);
    u32 in_slot = not_found;
    for (const comparison& c : trace->steps.back().compared) {
      if (c.slot == trace->slot) in_slot = rows[c.rank];
    }
    RC_ASSERT(in_slot == trace->row);
  }
}

template <class Key>
void expect_ranges_told(const ordered_config& config) {
  const told_case<Key> t(config);
  for (int i = 0; i < 2; ++i) {
    const u64 low = t.draw(), high = t.draw();
    RC_LOG() << to_line(t.c) << " n=" << t.keys.size() << " from " << low << " to " << high << "\n";
    const outcome<lookup_trace> trace = trace_range(*t.index, low, high);
    RC_ASSERT(trace.ok());
    expect_told_right(t.c, t.sorted, *trace, low, high);
    u64 count = 0, sum = 0;
    for (std::size_t row = 0; row < t.keys.size(); ++row) {
      if (t.keys[row] >= low && t.keys[row] <= high) ++count, sum += row;
    }
    RC_ASSERT(trace->range->high == high);
    RC_ASSERT(trace->range->answer.count == count);
    RC_ASSERT(trace->range->answer.row_sum == sum);
    const std::string verdict =
        low > high   ? fmt::format("The range from {} to {} is empty: it ends before it begins.", low, high)
        : count == 0 ? fmt::format("No key from {} to {} is in the index.", low, high)
        : count == 1 ? fmt::format("1 entry from {} to {}; the sum of row ids is {}.", low, high, sum)
                     : fmt::format("{} entries from {} to {}; the sum of row ids is {}.", count, low, high, sum);
    RC_ASSERT(trace->verdict == verdict);
  }
}

template <class Key>
void expect_next_told(const ordered_config& config, bool itself) {
  const told_case<Key> t(config);
  for (int i = 0; i < 2; ++i) {
    const u64 key = *rc::gen::inRange(0, 8) == 0 ? greatest_key<Key>() : t.draw();
    RC_LOG() << to_line(t.c) << " n=" << t.keys.size() << (itself ? " from " : " after ") << key << "\n";
    const outcome<lookup_trace> trace =
        trace_next(*t.index, itself ? operation::lower_bound : operation::successor, key);
    RC_ASSERT(trace.ok());
    const u64 value = itself || key == greatest_key<Key>() ? key : key + 1;
    expect_told_right(t.c, t.sorted, *trace, value, std::nullopt, key, itself);
    const auto next = itself ? std::lower_bound(t.sorted.begin(), t.sorted.end(), key)
                             : std::upper_bound(t.sorted.begin(), t.sorted.end(), key);
    if (next == t.sorted.end()) {
      RC_ASSERT(trace->row == not_found);
      RC_ASSERT(trace->slot == no_rank);
      const std::string why = t.keys.empty() ? "the index is empty"
                              : itself       ? "all keys are smaller"
                                             : "no key is greater";
      RC_ASSERT(trace->verdict == (itself ? fmt::format("{} has no lower bound: {}.", key, why)
                                          : fmt::format("Nothing comes after {}: {}.", key, why)));
      continue;
    }
    RC_ASSERT(trace->successor->key == *next);
    RC_ASSERT(t.keys[trace->row] == *next);
    const auto looks = std::count_if(trace->steps.begin(), trace->steps.end(),
                                     [](const trace_step& s) { return s.kind == step_kind::next; });
    const char* const enough = itself ? "not smaller" : "greater";
    const std::string begin = itself ? fmt::format("The least key that is not smaller than {} is {}", key, *next)
                                     : fmt::format("After {} comes {}", key, *next);
    RC_ASSERT(trace->verdict ==
              fmt::format("{}: row id {}, in slot {} of the entries. It is the {}", begin, trace->row, trace->slot,
                          looks == 1 ? fmt::format("first key that is {}.", enough)
                                     : fmt::format("least of {} levels' first keys that are {}.", looks, enough)));
    // What is left are the answer and keys equal to it.
    const trace_step& last = trace->steps.back();
    RC_ASSERT(last.left_first == static_cast<u64>(next - t.sorted.begin()));
  }
}

RC_GTEST_PROP(NarratorProperty, EverySentenceOfASuccessorIsTrue, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_next_told<Key>(c, false); });
}

RC_GTEST_PROP(NarratorProperty, EverySentenceOfALowerBoundIsTrue, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_next_told<Key>(c, true); });
}

RC_GTEST_PROP(NarratorProperty, EverySentenceOfALookupIsTrue, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_lookups_told<Key>(c); });
}

RC_GTEST_PROP(NarratorProperty, EverySentenceOfARangeIsTrue, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_ranges_told<Key>(c); });
}

}  // namespace
}  // namespace pivotscope
