// A batch: one operation, with what it is asked for, many times. And what it answers.
#pragma once

#include <string_view>
#include <vector>

#include "core/common/answers.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

struct batch {
  operation kind = operation::find;
  key_array keys = {};   // to find, or whose successors are wanted; of ranges their low ends
  key_array highs = {};  // ranges only, of the same width and size: both ends inclusive, low > high is an empty range
  std::vector<u64> row_sums = {};  // lookups of a file may say what the row ids of each key's entries sum to; or empty

  u64 size() const { return keys.size(); }
  key_width width() const { return keys.width(); }
};

// A batch's answers, one for each of its keys or ranges. What its operation does not answer is empty.
struct batch_answers {
  std::vector<u32> found = {};            // find: a row id or not_found
  std::vector<range_answer> ranges = {};  // range
  // Range, on request: range i's row ids, in no order that is promised, are rows[begins[i]] up to begins[i + 1].
  std::vector<u64> begins = {};
  std::vector<u32> rows = {};
  std::vector<successor_answer> successors = {};  // successor
  bool operator==(const batch_answers&) const = default;
};

// Operations [0, count) of a batch; count at most its size.
batch first_of(const batch& all, u64 count);

// The workload's ranges or successors where it has some, else its lookups. The keys whose successors are wanted are drawn
// as lookups are.
outcome<batch> make_batch(const workload& w, key_width width, const job_control& control = {});
// The same where the workload's keys are at hand, from which ranges are drawn, and lookups for keys of one's own. A
// problem where a file's row sums are not those of the keys.
outcome<batch> make_batch(const workload& w, const key_array& keys, const job_control& control = {});

// w.ranges many. A range begins at the key of a random rank r of the sorted keys, each from 0 to n - H alike, and ends
// at the key of rank r + H - 1, H = min(range_hits, n): exactly H entries with unique keys, at least H with duplicates
// (lightweight, Section 5.7: ranges of a fixed size at a uniformly drawn offset), or as w.popular says. A share of 1 - hits is empty, and all
// are without keys or with range_hits=0: half of these lie between two keys, half have low > high. To know ranks takes
// a sorted copy of the keys. make_batch() draws from make_keys(), and the ranges are the same.
outcome<batch> draw_ranges(const key_array& keys, const workload& w, const job_control& control = {});

}  // namespace pivotscope
