// timing_turns: frames are drawn and passes are timed in turn. Neither a GPU nor a processor does both at once, so a
// measurement does not include the cost of the window. Each side waits for the other for a limited time, and then goes
// on all the same: a window never freezes beside a long pass, and a pass never hangs beside a window that is not drawn.
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
  // While it lives, the other side waits. A default one holds nobody up.
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

  // Gives four frames per second beside a long pass.
  static constexpr std::chrono::milliseconds patience{250};
  explicit timing_turns(std::chrono::milliseconds patience_of_both = patience) : patience_(patience_of_both) {}

  // Waits for a turn. A frame that waits comes before the next pass. Any thread may call these.
  turn to_draw();
  turn to_time();

  // Returns true if a pass is timed, or waits, or was timed since this was last called. Then a frame must be
  // over before its turn ends.
  bool was_used();
  u64 timed() const;         // number of passes so far
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

// Returns a turn during which a pass of this job is timed.
inline timing_turns::turn timed_pass(const job_control& control) {
  return control.room() ? control.room()->to_time() : timing_turns::turn();
}

}  // namespace pivotscope
