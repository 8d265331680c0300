// The real program with a real window, asked to end: it remembers, as if it had been closed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "app/files/settings.hpp"
#include "app/window/gl_window.hpp"
#include "core/common/whole_file.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

// Starts it with this folder for its settings; unlike start_program(), with the display.
pid_t start_window(const std::string& folder, const std::string& words, int err) {
  const std::string program = testing::program_path();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::dup2(err, STDERR_FILENO);
  ::setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  ::setenv("PIVOTSCOPE_CACHE", folder.c_str(), 1);
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  ::execl(program.c_str(), program.c_str(), "--workload", words.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

// It is up when its signals are caught.
bool catches(pid_t child, int signal) {
  const std::string status = contents_of("/proc/" + std::to_string(child) + "/status");
  const std::size_t at = status.find("SigCgt:");
  if (at == status.npos) return false;
  return (std::strtoull(status.c_str() + at + 7, nullptr, 16) >> (signal - 1) & 1) != 0;
}

TEST(window_ending, any_ending_signal_saves_what_is_remembered) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const scratch_folder folder;
    const int err = ::open((folder / "err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const pid_t child = start_window((folder / "").string(), "keys=77 distribution=dense", err);
    bool up = false;
    while (!(up = catches(child, signal)) && ::waitpid(child, nullptr, WNOHANG) == 0) ::usleep(1000);
    ASSERT_TRUE(up) << contents_of(folder / "err");
    ::kill(child, signal);
    EXPECT_EQ(wait_for_program(child), 0);
    ::close(err);
    EXPECT_EQ(contents_of(folder / "err"), "");
    const outcome<settings> remembered = load_settings(folder / "pivotscope/window.json");
    ASSERT_TRUE(remembered) << remembered.error().words;
    EXPECT_NE(remembered->scenario.find("keys=77"), std::string::npos) << remembered->scenario;
  }
}

// Is `words` in the file, within half a minute?
bool comes_to_hold(const std::filesystem::path& file, const char* words) {
  for (int waited = 0; waited < 30'000; waited += 10, ::usleep(10'000))
    if (const outcome<settings> kept = load_settings(file); kept && kept->scenario.find(words) != std::string::npos)
      return true;
  return false;
}

TEST(window_ending, a_window_that_is_killed_has_kept_what_it_remembers) {
  const scratch_folder folder;
  const std::string home = (folder / "").string();
  const std::filesystem::path first = folder / "pivotscope/window.json", second = folder / "pivotscope/window-2.json";
  const int err = ::open((folder / "err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const pid_t a = start_window(home, "keys=77 distribution=dense", err);
  EXPECT_TRUE(comes_to_hold(first, "keys=77")) << contents_of(folder / "err");
  // One that is opened beside it leaves that alone.
  const pid_t b = start_window(home, "keys=88 distribution=dense", err);
  EXPECT_TRUE(comes_to_hold(second, "keys=88")) << contents_of(folder / "err");
  for (const pid_t child : {a, b}) {
    ::kill(child, SIGKILL);
    wait_for_program(child);
  }
  ::close(err);
  EXPECT_TRUE(comes_to_hold(first, "keys=77"));
  EXPECT_TRUE(comes_to_hold(second, "keys=88"));
}

TEST(picture_file, is_there_in_whole_or_not_at_all) {
  const scratch_folder folder;
  const picture some{2, 2, {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9}};
  ASSERT_TRUE(write_png(folder / "x.png", some));
  const std::string bytes = contents_of(folder / "x.png");
  EXPECT_EQ(bytes, *png_of(some));
  EXPECT_TRUE(bytes.starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_TRUE(bytes.ends_with("IEND\xae\x42\x60\x82"));
  const status full = write_png("/dev/full", some);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().words, "cannot write /dev/full: No space left on device");
  EXPECT_FALSE(write_png(folder / "no/x.png", some));
  const status nothing_there = write_png(folder / "x.png", {});
  ASSERT_FALSE(nothing_there);
  EXPECT_EQ(nothing_there.error().words, "there is no picture");
  EXPECT_EQ(contents_of(folder / "x.png"), bytes);
}

}  // namespace
}  // namespace pivotscope
