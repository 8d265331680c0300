// A script done batch by batch, each timed and checked by the oracle (docs/updates.md): for who goes on when the script has
// grown, or goes back to an index before.
#pragma once

#include <span>
#include <string>

#include "core/reference/oracle.hpp"
#include "core/run/key_set.hpp"
#include "core/run/script_record.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

struct script_options {
  batch_options batch = {};  // of every batch; `rows` does not count
  bool compare_each =
      false;  // the entries after every batch that writes, not at the end alone: as much as the index again
  bool keep_indexes = false;  // the index after each batch: for undo
};

// What the oracle takes, at most, for so many rows.
u64 oracle_bytes(u64 rows);
// Does the batch insert or erase?
bool writes(const script& s, u64 batch);

class script_steps {
 public:
  // Of an index as it was built from the keys, which outlive this.
  script_steps(std::shared_ptr<const built_index> index, const key_set& keys);

  const std::shared_ptr<const built_index>& index() const { return index_; }
  u64 done() const { return done_; }                         // batches
  u64 entries() const { return oracle_.contents().size(); }  // that the index holds, where knows_entries()
  // Else of some keys it holds one of several rows, and compare() says which.
  bool knows_entries() const { return oracle_.open_keys().empty(); }

  // Batch done() of a script that begins with the batches before: by machine::run() where it has reads of one kind alone,
  // else by machine::update(). `answers` has room for one for each of its operations. What is wrong stands in the record,
  // and nothing is to be done behind it. After a problem, the machine's or cancelled, this is of no use any more.
  outcome<script_batch_record> next(machine& on, const script& s, const script_options& options,
                                    std::span<script_answer> answers, const job_control& control);
  // The same where it was done before, and left this index.
  void skip(const script& s, const write_counts& counts, std::shared_ptr<const built_index> left);

  // Compares what the index holds with what the oracle knows, which is what it holds from here on. Words for what is wrong;
  // empty: nothing.
  outcome<std::string> compare(const job_control& control);
  // Answers to reads of the index as it is. `s` begins with the batches that were done.
  check_report check(const script& s, const batch& asked, const batch_answers& answers,
                     const job_control& control) const;

 private:
  status do_update(machine& on, const script& s, const script_options& options, script_batch_record& batch,
                   std::span<script_answer> answers, const job_control& control);
  status do_reads(machine& on, const script& s, const script_options& options, script_batch_record& batch,
                  std::span<script_answer> answers, const job_control& control);
  std::string done_fault(const script& s) const;
  std::string erases_fault(const script& s) const;
  std::string refused_fault(const script& s, const std::vector<stored_entry>& held) const;

  const key_set& keys_;
  std::shared_ptr<const built_index> index_;
  oracle oracle_;
  u64 done_ = 0;
  std::vector<write_done> came_to_;  // the operations of the last update
};

}  // namespace pivotscope
