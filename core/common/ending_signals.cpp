#include "core/common/ending_signals.hpp"

#include <cerrno>

namespace pivotscope {
namespace {

constexpr std::array<int, 3> numbers = {SIGINT, SIGTERM, SIGHUP};

std::atomic<job_control*> control_of_one{nullptr};
std::atomic<sem_t*> arrival_of_one{nullptr};
std::atomic<int> first{0};
static_assert(std::atomic<job_control*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
                  std::atomic<int>::is_always_lock_free,
              "a signal handler may touch nothing that locks");

extern "C" void ask_to_end(int number) {
  const int error = errno;
  for (const int each : numbers) ::signal(each, SIG_DFL);
  int none = 0;
  first.compare_exchange_strong(none, number);
  if (job_control* control = control_of_one.load()) control->cancel();
  if (sem_t* arrival = arrival_of_one.load()) ::sem_post(arrival);
  errno = error;
}

}  // namespace

ending_signals::ending_signals(job_control& control, std::function<void()> then) : then_(std::move(then)) {
  ::sem_init(&arrival_, 0, 0);
  control_of_one = &control;
  arrival_of_one = &arrival_;
  if (then_) waiting_ = std::thread([this] { wait_for_one(); });
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ::sigaction(numbers[i], nullptr, &before_[i]);
    if (numbers[i] == SIGHUP && before_[i].sa_handler == SIG_IGN) continue;
    // No SA_RESTART: what waits for a pipe is to wake up.
    struct sigaction action {};
    action.sa_handler = ask_to_end;
    for (const int other : numbers) sigaddset(&action.sa_mask, other);
    ::sigaction(numbers[i], &action, nullptr);
  }
}

ending_signals::~ending_signals() {
  for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &before_[i], nullptr);
  over_ = true;
  ::sem_post(&arrival_);
  if (waiting_.joinable()) waiting_.join();
  control_of_one = nullptr;
  arrival_of_one = nullptr;
  ::sem_destroy(&arrival_);
}

int ending_signals::came() { return first.load(); }

void ending_signals::wait_for_one() {
  while (::sem_wait(&arrival_) != 0) continue;  // interrupted
  if (!over_) then_();
}

}  // namespace pivotscope
