// job_control: what a long job shares with whoever waits for it. The job reports its progress;
// the waiter can cancel it.
#pragma once

#include <atomic>
#include <functional>
#include <string_view>

#include "core/common/outcome.hpp"

namespace pivotscope {

class timing_turns;

// Called from worker threads with a stage ("sorting") and the fraction of it that is done: 0 to
// 1, or negative if unknown.
using progress_sink = std::function<void(std::string_view stage, double fraction)>;

class job_control {
 public:
  job_control() = default;
  // `room`: while a pass of this job is timed, whoever draws in the same room waits (timing_turns.hpp).
  explicit job_control(progress_sink sink, timing_turns* room = nullptr) : sink_(std::move(sink)), room_(room) {}
  // Returns the control of a part of `whole`. Cancelling `whole` cancels the part at once. The part's own progress is
  // not shown. `whole` must outlive it.
  static job_control part_of(const job_control& whole) { return job_control(&whole); }

  void progress(std::string_view stage, double fraction) const {
    if (sink_) sink_(stage, fraction);
  }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const {
    return cancelled_.load(std::memory_order_relaxed) || (whole_ != nullptr && whole_->cancelled());
  }
  timing_turns* room() const { return whole_ ? whole_->room() : room_; }
  static problem cancelled_problem() { return {"cancelled", true}; }

 private:
  explicit job_control(const job_control* whole) : whole_(whole) {}

  progress_sink sink_;
  timing_turns* room_ = nullptr;
  const job_control* whole_ = nullptr;
  std::atomic<bool> cancelled_{false};
};

}  // namespace pivotscope
