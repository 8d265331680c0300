// A long operation of the command line: shown on a terminal while it lasts, ended by ctrl-C, SIGTERM and SIGHUP.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "app/cli/progress_line.hpp"
#include "core/common/ending_signals.hpp"
#include "core/common/job_control.hpp"

namespace pivotscope {

// While it lives: the first ctrl-C, SIGTERM or SIGHUP cancels the control, a second one kills the program. When
// standard error is a terminal, a line of progress appears after a second, is redrawn in place and is gone at the end.
// One at a time.
class terminal_job {
 public:
  terminal_job();
  ~terminal_job();
  terminal_job(const terminal_job&) = delete;
  terminal_job& operator=(const terminal_job&) = delete;

  const job_control& control() const { return control_; }
  // Shown before the stage's name.
  void set_heading(std::string heading) { line_.set_heading(std::move(heading)); }
  // Shown instead of the stages, from now on.
  void report_whole(std::string_view words, double fraction) { line_.report_whole(words, fraction, seconds()); }

 private:
  void draw_until_told();
  double seconds() const;

  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  progress_line line_;
  job_control control_;
  ending_signals signals_{control_};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread painter_;
};

}  // namespace pivotscope
