// Pipes and devices as the program's input: ended by ctrl-C at once, bounded by the memory, told in words.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <optional>
#include <thread>

#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// The program while it runs, its output in files.
class running_program {
 public:
  explicit running_program(const std::vector<std::string>& arguments) : out_(file("out")), err_(file("err")) {
    child_ = start_program(arguments, out_, err_);
  }
  ~running_program() {
    if (!ended_) ::kill(child_, SIGKILL), wait_for_program(child_);
    ::close(out_);
    ::close(err_);
  }

  // Returns once the program has opened the file; false: it has ended without.
  bool has_opened(const fs::path& path) {
    while (true) {
      std::error_code fault;
      for (const auto& link : fs::directory_iterator(fs::path("/proc") / std::to_string(child_) / "fd", fault)) {
        std::error_code gone;
        if (fs::read_symlink(link, gone) == path) return true;
      }
      siginfo_t about{};
      ::waitid(P_PID, static_cast<id_t>(child_), &about, WEXITED | WNOHANG | WNOWAIT);
      if (about.si_pid != 0) return false;
      std::this_thread::yield();
    }
  }
  void interrupt() const { ::kill(child_, SIGINT); }
  program_result result() {
    ended_ = true;
    const int status = wait_for_program(child_);
    return {status, contents_of(folder_ / "out"), contents_of(folder_ / "err")};
  }

 private:
  int file(const char* name) const { return ::open((folder_ / name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600); }

  scratch_folder folder_;
  int out_, err_;
  pid_t child_;
  bool ended_ = false;
};

void expect_cancelled(running_program& program) {
  const program_result result = program.result();
  EXPECT_EQ(result.status, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "pivotscope: cancelled\n");
}

std::vector<std::string> run_from(const char* option, const std::string& path) {
  return {"run", "--machine", "cpu", "--config", "AO+BS", option, path};
}

class input_pipe : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0); }

  scratch_folder folder_;
  const fs::path path_ = folder_ / "pipe";
};

TEST_P(input_pipe, that_nobody_writes_into_is_left_at_the_first_interrupt) {
  running_program program(run_from(GetParam(), path_));
  ASSERT_TRUE(program.has_opened(path_));
  program.interrupt();
  expect_cancelled(program);
}

TEST_P(input_pipe, whose_writer_rests_is_left_at_the_first_interrupt) {
  running_program program(run_from(GetParam(), path_));
  const int writer = ::open(path_.c_str(), O_WRONLY);  // waits for the reader
  ASSERT_GE(writer, 0);
  ASSERT_EQ(::write(writer, "1 2\n", 4), 4);
  program.interrupt();
  expect_cancelled(program);
  ::close(writer);
}

TEST_P(input_pipe, without_an_end_is_left_at_the_first_interrupt) {
  if (!fs::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  running_program program(run_from(GetParam(), "/dev/zero"));
  ASSERT_TRUE(program.has_opened("/dev/zero"));
  program.interrupt();
  expect_cancelled(program);
}

INSTANTIATE_TEST_SUITE_P(of, input_pipe, ::testing::Values("--keys-from", "--lookups-from", "--ranges-from"),
                         [](const auto& about) {
                           std::string name(about.param + 2);
                           name.replace(name.find('-'), 1, "_");
                           return name;
                         });

TEST(input_pipe, gives_the_answers_of_the_file) {
  const scratch_folder folder;
  const fs::path path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string answers = (folder / "answers").string();
  running_program program({"run", "--machine", "cpu", "--config", "AO+BS", "--keys-from", path, "--lookups-from",
                           folder.write("lookups", "30\n5\n20\n10\n"), "--answers", answers});
  std::ofstream(path) << "10\n20\n30\n";
  EXPECT_EQ(program.result().status, 0);
  EXPECT_EQ(contents_of(answers), "2\n-\n1\n0\n");
}

// As `ulimit -v` does for what a shell starts.
class address_space_limit {
 public:
  explicit address_space_limit(rlim_t bytes) {
    ::getrlimit(RLIMIT_AS, &before_);
    const rlimit lower{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_AS, &lower);
  }
  ~address_space_limit() { ::setrlimit(RLIMIT_AS, &before_); }
  address_space_limit(const address_space_limit&) = delete;
  address_space_limit& operator=(const address_space_limit&) = delete;

 private:
  rlimit before_{};
};

TEST(input_without_end, is_bounded_by_the_memory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes more of the address space than any limit leaves";
#endif
  if (!fs::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  std::optional<address_space_limit> limit(1ull << 30);
  running_program program(run_from("--keys-from", "/dev/zero"));
  limit.reset();
  const program_result result = program.result();
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("pivotscope: /dev/zero is too long for the memory: ")) << result.err;
  EXPECT_NE(result.err.find(" are free for the keys made of them; send less\n"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace pivotscope
