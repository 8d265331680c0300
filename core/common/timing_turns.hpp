// Frames are drawn and passes are timed in turn: neither a card nor a processor does both at once, so what a window
// costs is not in what it measures. Each waits for the other so long at most, and then goes on all the same: a window
// never freezes beside a long pass, and a pass never hangs beside a window that is not drawn.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/common/job_control.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

class timing_turns {
 public:
  // While it lives, the other side waits. Empty: nobody does.
  class turn {
   public:
    turn() = default;
    turn(turn&& other) noexcept : room_(std::exchange(other.room_, nullptr)), side_(other.side_) {}
    turn& operator=(turn&& other) noexcept {
      end();
      room_ = std::exchange(other.room_, nullptr), side_ = other.side_;
      return *this;
    }
    ~turn() { end(); }
    void end();

   private:
    friend timing_turns;
    turn(timing_turns& room, int timing_turns::*side) : room_(&room), side_(side) {}
    timing_turns* room_ = nullptr;
    int timing_turns::*side_ = nullptr;
  };

  // Four frames a second beside a long pass.
  static constexpr std::chrono::milliseconds patience{250};
  explicit timing_turns(std::chrono::milliseconds patience_of_both = patience) : patience_(patience_of_both) {}

  // A frame that waits comes before the next pass: any thread.
  turn to_draw();
  turn to_time();

  // Is a pass timed, does one wait, or was one timed since this was asked last? Then a frame must be over before its
  // turn is.
  bool was_used();
  u64 timed() const;         // passes, so far
  bool pass_waits() const;   // for a frame to end
  bool frame_waits() const;  // for a pass to end

 private:
  turn take(int timing_turns::*mine, int timing_turns::*waiting, bool (timing_turns::*may)() const);
  bool may_draw() const { return timing_ == 0; }
  bool may_time() const { return drawing_ == 0 && frames_waiting_ == 0; }

  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int drawing_ = 0, timing_ = 0, frames_waiting_ = 0, passes_waiting_ = 0;
  u64 timed_ = 0, seen_ = 0;
};

// A pass of this job is timed while it lives.
inline timing_turns::turn timed_pass(const job_control& control) {
  return control.room() ? control.room()->to_time() : timing_turns::turn();
}

}  // namespace pivotscope
