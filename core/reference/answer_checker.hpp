// Checks whole batches of answers against the keys, in parallel. Sizes to 2^32.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/order/shape.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// What checking a batch of answers found.
struct check_report {
  u64 checked = 0;
  u64 wrong = 0;
  u64 found = 0;            // lookups that found their key; ranges that found an entry
  std::string first_wrong;  // in words, with the lookup's number, its key, the answer and what was right
};

// Sorts its own copy of the keys, with std algorithms alone, once a batch needs it, and keeps it for the batches after:
// several configs over one workload are checked by one checker. Any number of threads may use it. A cancelled check
// comes back early with whatever it has found.
class answer_checker {
 public:
  explicit answer_checker(const key_array& keys);  // in input order, so that a key's place is its row id; borrowed
  ~answer_checker();

  const key_array& keys() const { return keys_; }

  // A row id must hold the lookup's key, which proves a hit; a "not found" must be absent from the sorted copy. Memory:
  // nothing while all are hits, then as much as the keys.
  check_report lookups(const key_array& lookups, std::span<const u32> answers, const job_control& control = {}) const;

  // Every count and sum, against a sorted copy with prefix sums of its row ids; and, where `begins` is not empty, range
  // i's row ids rows[begins[i]] up to begins[i + 1], in any order: as many as the count, each of a row whose key lies
  // within, none twice, which makes them the right ones. 12 bytes a key beside the keys (16 with 64-bit keys), and 8
  // more (16) while it sorts.
  check_report ranges(const range_array& ranges, std::span<const range_answer> answers,
                      std::span<const u64> begins = {}, std::span<const u32> rows = {},
                      const job_control& control = {}) const;

 private:
  struct sorted;

  const key_array& keys_;
  std::unique_ptr<sorted> sorted_;
};

// For one batch.
inline check_report check_answers(const key_array& keys, const key_array& lookups, std::span<const u32> answers,
                                  const job_control& control = {}) {
  return answer_checker(keys).lookups(lookups, answers, control);
}
inline check_report check_ranges(const key_array& keys, const range_array& ranges,
                                 std::span<const range_answer> answers, std::span<const u64> begins = {},
                                 std::span<const u32> rows = {}, const job_control& control = {}) {
  return answer_checker(keys).ranges(ranges, answers, begins, rows, control);
}

}  // namespace pivotscope
