// reference: the right answers, by std::lower_bound and std::upper_bound over a stably sorted
// copy, and nothing cleverer.
#pragma once

#include <span>
#include <vector>

#include "core/common/answers.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

class reference {
 public:
  explicit reference(const key_array& keys);

  bool contains(u64 key) const;
  // Returns the least row id of `key`, or not_found.
  u32 find(u64 key) const;
  // Returns true if `row` is a right answer for `key`. With duplicates each of their rows is.
  bool accepts(u64 key, u32 row) const;
  // Both ends inclusive; low > high is empty.
  range_answer range(u64 low, u64 high) const;
  // Returns true if the answer to a range is right, or its row ids are. `one_a_key`: an index keeps one entry of each key,
  // whichever, so that its count tells and its sum lies between those of the least and of the greatest rows.
  bool accepts_range(u64 low, u64 high, bool one_a_key, const range_answer& answer) const;
  bool accepts_range_rows(u64 low, u64 high, bool one_a_key, std::vector<u32> rows) const;
  // Returns the row ids of the range, ascending.
  std::vector<u32> range_rows(u64 low, u64 high) const;
  // Returns the least greater key with its least row id, or with `itself` the least key that is not smaller;
  // successor_answer{} if there is none.
  successor_answer next_key(u64 key, bool itself) const;
  // Returns true if the answer is right. With duplicates each of their rows is.
  bool accepts_next_key(u64 key, bool itself, const successor_answer& answer) const;
  u64 size() const { return sorted_.size(); }
  u64 key_at_rank(u64 rank) const { return sorted_[rank].key; }
  u32 row_at_rank(u64 rank) const { return sorted_[rank].row; }

 private:
  struct entry {
    u64 key;
    u32 row;
  };
  std::span<const entry> within(u64 low, u64 high) const;

  std::vector<entry> sorted_;
};

}  // namespace pivotscope
