#include "app/cli/terminal_job.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace pivotscope {
namespace {

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return 79;
  return size.ws_col - 1u;
}

void put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

constexpr std::string_view erase_line = "\r\033[K";

}  // namespace

terminal_job::terminal_job()
    : control_([this](std::string_view stage, double fraction) { line_.report(stage, fraction, seconds()); }) {
  if (isatty(STDERR_FILENO) != 0) painter_ = std::thread([this] { draw_until_told(); });
}

terminal_job::~terminal_job() {
  if (painter_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    ended_.notify_one();
    painter_.join();
  }
}

double terminal_job::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

void terminal_job::draw_until_told() {
  using namespace std::chrono_literals;
  bool drawn = false;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, drawn ? 100ms : 1000ms, [this] { return end_; })) {
    std::string text =
        control_.cancelled() ? "stopping; ctrl-C again to kill" : line_.text(seconds(), terminal_columns());
    if (text.empty()) continue;
    put(fmt::format("{}{}", erase_line, text));
    drawn = true;
  }
  if (drawn) put(erase_line);
}

}  // namespace pivotscope
