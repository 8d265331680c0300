// A sweep, row by row, told on the board. The worker's: it says when, and on which machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/session/board.hpp"
#include "core/machine/machine_source.hpp"

namespace pivotscope {

class sweeper {
 public:
  // Goes on behind what the board has of the same sweep, scale and machine.
  // `cache_folder`: where a GPU's floor may be kept, whose rates the traffic model takes.
  sweeper(board& shared, const viz::sweep_request& asked, machine_kind on, std::string cache_folder, time_source now);

  machine_kind machine() const { return kind_; }
  void begin();
  // Measures rows until the control is cancelled: then the row in work is the next one. False: that was all, or there will be
  // no more.
  bool go_on(pivotscope::machine& on, const machine_source& machines, const job_control& control);
  bool end(const problem& why);  // false, as go_on()
  void stop();                   // the user's

 private:
  void show();
  void keep();

  board& board_;
  time_source now_;
  std::string cache_folder_;
  machine_kind kind_;
  u32 scale_;
  std::shared_ptr<const sweep> what_;
  viz::sweeping state_;
  std::vector<sweep_point> points_;
  machine_info machine_;
  std::chrono::steady_clock::time_point shown_at_;
};

}  // namespace pivotscope
