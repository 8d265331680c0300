// board: the one place where the worker, the reader and the frame exchange what they know. It is locked while a few
// values are copied, never during work.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

#include "core/common/time_source.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope {

class board {
 public:
  // `wake` is called when there is something new to draw: from any thread, without the lock.
  board(viz::session_choice start, std::function<void()> wake, time_source now = std::chrono::steady_clock::now);

  viz::session_view copy() const;
  viz::session_choice choice() const;

  template <class Change>
  void change(Change&& apply) {
    change_quietly(apply);
    wake_();
  }

  // A job is shown from the first request until nothing is requested any more. So whoever makes a request and then sees
  // no job running knows that it is done. job_asked() and job_ends() are called under the lock of whoever counts the
  // requests, so neither of them wakes the frame.
  void job_asked();
  void job_ends(bool stopped_by_user);
  void job_begins(std::string_view stage);
  // Sets the progress of the running job. Wakes the frame at most 30 times a second.
  void progress(std::string_view stage, double fraction);
  void wake() { wake_(); }
  // Adds a notice, unless it is on the board already.
  void tell(viz::notice what);
  // Removes the notices about the choice, because another one was made.
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
