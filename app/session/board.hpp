// The board: the one place where the worker, the reader and the frame meet. Locked for a few copies, never for work.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

#include "core/common/time_source.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope {

class board {
 public:
  // `wake` is called, from any thread and without the lock, when there is something new to draw.
  board(viz::session_choice start, std::function<void()> wake, time_source now = std::chrono::steady_clock::now);

  viz::session_view copy() const;
  viz::session_choice choice() const;

  template <class Change>
  void change(Change&& apply) {
    change_quietly(apply);
    wake_();
  }

  // A job is shown from when it is asked for until nothing more is asked for: who asks and then sees none running knows
  // that it is over. Both are said under the lock of whoever counts what is asked for, so neither wakes.
  void job_asked();
  void job_ends(bool stopped_by_user);
  void job_begins(std::string_view stage);
  // Progress of the running job; wakes the frame at most 30 times a second.
  void progress(std::string_view stage, double fraction);
  void wake() { wake_(); }
  // A notice that is already on the board is not put there twice.
  void tell(viz::notice what);
  // Something else is chosen: notices of what was are no longer true.
  void forget_choice(viz::session_view& view);

 private:
  template <class Change>
  void change_quietly(Change&& apply) {
    const std::lock_guard lock(mutex_);
    apply(view_);
  }

  mutable std::mutex mutex_;
  viz::session_view view_;
  std::function<void()> wake_;
  time_source now_;
  std::chrono::steady_clock::time_point stage_began_ = now_(), last_wake_ = now_();
};

}  // namespace pivotscope
