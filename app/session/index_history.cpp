#include "app/session/index_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/run/held_entries.hpp"
#include "core/workload/host_memory.hpp"
#include "core/workload/script_list.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_compared = 1u << 18;   // rows of an index that is read as a whole behind every batch
constexpr u64 oracle_bytes_a_row = 128;  // its entry, and what its making takes beside it

// Batch `from` and those behind it, up to `end`.
void append_batches(script& to, const script& more, std::size_t from, std::size_t end) {
  for (std::size_t b = from; b < end; ++b) {
    const script_batch& batch = more.batches()[b];
    const bool runs_on = !to.batches().empty() && !to.batches().back().mixed &&
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

// Nothing where it has several.
std::optional<operation> one_verb(const script& s, const script_batch& batch) {
  for (u64 i = batch.begin; batch.mixed && i < batch.end; ++i)
    if (s.verb_of(i) != s.verb_of(batch.begin)) return std::nullopt;
  return s.verb_of(batch.begin);
}

viz::applied_batch named(const script& s, std::size_t which) {
  const script_batch& batch = s.batches()[which];
  viz::applied_batch told;
  const std::optional<operation> verb = one_verb(s, batch);
  told.kind = verb ? std::string(operation_verb(*verb)) : "mixed";
  told.operations = batch.size();
  script first(s.width());
  first.begin_mixed();
  for (u64 i = batch.begin; i < std::min(batch.end, batch.begin + viz::applied_batch::told); ++i) first.add(s[i]);
  first.end_mixed();
  told.words = to_list(first);
  told.words = told.words.substr(1, told.words.size() - 2);  // its brackets
  for (u64 i = batch.begin; i < batch.end; ++i) told.writes += is_write(s.verb_of(i)) ? 1 : 0;
  return told;
}

// A batch of reads as a machine takes it.
batch reads_of(const script& s, const script_batch& from) {
  batch asked{s.verb_of(from.begin), key_array(s.width(), from.size()), key_array(s.width(), 0)};
  if (asked.kind == operation::range) asked.highs = key_array(s.width(), from.size());
  const auto copy = [&](const key_array& column, key_array& to) {
    to.visit([&]<class Key>(std::vector<Key>& keys) {
      const std::span<const Key> all = column.as<Key>().subspan(from.begin, keys.size());
      std::copy(all.begin(), all.end(), keys.begin());
    });
  };
  copy(s.columns().keys, asked.keys);
  if (asked.highs.size() != 0) copy(s.columns().highs, asked.highs);
  return asked;
}

std::vector<script_answer> as_script_answers(const batch& asked, const batch_answers& answers) {
  std::vector<script_answer> all(asked.size());
  for (u64 i = 0; i < all.size(); ++i) {
    if (asked.kind == operation::find) all[i] = script_answer::found(answers.found[i]);
    if (asked.kind == operation::range) all[i] = script_answer::counted(answers.ranges[i]);
    if (asked.kind == operation::successor)
      all[i] = script_answer::next(answers.successors[i].row == not_found ? 0 : answers.successors[i].key,
                                   answers.successors[i].row);
  }
  return all;
}

inserts_done went_in(const viz::applied_batch& batch) {
  return batch.counts.full > 0 ? inserts_done::some : inserts_done::all;
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

bool index_history::has_room_for_oracle() const {
  const u64 rows = keys_->size() + all_->inserts();
  return rows < (1u << 20) || rows * oracle_bytes_a_row <= available_host_memory() / 2;
}

oracle* index_history::oracle_at(std::size_t count, const job_control& control) {
  if (!oracle_ || oracle_at_ > count) {
    oracle_.reset();
    if (!has_room_for_oracle()) return nullptr;
    control.progress("making the oracle", -1);
    oracle_ = std::make_unique<oracle>(keys_->keys(), family_of(states_.front().index->config()).keeps_duplicates());
    oracle_at_ = 0;
  }
  for (; oracle_at_ < count; ++oracle_at_) {
    oracle_->begin(*all_, oracle_at_);
    oracle_->end(went_in(batches_[oracle_at_]));
  }
  return oracle_.get();
}

outcome<std::shared_ptr<const built_index>> index_history::perform(machine& on,
                                                                   std::shared_ptr<const built_index> index,
                                                                   const script& of, std::size_t i,
                                                                   viz::applied_batch& told,
                                                                   const job_control& control) {
  const script_batch& asked = of.batches()[i];
  std::vector<script_answer> answers;
  if (!asked.mixed && !is_write(of.verb_of(asked.begin))) {
    const batch reads = reads_of(of, asked);
    outcome<batch_result> done = on.run(*index, reads, {}, control);
    if (!done) return done.error();
    told.ms = done->time.median();
    answers = as_script_answers(reads, done->answers);
  } else {
    outcome<update_result> done = on.update(*index, of, i, {}, control);
    if (!done) return done.error();
    told.ms = done->time.median();
    for (const stage_time& room : done->room) told.room_ms += room.median();
    told.counts = done->counts;
    answers = std::move(done->answers);
    index = std::move(done->index);
  }
  if (control.cancelled()) return job_control::cancelled_problem();
  if (oracle_) {
    control.progress("checking", -1);
    oracle_->begin(of, i);
    if (!answers.empty()) told.check = oracle_->check(answers, control);
    told.checked = true;
    oracle_->end(went_in(told));
    ++oracle_at_;
    const bool small = keys_->size() + of.inserts() <= most_compared;
    if (told.writes > 0 && (small || told.counts.full > 0)) {
      outcome<std::vector<held_entry>> held = held_entries(*index, control);
      if (!held) return held.error();
      const std::string fault = oracle_->settle(std::move(*held));
      if (!fault.empty() && told.check.wrong++ == 0) told.check.first_wrong = "Behind the batch, " + fault;
    }
  }
  if (control.cancelled()) return job_control::cancelled_problem();
  told.index_bytes = index->bytes();
  return index;
}

status index_history::go_to(machine& on, std::size_t count, const job_control& control) {
  PIVOTSCOPE_EXPECT(count < states_.size());
  std::size_t from = count;
  while (!states_[from].index) --from;
  std::shared_ptr<const built_index> index = states_[from].index;
  // What was checked when it was done first is not checked again.
  for (; from < count; ++from) {
    const script_batch& batch = all_->batches()[from];
    if (!batch.mixed && !is_write(all_->verb_of(batch.begin))) continue;
    oracle_.reset();  // it may know which of several right states the one that was let go was in
    control.progress("replaying", static_cast<double>(from) / static_cast<double>(count));
    outcome<update_result> done = on.update(*index, *all_, from, {}, control);
    if (!done) return done.error();
    index = std::move(done->index);
  }
  if (control.cancelled()) return job_control::cancelled_problem();
  states_[count].index = std::move(index);
  applied_ = count;
  let_go();
  return fine();
}

status index_history::apply(machine& on, const script& more, const job_control& control) {
  script next = first_batches(*all_, applied_);
  append(next, more);
  const u64 keys = keys_->size();
  if (auto refused = check_rows(keys, next.inserts())) return problem{*refused};
  oracle_at(applied_, control);  // null: unchecked, which is told
  std::vector<viz::applied_batch> told;
  std::vector<state> states;
  const std::size_t end = next.batches().size();
  const auto fails = [&](const problem& why) -> status {
    oracle_.reset();  // it may be in the middle
    return why;
  };
  for (std::size_t i = applied_; i < end; ++i) {
    control.progress("updating", static_cast<double>(i - applied_) / static_cast<double>(end - applied_));
    told.push_back(named(next, i));
    auto index = perform(on, states.empty() ? states_[applied_].index : states.back().index, next, i, told.back(), control);
    if (!index) return fails(index.error());
    states.push_back({std::move(*index)});
  }
  batches_.resize(applied_);
  states_.resize(applied_ + 1);
  std::move(told.begin(), told.end(), std::back_inserter(batches_));
  std::move(states.begin(), states.end(), std::back_inserter(states_));
  applied_ = end;
  all_ = std::make_shared<const script>(std::move(next));
  let_go();
  return fine();
}

status index_history::bring_to(machine& on, const script& wanted, const job_control& control) {
  const std::size_t both = std::min(wanted.batches().size(), all_->batches().size());
  std::size_t same = 0;
  while (same < both && same_batch(wanted, *all_, same)) ++same;
  const std::size_t before = applied_;
  if (status there = go_to(on, same, control); !there) return there;
  if (same == wanted.batches().size()) return fine();
  script rest(wanted.width());
  append_batches(rest, wanted, same, wanted.batches().size());
  status done = apply(on, rest, control);
  if (!done && states_[before].index) applied_ = before;
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
    if (held > budget_ && i != applied_) states_[i].index.reset();
  }
}

outcome<check_report> index_history::check(const batch& asked, const batch_answers& answers,
                                           const job_control& control) {
  oracle* const known = oracle_at(applied_, control);
  if (known == nullptr)
    return problem{fmt::format("the answers were not checked: the oracle of {} rows takes more memory than is free",
                               keys_->size() + all_->inserts())};
  script reads = first_batches(*all_, applied_);
  script last(asked.width());
  last.begin_mixed();
  for (u64 i = 0; i < asked.size(); ++i)
    last.add({asked.kind, asked.keys[i], asked.kind == operation::range ? asked.highs[i] : 0});
  last.end_mixed();
  append(reads, last);
  oracle beside = *known;  // for a batch that the script does not have
  beside.begin(reads, reads.batches().size() - 1);
  check_report report = beside.check(as_script_answers(asked, answers), control);
  if (control.cancelled()) return job_control::cancelled_problem();
  return report;
}

}  // namespace pivotscope
