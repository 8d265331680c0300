// Operations that meet in an index, in the orders that a view asks for, and random ones; told on the board. A thread of
// its own: a case is small, and whoever steps through one does not wait for what is built meanwhile. It tries none
// while a pass is timed (core/common/timing_turns).
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "app/session/board.hpp"
#include "app/session/reader.hpp"
#include "core/common/timing_turns.hpp"
#include "core/machine/machine_source.hpp"

namespace pivotscope {

class interleaver {
 public:
  // `perform`: another way of doing operations, as a test has one; null: the family's own.
  interleaver(board& shared, machine_source from, time_source now, timing_turns* room,
              interleaving::code perform = nullptr);
  ~interleaver() { stop(); }

  void show(const viz::interleave_request& asked);
  void search(const viz::interleave_search_request& asked);
  void stop_searching();
  void stop();  // for good: cancels what runs; does not wait

 private:
  outcome<machine*> cpu();
  void run(const viz::interleave_request& asked);
  void try_all();
  void try_all_next();
  void try_next();
  bool try_one();
  void begin_search(const viz::interleave_search_request& asked);
  void end_search(bool stopped);
  void tell_search();
  timing_turns::turn turn() const { return room_ ? room_->to_draw() : timing_turns::turn(); }
  std::shared_ptr<job_control> begin_part();
  void interrupt();

  board& board_;
  machine_source from_;
  time_source now_;
  timing_turns* room_;
  interleaving::code perform_;

  std::mutex mutex_;
  std::shared_ptr<job_control> control_;  // of what runs: cancelled when something goes first
  bool ending_ = false;

  // The thread's own.
  std::unique_ptr<machine> cpu_;
  std::unique_ptr<interleaving> made_;
  std::optional<viz::interleave_request> made_for_;  // its order is none
  std::shared_ptr<viz::interleave_result> shown_;    // a copy of what the board has
  std::optional<interleaving_report> switches_;      // of `made_`
  viz::interleave_search search_;
  std::chrono::steady_clock::time_point told_at_;

  reader thread_;  // ends before what its tasks call
};

}  // namespace pivotscope
