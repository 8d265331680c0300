// Work that goes on while nothing else is to do, and tells the board how far it is: random cases, the rows of a sweep,
// a device's memory benchmark. The pipeline's worker does it piece by piece; what the user chooses meanwhile goes
// first.
#pragma once

#include <chrono>
#include <memory>

#include "app/session/board.hpp"
#include "core/common/job_control.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

class background_job {
 public:
  virtual ~background_job() = default;

  machine_kind machine() const { return machine_; }
  virtual void begin() { show(); }
  // Returns what the next piece reports to and is cancelled by. `turns`: with the window's frames, for pieces that time
  // passes.
  virtual std::shared_ptr<job_control> control(timing_turns* turns) {
    return std::make_shared<job_control>(progress_sink(), turns);
  }
  // Does the next piece; one that is cancelled is the next again. Returns false when that was the last piece, or when
  // there will be no more.
  virtual bool go_on(pivotscope::machine& on, const job_control& control) = 0;
  // Ends by itself, with a problem or without. Returns false, as go_on() does at the end.
  virtual bool end(const problem& why) = 0;
  virtual void stop() = 0;  // the user's

 protected:
  background_job(board& shared, machine_kind on, time_source now)
      : board_(shared), now_(std::move(now)), machine_(on), shown_at_(now_()) {}

  void show() {
    shown_at_ = now_();
    board_.change([&](viz::session_view& view) { put_on(view); });
  }
  // The same at most thirty times a second.
  void show_in_time() {
    constexpr double seconds_between_frames = 0.033;
    if (seconds_between(shown_at_, now_()) > seconds_between_frames) show();
  }
  virtual void put_on(viz::session_view& view) = 0;  // what is to be seen of it

  board& board_;
  time_source now_;

 private:
  machine_kind machine_;
  std::chrono::steady_clock::time_point shown_at_;
};

}  // namespace pivotscope
