// The way from a choice to answers, as stages on one worker thread:
//
//   open machine -> make keys -> copy them there -> build -> replay the script (and walk the chosen key) -> make lookups or
//     ranges -> compile -> look up -> check
//
// What a stage made is kept with the choice that it was made for. A new choice runs the stages whose inputs differ and
// no others; the one that runs now is cancelled only when its own inputs differ.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "app/session/background_job.hpp"
#include "app/session/board.hpp"
#include "app/session/index_history.hpp"
#include "core/machine/machine_source.hpp"

namespace pivotscope {

// What the index in view is to be changed by: batches behind what is applied, drawn ones, or so many of those that it had.
using update_request = std::variant<script, viz::update_draw, std::size_t>;

class pipeline {
 public:
  // Scripts too long for a line are kept in the folder; empty: nowhere.
  pipeline(board& shared, machine_options machines, machine_source from, time_source now, timing_turns* room,
           std::filesystem::path scripts = {});
  ~pipeline();  // stops and waits for the end of what runs
  void stop();  // for good: cancels what runs; does not wait

  void want();       // what the board's choice asks for
  void cancel();     // the user's: the rest waits for run_again()
  void run_again();  // what was stopped, or else the batch once more
  void measure();
  void tune(bool ascending, bool smallest);
  void update(update_request asked);  // one after the other, each once what was chosen is there
  // In the background, on the machine that the board's choice has: piece by piece while nothing else is to do, in this
  // order. What is asked for meanwhile goes first, and the piece that it interrupts is done again after it.
  enum class background : u8 { verification, sweep, memory_benchmark };
  void verify(const viz::verify_request& asked);        // random cases
  void measure_sweep(const viz::sweep_request& asked);  // a sweep's rows
  void run_memory_benchmark();
  void stop_in_background(background which);
  void read_again();  // what files held may be something else now

 private:
  enum class stage : u8 { machine, keys, loaded, index, script, batch, pass, tuning };
  static bool same_inputs(stage of, const viz::session_choice& a, const viz::session_choice& b);
  static const char* stage_words(stage of, const workload& load);

  void work();
  bool run(viz::session_choice& choice, viz::provenance origin, bool new_pass);
  bool open(const viz::session_choice& choice);
  outcome<machine*> machine_for(machine_kind kind);
  void ask_worker();  // for what has changed
  void begin_in_background(background which, std::unique_ptr<background_job> job);
  void cancel_in_background();  // the first that there is
  bool begin_or_stop_in_background(std::unique_lock<std::mutex>& lock);
  void go_on_in_background(std::unique_lock<std::mutex>& lock);
  void interrupt_background() {
    if (background_control_) background_control_->cancel();
  }
  // What the worker is asked for: `make` changes it, and what goes on in the background gives way.
  template <class F>
  void change(F&& make) {
    {
      const std::lock_guard lock(mutex_);
      make();
      interrupt_background();
    }
    changed_.notify_all();
  }
  void forget_own();  // what the board has of numbers of one's own that were read, or could not be
  void learn_counts(viz::session_choice& choice, const workload& known);
  bool make_key_set(viz::session_choice& choice);
  bool build_index(const viz::session_choice& choice);
  bool replay(viz::session_choice& choice);
  bool keep_before(viz::session_choice& choice, const problem& why);
  void show_index();
  void tell_wrong(std::size_t from);  // of the batches applied, those from that one on
  bool do_updates(viz::session_choice& choice);
  status change_index(viz::session_choice& choice, const update_request& asked);
  status change_history(viz::session_choice& choice, const update_request& asked);
  std::shared_ptr<const update_request> next_update(const viz::session_choice& choice);
  void end_update(const std::shared_ptr<const update_request>& asked, bool cancelled);
  // From now on the choice has this workload's script, unless another one was chosen meanwhile.
  void name_script(viz::session_choice& choice, const workload& named);
  outcome<workload> name_of(const workload& load, std::size_t applied);
  bool make_batch_of(viz::session_choice& choice);
  bool look_up(viz::session_choice& choice, viz::provenance origin);
  void tune_for(viz::session_choice choice, bool ascending, bool smallest);
  bool begin(stage of, const viz::session_choice& choice, bool quiet = false);
  bool fail(const problem& p);
  bool fail_reading(const own_numbers& of, const problem& p);
  bool widen(const viz::session_choice& choice);  // to keys of 64 bits, where its files need them
  void look_at_columns(const own_numbers& of, std::shared_ptr<const viz::file_columns> viz::session_view::*where);
  void make_room(const viz::session_choice& choice);  // for its keys: what is shown goes where both would not fit

  board& board_;
  machine_options options_;
  machine_source from_;
  time_source now_;
  timing_turns* room_;  // null: nobody draws
  std::filesystem::path scripts_;

  // Shared with the frame's thread, under the mutex.
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  bool busy_ = false;  // with what was asked for by done_version_
  u64 wanted_version_ = 0, done_version_ = 0;
  viz::session_choice wanted_;
  bool wanted_pass_ = false;  // the batch again though nothing changed
  viz::provenance wanted_origin_ = viz::provenance::live;
  struct requirements {
    bool ascending = false, smallest = false;
  };
  std::optional<requirements> wanted_tuning_;
  std::deque<std::shared_ptr<const update_request>> wanted_updates_;  // the first may be under way
  bool stopped_by_user_ = false;
  stage running_ = stage::machine;
  viz::session_choice running_for_;
  std::shared_ptr<job_control> control_;
  // A job in the background: asked for, or under way, when the worker alone looks into it.
  struct background_slot {
    std::unique_ptr<background_job> next, under_way;
    bool stop_asked = false;

    bool asked_for() const { return next || under_way; }
    bool wants_worker() const { return asked_for() || stop_asked; }
  };
  std::array<background_slot, 3> background_;
  background_slot& slot_of(background which) { return background_[static_cast<std::size_t>(which)]; }
  std::shared_ptr<job_control> background_control_;  // of the piece that is done now
  bool wanted_reading_ = false;

  // The worker's own: what has been made, and for which choice.
  template <class T>
  struct product {
    T value{};
    viz::session_choice made_for;
    bool made = false;
  };
  std::map<machine_kind, std::unique_ptr<machine>> machines_;
  std::vector<std::jthread> warm_ups_;  // end before the machines that they warm
  struct host_keys {
    std::shared_ptr<const key_array> keys;
    double made_ms = 0;
  };
  product<host_keys> unsorted_;  // keys that another choice or a failure kept from being sorted
  product<std::shared_ptr<const viz::key_data>> keys_;
  product<std::shared_ptr<const built_index>> index_;  // as it was built
  index_history history_;                              // of it
  product<std::string> script_;                        // replayed; or why it is not, in words
  product<batch> batch_;
  product<double> pass_;  // milliseconds of its batch
  u64 passes_ = 0;
  bool told_of_own_ = false;

  std::thread worker_;
};

// Whether both have the same keys: what was chosen for the one is there in the other.
bool same_key_set(const viz::session_choice& a, const viz::session_choice& b);
// The key that a view shows when none was chosen: one that is there and lies as deep as any.
std::optional<u64> telling_key(const built_index& index);
// The key in a cell; `model` is the index's.
outcome<u64> read_key(const built_index& index, const index_model& model, cell_ref at);

}  // namespace pivotscope
