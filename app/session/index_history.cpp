#include "app/session/index_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/run/entry_count.hpp"
#include "core/workload/host_memory.hpp"
#include "core/workload/script_list.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_compared = 1u << 18;  // rows of an index that is read as a whole behind every batch

// Batch `from` and those behind it, up to `end`.
void append_batches(script& to, const script& more, std::size_t from, std::size_t end) {
  for (std::size_t b = from; b < end; ++b) {
    const script_batch& batch = more.batches()[b];
    if (batch.whole) {
      to.add(*batch.whole);
      continue;
    }
    const bool runs_on = !to.batches().empty() && !to.batches().back().mixed && !to.batches().back().whole &&
                         to.verb_of(to.batches().back().begin) == more.verb_of(batch.begin);
    const bool mixed = batch.mixed || runs_on;
    if (mixed) to.begin_mixed();
    for (u64 i = batch.begin; i < batch.end; ++i) to.add(more[i]);
    if (mixed) to.end_mixed();
  }
}

bool same_batch(const script& a, const script& b, std::size_t which) {
  const script_batch &of_a = a.batches()[which], &of_b = b.batches()[which];
  if (!(of_a == of_b)) return false;
  for (u64 i = of_a.begin; i < of_a.end; ++i)
    if (!(a[i] == b[i])) return false;
  return true;
}

viz::applied_batch named(const script& s, std::size_t which) {
  const script_batch& batch = s.batches()[which];
  viz::applied_batch told;
  if (batch.whole) {
    told.kind = info_of(*batch.whole).name;
    told.words = info_of(*batch.whole).sign;
    return told;
  }
  const std::optional<operation> verb = s.one_verb(batch);
  told.kind = verb ? std::string(operation_verb(*verb)) : "mixed";
  script first(s.width());
  first.begin_mixed();
  for (u64 i = batch.begin; i < std::min(batch.end, batch.begin + viz::applied_batch::told); ++i) first.add(s[i]);
  first.end_mixed();
  told.words = to_list(first);
  told.words = told.words.substr(1, told.words.size() - 2);  // its brackets
  for (u64 i = batch.begin; i < batch.end; ++i) told.writes += is_write(s.verb_of(i)) ? 1 : 0;
  return told;
}

// How the index behind a batch was made. A batch that writes nothing leaves the index, and how that was made; one that
// is maintenance makes an index that no merge made.
outcome<viz::merged_batch> merged_by(const viz::merged_batch& before, const built_index& index, const script& s,
                                     std::size_t which, const job_control& control) {
  if (s.batches()[which].whole) return viz::merged_batch{};
  if (!writes(s, which)) return before;
  outcome<std::shared_ptr<const batch_merge>> merge = family_of(index.config()).merge_of(index, s, which, control);
  if (!merge) return merge.error();
  return viz::merged_batch{std::move(*merge), which + 1};
}

}  // namespace

void append(script& to, const script& more) { append_batches(to, more, 0, more.batches().size()); }

script first_batches(const script& of, std::size_t count) {
  script first(of.width());
  append_batches(first, of, 0, count);
  return first;
}

void index_history::begin(std::shared_ptr<const built_index> built, std::shared_ptr<const key_set> keys) {
  clear();
  keys_ = std::move(keys);
  all_ = std::make_shared<const script>(built->config().keys);
  held_ = entry_count(*built);
  states_.push_back({std::move(built)});
}

key_array index_history::row_keys() const {
  const key_array& keys = keys_->keys();
  const u64 inserted = applied_ == all_->batches().size() ? all_->inserts() : all_->batches()[applied_].inserts_before;
  const u64 end = applied_ == 0 ? 0 : all_->batches()[applied_ - 1].end;
  key_array all(keys.width(), keys.size() + inserted);
  all.visit([&]<class Key>(std::vector<Key>& to) {
    const std::span<const Key> from = keys.as<Key>();
    auto next = std::copy(from.begin(), from.end(), to.begin());
    for (u64 i = 0; i < end; ++i)
      if (all_->verb_of(i) == operation::insert) *next++ = static_cast<Key>((*all_)[i].key);
  });
  return all;
}

status index_history::take_oracle(const job_control& control) {
  if (steps_ && steps_->done() == applied_) return fine();
  if (!steps_ || steps_->done() > applied_) {
    steps_.reset();
    const u64 bytes = oracle_bytes(keys_->size() + all_->inserts());
    if (status enough = check_host_memory(bytes, "the oracle that checks the answers"); !enough) return enough;
    control.progress("making the oracle", -1);
    steps_ = std::make_unique<script_steps>(states_.front().index, *keys_);
  }
  while (steps_->done() < applied_) {
    const std::size_t next = steps_->done();
    steps_->skip(*all_, batches_[next].record.counts, states_[next + 1].index);
    if (!control.cancelled()) continue;
    steps_.reset();  // they may stand at a state that was let go, and have no index
    return job_control::cancelled_problem();
  }
  return fine();
}

outcome<viz::applied_batch> index_history::perform(machine& on, const script& of, const job_control& control) {
  const std::size_t which = steps_->done();
  viz::applied_batch told = named(of, which);
  std::vector<script_answer> answers(of.batches()[which].size());
  outcome<script_batch_record> done = steps_->next(on, of, {}, answers, control);
  if (!done) return done.error();
  told.record = std::move(*done);
  told.index_bytes = steps_->index()->bytes();
  check_report& check = told.record.check;
  if (check.wrong > 0 || !writes(of, which) || keys_->size() + of.inserts() > most_compared) return told;
  outcome<std::string> fault = steps_->compare(control);
  if (!fault) return fault.error();
  if (!fault->empty()) check.wrong = 1, check.first_wrong = "Behind the batch, " + *fault;
  return told;
}

status index_history::go_to(machine& on, std::size_t count, const job_control& control) {
  PIVOTSCOPE_EXPECT(count < states_.size());
  std::size_t from = count;
  while (!states_[from].index) --from;
  std::shared_ptr<const built_index> index = states_[from].index;
  viz::merged_batch merged = states_[from].merged;
  // What was checked when it was done first is not checked again.
  for (; from < count; ++from) {
    const script_batch& batch = all_->batches()[from];
    if (!batch.mixed && !writes(*all_, from)) continue;
    steps_.reset();  // its oracle may know which of several right states the one that was let go was in
    control.progress("replaying", static_cast<double>(from) / static_cast<double>(count));
    outcome<update_result> done = on.update(*index, *all_, from, {}, control);
    if (!done) return done.error();
    outcome<viz::merged_batch> by = merged_by(merged, *index, *all_, from, control);
    if (!by) return by.error();
    index = std::move(done->index), merged = std::move(*by);
  }
  if (control.cancelled()) return job_control::cancelled_problem();
  states_[count].index = std::move(index), states_[count].merged = std::move(merged);
  applied_ = count;
  let_go();
  return fine();
}

status index_history::apply(machine& on, const script& more, const job_control& control) {
  script next = first_batches(*all_, applied_);
  append(next, more);
  const u64 keys = keys_->size();
  if (auto refused = check_rows(keys, next.inserts())) return problem{*refused};
  if (status there = take_oracle(control); !there) return there;
  std::vector<viz::applied_batch> told;
  std::vector<state> states;
  const std::size_t end = next.batches().size();
  for (std::size_t i = applied_; i < end; ++i) {
    control.progress("updating", static_cast<double>(i - applied_) / static_cast<double>(end - applied_));
    const std::shared_ptr<const built_index> before = steps_->index();
    outcome<viz::applied_batch> done = perform(on, next, control);
    outcome<viz::merged_batch> merged =
        done ? merged_by(states.empty() ? states_[applied_].merged : states.back().merged, *before, next, i, control)
             : outcome<viz::merged_batch>(done.error());
    const bool cancelled = control.cancelled();
    if (!merged || cancelled) {
      steps_.reset();  // they are ahead of what is kept
      return merged ? job_control::cancelled_problem() : merged.error();
    }
    told.push_back(std::move(*done));
    states.push_back({steps_->index(), std::move(*merged)});
    if (told.back().record.check.wrong == 0) continue;
    // Nothing is done behind what is wrong.
    next = first_batches(next, i + 1);
    steps_.reset();
    break;
  }
  batches_.resize(applied_);
  states_.resize(applied_ + 1);
  std::move(told.begin(), told.end(), std::back_inserter(batches_));
  std::move(states.begin(), states.end(), std::back_inserter(states_));
  applied_ += told.size();
  all_ = std::make_shared<const script>(std::move(next));
  let_go();
  return fine();
}

status index_history::bring_to(machine& on, const script& wanted, const job_control& control) {
  const std::size_t both = std::min(wanted.batches().size(), all_->batches().size());
  std::size_t same = 0;
  while (same < both && same_batch(wanted, *all_, same)) ++same;
  const std::size_t before = applied_;
  const state in_view = states_[before];  // which going back may let go
  if (status there = go_to(on, same, control); !there) return there;
  if (same == wanted.batches().size()) return fine();
  script rest(wanted.width());
  append_batches(rest, wanted, same, wanted.batches().size());
  status done = apply(on, rest, control);
  if (done) return done;
  states_[before] = in_view, applied_ = before;
  let_go();
  return done;
}

void index_history::let_go() {
  u64 held = 0;
  std::vector<std::size_t> order;  // the nearest first; what was built is held anyway
  for (std::size_t i = 1; i < states_.size(); ++i)
    if (states_[i].index) order.push_back(i);
  const auto distance = [&](std::size_t i) { return i > applied_ ? i - applied_ : applied_ - i; };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return distance(a) < distance(b); });
  const built_index* last = states_[applied_].index.get();
  for (const std::size_t i : order) {
    if (states_[i].index.get() != last) held += states_[i].index->bytes();
    if (const auto& merge = states_[i].merged.merge) held += merge->bytes();
    if (held > budget_ && i != applied_) states_[i].index.reset(), states_[i].merged = {};
  }
}

outcome<check_report> index_history::check(const batch& asked, const batch_answers& answers,
                                           const job_control& control) {
  if (status there = take_oracle(control); !there) return there.error();
  check_report report = steps_->check(first_batches(*all_, applied_), asked, answers, control);
  if (control.cancelled()) return job_control::cancelled_problem();
  return report;
}

}  // namespace pivotscope
