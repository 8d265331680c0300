// batch: one operation, asked for many times; and the answers to it.
#pragma once

#include <string_view>
#include <vector>

#include "core/common/answers.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

struct batch {
  operation kind = operation::find;
  key_array keys = {};  // to find, or given to successor lookups; of ranges the low ends
  // Of ranges the high ends, of the same width and size. Both ends are inclusive; low > high is an empty range.
  key_array highs = {};
  // Returns the last key that each may count: of matches the key itself.
  const key_array& last_keys() const { return kind == operation::range ? highs : keys; }
  std::vector<u64> row_sums = {};  // of a file's lookups: the sum of the row ids of each key's entries; may be empty

  u64 size() const { return keys.size(); }
  key_width width() const { return keys.width(); }
};

// The answers of a batch, one per key or range. Lists of other operations are empty.
struct batch_answers {
  std::vector<u32> found = {};            // find: a row id or not_found
  std::vector<range_answer> ranges = {};  // range, matches
  // Of these on request: the row ids of number i are rows[begins[i]] up to rows[begins[i + 1] - 1], in any order.
  std::vector<u64> begins = {};
  std::vector<u32> rows = {};
  std::vector<successor_answer> successors = {};  // successor, lower_bound
  bool operator==(const batch_answers&) const = default;
};

// Returns operations [0, count) of a batch; count must be at most its size.
batch first_of(const batch& all, u64 count);

// Makes the batch of a workload: its ranges or its successor lookups if it has some, otherwise its lookups. Keys for
// successor lookups are drawn as lookups are.
outcome<batch> make_batch(const workload& w, key_width width, const job_control& control = {});
// The same with the workload's keys at hand: ranges, and lookups over the user's own keys, are drawn from them. Problem
// also: the row sums of a file are not those of the keys.
outcome<batch> make_batch(const workload& w, const key_array& keys, const job_control& control = {});

// Draws w.ranges ranges. A range begins at the key of a random rank r of the sorted keys, with r uniform in 0 to n - H
// (or as w.popular says), and ends at the key of rank r + H - 1, where H = min(range_hits, n). So it has exactly H
// entries with unique keys, and at least H with duplicates (lightweight, Section 5.7: ranges of a fixed size at a
// uniform offset). A share of 1 - hits of the ranges is empty; all are if there are no keys or range_hits=0. Half of
// the empty ranges lie between two keys, the other half have low > high. Ranks need a sorted copy of the keys.
// make_batch() draws the same ranges from make_keys().
outcome<batch> draw_ranges(const key_array& keys, const workload& w, const job_control& control = {});

}  // namespace pivotscope
