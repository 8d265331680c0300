#include "app/session/sweep_job.hpp"

#include "core/counters/nsight_compute.hpp"
#include "core/sweep/run_sweep.hpp"

namespace pivotscope {
sweep_job::sweep_job(board& shared, const viz::sweep_request& asked, machine_kind on, machine_source machines,
                     std::string cache_folder, time_source now)
    : background_job(shared, on, std::move(now)),
      machines_(std::move(machines)),
      cache_folder_(std::move(cache_folder)),
      scale_(asked.scale),
      what_(std::make_shared<const sweep>(asked.of)) {
  state_.name = what_->measured_as(), state_.rows = what_->rows.size();
}

void sweep_job::begin() {
  const std::shared_ptr<const viz::sweep_results> known = board_.copy().sweeps;
  if (known) {
    const auto before = known->find(state_.name);
    if (before != known->end() && before->second.measures(*what_, scale_, machine())) {
      points_ = *before->second.points, machine_info_ = before->second.machine;
    }
  }
  state_.running = true;
  state_.done = points_.size();
  keep();
}

bool sweep_job::go_on(pivotscope::machine& on, const job_control& control) {
  machine_info_ = on.info();
  sweep_options options{.scale = scale_,
                        .counters = counters_by_ncu(),
                        .rates = find_rates(cache_folder_, machine_info_).rates,
                        .now = now_};
  options.report = [&](const sweep_progress& now) {
    state_.words = now.words, state_.fraction = now.fraction;
    show_in_time();
  };
  const status done = run_sweep(*what_, on, machines_, options, control, points_, [&](const sweep_point&) {
    state_.done = points_.size();
    keep();
    return fine();
  });
  if (done) return end({});
  return done.error().cancelled || end(done.error());
}

bool sweep_job::end(const problem& why) {
  state_.running = false;
  state_.problem = why.words;
  show();
  return false;
}

void sweep_job::stop() {
  state_.running = false;
  state_.stopped = true;
  show();
}

// All that was measured, in place of what the board had of this sweep.
void sweep_job::keep() {
  const std::shared_ptr<const viz::sweep_results> known = board_.copy().sweeps;
  auto all = std::make_shared<viz::sweep_results>(known ? *known : viz::sweep_results());
  (*all)[state_.name] = {.of = what_,
                         .scale = scale_,
                         .kind = machine(),
                         .machine = machine_info_,
                         .points = std::make_shared<const std::vector<sweep_point>>(points_)};
  board_.change([&](viz::session_view& view) { view.sweeps = std::move(all), view.sweeping = state_; });
}

}  // namespace pivotscope
