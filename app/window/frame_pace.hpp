// When the next frame is due: at once while something moves, and for a while after an event, for what fades in on
// hover; a few times a second for the cursor of a text field, or beside what is measured; else not until something
// comes.
#pragma once

namespace pivotscope {

class frame_pace {
 public:
  static constexpr double frame_seconds = 1.0 / 60, cursor_seconds = 0.2, asleep_seconds = 2, awake_seconds = 0.8,
                          measuring_seconds = 0.25;

  explicit frame_pace(double now) : awake_until_(now + awake_seconds) {}

  // How long to wait for an event, in seconds, before the next frame is drawn all the same.
  // Measuring: passes were timed since the frame before. A pass after a frame is slower than one after a pass (the card
  // changes over, caches are others'), so most are to follow a pass.
  double wait(double now, bool moving, bool typing, bool measuring = false) const {
    if (measuring) return measuring_seconds;
    if (moving || now < awake_until_) return frame_seconds / 2;
    return typing ? cursor_seconds : asleep_seconds;
  }
  // It was over at `now`: before its time where an event came.
  void waited(double before, double now, double wait) {
    if (wait > frame_seconds && now - before < wait * 0.95) awake_until_ = now + awake_seconds;
  }

 private:
  double awake_until_;
};

}  // namespace pivotscope
