// Checks whole batches of answers against the keys, in parallel. Sizes to 2^32.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/workload/batch.hpp"

namespace pivotscope {

// What checking a batch of answers found.
struct check_report {
  u64 checked = 0;
  u64 wrong = 0;
  u64 found = 0;            // lookups that found their key; ranges that found an entry; successors that there are
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

  // Lookups: a row id must hold the lookup's key, which proves a hit; a "not found" must be absent from the sorted
  // copy. Memory: nothing while all are hits, then as much as the keys.
  //
  // Successors: the key must be the one above in the sorted copy, and the row id a row that holds it.
  //
  // Ranges: every count and sum, against a sorted copy with prefix sums of its row ids; and row ids, where there are
  // some, in any order: as many as the count, each of a row whose key lies within, none twice, which makes them the
  // right ones. `rows`: they were asked for, and without them the batch is wrong as a whole. 12 bytes a key beside the
  // keys (16 with 64-bit keys), and 8 more (16) while it sorts.
  check_report check(const batch& asked, const batch_answers& answers, bool rows = false,
                     const job_control& control = {}) const;

 private:
  struct sorted;

  check_report lookups(const key_array& lookups, std::span<const u32> answers, const job_control& control) const;
  check_report successors(const key_array& asked, std::span<const successor_answer> answers,
                          const job_control& control) const;
  check_report ranges(const batch& asked, const batch_answers& answers, const job_control& control) const;

  const key_array& keys_;
  std::unique_ptr<sorted> sorted_;
};

}  // namespace pivotscope
