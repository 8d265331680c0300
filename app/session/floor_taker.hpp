// A device's floor (core/memory_benchmark), measured and kept, told on the board. The worker's, as a sweep is (sweeper.hpp).
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/session/board.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

// What is kept of the machines that there are.
viz::known_memory_benchmarks kept_memory_benchmarks(const std::vector<machine_report>& machines, const std::string& cache_folder);

class floor_taker {
 public:
  floor_taker(board& shared, machine_kind on, std::string cache_folder, time_source now);

  machine_kind machine() const { return kind_; }
  void begin();
  std::shared_ptr<job_control> control(timing_turns* room);  // which shows how far it is
  // Measures until the control is cancelled: then from the beginning, the next time. False: it is done, or cannot be.
  bool go_on(pivotscope::machine& on, const job_control& control);
  bool end(const problem& why);  // false, as go_on()
  void stop();                   // the user's

 private:
  void show();

  board& board_;
  machine_kind kind_;
  std::string cache_folder_;
  time_source now_;
  viz::memory_benchmark_state state_;
  std::chrono::steady_clock::time_point shown_at_;
};

}  // namespace pivotscope
