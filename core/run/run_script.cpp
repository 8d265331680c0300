#include "core/run/run_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/reference/oracle.hpp"
#include "core/run/held_entries.hpp"
#include "core/workload/fill.hpp"

namespace pivotscope {
namespace {

constexpr u64 oracle_bytes = 64;  // an entry

bool has_verb(const script& s, const script_batch& batch, operation what) {
  for (u64 i = batch.begin; i < batch.end; ++i) {
    if (s.verb_of(i) == what) return true;
    if (!batch.mixed) return false;
  }
  return false;
}
bool writes(const script& s, const script_batch& batch) {
  return has_verb(s, batch, operation::insert) || has_verb(s, batch, operation::erase);
}

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
  return what == operation::find    ? answers.found.size()
         : what == operation::range ? answers.ranges.size()
                                    : answers.successors.size();
}
script_answer answer_of(const batch_answers& answers, operation what, u64 i) {
  if (what == operation::find) return script_answer::found(answers.found[i]);
  if (what == operation::range) return script_answer::counted(answers.ranges[i]);
  return script_answer::next(answers.successors[i].key, answers.successors[i].row);
}

// Runs that were one after the other, as one.
void add_samples(stage_time& sum, const stage_time& more) {
  if (sum.samples_ms.empty()) sum.samples_ms.assign(more.samples_ms.size(), 0);
  for (std::size_t i = 0; i < more.samples_ms.size(); ++i) sum.samples_ms[i] += more.samples_ms[i];
}

class script_run {
 public:
  script_run(machine& on, std::shared_ptr<const built_index> index, const key_set& keys, const script& s,
             const script_options& options, const job_control& control)
      : on_(on),
        keys_(keys),
        script_(s),
        options_(options),
        control_(control),
        oracle_(keys.keys(), family_of(index->config()).keeps_duplicates()) {
    record_.config = index->config();
    record_.machine = on.info();
    record_.keys = keys.size();
    record_.bytes_before = index->bytes();
    record_.sort = keys.resident()->sort_time();
    record_.builds.assign(index->build_times().begin(), index->build_times().end());
    record_.build_kernels.assign(index->kernels().begin(), index->kernels().end());
    record_.answers.resize(s.size());
    record_.index = std::move(index);
  }

  outcome<script_record> all() {
    bool changed = false;
    for (u64 b = 0; b < script_.batches().size() && record_.wrong() == 0; ++b) {
      if (status done = one(b); !done) return done.error();
      changed = changed || writes(script_, script_.batches()[b]);
    }
    if (changed && record_.wrong() == 0) {
      outcome<std::string> fault = compare();
      if (!fault) return fault.error();
      if (!fault->empty()) record_.contents.wrong = 1, record_.contents.first_wrong = "at the end, " + *fault;
    }
    record_.contents.found = oracle_.contents().size();
    record_.bytes_after = record_.index->bytes();
    record_.regions.assign(record_.index->regions().begin(), record_.index->regions().end());
    return std::move(record_);
  }

 private:
  status one(u64 b) {
    const script_batch& asked = script_.batches()[b];
    const bool changes = writes(script_, asked);
    script_batch_record& batch = record_.batches.emplace_back();
    if (!asked.mixed) batch.kind = script_.verb_of(asked.begin);
    batch.operations = asked.size();
    batch.inserts = script_.inserts_of(b);
    const bool update = changes || (asked.mixed && family_of(record_.config).changes());
    if (status done = update ? do_update(b, batch) : do_reads(asked, batch); !done) return done;
    if (batch.check.wrong > 0) return fine();

    std::string fault = update ? done_fault(asked) : "";
    oracle_.begin(script_, b);
    batch.check = oracle_.check(answers_of(asked), control_);
    if (control_.cancelled()) return job_control::cancelled_problem();
    oracle_.end(batch.counts.full > 0 ? inserts_done::some : inserts_done::all);
    const bool compares = batch.counts.full > 0 || (changes && options_.compare_each);
    if (compares && fault.empty() && batch.check.wrong == 0) {
      outcome<std::string> held = compare(&asked);
      if (!held) return held.error();
      fault = std::move(*held);
    }
    if (!fault.empty() && batch.check.wrong == 0) {
      batch.check.wrong = 1;
      batch.check.first_wrong = fmt::format("after batch {}, {}", b + 1, fault);
    }
    if (options_.keep_indexes) batch.index = record_.index;
    return fine();
  }

  std::span<script_answer> answers_of(const script_batch& asked) {
    return std::span(record_.answers).subspan(asked.begin, asked.size());
  }

  status do_update(u64 b, script_batch_record& batch) {
    outcome<update_result> result = on_.update(*record_.index, script_, b, options_.batch, control_);
    if (!result) return result.error();
    PIVOTSCOPE_EXPECT(result->index != nullptr && result->done.size() == batch.operations);
    batch.time = std::move(result->time);
    batch.room = std::move(result->room);
    batch.counts = result->counts;
    batch.kernel = std::move(result->kernel);
    if (!batch.kind)
      std::copy(result->answers.begin(), result->answers.end(), answers_of(script_.batches()[b]).begin());
    done_ = std::move(result->done);
    record_.index = std::move(result->index);
    return fine();
  }

  // Reads alone: of one verb, or of several, one after the other.
  status do_reads(const script_batch& asked, script_batch_record& batch) {
    for (const operation what : read_operations) {
      if (!has_verb(script_, asked, what)) continue;
      const picked_reads picked =
          script_.width() == key_width::u32 ? pick<u32>(script_, asked, what) : pick<u64>(script_, asked, what);
      outcome<batch_result> result =
          on_.run(*record_.index, picked.asked, {options_.batch.repeats, options_.batch.warm_ups}, control_);
      if (!result) return result.error();
      if (const u64 got = answered(result->answers, what); got != picked.places.size()) {
        batch.check.wrong = picked.places.size();
        batch.check.first_wrong = fmt::format("{} {} but {} answers", picked.places.size(), operation_noun(what), got);
        return fine();
      }
      const std::span<script_answer> answers = answers_of(asked);
      for (u64 i = 0; i < picked.places.size(); ++i) answers[picked.places[i]] = answer_of(result->answers, what, i);
      batch.time.name = batch.kind ? result->time.name : "mixed";
      add_samples(batch.time, result->time);
      batch.kernel = std::move(result->kernel);
    }
    return fine();
  }

  // Compares what the index holds with what the oracle knows, which is what it holds from here on. Of `refused`, a batch
  // of which inserts found no room, those as well that went in.
  outcome<std::string> compare(const script_batch* refused = nullptr) {
    outcome<std::vector<held_entry>> held = held_entries(*record_.index, control_);
    if (!held) return held.error();
    if (refused != nullptr)
      if (std::string fault = refused_fault(*refused, *held); !fault.empty()) return fault;
    return oracle_.settle(std::move(*held));
  }

  std::string words_at(u64 i, std::string_view words) const {
    const script_operation asked = script_[i];
    return fmt::format("{} {} in line {} {}", operation_verb(asked.what), asked.key, script_.line(i), words);
  }

  // What an update says that its operations came to, before the oracle has replayed it.
  std::string done_fault(const script_batch& asked) const {
    for (u64 i = asked.begin; i < asked.end; ++i) {
      const write_done done = done_[i - asked.begin];
      const operation what = script_.verb_of(i);
      const bool erase_done = done == write_done::erased || done == write_done::absent;
      const bool insert_done = done == write_done::added || done == write_done::revived ||
                               done == write_done::replaced || done == write_done::full;
      if (what == operation::insert ? !insert_done : what == operation::erase ? !erase_done : done != write_done::read)
        return words_at(i, "was not done");
    }
    return !asked.mixed && script_.verb_of(asked.begin) == operation::erase ? erases_fault(asked) : "";
  }

  // Of a key that was there one erase at least removed an entry, and of one that was not none did.
  std::string erases_fault(const script_batch& asked) const {
    std::vector<u64> order(asked.size());
    std::iota(order.begin(), order.end(), asked.begin);
    std::sort(order.begin(), order.end(), [&](u64 a, u64 b) { return script_[a].key < script_[b].key; });
    for (std::size_t at = 0; at < order.size();) {
      const u64 first = order[at], key = script_[first].key;
      bool removed = false;
      for (; at < order.size() && script_[order[at]].key == key; ++at)
        removed = removed || done_[order[at] - asked.begin] == write_done::erased;
      const auto there = oracle_.contents().equal_range(key);
      const bool sure = std::any_of(there.first, there.second, [](const auto& e) { return e.second.sure; });
      if (removed && there.first == there.second) return words_at(first, "says that it removed what was not there");
      if (!removed && sure) return words_at(first, "says that it removed nothing, but the key was there");
    }
    return {};
  }

  std::string refused_fault(const script_batch& asked, const std::vector<held_entry>& held) const {
    const u64 first_row = keys_.size() + asked.inserts_before;
    std::vector<bool> is_held(asked.size());
    for (const held_entry& entry : held)
      if (entry.row >= first_row && entry.row - first_row < asked.size()) is_held[entry.row - first_row] = true;
    const bool all_stay =
        family_of(record_.config).keeps_duplicates() && !(asked.mixed && has_verb(script_, asked, operation::erase));
    u64 insert = 0;
    for (u64 i = asked.begin; i < asked.end; ++i) {
      if (script_.verb_of(i) != operation::insert) continue;
      const bool refused = done_[i - asked.begin] == write_done::full, in = is_held[insert++];
      if (refused && in) return words_at(i, "says that it found no room, but it went in");
      if (!refused && !in && all_stay) return words_at(i, "says that it went in, but it is not there");
    }
    return {};
  }

  machine& on_;
  const key_set& keys_;
  const script& script_;
  const script_options& options_;
  const job_control& control_;
  oracle oracle_;
  script_record record_;
  std::vector<write_done> done_;
};

}  // namespace

std::optional<std::string> check_serves(const index_config& config, const script& s) {
  for (const operation what : all_operations)
    for (const script_batch& batch : s.batches())
      if (has_verb(s, batch, what))
        if (auto why = check_serves(config, what)) return why;
  return std::nullopt;
}

outcome<script_record> run_script(machine& on, std::shared_ptr<const built_index> index, const key_set& keys,
                                  const script& s, const script_options& options, const job_control& control) {
  PIVOTSCOPE_EXPECT(index != nullptr && index->keys() == keys.size());  // over these keys
  if (auto why = check_serves(index->config(), s)) return problem{*why};
  if (s.width() != index->config().keys) return problem{"the script's key width is not that of the index"};
  if (auto why = check_rows(keys.size(), s.inserts())) return problem{*why};
  const u64 bytes = (keys.size() + s.inserts()) * oracle_bytes + s.size() * sizeof(script_answer);
  return with_memory(bytes, "the oracle that checks the answers", [&]() -> outcome<script_record> {
    control.progress("making the oracle", -1);
    return script_run(on, std::move(index), keys, s, options, control).all();
  });
}

outcome<script_record> run_script_config(machine& on, const index_config& config, const key_set& keys, const script& s,
                                         const script_options& options, const job_control& control) {
  // A build may take minutes: what it cannot be asked is said before.
  if (auto why = check_serves(config, s)) return problem{*why};
  if (auto why = check_rows(keys.size(), s.inserts())) return problem{*why};
  outcome<std::shared_ptr<const built_index>> index = on.build(config, keys.resident(), control);
  if (!index) return index.error();
  return run_script(on, std::move(*index), keys, s, options, control);
}

}  // namespace pivotscope
