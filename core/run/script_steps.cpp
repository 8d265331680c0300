#include "core/run/script_steps.hpp"

#include <fmt/format.h>
#include <tbb/parallel_sort.h>

#include <algorithm>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/reference/oracle.hpp"
#include "core/run/entry_count.hpp"
#include "core/run/stored_entries.hpp"
#include "core/workload/generate/fill.hpp"

namespace pivotscope {
namespace {

// The batch's operations of one verb, and where they stand in it.
struct picked_reads {
  batch asked;
  std::vector<u64> places;
};

template <class Key>
picked_reads pick(const script& s, const script_batch& from, operation what) {
  picked_reads picked;
  std::vector<Key> keys, highs;
  const std::span<const Key> all = s.columns().keys.as<Key>(), all_highs = s.columns().highs.as<Key>();
  const u64 count = from.mixed ? 0 : from.size();
  keys.reserve(count), picked.places.reserve(count);
  for (u64 i = from.begin; i < from.end; ++i) {
    if (s.verb_of(i) != what) continue;
    keys.push_back(all[i]);
    if (what == operation::range) highs.push_back(all_highs[i]);
    picked.places.push_back(i - from.begin);
  }
  picked.asked = {what, key_array(std::move(keys)), key_array(std::move(highs))};
  return picked;
}

u64 answered(const batch_answers& answers, operation what) {
  switch (answer_of(what)) {
    case answer_kind::row:
      return answers.found.size();
    case answer_kind::sum:
      return answers.ranges.size();
    case answer_kind::next:
    case answer_kind::done:
      break;
  }
  return answers.successors.size();
}
script_answer answer_at(const batch_answers& answers, operation what, u64 i) {
  if (answer_of(what) == answer_kind::row) return script_answer::found(answers.found[i]);
  if (answer_of(what) == answer_kind::sum) return script_answer::counted(answers.ranges[i]);
  return script_answer::next(answers.successors[i].key, answers.successors[i].row);
}

std::string words_at(const script& s, u64 i, std::string_view words) {
  const question asked = s[i];
  return fmt::format("{} {} in line {} {}", operation_verb(asked.kind), asked.key, s.line(i), words);
}

inserts_done went_in(const write_counts& counts) { return counts.full > 0 ? inserts_done::some : inserts_done::all; }

}  // namespace

u64 oracle_bytes(u64 rows) { return rows * 64; }

bool writes(const script& s, u64 batch) {
  return s.batches()[batch].whole || s.asks(batch, operation::insert) || s.asks(batch, operation::erase);
}

script_steps::script_steps(std::shared_ptr<const built_index> index, const key_set& keys)
    : keys_(keys),
      index_(std::move(index)),
      oracle_(keys.keys(), family_of(index_->config()).keeps_duplicates(index_->config())) {}

outcome<script_batch_record> script_steps::next(machine& on, const script& s, const script_options& options,
                                                std::span<script_answer> answers, const job_control& control) {
  const script_batch& asked = s.batches()[done_];
  const bool changes = writes(s, done_);
  script_batch_record batch;
  batch.whole = asked.whole;
  batch.kind = s.one_verb(asked);
  batch.operations = asked.size();
  batch.inserts = s.inserts_of(done_);
  const bool update = changes || (asked.mixed && family_of(index_->config()).changes());
  if (status done = update ? do_update(on, s, options, batch, answers, control)
                           : do_reads(on, s, options, batch, answers, control);
      !done)
    return done.error();
  if (batch.check.wrong > 0) return batch;

  std::string fault = update ? done_fault(s) : "";
  oracle_.begin(s, done_);
  batch.check = oracle_.check(answers, control);
  if (control.cancelled()) return job_control::cancelled_problem();
  oracle_.end(went_in(batch.counts));
  if ((batch.counts.full > 0 || (changes && options.compare_each)) && fault.empty() && batch.check.wrong == 0) {
    outcome<std::vector<stored_entry>> held = stored_entries(*index_, control);
    if (!held) return held.error();
    fault = count_fault(held->size());
    if (fault.empty()) fault = refused_fault(s, *held);
    if (fault.empty()) fault = oracle_.settle(std::move(*held));
  }
  if (!fault.empty() && batch.check.wrong == 0) {
    batch.check.wrong = 1;
    batch.check.first_wrong = fmt::format("after batch {}, {}", done_ + 1, fault);
  }
  batch.entries = entry_count(*index_);
  if (options.keep_indexes) batch.index = index_;
  ++done_;
  return batch;
}

void script_steps::skip(const script& s, const write_counts& counts, std::shared_ptr<const built_index> left) {
  oracle_.begin(s, done_++);
  oracle_.end(went_in(counts));
  index_ = std::move(left);
}

outcome<std::string> script_steps::compare(const job_control& control) {
  outcome<std::vector<stored_entry>> held = stored_entries(*index_, control);
  if (!held) return held.error();
  if (std::string fault = count_fault(held->size()); !fault.empty()) return fault;
  return oracle_.settle(std::move(*held));
}

check_report script_steps::check(const script& s, const batch& asked, const batch_answers& answers,
                                 const job_control& control) const {
  script reads = s;
  reads.begin_mixed();
  for (u64 i = 0; i < asked.size(); ++i)
    reads.add({asked.kind, asked.keys[i], asked.kind == operation::range ? asked.highs[i] : 0});
  reads.end_mixed();
  std::vector<script_answer> given(asked.size());
  for (u64 i = 0; i < given.size(); ++i) given[i] = answer_at(answers, asked.kind, i);
  oracle beside = oracle_;  // for a batch that is not among those to come
  beside.begin(reads, done_);
  return beside.check(given, control);
}

status script_steps::do_update(machine& on, const script& s, const script_options& options, script_batch_record& batch,
                               std::span<script_answer> answers, const job_control& control) {
  outcome<update_result> result = on.update(*index_, s, done_, options.batch, control);
  if (!result) return result.error();
  PIVOTSCOPE_EXPECT(result->index != nullptr && result->done.size() == batch.operations);
  batch.time = std::move(result->time);
  batch.room = std::move(result->room);
  batch.stages = std::move(result->stages);
  batch.counts = result->counts;
  batch.kernel = std::move(result->kernel);
  if (s.batches()[done_].mixed) std::copy(result->answers.begin(), result->answers.end(), answers.begin());
  came_to_ = std::move(result->done);
  index_ = std::move(result->index);
  return fine();
}

// Reads alone: of one verb, or of several, one after the other.
status script_steps::do_reads(machine& on, const script& s, const script_options& options, script_batch_record& batch,
                              std::span<script_answer> answers, const job_control& control) {
  const script_batch& asked = s.batches()[done_];
  for (const operation what : read_operations) {
    if (!s.asks(done_, what)) continue;
    const picked_reads picked = s.width() == key_width::u32 ? pick<u32>(s, asked, what) : pick<u64>(s, asked, what);
    batch_options how = options.batch;
    how.rows = false;
    outcome<batch_result> result = on.run(*index_, picked.asked, how, control);
    if (!result) return result.error();
    if (const u64 got = answered(result->answers, what); got != picked.places.size()) {
      batch.check.wrong = picked.places.size();
      batch.check.first_wrong = fmt::format("{} {} but {} answers", picked.places.size(), operation_noun(what), got);
      return fine();
    }
    for (u64 i = 0; i < picked.places.size(); ++i) answers[picked.places[i]] = answer_at(result->answers, what, i);
    batch.time.name = batch.kind ? result->time.name : "mixed";
    add_runs(batch.time, result->time);
    batch.kernel = std::move(result->kernel);
  }
  return fine();
}

// What an update says that its operations came to, before the oracle has replayed it.
std::string script_steps::done_fault(const script& s) const {
  const script_batch& asked = s.batches()[done_];
  const bool notes = family_of(index_->config()).notes_erases();
  for (u64 i = asked.begin; i < asked.end; ++i) {
    const write_done done = came_to_[i - asked.begin];
    const operation what = s.verb_of(i);
    const bool erase_done =
        notes ? done == write_done::noted : done == write_done::erased || done == write_done::absent;
    const bool insert_done = done == write_done::added || done == write_done::revived || done == write_done::replaced ||
                             done == write_done::full;
    if (what == operation::insert ? !insert_done : what == operation::erase ? !erase_done : done != write_done::read)
      return words_at(s, i, "was not done");
  }
  return s.one_verb(asked) == operation::erase && !notes ? erases_fault(s) : "";
}

// The index knows from its state how many entries it has, or how many it has at most.
std::string script_steps::count_fault(u64 held) const {
  const u64 told = entry_count(*index_);
  const bool right = model_of(*index_)->counts_entries() ? told == held : told >= held;
  return right ? "" : fmt::format("the index says that it holds {} entries, and {} are there", told, held);
}

// Of a key that was there one erase at least removed an entry, and of one that was not none did.
std::string script_steps::erases_fault(const script& s) const {
  const script_batch& asked = s.batches()[done_];
  std::vector<std::pair<u64, u64>> erases(asked.size());  // key, operation
  for (u64 i = 0; i < asked.size(); ++i) erases[i] = {s[asked.begin + i].key, asked.begin + i};
  tbb::parallel_sort(erases.begin(), erases.end());
  for (std::size_t at = 0; at < erases.size();) {
    const auto [key, first] = erases[at];
    bool removed = false;
    for (; at < erases.size() && erases[at].first == key; ++at)
      removed = removed || came_to_[erases[at].second - asked.begin] == write_done::erased;
    const std::vector<oracle::entry> there = oracle_.contents().of(key);
    const bool sure = std::ranges::any_of(there, [](const oracle::entry& one) { return one.sure; });
    if (removed && there.empty()) return words_at(s, first, "says that it removed what was not there");
    if (!removed && sure) return words_at(s, first, "says that it removed nothing, but the key was there");
  }
  return {};
}

std::string script_steps::refused_fault(const script& s, const std::vector<stored_entry>& held) const {
  const script_batch& asked = s.batches()[done_];
  const u64 first_row = keys_.size() + asked.inserts_before;
  std::vector<bool> is_held(asked.size());
  for (const stored_entry& entry : held)
    if (entry.row >= first_row && entry.row - first_row < asked.size()) is_held[entry.row - first_row] = true;
  const bool all_stay = family_of(index_->config()).keeps_duplicates(index_->config()) &&
                        !(asked.mixed && s.asks(done_, operation::erase));
  u64 insert = 0;
  for (u64 i = asked.begin; i < asked.end; ++i) {
    if (s.verb_of(i) != operation::insert) continue;
    const bool refused = came_to_[i - asked.begin] == write_done::full, in = is_held[insert++];
    if (refused && in) return words_at(s, i, "says that it found no room, but it went in");
    if (!refused && !in && all_stay) return words_at(s, i, "says that it went in, but it is not there");
  }
  return {};
}

}  // namespace pivotscope
