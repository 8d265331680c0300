#include "core/machine/change_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/machine/timed_runs.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// A mixed batch of inserts alone, or of erases alone, is done as one that is not mixed, whose kernel is shorter.
bool does_several(const script& s, const script_batch& b) {
  if (!b.mixed) return false;
  const std::optional<operation> verb = s.one_verb(b);
  return verb != operation::insert && verb != operation::erase;
}

state_bytes state_of(const built_index& index) { return state_bytes::of(index.state()); }

// Inserts that found no room, to be done again.
struct refused_inserts {
  std::vector<u64> places;  // in the batch
  std::vector<u32> rows;
  std::vector<std::byte> keys;
};

class change {
 public:
  change(index_changer& on, const built_index& index, const script& s, u64 batch, const job_control& control)
      : on_(on),
        family_(family_of(index.config())),
        config_(index.config()),
        script_(s),
        batch_(s.batches()[batch]),
        control_(control),
        first_row_(static_cast<u32>(index.rows())) {
    result_.state = state_of(index);
  }

  outcome<changed_index> all() {
    if (batch_.whole) return maintain(*batch_.whole);
    if (family_.changes_by_batch(config_)) {
      if (auto s = as_a_whole(); !s) return s.error();
      return std::move(result_);
    }
    if (auto s = first_time(); !s) return s.error();
    while (result_.counts.full > 0) {
      const state_bytes before = result_.state;
      if (auto s = make_room(result_.counts.full, true); !s) return s.error();
      if (result_.state == before) break;  // there is none to be made
      if (auto s = once_more(); !s) return s.error();
    }
    return std::move(result_);
  }

 private:
  outcome<changed_index> maintain(maintenance what) {
    result_.rows = first_row_;
    const bool clears = what == maintenance::clear;
    if (auto s =
            take(clears ? family_.clear(on_, config_, result_.state) : family_.rebuild(on_, config_, result_.state));
        !s)
      return s.error();
    return std::move(result_);
  }

  status first_time() {
    const u64 count = batch_.size(), each = batch_.mixed ? sizeof(script_answer) + sizeof(u32) : 0;
    if (auto s = check_host_memory(count * (sizeof(write_done) + each), "a batch's answers"); !s) return s;
    result_.done.assign(count, write_done::not_done);
    const bool mixed = does_several(script_, batch_);
    if (batch_.mixed) result_.answers.resize(count);
    u64 inserts = !mixed && kind() == operation::insert ? count : 0;
    std::vector<u32> rows;
    if (mixed) {
      rows.resize(count);
      for (u64 i = 0; i < count; ++i) {
        rows[i] = static_cast<u32>(first_row_ + inserts);
        inserts += script_.verb_of(batch_.begin + i) == operation::insert;
      }
    }
    if (auto s = make_room(inserts, false); !s) return s;
    const script_columns& columns = script_.columns();
    const update_part part{.kind = kind(),
                           .mixed = mixed,
                           .count = count,
                           .kinds = columns.verbs.data() + batch_.begin,
                           .keys = at(columns.keys, batch_.begin),
                           .highs = columns.highs.size() == 0 ? nullptr : at(columns.highs, batch_.begin),
                           .rows = mixed ? rows.data() : nullptr,
                           .first_row = first_row_};
    if (auto s = perform(part, result_.done, result_.answers); !s) return s;
    result_.counts = count_writes(result_.done);
    return fine();
  }

  status make_room(u64 inserts, bool refused) {
    if (!refused) result_.rows = u64{first_row_} + inserts;
    return take(family_.make_room(on_, config_, result_.state, {inserts, result_.rows, refused}));
  }

  // Takes over what a step of the family returned.
  status take(outcome<state_bytes> state) {
    on_.end_step();
    if (!state) return state.error();
    result_.state = *state;
    return fine();
  }

  status perform(const update_part& part, std::span<write_done> done, std::span<script_answer> answers) {
    auto ms = on_.perform(part, result_.state, done, answers);
    if (!ms) return ms.error();
    if (control_.cancelled()) return job_control::cancelled_problem();
    result_.ms += *ms;
    return take(family_.after(on_, config_, result_.state, count_writes(done)));
  }

  // Reads see the index as it was, then the erases of the batch are done, then its inserts: one of its orders.
  status as_a_whole() {
    const u64 count = batch_.size(), key = key_bytes(config_.keys);
    if (auto s = check_host_memory(count * (sizeof(write_done) + sizeof(script_answer) + 2 * sizeof(u64) + key),
                                   "a batch's operations");
        !s)
      return s;
    std::vector<u64> reads, erases, inserts;  // places in the batch
    for (u64 i = 0; i < count; ++i) {
      const operation what = script_.verb_of(batch_.begin + i);
      (what == operation::insert ? inserts : what == operation::erase ? erases : reads).push_back(i);
    }
    result_.done.assign(count, write_done::not_done);
    if (batch_.mixed) result_.answers.resize(count);
    if (auto s = read_before(reads); !s) return s;

    result_.rows = u64{first_row_} + inserts.size();
    const write_batch writes{erases.size(), inserts.size(), first_row_};
    if (writes.size() == 0) return fine();
    std::vector<u64> places = std::move(erases);
    places.insert(places.end(), inserts.begin(), inserts.end());
    std::vector<write_done> done(places.size(), family_.notes_erases() ? write_done::noted : write_done::not_done);
    std::fill(done.begin() + static_cast<std::ptrdiff_t>(writes.erases), done.end(), write_done::added);
    const std::vector<std::byte> keys = gathered(script_.columns().keys, places);
    if (auto s = on_.take_writes({.count = places.size(), .keys = keys.data(), .done = done}); !s) return s;
    const std::size_t before = on_.stages().size();
    if (auto s = take(family_.update(on_, config_, result_.state, writes)); !s) return s;
    if (control_.cancelled()) return job_control::cancelled_problem();
    for (const stage_time& stage : on_.stages().subspan(before))
      result_.stages.push_back(stage), result_.ms += stage.median();
    if (auto s = on_.give_done(done); !s) return s;
    for (std::size_t i = 0; i < places.size(); ++i) result_.done[places[i]] = done[i];
    result_.counts = count_writes(result_.done);
    return fine();
  }
  status read_before(const std::vector<u64>& places) {
    if (places.empty()) return fine();
    const script_columns& columns = script_.columns();
    const std::vector<std::byte> keys = gathered(columns.keys, places);
    const std::vector<std::byte> highs = columns.highs.size() == 0 ? keys : gathered(columns.highs, places);
    std::vector<operation> kinds;
    kinds.reserve(places.size());
    for (const u64 i : places) kinds.push_back(script_.verb_of(batch_.begin + i));
    std::vector<write_done> done(places.size(), write_done::not_done);
    std::vector<script_answer> answers(places.size());
    const update_part part{
        .mixed = true, .count = places.size(), .kinds = kinds.data(), .keys = keys.data(), .highs = highs.data()};
    if (auto s = perform(part, done, answers); !s) return s;
    for (std::size_t i = 0; i < places.size(); ++i)
      result_.done[places[i]] = done[i], result_.answers[places[i]] = answers[i];
    return fine();
  }
  std::vector<std::byte> gathered(const key_array& from, const std::vector<u64>& places) const {
    const u32 key = key_bytes(config_.keys);
    std::vector<std::byte> keys(places.size() * key);
    for (std::size_t i = 0; i < places.size(); ++i)
      std::memcpy(keys.data() + i * key, at(from, batch_.begin + places[i]), key);
    return keys;
  }

  // Those that were refused: later than all others of the batch, which is one of its orders.
  status once_more() {
    const u32 key = key_bytes(config_.keys);
    refused_inserts again;
    u32 row = first_row_;
    for (u64 i = 0; i < batch_.size(); ++i) {
      if (script_.verb_of(batch_.begin + i) != operation::insert) continue;
      if (result_.done[i] == write_done::full) {
        again.places.push_back(i), again.rows.push_back(row);
        const auto* const from = static_cast<const std::byte*>(at(script_.columns().keys, batch_.begin + i));
        again.keys.insert(again.keys.end(), from, from + key);
      }
      ++row;
    }
    std::vector<write_done> done(again.places.size(), write_done::not_done);
    const update_part part{.count = done.size(), .keys = again.keys.data(), .rows = again.rows.data()};
    if (auto s = perform(part, done, {}); !s) return s;
    for (std::size_t i = 0; i < done.size(); ++i) result_.done[again.places[i]] = done[i];
    result_.counts = count_writes(result_.done);
    return fine();
  }

  operation kind() const { return script_.verb_of(batch_.begin); }
  const void* at(const key_array& keys, u64 i) const {
    return static_cast<const std::byte*>(keys.data()) + i * key_bytes(config_.keys);
  }

  index_changer& on_;
  const family& family_;
  index_config config_;
  const script& script_;
  script_batch batch_;
  const job_control& control_;
  u32 first_row_;
  changed_index result_;
};

}  // namespace

status check_update(const built_index& index, const script& s, u64 batch) {
  PIVOTSCOPE_EXPECT(batch < s.batches().size());
  if (s.width() != index.config().keys) return problem{"the script's key width is not that of the index"};
  for (const operation kind : all_operations)
    if (auto why = check_serves(index.config(), kind); why && s.asks(batch, kind)) return problem{*why};
  const script_batch& asked = s.batches()[batch];
  if (asked.whole) {
    if (auto why = check_serves(index.config(), *asked.whole)) return problem{*why};
    return fine();
  }
  if (!family_of(index.config()).changes()) return problem{*check_serves(index.config(), operation::insert)};
  if (auto why = check_rows(index.rows(), s.inserts_of(batch))) return problem{*why};
  return fine();
}

bool writes_all_anew(const built_index& index, const script& s, u64 batch) {
  const family& asked = family_of(index.config());
  return asked.changes_by_batch(index.config()) && !asked.changes_in_place(index.config()) &&
         (s.asks(batch, operation::insert) || s.asks(batch, operation::erase));
}

std::string_view update_name(const script& s, u64 batch) {
  const script_batch& b = s.batches()[batch];
  if (b.whole) return info_of(*b.whole).name;
  return does_several(s, b) ? "mixed" : info_of(s.verb_of(b.begin)).kernel;
}

void take_stages(update_result& result, const script& s, u64 batch, std::vector<stage_time> stages) {
  if (!result.stages.empty()) return;
  if (!s.batches()[batch].whole) return void(result.room = std::move(stages));
  double ms = 0;
  for (const stage_time& stage : stages)
    for (const double sample : stage.samples_ms) ms += sample;
  result.time.samples_ms = {ms};
}

write_counts count_writes(std::span<const write_done> done) {
  u64 counts[256] = {};
  for (const write_done d : done) ++counts[static_cast<u8>(d)];
  const auto of = [&](write_done d) { return counts[static_cast<u8>(d)]; };
  return {of(write_done::added),  of(write_done::revived), of(write_done::replaced), of(write_done::full),
          of(write_done::erased), of(write_done::absent),  of(write_done::noted),    of(write_done::not_done)};
}

outcome<update_result> timed_updates(const batch_options& options, const job_control& control,
                                     const std::function<outcome<update_result>()>& update) {
  std::optional<update_result> last;
  outcome<timed_runs> timed = time_runs(options, "", control, [&](u64) -> outcome<timed_run> {
    last.reset();  // frees its memory before more is taken
    outcome<update_result> done = update();
    if (!done) return done.error();
    last = std::move(*done);
    return timed_run{last->time.samples_ms.front()};
  });
  if (!timed) return timed.error();
  last->time.samples_ms = std::move(timed->samples_ms);
  last->time.how = timed->how;
  return std::move(*last);
}

outcome<changed_index> change_index(index_changer& on, const built_index& index, const script& s, u64 batch,
                                    const job_control& control) {
  return change(on, index, s, batch, control).all();
}

}  // namespace pivotscope
