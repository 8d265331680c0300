// script_steps: runs a script batch by batch, each timed and checked by the oracle (docs/updates.md). For callers that
// go on after the script has grown, or that go back to an earlier index.
#pragma once

#include <span>
#include <string>

#include "core/reference/oracle.hpp"
#include "core/run/key_set.hpp"
#include "core/run/script_record.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

struct script_options {
  batch_options batch = {};  // of every batch; `rows` is ignored
  // Compare the entries after every batch that writes, not only at the end. Needs as much memory again as the index.
  bool compare_each = false;
  bool keep_indexes = false;  // keep the index after each batch, for undo
};

// Returns the greatest amount of memory that the oracle needs for so many rows, in bytes.
u64 oracle_bytes(u64 rows);
// Returns true if the batch inserts, erases, or is maintenance.
bool writes(const script& s, u64 batch);

class script_steps {
 public:
  // Begins with an index as it was built from the keys. The keys must outlive this.
  script_steps(std::shared_ptr<const built_index> index, const key_set& keys);

  const std::shared_ptr<const built_index>& index() const { return index_; }
  u64 done() const { return done_; }                         // number of batches
  u64 entries() const { return oracle_.contents().size(); }  // entries in the index, if knows_entries()
  // Returns false if the index holds one of several rows for some keys; compare() then finds out which.
  bool knows_entries() const { return oracle_.open_keys().empty(); }

  // Does batch done() of a script that begins with the batches before it: by machine::run() if it has reads of
  // one kind alone, else by machine::update(). `answers` has one place per operation of the batch. A wrong
  // answer is in the record, and no batch may follow it. After a problem (the machine's, or cancelled) this
  // object must not be used any more.
  outcome<script_batch_record> next(machine& on, const script& s, const script_options& options,
                                    std::span<script_answer> answers, const job_control& control);
  // Skips a batch that was done before, and left this index.
  void skip(const script& s, const write_counts& counts, std::shared_ptr<const built_index> left);

  // Compares the entries of the index with what the oracle knows; from here on the oracle knows just these. Returns
  // words for what is wrong; empty: nothing.
  outcome<std::string> compare(const job_control& control);
  // Checks answers to reads of the index as it is now. `s` begins with the batches that were done.
  check_report check(const script& s, const batch& asked, const batch_answers& answers,
                     const job_control& control) const;

 private:
  status do_update(machine& on, const script& s, const script_options& options, script_batch_record& batch,
                   std::span<script_answer> answers, const job_control& control);
  status do_reads(machine& on, const script& s, const script_options& options, script_batch_record& batch,
                  std::span<script_answer> answers, const job_control& control);
  std::string done_fault(const script& s) const;
  std::string erases_fault(const script& s) const;
  std::string count_fault(u64 held) const;
  std::string refused_fault(const script& s, const std::vector<stored_entry>& held) const;

  const key_set& keys_;
  std::shared_ptr<const built_index> index_;
  oracle oracle_;
  u64 done_ = 0;
  std::vector<write_done> came_to_;  // outcomes of the operations of the last update
};

}  // namespace pivotscope
