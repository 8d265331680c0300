// A clock that a test sets, and a way to wait for what a board shows: for its wake, never for a time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/board.hpp"
#include "tests/support/scripted_machines.hpp"

namespace pivotscope::testing {

class set_clock {
 public:
  void pass_ms(u64 ms) { at_ += ms; }
  time_source source() {
    return [this] { return std::chrono::steady_clock::time_point(std::chrono::milliseconds(at_.load())); };
  }

 private:
  std::atomic<u64> at_{1'000'000};
};

// What the threads behind a board wake the frame for.
class observer {
 public:
  using view_of = std::function<viz::session_view()>;

  // Of the thread that calls it, wakes are not listed: they are the test's own.
  std::function<void()> wake() {
    return [this, own = std::this_thread::get_id()] { woken(std::this_thread::get_id() == own); };
  }
  // From now on every wake looks at the job.
  void watch(view_of view) {
    const std::lock_guard lock(mutex_);
    view_ = std::move(view);
    last_stage_.clear();
  }
  // Called at every wake of another thread.
  void at_wake(std::function<void(const viz::session_view&)> what) {
    const std::lock_guard lock(mutex_);
    at_wake_ = std::move(what);
  }
  // The next wake in this stage waits for let_go(); "" is the wake of a job's end.
  void hold_stage(std::string stage) {
    const std::lock_guard lock(mutex_);
    held_stage_ = std::move(stage);
  }
  bool wait_until_held() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, forever, [&] { return holds_; });
  }
  void let_go() {
    {
      const std::lock_guard lock(mutex_);
      holds_ = false;
    }
    changed_.notify_all();
  }
  // The job's stage at each wake, "" for none.
  std::vector<std::string> take_wakes() {
    const std::lock_guard lock(mutex_);
    return std::exchange(stages_, {});
  }
  u64 wakes() {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  // Of a job that ended, its last wake has come as well.
  bool until(const std::function<bool(const viz::session_view&)>& is_so) {
    std::unique_lock lock(mutex_);
    const view_of view = view_;
    const auto give_up = std::chrono::steady_clock::now() + forever;
    for (;;) {
      const u64 seen = all_;
      const bool woken_idle = last_stage_.empty();
      lock.unlock();
      const viz::session_view now = view();
      if (is_so(now) && (now.job.running || woken_idle)) return true;
      lock.lock();
      if (!changed_.wait_until(lock, give_up, [&] { return all_ != seen; })) return false;
    }
  }

 private:
  void woken(bool own) {
    std::unique_lock lock(mutex_);
    ++all_;
    if (!own) {
      ++count_;
      const viz::session_view view = view_ ? view_() : viz::session_view{};
      last_stage_ = view.job.stage;
      stages_.push_back(last_stage_);
      if (at_wake_) at_wake_(view);
      if (held_stage_ == view.job.stage) {
        held_stage_.reset();
        holds_ = true;
        changed_.notify_all();
        if (!changed_.wait_for(lock, forever, [&] { return !holds_; })) ADD_FAILURE() << "held for ever";
      }
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  view_of view_;
  std::function<void(const viz::session_view&)> at_wake_;
  std::optional<std::string> held_stage_;
  bool holds_ = false;
  u64 all_ = 0, count_ = 0;
  std::string last_stage_;
  std::vector<std::string> stages_;
};

inline bool idle_after(const viz::session_view& view, std::size_t runs) {
  return !view.job.running && view.runs->size() == runs;
}

}  // namespace pivotscope::testing
