// The built program, run as a person runs it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/places.hpp"

namespace pivotscope {

struct program_result {
  int status = -1;  // the exit status; 128 + the signal that ended it
  std::string out, err;
};

inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder of the test's own, gone afterwards.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "pivotscope-test-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  std::string write(const char* name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

// Starts the program with its output on two descriptors; the child's id.
inline pid_t start_program(const std::vector<std::string>& arguments, int out, int err,
                           const char* program = "pivotscope") {
  std::string path = testing::program_path(program);
  std::vector<char*> list{path.data()};
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is ended leaves nothing running
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);  // under nohup too
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::unsetenv("DISPLAY");
  ::unsetenv("WAYLAND_DISPLAY");
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);  // the same on a machine with a GPU
  ::execv(path.c_str(), list.data());
  ::_exit(127);
}

// Waits until the program has taken up a job that ctrl-C ends, and has worked on it for a tenth of a second of its own
// processor time; false: it has ended before.
inline bool wait_until_it_works(pid_t child) {
  const auto works = [child] {
    const std::string of_child = "/proc/" + std::to_string(child);
    const std::string status = contents_of(of_child + "/status"), stat = contents_of(of_child + "/stat");
    const std::size_t caught = status.find("SigCgt:"), name_end = stat.rfind(')');
    if (caught == status.npos || name_end == stat.npos) return false;
    const bool catches = (std::stoull(status.substr(caught + 7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
    std::istringstream fields(stat.substr(name_end + 2));
    std::string field;
    for (int i = 0; i < 11; ++i) fields >> field;  // up to utime
    long user = 0, kernel = 0;
    fields >> user >> kernel;
    return catches && (user + kernel) * 10 >= ::sysconf(_SC_CLK_TCK);
  };
  while (!works()) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
      return false;
    ::usleep(1000);
  }
  return true;
}

inline int wait_for_program(pid_t child) {
  int state = 0;
  ::waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

inline program_result run_program(const std::vector<std::string>& arguments, const char* program = "pivotscope") {
  const scratch_folder folder;
  const int out = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int err = ::open((folder / "err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  program_result result;
  result.status = wait_for_program(start_program(arguments, out, err, program));
  ::close(out);
  ::close(err);
  result.out = contents_of(folder / "out");
  result.err = contents_of(folder / "err");
  return result;
}

// The program whose machines tell `lie`, or have given figures (lying_program.cpp).
inline program_result run_lying(const char* lie, const std::vector<std::string>& arguments) {
  ::setenv("PIVOTSCOPE_LIE", lie, 1);
  program_result result = run_program(arguments, testing::lying_program);
  ::unsetenv("PIVOTSCOPE_LIE");
  return result;
}

}  // namespace pivotscope
