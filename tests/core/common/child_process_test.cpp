// Other programs: what they print, how they end, and that they end when they are told to.
#include "core/common/child_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <thread>

#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

outcome<ended_program> shell(const std::string& line, const job_control& control = {}) {
  return run_program("/bin/sh", {"-c", line}, control);
}

TEST(child_process, gives_what_is_printed_to_both_and_how_it_ended) {
  const auto both = shell("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(both) << both.error().words;
  EXPECT_EQ(both->output, "out\nerr\n");
  EXPECT_EQ(both->status, 3);
  const auto nothing = shell("exit 0");
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->output, "");
  EXPECT_EQ(nothing->status, 0);
  const auto killed = shell("kill -KILL $$");
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->status, 128 + SIGKILL);
}

TEST(child_process, has_no_input_and_says_numbers_plainly) {
  ::setenv("LC_ALL", "de_DE.UTF-8", 1);
  const auto ended = shell("cat; echo \"$LC_ALL\"");
  ::unsetenv("LC_ALL");
  ASSERT_TRUE(ended) << ended.error().words;
  EXPECT_EQ(ended->output, "C\n");
}

TEST(child_process, keeps_the_end_of_much_output) {
  const auto ended = shell("head -c 5000000 /dev/zero | tr '\\0' x; echo end");
  ASSERT_TRUE(ended) << ended.error().words;
  EXPECT_EQ(ended->output.size(), ended_program::most_output);
  EXPECT_TRUE(ended->output.ends_with("xend\n"));
}

TEST(child_process, says_what_cannot_be_started) {
  const auto none = run_program("/nonexistent/ncu", {}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().words, "/nonexistent/ncu cannot be started: No such file or directory");
}

// The program and what it started: neither ends by itself, and each keeps what it may print to open. So that this ends at all
// says that both are gone.
TEST(child_process, ends_with_all_that_it_started_when_cancelled) {
  const scratch_folder folder;
  const std::string begun = folder.write("begun", "");
  job_control control;
  std::thread canceller([&] {
    while (contents_of(begun).empty()) std::this_thread::yield();
    control.cancel();
  });
  const auto ended = shell("sleep infinity & echo begun >" + begun + "; wait", control);
  canceller.join();
  ASSERT_FALSE(ended);
  EXPECT_TRUE(ended.error().cancelled);
}

}  // namespace
}  // namespace pivotscope
