// The stages: what each makes of a choice, and when what was made before will do. All of it is the worker's.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/built/this_program.hpp"
#include "app/session/pipeline.hpp"
#include "app/session/told_batch.hpp"
#include "core/common/expect.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/run/entry_count.hpp"
#include "core/run/load_workload.hpp"
#include "core/tuning/tuning_store.hpp"
#include "core/workload/host_memory.hpp"
#include "core/workload/own_numbers.hpp"

namespace pivotscope {
namespace {

// What a key may take in all: itself, its copy for the check, both sorted with row ids, a sort's work space, the index.
constexpr u64 bytes_a_key = 64;
// A measurement's end where it is neither quiet nor stable before.
constexpr double measured_for_seconds = 5;
// Below this, asking for the free memory takes longer than it is worth.
constexpr u64 small_key_set = 1ull << 20;

// Is there room for another key set beside `held` keys? Those take no more of what is free on the host; what is free on
// a device is not known, so of its memory as a whole both must leave a part.
bool fits_beside(u64 held, u64 wanted, const machine_info& on) {
  if (wanted < small_key_set) return true;
  if (on.kind == machine_kind::cuda && on.memory_bytes != 0 && (held + wanted) * bytes_a_key > on.memory_bytes / 4 * 3)
    return false;
  return wanted * bytes_a_key <= available_host_memory() / 2;
}

// Of a file at most as many as if it were SOSD's, of 32 bits: text takes more bytes for a key.
u64 keys_to_come(const workload& load) {
  if (load.own_keys.file.empty()) return load.keys;
  std::error_code fault;
  const auto bytes = std::filesystem::file_size(load.own_keys.file, fault);
  return fault ? 0 : bytes / sizeof(u32);
}

using tunings = std::shared_ptr<const std::vector<viz::tuning_state>>;

// Those of this session, with one more in place of that which answers the same question.
tunings with_tuning(const tunings& before, const viz::tuning_state& done) {
  constexpr std::size_t most = 64;
  auto all = before ? std::make_shared<std::vector<viz::tuning_state>>(*before)
                    : std::make_shared<std::vector<viz::tuning_state>>();
  std::erase_if(*all, [&](const viz::tuning_state& one) { return one.answers(done); });
  if (all->size() >= most) all->erase(all->begin());
  all->push_back(done);
  return all;
}

}  // namespace

bool pipeline::run(viz::session_choice& choice, viz::provenance origin, bool new_pass) {
  if (!open(choice) || !make_key_set(choice) || !build_index(choice) || !replay(choice)) return false;
  if (!new_pass && pass_.made && same_inputs(stage::pass, pass_.made_for, choice)) {
    return choice.load.own_batch.numbers.file.empty() || make_batch_of(choice);  // which says how many it holds
  }
  return look_up(choice, origin);
}

// Says what runs now; false when it should not begin, because the end or another choice has come. Quiet: its passes and the
// frames take turns.
bool pipeline::begin(stage of, const viz::session_choice& choice, bool quiet) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_ || stopped_by_user_ || !same_inputs(of, choice, wanted_)) return false;
    running_ = of;
    running_for_ = choice;
    control_ = std::make_shared<job_control>(
        [this](std::string_view what, double fraction) { board_.progress(what, fraction); }, quiet ? room_ : nullptr);
  }
  board_.job_begins(stage_words(of, choice.load));
  return true;
}

bool pipeline::fail(const problem& p) {
  if (!p.cancelled) board_.tell({.words = p.words, .of_choice = true});
  return false;
}

bool pipeline::fail_reading(const own_numbers& of, const problem& p) {
  if (of.given() && !p.cancelled) {
    board_.change([&](viz::session_view& view) { view.unread = viz::reading_fault{of, p.words}; });
    told_of_own_ = true;
    // A table whose column nobody has said is no fault: its columns are offered where it was chosen.
    const viz::session_view now = board_.copy();
    for (const auto& columns : {now.key_columns, now.batch_columns})
      if (of.column.empty() && columns && columns->file == of.file) return false;
  }
  return fail(p);
}

void pipeline::look_at_columns(const own_numbers& of,
                               std::shared_ptr<const viz::file_columns> viz::session_view::*where) {
  if (of.file.empty() && board_.copy().*where == nullptr) return;
  std::vector<table_column> list = of.file.empty() ? std::vector<table_column>{} : columns_of(of.file);
  std::shared_ptr<const viz::file_columns> known;
  if (!list.empty()) known = std::make_shared<const viz::file_columns>(viz::file_columns{of.file, std::move(list)});
  board_.change([&](viz::session_view& view) { view.*where = std::move(known); });
}

// Nobody said a width: as the command line does, and it is said. The choice is another one then, and is asked for.
bool pipeline::widen(const viz::session_choice& choice) {
  index_config wide = choice.config;
  wide.keys = key_width::u64;
  if (choice.config == wide || check(wide) || check(choice.load, wide.keys)) return false;
  const outcome<key_width> width = width_of_own(choice.load, *control_);
  if (!width || *width != key_width::u64) return false;
  bool taken = false;
  board_.change([&](viz::session_view& view) {
    taken = view.choice.config == choice.config && view.choice.load == choice.load;
    if (taken) view.choice.config = wide;
  });
  if (!taken) return true;  // another choice comes anyway
  const std::string& keys = choice.load.own_keys.file;
  board_.tell(
      {fmt::format("{}: keys of 64 bits, taken as keys=u64", keys.empty() ? choice.load.own_batch.numbers.file : keys),
       false});
  want();
  return true;
}

void pipeline::forget_own() {
  if (!std::exchange(told_of_own_, false)) return;
  board_.change([](viz::session_view& view) { view.own_lookups = {}, view.unread.reset(); });
}

outcome<machine*> pipeline::machine_for(machine_kind kind) {
  if (const auto known = machines_.find(kind); known != machines_.end()) return known->second.get();
  outcome<std::unique_ptr<machine>> opened = from_.open(kind, options_);
  if (!opened.ok()) return opened.error();
  machine* const on = opened->get();
  machines_[kind] = std::move(*opened);
  warm_ups_.emplace_back([on] { on->warm_up(); });
  return on;
}

bool pipeline::open(const viz::session_choice& choice) {
  if (machines_.contains(choice.machine)) return true;
  if (!begin(stage::machine, choice)) return false;
  const outcome<machine*> opened = machine_for(choice.machine);
  return opened.ok() || fail(opened.error());
}

// How many keys and lookups a file held: from now on that is a part of the choice, wherever it asks for the same.
void pipeline::learn_counts(viz::session_choice& choice, const workload& known) {
  const auto learn = [&](viz::session_choice& of) {
    const viz::session_choice before = of;
    workload& load = of.load;
    if (!load.own_keys.file.empty() && load.own_keys == known.own_keys) load.keys = known.keys;
    if (!load.own_batch.numbers.file.empty() && load.own_batch == known.own_batch)
      set_batch_size(load, operation_of(known), batch_size(known));
    settle_batch(before, of);
  };
  learn(choice);
  {
    const std::lock_guard lock(mutex_);
    learn(wanted_);
  }
  board_.change([&](viz::session_view& view) { learn(view.choice); });
}

void pipeline::make_room(const viz::session_choice& choice) {
  const u64 held = keys_.made ? keys_.value->set->size() : 0;
  if (fits_beside(held, keys_to_come(choice.load), machines_[choice.machine]->info())) return;
  unsorted_ = {};
  keys_ = {};
  index_ = {};
  history_.clear();
  batch_ = {};
  pass_ = {};
  board_.change([](viz::session_view& view) {
    view.keys = {}, view.index = {}, view.path = {}, view.lookup_kernel = {}, view.updates = {};
  });
}

bool pipeline::make_key_set(viz::session_choice& choice) {
  const auto learn = [&](u64 keys) {
    if (choice.load.own_keys.file.empty()) return;
    workload known = choice.load;
    known.keys = keys;
    learn_counts(choice, known);
  };
  if (keys_.made && same_inputs(stage::loaded, keys_.made_for, choice)) {
    learn(keys_.value->set->size());
    return true;
  }
  host_keys on_host;
  if (unsorted_.made && same_inputs(stage::keys, unsorted_.made_for, choice)) {
    on_host = unsorted_.value;
  } else if (keys_.made && same_inputs(stage::keys, keys_.made_for, choice)) {
    on_host = {keys_.value->set->shared_keys(), keys_.value->made_ms};
  } else {
    make_room(choice);
    if (!begin(stage::keys, choice)) return false;
    const auto began = now_();
    forget_own();
    look_at_columns(choice.load.own_keys, &viz::session_view::key_columns);
    outcome<key_array> keys = make_keys(choice.load, choice.config.keys, *control_);
    if (!keys.ok() && !keys.error().cancelled && widen(choice)) return false;
    if (!keys.ok()) return fail_reading(choice.load.own_keys, keys.error());
    on_host = {std::make_shared<const key_array>(std::move(*keys)), seconds_between(began, now_()) * 1e3};
    unsorted_ = {on_host, choice, true};
  }
  learn(on_host.keys->size());
  PIVOTSCOPE_EXPECT(on_host.keys != nullptr && machines_.contains(choice.machine));
  if (!begin(stage::loaded, choice)) return false;
  auto loaded = load_keys(choice.load, choice.config.keys, *machines_[choice.machine], *control_, true, on_host.keys);
  if (!loaded.ok()) return fail(loaded.error());
  keys_ = {std::make_shared<const viz::key_data>(
               viz::key_data{choice.load, choice.machine, std::move(loaded->set), on_host.made_ms}),
           choice, true};
  unsorted_ = {};
  index_ = {};
  history_.clear();
  pass_ = {};
  return true;
}

bool pipeline::build_index(const viz::session_choice& choice) {
  if (index_.made && same_inputs(stage::index, index_.made_for, choice)) return true;
  PIVOTSCOPE_EXPECT(keys_.made && machines_.contains(choice.machine));
  if (!begin(stage::index, choice)) return false;
  auto built = machines_[choice.machine]->build(choice.config, keys_.value->set->resident(), *control_);
  if (!built.ok()) return fail(built.error());
  index_ = {*built, choice, true};
  pass_ = {};
  script_ = {};
  history_.begin(*built, keys_.value->set);
  return true;
}

bool pipeline::make_batch_of(viz::session_choice& choice) {
  const auto learn = [&] {
    if (choice.load.own_batch.numbers.file.empty()) return;
    workload known = choice.load;
    set_batch_size(known, operation_of(known), batch_.value.size());
    learn_counts(choice, known);
  };
  if (batch_.made && same_inputs(stage::batch, batch_.made_for, choice)) {
    learn();
    return true;
  }
  if (!begin(stage::batch, choice)) return false;
  batch_ = {};  // not two of them at once
  forget_own();
  look_at_columns(choice.load.own_batch.numbers, &viz::session_view::batch_columns);
  auto made =
      load_workload(choice.load, choice.config.keys, *machines_[choice.machine], *control_, true, keys_.value->set);
  if (!made.ok() && !made.error().cancelled && widen(choice)) return false;
  if (!made.ok()) return fail_reading(choice.load.own_batch.numbers, made.error());
  batch_ = {std::move(made->asked), choice, true};
  learn();
  // What a formula makes a view can make again.
  if (!each_by_formula(choice.load) && batch_.value.kind == operation::find) {
    const u64 shown = std::min(viz::first_lookups::most, batch_.value.size());
    auto first =
        std::make_shared<const viz::first_lookups>(viz::first_lookups{choice.load, first_of(batch_.value, shown).keys});
    board_.change([&](viz::session_view& view) { view.own_lookups = std::move(first); });
    told_of_own_ = true;
  }
  return true;
}

// Over the keys and the batch that are there; the index in view stays.
void pipeline::tune_for(viz::session_choice choice, bool ascending, bool smallest) {
  PIVOTSCOPE_EXPECT(keys_.made && machines_.contains(choice.machine));
  if (!make_batch_of(choice) || !begin(stage::tuning, choice, true)) return;
  viz::tuning_state asked{.load = choice.load,
                          .machine = choice.machine,
                          .width = choice.config.keys,
                          .ascending = ascending,
                          .smallest = smallest,
                          .running = true};
  const viz::tuning_state before = board_.copy().tuned;
  if (before.answers(asked)) asked.result = before.result, asked.kept = before.kept;
  board_.change([&](viz::session_view& view) { view.tuned = asked; });
  tuning_options options;
  options.ascending = ascending;
  options.smallest = smallest;
  options.current = choice.config;
  options.standard_search = true;
  options.report = [this](const tuning_progress& now) {
    board_.change([&](viz::session_view& view) { view.tuned.progress = now; });
  };
  outcome<tuning> done =
      pivotscope::tune(*machines_[choice.machine], *keys_.value->set, batch_.value, options, *control_);
  asked.running = false;
  if (done.ok()) {
    done->by = this_program();
    // A file may change under the same name.
    const outcome<std::string> kept = is_whole_line(choice.load)
                                          ? keep_tuning(tuning_path(options_.cache_folder), to_line(choice.load), *done)
                                          : outcome<std::string>(std::string());
    if (const std::string& told = kept ? *kept : kept.error().words; !told.empty()) board_.tell({told, false});
    asked.kept = false;
    asked.result = std::make_shared<const tuning>(std::move(*done));
    for (const tuning_reject& out : asked.result->rejected) {
      if (out.wrong) board_.tell({fmt::format("{} is out of the ranking. {}", to_line(out.config), out.words), true});
    }
  }
  board_.change([&](viz::session_view& view) {
    view.tuned = asked;
    if (done.ok()) view.tunings = with_tuning(view.tunings, asked);
  });
  if (!done.ok()) fail(done.error());
}

bool pipeline::look_up(viz::session_choice& choice, viz::provenance origin) {
  if (!make_batch_of(choice)) return false;
  if (batch_.value.size() == 0) {
    pass_ = {0, choice, true};
    return true;
  }
  PIVOTSCOPE_EXPECT(keys_.made && index_.made && machines_.contains(choice.machine));
  if (!begin(stage::pass, choice, origin == viz::provenance::measured)) return false;
  machine& on = *machines_[choice.machine];
  const outcome<kernel_info> prepared = on.prepare(choice.config, batch_.value.kind, *control_);
  if (!prepared.ok()) return fail(prepared.error());
  board_.change([&](viz::session_view& view) { view.lookup_kernel = std::make_shared<const kernel_info>(*prepared); });

  batch_options options;
  if (origin == viz::provenance::measured) {
    // Of a long batch as many runs as tell their noise.
    const double once = pass_.made ? pass_.value / 1000 : 0;
    options.until = {.seconds = std::max(measured_for_seconds, few_samples * once)};
    options.warm_ups = 3;
  }
  const bool changed = history_.applied() > 0;
  outcome<run_record> record = run_batch(on, *history_.index(), *keys_.value->set, batch_.value,
                                         {.batch = options, .check = !changed}, *control_);
  if (!record.ok()) return fail(record.error());
  if (changed) {
    outcome<check_report> checked = history_.check(batch_.value, record->answers, *control_);
    if (!checked && checked.error().cancelled) return false;
    if (!checked) board_.tell({checked.error().words, false});
    record->checked = checked.ok();
    if (checked) record->check = std::move(*checked);
  }
  if (!changed) record->held = entry_count(*history_.index());
  record->answers = {};
  pass_ = {record->time.median(), choice, true};
  const check_report check = record->check;
  viz::session_run run{++passes_, choice.load, origin, std::move(*record)};
  board_.change([&](viz::session_view& view) {
    auto runs = std::make_shared<std::vector<viz::session_run>>(*view.runs);
    constexpr std::size_t kept = 200;
    if (runs->size() >= kept) runs->erase(runs->begin());
    runs->push_back(std::move(run));
    view.runs = std::move(runs);
  });
  if (check.wrong > 0) {
    board_.tell(
        {fmt::format("{} of {} answers are wrong, so the times of this run are not shown. {} Scenario: {} {}",
                     check.wrong, check.checked, check.first_wrong, to_line(choice.config), to_line(choice.load)),
         true});
  }
  return true;
}

}  // namespace pivotscope
