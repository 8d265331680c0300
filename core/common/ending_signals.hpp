// The signals that ask a program to end: ctrl-C (SIGINT), SIGTERM, and SIGHUP, when its terminal goes away.
#pragma once

#include <semaphore.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <functional>
#include <thread>

#include "core/common/job_control.hpp"

namespace pivotscope {

// While it lives, the first of them cancels `control` and the next one, whichever, has its usual effect: it kills. One
// at a time. A SIGHUP that was ignored before (nohup) still is.
class ending_signals {
 public:
  // `then` is called soon after, on a thread of its own.
  explicit ending_signals(job_control& control, std::function<void()> then = {});
  ~ending_signals();
  ending_signals(const ending_signals&) = delete;
  ending_signals& operator=(const ending_signals&) = delete;

  // The one that came first; 0: none has.
  static int came();

 private:
  void wait_for_one();

  std::function<void()> then_;
  std::atomic<bool> over_{false};
  sem_t arrival_;
  std::array<struct sigaction, 3> before_;
  std::thread waiting_;
};

}  // namespace pivotscope
