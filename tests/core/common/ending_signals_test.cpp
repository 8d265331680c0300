// What a signal does to a process, asked of processes of the test's own.
#include "core/common/ending_signals.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>

namespace pivotscope {
namespace {

// What became of a process that did this: its exit status, or minus the signal that killed it.
int fate_of(const std::function<int()>& deeds) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    ::_exit(deeds());
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

TEST(ending_signals, the_first_cancels) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(fate_of([&] {
                job_control control;
                const ending_signals signals(control);
                if (control.cancelled() || ending_signals::came() != 0) return 1;
                ::raise(number);
                return control.cancelled() && ending_signals::came() == number ? 77 : 2;
              }),
              77);
  }
}

TEST(ending_signals, the_second_kills_whichever_it_is) {
  for (const int one : {SIGINT, SIGTERM, SIGHUP}) {
    for (const int other : {SIGINT, SIGTERM, SIGHUP}) {
      EXPECT_EQ(fate_of([&] {
                  job_control control;
                  const ending_signals signals(control);
                  ::raise(one);
                  ::raise(other);
                  return 1;
                }),
                -other);
    }
  }
}

TEST(ending_signals, the_usual_effect_comes_back) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(fate_of([&] {
                job_control control;
                { const ending_signals signals(control); }
                ::raise(number);
                return 1;
              }),
              -number);
  }
}

TEST(ending_signals, a_job_after_a_cancelled_one_is_cancelled_by_another) {
  EXPECT_EQ(fate_of([] {
              {
                job_control control;
                const ending_signals signals(control);
                ::raise(SIGTERM);
              }
              job_control control;
              const ending_signals signals(control);
              if (control.cancelled()) return 1;
              ::raise(SIGINT);
              return control.cancelled() && ending_signals::came() == SIGTERM ? 77 : 2;
            }),
            77);
}

TEST(ending_signals, only_a_hang_up_that_was_ignored_still_is) {
  EXPECT_EQ(fate_of([] {
              ::signal(SIGHUP, SIG_IGN);
              ::signal(SIGINT, SIG_IGN);
              job_control control;
              const ending_signals signals(control);
              ::raise(SIGHUP);
              if (control.cancelled()) return 1;
              ::raise(SIGINT);
              return control.cancelled() ? 77 : 2;
            }),
            77);
}

TEST(ending_signals, then_something_is_done_outside_the_handler) {
  EXPECT_EQ(fate_of([] {
              std::promise<std::thread::id> done;
              job_control control;
              const ending_signals signals(control, [&] { done.set_value(std::this_thread::get_id()); });
              ::raise(SIGTERM);
              return done.get_future().get() != std::this_thread::get_id() && control.cancelled() ? 77 : 1;
            }),
            77);
}

TEST(ending_signals, without_a_signal_nothing_is_done) {
  EXPECT_EQ(fate_of([] {
              bool done = false;
              job_control control;
              {
                const ending_signals signals(control, [&] { done = true; });
              }
              return done || control.cancelled() ? 1 : 77;
            }),
            77);
}

}  // namespace
}  // namespace pivotscope
