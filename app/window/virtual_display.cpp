#include "app/window/virtual_display.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

extern char** environ;

namespace pivotscope {
namespace {

constexpr int seconds_to_start = 20;

pid_t server = 0;

// After GLFW has let go of the display, whose exit handler is set later and so runs earlier.
void end_server() {
  if (server <= 0) return;
  kill(server, SIGTERM);
  waitpid(server, nullptr, 0);
  server = 0;
}

// The number that Xvfb chose, once it is ready: a line of digits. Empty when it ends before, or takes too long.
std::string number_from(int pipe_end) {
  std::string text;
  pollfd waits{.fd = pipe_end, .events = POLLIN, .revents = 0};
  while (!text.ends_with('\n')) {
    if (poll(&waits, 1, seconds_to_start * 1000) <= 0) return "";
    char piece[16];
    const ssize_t count = read(pipe_end, piece, sizeof piece);
    if (count <= 0) return "";
    text.append(piece, static_cast<std::size_t>(count));
  }
  text.pop_back();
  return text;
}

// Its process; 0 where there is none to start. It ends with its last window, so that it outlives no program that is killed.
pid_t spawn_server(int number_to) {
  const std::string to = std::to_string(number_to);
  const char* words[] = {"Xvfb",         "-displayfd", to.c_str(), "-screen",    "0",
                         "1920x1200x24", "-nolisten",  "tcp",      "-terminate", nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  // ctrl-C is for the program, which ends the server in its turn.
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  const int fault = posix_spawnp(&process, words[0], &files, &how, const_cast<char**>(words), environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  return fault == 0 ? process : 0;
}

}  // namespace

bool has_display() {
  const char* x = std::getenv("DISPLAY");
  return x && *x;
}

status provide_display() {
  if (has_display()) return fine();
  int ends[2];
  if (pipe(ends) != 0)
    return problem{fmt::format("there is no display, and no pipe to start one: {}", std::strerror(errno))};
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  server = spawn_server(ends[1]);
  close(ends[1]);
  const std::string number = server > 0 ? number_from(ends[0]) : "";
  close(ends[0]);
  if (number.empty()) {
    const bool found = server > 0;
    end_server();
    return problem{found ? "there is no display, and Xvfb, which makes one, did not start"
                         : "there is no display, and no Xvfb to make one (Debian: xvfb); an SVG needs none"};
  }
  std::atexit(end_server);
  setenv("DISPLAY", (":" + number).c_str(), 1);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
  unsetenv("WAYLAND_DISPLAY");
  return fine();
}

}  // namespace pivotscope
