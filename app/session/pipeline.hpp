// pipeline: the way from a choice to answers, as stages on one worker thread:
//
//   open machine -> make keys -> copy them there -> build -> replay the script (and walk the chosen key)
//     -> make lookups or ranges -> compile -> look up -> check
//
// The product of each stage is kept with the choice for which it was made. A new choice runs only the stages whose
// inputs differ. The stage that is running is cancelled only if its own inputs differ.
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

// A change that the user asks for: new batches, random batches, or a number of batches to keep applied (undo, redo).
using update_request = std::variant<script, viz::update_draw, std::size_t>;

class pipeline {
 public:
  // `scripts`: folder for scripts that are too long for a line; empty: they are not kept.
  pipeline(board& shared, machine_options machines, machine_source from, time_source now, timing_turns* room,
           std::filesystem::path scripts = {});
  ~pipeline();  // stops, and waits for what is running
  void stop();  // for good: cancels what is running; does not wait

  void want();       // runs what the board's choice needs
  void cancel();     // by the user: the rest waits for run_again()
  void run_again();  // what was stopped, or otherwise the batch once more
  void measure();
  void tune(bool ascending, bool smallest);
  void update(update_request asked);  // one after the other, each when the chosen index is there
  // Jobs in the background, on the machine of the board's choice. They run in this order, piece by piece, while there
  // is nothing else to do. Other requests go first; a piece that they interrupt is done again afterwards.
  enum class background : u8 { verification, sweep, memory_benchmark };
  void verify(const viz::verify_request& asked);        // checks random cases
  void measure_sweep(const viz::sweep_request& asked);  // measures the rows of a sweep
  void run_memory_benchmark();
  void stop_in_background(background which);
  void read_again();  // reads the files again, which may have changed

 private:
  enum class stage : u8 { machine, keys, loaded, index, script, batch, pass, tuning };
  static bool same_inputs(stage of, const viz::session_choice& a, const viz::session_choice& b);
  static std::string stage_words(stage of, const workload& load);

  void work();
  bool run(viz::session_choice& choice, viz::provenance origin, bool new_pass);
  bool open(const viz::session_choice& choice);
  outcome<machine*> machine_for(machine_kind kind);
  void ask_worker();  // to look at what has changed
  void begin_in_background(background which, std::unique_ptr<background_job> job);
  void cancel_in_background();  // cancels the first one that there is
  bool begin_or_stop_in_background(std::unique_lock<std::mutex>& lock);
  void go_on_in_background(std::unique_lock<std::mutex>& lock);
  void interrupt_background() {
    if (background_control_) background_control_->cancel();
  }
  // Changes the requests to the worker by make(), and interrupts what runs in the background.
  template <class F>
  void change(F&& make) {
    {
      const std::lock_guard lock(mutex_);
      make();
      interrupt_background();
    }
    changed_.notify_all();
  }
  void forget_own();  // removes the board's state of the user's own numbers
  void learn_counts(viz::session_choice& choice, const workload& known);
  bool make_key_set(viz::session_choice& choice);
  bool build_index(const viz::session_choice& choice);
  bool replay(viz::session_choice& choice);
  bool keep_before(viz::session_choice& choice, const problem& why);
  void show_index();
  void tell_wrong(std::size_t from);  // of the applied batches, from that one on
  bool do_updates(viz::session_choice& choice);
  status change_index(viz::session_choice& choice, const update_request& asked);
  status change_history(viz::session_choice& choice, const update_request& asked);
  std::shared_ptr<const update_request> next_update(const viz::session_choice& choice);
  void end_update(const std::shared_ptr<const update_request>& asked, bool cancelled);
  // Gives the choice the workload that names this script, unless the user has chosen another one meanwhile.
  void name_script(viz::session_choice& choice, const workload& named);
  outcome<workload> name_of(const workload& load, std::size_t applied);
  bool make_batch_of(viz::session_choice& choice);
  bool look_up(viz::session_choice& choice, viz::provenance origin);
  void tune_for(viz::session_choice choice, bool ascending, bool smallest);
  bool begin(stage of, const viz::session_choice& choice, bool quiet = false);
  bool fail(const problem& p);
  bool fail_reading(const own_numbers& of, const problem& p);
  bool widen(const viz::session_choice& choice);  // to keys of 64 bits, if the files need them
  void look_at_columns(const own_numbers& of, std::shared_ptr<const viz::file_columns> viz::session_view::*where);
  void make_room(const viz::session_choice& choice);  // for the keys; removes what is shown if both do not fit

  board& board_;
  machine_options options_;
  machine_source from_;
  time_source now_;
  timing_turns* room_;  // null: nobody draws
  std::filesystem::path scripts_;

  // Shared with the frame's thread; guarded by the mutex.
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  bool busy_ = false;  // with the requests up to done_version_
  u64 wanted_version_ = 0, done_version_ = 0;
  viz::session_choice wanted_;
  bool wanted_pass_ = false;  // run the batch again, though nothing has changed
  viz::provenance wanted_origin_ = viz::provenance::live;
  struct requirements {
    bool ascending = false, smallest = false;
  };
  std::optional<requirements> wanted_tuning_;
  std::deque<std::shared_ptr<const update_request>> wanted_updates_;  // the first may be running
  bool stopped_by_user_ = false;
  stage running_ = stage::machine;
  viz::session_choice running_for_;
  std::shared_ptr<job_control> control_;
  // A job in the background: requested (next), or running (under_way); only the worker uses a running one.
  struct background_slot {
    std::unique_ptr<background_job> next, under_way;
    bool stop_asked = false;

    bool asked_for() const { return next || under_way; }
    bool wants_worker() const { return asked_for() || stop_asked; }
  };
  std::array<background_slot, 3> background_;
  background_slot& slot_of(background which) { return background_[static_cast<std::size_t>(which)]; }
  std::shared_ptr<job_control> background_control_;  // of the running piece
  bool wanted_reading_ = false;

  // Only for the worker: the products, and the choices for which they were made.
  template <class T>
  struct product {
    T value{};
    viz::session_choice made_for;
    bool made = false;
  };
  std::map<machine_kind, std::unique_ptr<machine>> machines_;
  std::vector<std::jthread> warm_ups_;  // end before the machines that they warm up
  struct host_keys {
    std::shared_ptr<const key_array> keys;
    double made_ms = 0;
  };
  product<host_keys> unsorted_;  // keys that were not sorted, because another choice or a failure came first
  product<std::shared_ptr<const viz::key_data>> keys_;
  product<std::shared_ptr<const built_index>> index_;  // as it was built
  index_history history_;                              // of that index
  product<std::string> script_;                        // replayed; or why not, in words
  product<batch> batch_;
  product<double> pass_;  // milliseconds of its batch
  u64 passes_ = 0;
  bool told_of_own_ = false;

  std::thread worker_;
};

// Returns true if both choices have the same keys: then a key that was chosen for one is in the other.
bool same_key_set(const viz::session_choice& a, const viz::session_choice& b);
// Returns the key that a view shows if none is chosen: one that is in the index, and no other lies deeper.
std::optional<u64> telling_key(const built_index& index);
// Reads the key in a cell. `model` is the index's.
outcome<u64> read_key(const built_index& index, const index_model& model, cell_ref at);

}  // namespace pivotscope
