// The oracle: std::lower_bound and std::upper_bound over a stably sorted copy, and nothing cleverer.
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
  // A row id of `key` (the least one), or not_found.
  u32 find(u64 key) const;
  // Is `row` a right answer for `key`? With duplicates any of their rows is.
  bool accepts(u64 key, u32 row) const;
  // Both ends inclusive; low > high is empty.
  range_answer range(u64 low, u64 high) const;
  // The range's row ids, ascending.
  std::vector<u32> range_rows(u64 low, u64 high) const;
  // Nothing, successor_answer{}, when no key is greater; of duplicates the least row id.
  successor_answer successor(u64 key) const;
  // Is it a right answer? With duplicates any of their rows is.
  bool accepts_successor(u64 key, const successor_answer& answer) const;
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
