// When is a measurement long enough? A rule that is fed the time of each run, and has a clock of its own.
//
//   quiet    at least ten runs, the noise (samples.hpp) is under what was asked for, and not a fifth of the runs lie
//            far off: more runs tell nothing new
//   stable   the noise stays above it, but from 64 runs on it has not changed for a while: that is how the thing is
//   time     neither came before the time was up: a warning
//
// While later runs are slower or faster than earlier ones (drift_of) it is neither quiet nor stable. It looks at the
// tenth run, and then each time that a tenth more are there, so that few lucky runs end nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/time_source.hpp"
#include "core/statistics/compare.hpp"

namespace pivotscope {

struct stopping_options {
  u64 fixed = 0;  // so many runs, whatever their noise; 0: the rule
  u64 least = 10, most = 1000;
  double noise = 0.005;
  double seconds = 10;  // of the wall, from the rule's begin: warming up comes before it
};

enum class stop_reason : u8 { not_asked, fixed, quiet, stable, time, most };
// "fixed", "quiet" ... of a time that was taken without a rule: "".
std::string_view stop_name(stop_reason reason);
stop_reason stop_of_name(std::string_view name);  // not_asked of a name that is none

// How a list of samples came to be.
struct sampling {
  stop_reason why = stop_reason::not_asked;
  u64 thrown_away = 0;     // runs on a clock that was held back
  bool held_back = false;  // all were: these are the samples for want of others
  double drift = 0;        // of those that are there
  bool operator==(const sampling&) const = default;
  // Is there reason to doubt the median?
  bool doubtful() const { return why == stop_reason::time || why == stop_reason::most || held_back; }
};
// Of samples that were taken in two goes, one after the other: `all` are those of both.
sampling joined(const sampling& first, const sampling& then, std::span<const double> all);
// What is to be said of runs that a clock held back: "2 on a clock that was held back do not count"; empty: nothing.
std::string held_back_words(const sampling& how);
// Why it stopped, with its numbers: "the noise is 0.3%", "time was up, with a noise of 2.1%; later runs are 3% slower".
std::string stop_words(const sampling& how, const sample_summary& of);

// Looks at the samples from time to time, and says whether they are quiet or stable; else not_asked.
class noise_watch {
 public:
  explicit noise_watch(double noise) : noise_(noise) {}
  stop_reason look(std::span<const double> samples);

 private:
  bool settled() const;

  double noise_;
  std::vector<double> noises_ = {};  // at each look
};

class stopping_rule {
 public:
  explicit stopping_rule(const stopping_options& options, time_source now = std::chrono::steady_clock::now);

  // A run: its time, and whether the clock was held back, so that it does not count.
  void add(double sample, bool held_back = false);
  bool go_on() const { return why_ == stop_reason::not_asked; }
  double fraction() const;  // done, for who waits: a guess

  // What there is now; go_on() may be true when the job was cancelled.
  const std::vector<double>& samples() const { return samples_.empty() ? held_back_ : samples_; }
  sampling how() const;

 private:
  double seconds() const { return seconds_between(began_, now_()); }
  stop_reason reason();

  stopping_options options_;
  time_source now_;
  std::chrono::steady_clock::time_point began_;
  std::vector<double> samples_, held_back_;
  noise_watch watch_;
  u64 next_look_;
  stop_reason why_ = stop_reason::not_asked;
};

}  // namespace pivotscope
