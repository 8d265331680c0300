#include "core/statistics/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/common/expect.hpp"

namespace pivotscope {

std::string round_plan::words() const {
  const std::string rounds = fixed() ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  return fmt::format("{} round{} of {} run{} each", rounds, rounds == "1" ? "" : "s", repeats, repeats == 1 ? "" : "s");
}

std::string round_plan::runs_words() const {
  const std::string runs =
      fixed() ? fmt::format("{}", least_runs()) : fmt::format("{} to {}", least_runs(), most_runs());
  return fmt::format("{} run{}", runs, runs == "1" ? "" : "s");
}

stopping_options round_plan::alone() const {
  stopping_options rule{.least = least_runs(), .most = most_runs(), .seconds = seconds};
  if (fixed()) rule.fixed = least_runs();
  return rule;
}

rounds_rule::rounds_rule(const round_plan& plan, std::size_t candidates, time_source now)
    : plan_(plan),
      now_(std::move(now)),
      began_(plan.fixed() ? std::chrono::steady_clock::time_point{} : now_()),
      watches_(candidates, noise_watch(stopping_options{}.noise)),
      settled_(candidates, stop_reason::not_asked),
      out_(candidates, false),
      over_(candidates == 0 || plan.least == 0) {}

void rounds_rule::add_round(std::span<const std::span<const double>> samples) {
  PIVOTSCOPE_EXPECT(samples.size() == watches_.size());
  ++rounds_;
  bool all = true;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    out_[i] = samples[i].empty();
    if (out_[i]) continue;
    // Runs on a clock that was held back do not count, so there may be too few to tell.
    settled_[i] = samples[i].size() < stopping_options{}.least ? stop_reason::not_asked : watches_[i].look(samples[i]);
    all = all && settled_[i] != stop_reason::not_asked;
  }
  if (rounds_ < plan_.least) return;
  if (plan_.fixed())
    over_ = true, end_ = stop_reason::fixed;
  else if (all)
    over_ = true;
  else if (seconds_between(began_, now_()) >= plan_.seconds)
    over_ = true, end_ = stop_reason::time;
  else if (rounds_ >= plan_.most)
    over_ = true, end_ = stop_reason::most;
}

stop_reason rounds_rule::why(std::size_t candidate) const {
  if (!over_ || out_[candidate]) return stop_reason::not_asked;
  if (plan_.fixed() || settled_[candidate] == stop_reason::not_asked) return end_;
  return settled_[candidate];
}

}  // namespace pivotscope
