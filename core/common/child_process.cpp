#include "core/common/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

#include "core/common/file_descriptor.hpp"

namespace pivotscope {
namespace {

constexpr int cancel_poll_ms = 50;

template <class T, int (*destroy)(T*)>
struct destroyed {
  void operator()(T* one) const {
    destroy(one);
    delete one;
  }
};
using file_actions = std::unique_ptr<posix_spawn_file_actions_t,
                                     destroyed<posix_spawn_file_actions_t, posix_spawn_file_actions_destroy>>;
using attributes = std::unique_ptr<posix_spawnattr_t, destroyed<posix_spawnattr_t, posix_spawnattr_destroy>>;

std::vector<std::string> plain_environment() {
  std::vector<std::string> all = {"LC_ALL=C"};
  for (char** one = environ; *one != nullptr; ++one)
    if (std::strncmp(*one, "LC_ALL=", 7) != 0) all.emplace_back(*one);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

int wait_for(pid_t child) {
  int state = 0;
  while (::waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

}  // namespace

outcome<ended_program> run_program(const std::filesystem::path& path, const std::vector<std::string>& arguments,
                                   const job_control& control) {
  const auto refused = [&](int error) {
    return problem{fmt::format("{} cannot be started: {}", path.string(), std::strerror(error))};
  };
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return refused(errno);
  const file_descriptor from(ends[0]);
  file_descriptor into(ends[1]);

  const file_actions actions(new posix_spawn_file_actions_t);
  posix_spawn_file_actions_init(actions.get());
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), into.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(actions.get(), into.number(), STDERR_FILENO);
  // A group of its own, which a signal reaches as a whole; ctrl-C is the control's to tell.
  const attributes how(new posix_spawnattr_t);
  posix_spawnattr_init(how.get());
  posix_spawnattr_setflags(how.get(), POSIX_SPAWN_SETPGROUP);

  std::vector<std::string> words = {path.string()}, environment = plain_environment();
  words.insert(words.end(), arguments.begin(), arguments.end());
  pid_t child = 0;
  if (const int error = ::posix_spawn(&child, path.c_str(), actions.get(), how.get(), pointers(words).data(),
                                      pointers(environment).data());
      error != 0)
    return refused(error);
  into = file_descriptor();  // so that the pipe ends with the program

  ended_program ended;
  bool cancelled = false;
  for (std::array<char, 1u << 14> part{};;) {
    if (!cancelled && control.cancelled()) cancelled = ::kill(-child, SIGKILL) == 0;
    pollfd ready{from.number(), POLLIN, 0};
    if (::poll(&ready, 1, cancel_poll_ms) <= 0) continue;
    const ssize_t got = ::read(from.number(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    ended.output.append(part.data(), static_cast<std::size_t>(got));
    if (ended.output.size() > 2 * ended_program::most_output)
      ended.output.erase(0, ended.output.size() - ended_program::most_output);
  }
  ended.status = wait_for(child);
  if (ended.output.size() > ended_program::most_output)
    ended.output.erase(0, ended.output.size() - ended_program::most_output);
  if (cancelled) return job_control::cancelled_problem();
  return ended;
}

}  // namespace pivotscope
