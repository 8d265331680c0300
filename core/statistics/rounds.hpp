// When have several candidates been measured long enough? They are run in turns, round after round, so that a drift of
// the clock meets all of them alike, and the rounds end for all of them at once: when each, by itself, is quiet or
// stable (stopping.hpp), or when the time is up. To go on with the noisy ones alone would be to compare runs of
// different times.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/statistics/stopping.hpp"

namespace pivotscope {

struct round_plan {
  u32 least = 0, most = 0;  // rounds; the same: so many, whatever the noise
  u32 repeats = 0;          // runs of each candidate in a round
  double seconds = 2;       // of the wall, for all candidates together: once they are over there is no further round
  bool fixed() const { return most <= least; }
  u32 least_runs() const { return least * repeats; }
  u32 most_runs() const { return (fixed() ? least : most) * repeats; }
  std::string words() const;       // "2 rounds of 7 runs each", "2 to 12 rounds of 7 runs each"
  std::string runs_words() const;  // "14 runs", "14 to 84 runs"
  stopping_options alone() const;  // the same for a single candidate, which needs no rounds
  bool operator==(const round_plan&) const = default;
};

class rounds_rule {
 public:
  rounds_rule(const round_plan& plan, std::size_t candidates, time_source now = std::chrono::steady_clock::now);

  bool go_on() const { return !over_; }
  u32 rounds() const { return rounds_; }  // that are over
  // A round is over: the runs of each candidate up to now. One that has none is out.
  void add_round(std::span<const std::span<const double>> samples);
  // Why a candidate's runs are as many as they are; not_asked while the rounds go on, and of one that is out.
  stop_reason why(std::size_t candidate) const;

 private:
  round_plan plan_;
  time_source now_;
  std::chrono::steady_clock::time_point began_;
  std::vector<noise_watch> watches_;
  std::vector<stop_reason> settled_;  // by its last look: quiet, stable, or not_asked
  std::vector<bool> out_;
  u32 rounds_ = 0;
  bool over_ = false;
  stop_reason end_ = stop_reason::not_asked;  // of those that have not settled
};

}  // namespace pivotscope
