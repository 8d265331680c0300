#include "core/common/timing_turns.hpp"

namespace pivotscope {

void timing_turns::turn::end() {
  if (!room_) return;
  {
    const std::lock_guard lock(room_->mutex_);
    --(room_->*side_);
  }
  std::exchange(room_, nullptr)->changed_.notify_all();
}

timing_turns::turn timing_turns::take(int timing_turns::*mine, int timing_turns::*waiting,
                                      bool (timing_turns::*may)() const) {
  std::unique_lock lock(mutex_);
  ++(this->*waiting);
  changed_.wait_for(lock, patience_, [&] { return (this->*may)(); });
  --(this->*waiting);
  ++(this->*mine);
  return {*this, mine};
}

timing_turns::turn timing_turns::to_draw() {
  return take(&timing_turns::drawing_, &timing_turns::frames_waiting_, &timing_turns::may_draw);
}

timing_turns::turn timing_turns::to_time() {
  turn taken = take(&timing_turns::timing_, &timing_turns::passes_waiting_, &timing_turns::may_time);
  const std::lock_guard lock(mutex_);
  ++timed_;
  return taken;
}

bool timing_turns::was_used() {
  const std::lock_guard lock(mutex_);
  return timing_ > 0 || passes_waiting_ > 0 || std::exchange(seen_, timed_) != timed_;
}

u64 timing_turns::timed() const {
  const std::lock_guard lock(mutex_);
  return timed_;
}

bool timing_turns::pass_waits() const {
  const std::lock_guard lock(mutex_);
  return passes_waiting_ > 0;
}

bool timing_turns::frame_waits() const {
  const std::lock_guard lock(mutex_);
  return frames_waiting_ > 0;
}

}  // namespace pivotscope
