// What is asked for and when the worker does it; what it does are the stages (stages.cpp).
#include "app/session/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "app/files/script_name.hpp"
#include "app/session/memory_benchmark_job.hpp"
#include "app/session/sweep_job.hpp"
#include "app/session/verification_job.hpp"
#include "core/index/cell_state.hpp"
#include "core/index/index_reader.hpp"
#include "core/tuning/tuning_store.hpp"

namespace pivotscope {
namespace {

// Whether both ask for the same lookups: how many a file holds is not asked for, but found out.
bool same_load(workload a, workload b) {
  a = without_script(std::move(a)), b = without_script(std::move(b));
  for (workload* w : {&a, &b}) {
    if (!w->own_keys.file.empty()) w->keys = 0;
    if (!w->own_batch.numbers.file.empty()) set_batch_size(*w, operation::find, 0);
  }
  return a == b;
}

}  // namespace

bool same_key_set(const viz::session_choice& a, const viz::session_choice& b) {
  const auto inputs = [](const viz::session_choice& c) {
    // How many a file holds is not asked for: it is found out.
    const bool own = c.load.own_keys.given();
    const double exponent = !own && c.load.dist == distribution::zipf ? c.load.exponent : 0;
    return std::make_tuple(own ? 0 : c.load.keys, c.load.dist, c.load.uniformity, c.load.repeat, exponent,
                           own ? 0 : c.load.seed, c.config.keys);
  };
  return inputs(a) == inputs(b) && a.load.own_keys == b.load.own_keys;
}

outcome<u64> read_key(const built_index& index, const index_model& model, cell_ref at) {
  const region_info& region = model.region(at.region);
  if (!region.has(field_kind::key)) return problem{fmt::format("There are no keys among the {}.", region.name)};
  index_reader reader(index);
  const std::optional<cell_value> value = model.value_of(at, std::ref(reader));
  if (!value) return reader.failure().error();
  if (!value->key) return problem{fmt::format("There is no key in this {}.", region.cell_name)};
  return *value->key;
}

std::optional<u64> telling_key(const built_index& index) {
  const std::shared_ptr<const index_model> model = model_of(index);
  const u64 n = model->keys();
  if (n == 0) return std::nullopt;
  const auto golden = static_cast<u64>(static_cast<double>(n) * 0.618);
  const index_ranks* ranks = model->ranks();
  std::optional<cell_ref> at;
  if (ranks) {
    at = ranks->cell(std::min(golden, n - 1));
  } else if (const auto met = live_cell_from(index, *model, golden); met.ok()) {
    at = *met;
  }
  for (u64 offset = 0; ranks && offset < std::min<u64>(n, 64); ++offset) {
    const cell_ref tried = ranks->cell((golden + offset) % n);
    if (model->describe(tried.region, tried.cell).level + 1 == model->levels()) {
      at = tried;
      break;
    }
  }
  if (!at) return std::nullopt;
  const outcome<u64> key = read_key(index, *model, *at);
  return key.ok() ? std::optional(*key) : std::nullopt;
}

pipeline::pipeline(board& shared, machine_options machines, machine_source from, time_source now, timing_turns* room,
                   std::filesystem::path scripts)
    : board_(shared),
      options_(std::move(machines)),
      from_(std::move(from)),
      now_(std::move(now)),
      room_(room),
      scripts_(std::move(scripts)),
      worker_([this] { work(); }) {}

pipeline::~pipeline() {
  stop();
  worker_.join();
}

void pipeline::stop() {
  change([&] {
    ending_ = true;
    if (control_) control_->cancel();
  });
}

bool pipeline::same_inputs(stage of, const viz::session_choice& a, const viz::session_choice& b) {
  const auto same = [&](stage earlier) { return same_inputs(earlier, a, b); };
  switch (of) {
    case stage::machine:
      return a.machine == b.machine;
    case stage::keys:
      return same_key_set(a, b);
    case stage::loaded:
      return same(stage::machine) && same(stage::keys);
    case stage::index:
      return same(stage::loaded) && a.config == b.config;
    case stage::script:
      return same(stage::index) && same_script(a.load, b.load);
    case stage::batch:
      return same_load(a.load, b.load) && a.config.keys == b.config.keys;
    case stage::pass:
    case stage::tuning:  // another choice wants the machine at once
      return same(stage::script) && same(stage::batch);
  }
  return false;
}

std::string pipeline::stage_words(stage of, const workload& load) {
  switch (of) {
    case stage::machine:
      return "opening the machine";
    case stage::keys:
      return "making keys";
    case stage::loaded:
      return "copying keys";
    case stage::index:
      return "building";
    case stage::script:
      return "updating";
    case stage::batch:
      return fmt::format("making {}", operation_noun(operation_of(load)));
    case stage::pass:
      return operation_of(load) == operation::find ? "looking up"
                                                   : fmt::format("looking up {}", operation_noun(operation_of(load)));
    case stage::tuning:
      return "tuning";
  }
  return "";
}

void pipeline::want() {
  change([&] {
    wanted_ = board_.choice();
    ask_worker();
    if (control_ && !same_inputs(running_, running_for_, wanted_)) control_->cancel();
  });
}

// Under the lock.
void pipeline::ask_worker() {
  ++wanted_version_;
  stopped_by_user_ = false;
  board_.job_asked();
}

void pipeline::cancel() {
  std::unique_lock lock(mutex_);
  if (!busy_ && wanted_version_ == done_version_) return cancel_in_background();
  // What was asked for since this began waits as well.
  done_version_ = wanted_version_;
  wanted_pass_ = false;
  wanted_origin_ = viz::provenance::live;
  wanted_tuning_.reset();
  wanted_updates_.clear();
  if (busy_) {
    stopped_by_user_ = true;
    if (control_) control_->cancel();
    return;
  }
  board_.job_ends(true);  // which never began
  lock.unlock();
  board_.wake();
}

void pipeline::cancel_in_background() {
  for (background_slot& slot : background_) {
    if (!slot.asked_for()) continue;
    slot.stop_asked = true;
    break;
  }
  interrupt_background();
  changed_.notify_all();
}

void pipeline::run_again() {
  change([&] {
    wanted_pass_ = true;
    ask_worker();
  });
}

void pipeline::measure() {
  change([&] {
    wanted_pass_ = true;
    wanted_origin_ = viz::provenance::measured;
    ask_worker();
  });
}

void pipeline::tune(bool ascending, bool smallest) {
  change([&] {
    wanted_tuning_ = {ascending, smallest};
    ask_worker();
  });
}

void pipeline::update(update_request asked) {
  change([&] {
    wanted_updates_.push_back(std::make_shared<const update_request>(std::move(asked)));
    ask_worker();
  });
}

void pipeline::begin_in_background(background which, std::unique_ptr<background_job> job) {
  change([&] {
    slot_of(which).next = std::move(job);
    slot_of(which).stop_asked = false;
  });
}

void pipeline::verify(const viz::verify_request& asked) {
  begin_in_background(background::verification,
                      std::make_unique<verification_job>(board_, asked, board_.choice().machine, now_));
}

void pipeline::measure_sweep(const viz::sweep_request& asked) {
  begin_in_background(background::sweep, std::make_unique<sweep_job>(board_, asked, board_.choice().machine, from_,
                                                                     options_.cache_folder, now_));
}

void pipeline::run_memory_benchmark() {
  begin_in_background(background::memory_benchmark, std::make_unique<memory_benchmark_job>(
                                                        board_, board_.choice().machine, options_.cache_folder, now_));
}

void pipeline::stop_in_background(background which) {
  change([&] { slot_of(which).stop_asked = true; });
}

void pipeline::read_again() {
  change([&] {
    wanted_reading_ = true;
    ask_worker();
    if (control_) control_->cancel();
  });
}

// The next piece of the first job that has one; the lock is taken.
void pipeline::go_on_in_background(std::unique_lock<std::mutex>& lock) {
  background_slot& slot = *std::find_if(background_.begin(), background_.end(),
                                        [](const background_slot& s) { return s.under_way != nullptr; });
  background_job& job = *slot.under_way;
  background_control_ = job.control(room_);
  lock.unlock();
  const outcome<machine*> on = machine_for(job.machine());
  const bool more = on ? job.go_on(**on, *background_control_) : job.end(on.error());
  lock.lock();
  background_control_.reset();
  if (!more) slot.under_way.reset();
}

// Begins or stops a job, where that is asked for. True: it did, and the lock was given up meanwhile.
bool pipeline::begin_or_stop_in_background(std::unique_lock<std::mutex>& lock) {
  for (background_slot& slot : background_) {
    if (slot.next) {
      slot.under_way = std::move(slot.next);
      lock.unlock();
      slot.under_way->begin();
      return true;
    }
    if (!std::exchange(slot.stop_asked, false)) continue;
    const std::unique_ptr<background_job> stopped = std::move(slot.under_way);
    lock.unlock();
    if (stopped) stopped->stop();
    return true;
  }
  return false;
}

void pipeline::work() {
  for (;;) {
    viz::session_choice choice;
    viz::provenance origin;
    bool new_pass;
    std::optional<requirements> tuning_for;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] {
        return ending_ || wanted_version_ != done_version_ ||
               std::any_of(background_.begin(), background_.end(),
                           [](const background_slot& s) { return s.wants_worker(); });
      });
      if (ending_) return;
      if (begin_or_stop_in_background(lock)) continue;
      if (wanted_version_ == done_version_) {
        go_on_in_background(lock);
        continue;
      }
      busy_ = true;
      done_version_ = wanted_version_;
      choice = wanted_;
      origin = wanted_origin_;
      new_pass = wanted_pass_;
      wanted_origin_ = viz::provenance::live;
      wanted_pass_ = false;
      tuning_for = std::exchange(wanted_tuning_, std::nullopt);
      if (std::exchange(wanted_reading_, false)) unsorted_ = {}, keys_ = {}, index_ = {}, batch_ = {}, pass_ = {};
    }
    if (run(choice, origin, new_pass) && do_updates(choice) && tuning_for)
      tune_for(choice, tuning_for->ascending, tuning_for->smallest);
    {
      const std::lock_guard lock(mutex_);
      busy_ = false;
      control_.reset();
      const bool stopped = std::exchange(stopped_by_user_, false);
      if (wanted_version_ != done_version_) continue;
      wanted_updates_.clear();  // of an index that did not come
      board_.job_ends(stopped);
    }
    board_.wake();
  }
}

}  // namespace pivotscope
