#include "app/session/sweeper.hpp"

#include "core/counters/nsight_compute.hpp"
#include "core/sweep/run_sweep.hpp"

namespace pivotscope {
namespace {

constexpr double seconds_between_frames = 0.033;

}  // namespace

sweeper::sweeper(board& shared, const viz::sweep_request& asked, machine_kind on, std::string cache_folder,
                 time_source now)
    : board_(shared),
      now_(std::move(now)),
      cache_folder_(std::move(cache_folder)),
      kind_(on),
      scale_(asked.scale),
      what_(std::make_shared<const sweep>(asked.of)),
      shown_at_(now_()) {
  state_.name = what_->measured_as(), state_.rows = what_->rows.size();
}

void sweeper::begin() {
  const std::shared_ptr<const viz::sweep_results> known = board_.copy().sweeps;
  if (known) {
    const auto before = known->find(state_.name);
    if (before != known->end() && before->second.measures(*what_, scale_, kind_)) {
      points_ = *before->second.points, machine_ = before->second.machine;
    }
  }
  state_.running = true;
  state_.done = points_.size();
  keep();
}

bool sweeper::go_on(pivotscope::machine& on, const machine_source& machines, const job_control& control) {
  machine_ = on.info();
  sweep_options options{
      .scale = scale_, .counters = counters_by_ncu(), .rates = find_rates(cache_folder_, machine_).rates, .now = now_};
  options.report = [&](const sweep_progress& now) {
    state_.words = now.words, state_.fraction = now.fraction;
    if (seconds_between(shown_at_, now_()) > seconds_between_frames) show();
  };
  const status done = run_sweep(*what_, on, machines, options, control, points_, [&](const sweep_point&) {
    state_.done = points_.size();
    keep();
    return fine();
  });
  if (done) return end({});
  return done.error().cancelled || end(done.error());
}

bool sweeper::end(const problem& why) {
  state_.running = false;
  state_.problem = why.words;
  show();
  return false;
}

void sweeper::stop() {
  state_.running = false;
  state_.stopped = true;
  show();
}

void sweeper::show() {
  shown_at_ = now_();
  board_.change([&](viz::session_view& view) { view.sweeping = state_; });
}

// All that was measured, in place of what the board had of this sweep.
void sweeper::keep() {
  const std::shared_ptr<const viz::sweep_results> known = board_.copy().sweeps;
  auto all = std::make_shared<viz::sweep_results>(known ? *known : viz::sweep_results());
  (*all)[state_.name] = {.of = what_,
                         .scale = scale_,
                         .kind = kind_,
                         .machine = machine_,
                         .points = std::make_shared<const std::vector<sweep_point>>(points_)};
  shown_at_ = now_();
  board_.change([&](viz::session_view& view) { view.sweeps = std::move(all), view.sweeping = state_; });
}

}  // namespace pivotscope
