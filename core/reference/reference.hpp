// The oracle: std::lower_bound over a stably sorted copy, and nothing cleverer.
#pragma once

#include <span>
#include <string>
#include <vector>

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
  u64 size() const { return sorted_.size(); }
  u64 key_at_rank(u64 rank) const { return sorted_[rank].key; }
  u32 row_at_rank(u64 rank) const { return sorted_[rank].row; }

 private:
  struct entry {
    u64 key;
    u32 row;
  };
  std::vector<entry> sorted_;
};

// What checking a batch of answers found.
struct check_report {
  u64 checked = 0;
  u64 wrong = 0;
  u64 found = 0;
  std::string first_wrong;  // in words, with the lookup's number, its key, the answer and what was right
};

// Checks every answer, in parallel: a row id must hold the lookup's key in `keys` (input order), which proves a hit; a
// "not found" must be absent from a sorted copy, which is made only when there is one to check. Sizes to 2^32.
check_report check_answers(const key_array& keys, const key_array& lookups, std::span<const u32> answers,
                           const job_control& control = {});

}  // namespace pivotscope
