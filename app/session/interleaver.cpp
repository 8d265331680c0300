#include "app/session/interleaver.hpp"

namespace pivotscope {
namespace {

enum part : int { a_case = 1, all_orders = 2, a_search = 3, next_batch = 4 };
constexpr double seconds_between_frames = 0.033;

}  // namespace

interleaver::interleaver(board& shared, machine_source from, time_source now, timing_turns* room,
                         interleaving::code perform)
    : board_(shared), from_(std::move(from)), now_(std::move(now)), room_(room), perform_(perform), told_at_(now_()) {}

void interleaver::stop() {
  thread_.stop();
  const std::lock_guard lock(mutex_);
  ending_ = true;
  if (control_) control_->cancel();
}

// What runs comes again, or is out of date.
void interleaver::interrupt() {
  const std::lock_guard lock(mutex_);
  if (control_) control_->cancel();
}

std::shared_ptr<job_control> interleaver::begin_part() {
  auto control = std::make_shared<job_control>();
  const std::lock_guard lock(mutex_);
  if (ending_) control->cancel();
  return control_ = control;
}

outcome<machine*> interleaver::cpu() {
  if (!cpu_) {
    outcome<std::unique_ptr<machine>> opened = from_.open(machine_kind::cpu, {});
    if (!opened) return opened.error();
    cpu_ = std::move(*opened);
  }
  return cpu_.get();
}

void interleaver::show(const viz::interleave_request& asked) {
  thread_.replace(a_case, [this, asked] { run(asked); });
  interrupt();
}

void interleaver::run(const viz::interleave_request& asked) {
  const timing_turns::turn mine = turn();
  auto result = std::make_shared<viz::interleave_result>();
  result->asked = asked;
  const auto tell = [&] {
    shown_ = result;
    board_.change(
        [&](viz::session_view& view) { view.interleaved = std::make_shared<viz::interleave_result>(*result); });
  };
  viz::interleave_request without_order = asked;
  without_order.of.order = {};
  if (made_for_ != without_order) {
    made_.reset(), made_for_.reset(), switches_.reset();
    const outcome<machine*> on = cpu();
    auto made = on ? interleaving::make(**on, asked.config, asked.of, perform_)
                   : outcome<std::unique_ptr<interleaving>>(on.error());
    if (!made) {
      result->problem = made.error().words;
      return tell();
    }
    made_ = std::move(*made), made_for_ = without_order;
  }
  result->model = made_->model();
  for (u64 i = 0; i < asked.of.operations.size(); ++i) result->rows.push_back(made_->row_of(i));
  result->begin = made_->begin();
  result->run = made_->run(asked.of.order);
  result->switches = switches_;
  tell();
  if (!switches_) try_all_next();
}

void interleaver::try_all_next() {
  thread_.replace(all_orders, [this] { try_all(); });
}

void interleaver::try_all() {
  if (!made_ || switches_) return;
  const timing_turns::turn mine = turn();
  interleaving_report report = made_->two_switches(*begin_part());
  if (report.cancelled) return try_all_next();  // once what goes first is done
  switches_ = report;
  shown_->switches = std::move(report);
  board_.change([&](viz::session_view& view) { view.interleaved = std::make_shared<viz::interleave_result>(*shown_); });
}

void interleaver::search(const viz::interleave_search_request& asked) {
  thread_.replace(a_search, [this, asked] { begin_search(asked); });
  interrupt();
}

void interleaver::begin_search(const viz::interleave_search_request& asked) {
  search_ = {.number = search_.number + 1, .asked = asked, .running = true};
  tell_search();
  thread_.replace(next_batch, [this] { try_next(); });
}

void interleaver::stop_searching() {
  thread_.replace(a_search, [this] {
    if (search_.running) end_search(true);
  });
  interrupt();
}

void interleaver::end_search(bool stopped) {
  search_.running = false;
  search_.stopped = stopped;
  tell_search();
}

void interleaver::tell_search() {
  told_at_ = now_();
  board_.change([&](viz::session_view& view) { view.interleavings = search_; });
}

// One batch, and then what was asked for meanwhile goes first. One that this interrupts is tried again after it.
void interleaver::try_next() {
  if (!search_.running) return;
  if (!try_one()) return end_search(false);
  if (seconds_between(told_at_, now_()) > seconds_between_frames) tell_search();
  thread_.replace(next_batch, [this] { try_next(); });
}

// False: that was the last.
bool interleaver::try_one() {
  const auto& asked = search_.asked;
  if (search_.counts.schedules >= asked.schedules) return false;
  const timing_turns::turn mine = turn();
  const outcome<machine*> on = cpu();
  if (!on) return search_.problem = on.error().words, false;
  const std::shared_ptr<job_control> control = begin_part();
  interleaving_counts counts = search_.counts;
  auto failure = try_interleaving(**on, asked.config, asked.seed, search_.counts.cases, counts, *control, perform_);
  if (!failure && failure.error().cancelled) return true;
  if (!failure) return search_.problem = failure.error().words, false;
  search_.counts = counts;
  search_.failure = std::move(*failure);
  return !search_.failure;
}

}  // namespace pivotscope
