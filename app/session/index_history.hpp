// What a script makes of an index, batch after batch. Each state is a whole index that a view may hold on to, so undo
// is the one before. As many are kept as fit a budget; one that was let go is made again from the nearest before it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/run/script_steps.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope {

class index_history {
 public:
  explicit index_history(u64 budget_bytes = 2ull << 30) : budget_(budget_bytes) {}

  // Of an index as it was built over the keys; nothing is applied.
  void begin(std::shared_ptr<const built_index> built, std::shared_ptr<const key_set> keys);
  void clear() { *this = index_history(budget_); }

  const script& all() const { return *all_; }  // undone batches too, which stand behind
  const std::shared_ptr<const script>& shared() const { return all_; }
  std::size_t applied() const { return applied_; }  // batches
  const std::vector<viz::applied_batch>& batches() const { return batches_; }
  const std::shared_ptr<const built_index>& index() const { return states_[applied_].index; }
  const viz::merged_batch& merged() const { return states_[applied_].merged; }  // of the index
  u64 held() const { return held_; }                                            // entries of the index as it was built
  // A workload whose script leads to a state, where one is known that tells more than a list.
  const std::optional<workload>& name(std::size_t count) const { return states_[count].name; }
  void set_name(workload named) { states_[applied_].name = std::move(named); }
  // Of every row that the applied batches gave, refused and erased ones too, by its row id.
  key_array row_keys() const;

  // To the first `count` batches, which were done before; those behind stay, to be redone.
  status go_to(machine& on, std::size_t count, const job_control& control);
  // Does `more` behind the applied batches, in place of what was undone. All of it, or where that fails nothing.
  status apply(machine& on, const script& more, const job_control& control);
  // To the end of a script, of which some batches may be there.
  status bring_to(machine& on, const script& wanted, const job_control& control);

  // Answers of the index as it is, by the oracle.
  outcome<check_report> check(const batch& asked, const batch_answers& answers, const job_control& control);

 private:
  // Makes the oracle one that stands behind the applied batches.
  status take_oracle(const job_control& control);
  // The next batch of a script that begins with those that are done.
  outcome<viz::applied_batch> perform(machine& on, const script& of, const job_control& control);
  void let_go();  // what does not fit

  u64 budget_;
  std::shared_ptr<const key_set> keys_;
  std::shared_ptr<const script> all_;
  u64 held_ = 0;
  std::size_t applied_ = 0;
  std::vector<viz::applied_batch> batches_;
  struct state {
    std::shared_ptr<const built_index> index;  // null: let go
    viz::merged_batch merged = {};             // how it was made; let go with it
    std::optional<workload> name = {};
  };
  std::vector<state> states_;            // behind so many batches; the first is what was built
  std::unique_ptr<script_steps> steps_;  // with the oracle; null: to be made when it is asked
};

// Parts of scripts, as scripts: a batch that would run into one of its verb before it is told apart as a mixed one.
void append(script& to, const script& more);
script first_batches(const script& of, std::size_t count);

}  // namespace pivotscope
