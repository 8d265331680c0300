// answer_checker: checks whole batches of answers against the keys, in parallel. Works for sizes up to 2^32.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/workload/batch.hpp"

namespace pivotscope {

// The result of checking a batch of answers.
struct check_report {
  u64 checked = 0;
  u64 wrong = 0;
  u64 found = 0;            // lookups that found their key; ranges that found an entry; successors that exist
  std::string first_wrong;  // in words: the lookup's number, its key, the answer, and the right answer
};

// Sorts a copy of the keys, with std algorithms alone, when a batch first needs it, and keeps it for later batches:
// one checker serves all configs over one workload. Any number of threads may use it. A cancelled check returns
// early with what it has found.
class answer_checker {
 public:
  explicit answer_checker(const key_array& keys);  // in input order: a key's position is its row id; borrowed
  ~answer_checker();

  const key_array& keys() const { return keys_; }

  // Checks the answers of a batch.
  //
  // Lookups: the row of an answer must hold the lookup's key, which proves a hit. The key of a "not found" must be
  // absent from the sorted copy. Memory: none while all answers are hits, then as much as the keys.
  //
  // Successors: the key must be the next greater one in the sorted copy, and the row must hold it.
  //
  // Ranges: every count and sum is compared with a sorted copy that has prefix sums of its row ids. Row ids, if there
  // are any, may come in any order: there must be as many as the count, each of a row whose key lies in the range, and
  // none twice, so they are the right ones. `rows`: they were asked for; without them the whole batch is wrong. Memory:
  // 12 bytes per key beside the keys (16 with 64-bit keys), and 8 (16) more while it sorts.
  //
  // `one_a_key`: the index keeps one entry of each key, so that any one of them is right: the count must be that of the
  // different keys, and the sum lie between those of their least and of their greatest rows. Matches are ranges from a
  // key to itself. Lower bounds are as successors are.
  check_report check(const batch& asked, const batch_answers& answers, bool rows = false,
                     const job_control& control = {}, bool one_a_key = false) const;

 private:
  struct sorted;

  check_report lookups(const key_array& lookups, std::span<const u32> answers, const job_control& control) const;
  check_report next_keys(const batch& asked, std::span<const successor_answer> answers,
                         const job_control& control) const;
  check_report matches_one_a_key(const batch& asked, const batch_answers& answers, const job_control& control) const;
  check_report ranges(const batch& asked, const batch_answers& answers, const job_control& control,
                      bool one_a_key) const;

  const key_array& keys_;
  std::unique_ptr<sorted> sorted_;
};

}  // namespace pivotscope
