// The oracle: std::lower_bound over a stably sorted copy, and nothing cleverer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/order/shape.hpp"
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

// What checking a batch of answers found.
struct check_report {
  u64 checked = 0;
  u64 wrong = 0;
  u64 found = 0;            // lookups that found their key; ranges that found an entry
  std::string first_wrong;  // in words, with the lookup's number, its key, the answer and what was right
};

// Checks every answer, in parallel: a row id must hold the lookup's key in `keys` (input order), which proves a hit; a
// "not found" must be absent from a sorted copy, which is made only when there is one to check. Sizes to 2^32.
check_report check_answers(const key_array& keys, const key_array& lookups, std::span<const u32> answers,
                           const job_control& control = {});

// Checks every count and sum, in parallel, against a sorted copy with prefix sums of its row ids; and, where `begins`
// is not empty, range i's row ids rows[begins[i]] up to begins[i + 1], in any order: as many as the count, each of a
// row whose key lies within, none twice, which makes them the right ones. 24 bytes a key beside the keys.
check_report check_ranges(const key_array& keys, const range_array& ranges, std::span<const range_answer> answers,
                          std::span<const u64> begins = {}, std::span<const u32> rows = {},
                          const job_control& control = {});

}  // namespace pivotscope
