#include "core/common/quiet_room.hpp"

namespace pivotscope {

void quiet_room::turn::end() {
  if (!room_) return;
  {
    const std::lock_guard lock(room_->mutex_);
    --(room_->*side_);
  }
  std::exchange(room_, nullptr)->changed_.notify_all();
}

quiet_room::turn quiet_room::take(int quiet_room::*mine, int quiet_room::*waiting, bool (quiet_room::*may)() const) {
  std::unique_lock lock(mutex_);
  ++(this->*waiting);
  changed_.wait_for(lock, patience_, [&] { return (this->*may)(); });
  --(this->*waiting);
  ++(this->*mine);
  return {*this, mine};
}

quiet_room::turn quiet_room::to_draw() {
  return take(&quiet_room::drawing_, &quiet_room::frames_waiting_, &quiet_room::may_draw);
}

quiet_room::turn quiet_room::to_time() {
  turn taken = take(&quiet_room::timing_, &quiet_room::passes_waiting_, &quiet_room::may_time);
  const std::lock_guard lock(mutex_);
  ++timed_;
  return taken;
}

bool quiet_room::was_used() {
  const std::lock_guard lock(mutex_);
  return timing_ > 0 || passes_waiting_ > 0 || std::exchange(seen_, timed_) != timed_;
}

u64 quiet_room::timed() const {
  const std::lock_guard lock(mutex_);
  return timed_;
}

bool quiet_room::pass_waits() const {
  const std::lock_guard lock(mutex_);
  return passes_waiting_ > 0;
}

bool quiet_room::frame_waits() const {
  const std::lock_guard lock(mutex_);
  return frames_waiting_ > 0;
}

}  // namespace pivotscope
