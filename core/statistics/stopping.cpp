#include "core/statistics/stopping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pivotscope {
namespace {

// Stable: from so many runs on, over so many looks, it differs by no more than this from what it is now. Four looks are a
// third of the runs.
constexpr u64 least_for_stable = 64;
constexpr std::size_t looks_for_stable = 4;
constexpr double still_stable = 0.1;

// A second mode may have but two of ten runs, which the middle half does not see: so the middle four fifths must be narrow
// as well, if not as much.
bool has_strays(std::span<const double> samples, double noise) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  constexpr double four_fifths_of_normal = 2.563;  // in standard deviations
  return quantile(sorted, 0.9) - quantile(sorted, 0.1) > 3 * four_fifths_of_normal * noise * quantile(sorted, 0.5);
}

}  // namespace

std::string_view stop_name(stop_reason reason) {
  switch (reason) {
    case stop_reason::not_asked:
      return "";
    case stop_reason::fixed:
      return "fixed";
    case stop_reason::quiet:
      return "quiet";
    case stop_reason::stable:
      return "stable";
    case stop_reason::time:
      return "time";
    case stop_reason::most:
      return "most";
  }
  return "";
}

stop_reason stop_of_name(std::string_view name) {
  for (const stop_reason one :
       {stop_reason::fixed, stop_reason::quiet, stop_reason::stable, stop_reason::time, stop_reason::most})
    if (stop_name(one) == name) return one;
  return stop_reason::not_asked;
}

sampling joined(const sampling& first, const sampling& then, std::span<const double> all) {
  return {.why = first.doubtful() ? first.why : then.why,
          .thrown_away = first.thrown_away + then.thrown_away,
          .held_back = first.held_back || then.held_back,
          .drift = drift_of(all)};
}

std::string held_back_words(const sampling& how) {
  std::string words;
  if (how.held_back) words = "the clock was held back in all of a go's runs, which count for want of others";
  if (how.thrown_away > 0)
    words += fmt::format("{}{} on a clock that was held back do{} not count", words.empty() ? "" : "; ",
                         how.thrown_away, how.thrown_away == 1 ? "es" : "");
  return words;
}

std::string stop_words(const sampling& how, const sample_summary& of) {
  const std::string noise =
      of.noise ? fmt::format("a noise of {}", share_words(*of.noise)) : "too few runs to tell the noise";
  std::string words;
  switch (how.why) {
    case stop_reason::not_asked:
      return "";
    case stop_reason::fixed:
      words = fmt::format("{} run{}, as asked for", of.count, of.count == 1 ? "" : "s");
      break;
    case stop_reason::quiet:
      words = fmt::format("the noise is {}", share_words(of.noise.value_or(0)));
      break;
    case stop_reason::stable:
      words = fmt::format("the noise has settled at {}", share_words(of.noise.value_or(0)));
      break;
    case stop_reason::time:
      words = fmt::format("time was up, with {}", noise);
      break;
    case stop_reason::most:
      words = fmt::format("{} runs are the most, with {}", of.count, noise);
      break;
  }
  if (how.drift != 0)
    words += fmt::format("; later runs are {} {}", share_words(how.drift), how.drift > 0 ? "slower" : "faster");
  if (how.held_back)
    words += "; the clock was held back in all of them";
  else if (how.thrown_away > 0)
    words += fmt::format("; {} on a clock that was held back do{} not count", how.thrown_away,
                         how.thrown_away == 1 ? "es" : "");
  return words;
}

stop_reason noise_watch::look(std::span<const double> samples) {
  noises_.push_back(summary_of(samples).noise.value_or(0));
  if (std::abs(drift_of(samples)) > noise_) return stop_reason::not_asked;
  if (noises_.back() <= noise_ && !has_strays(samples, noise_)) return stop_reason::quiet;
  return samples.size() >= least_for_stable && settled() ? stop_reason::stable : stop_reason::not_asked;
}

bool noise_watch::settled() const {
  if (noises_.size() < looks_for_stable) return false;
  return std::all_of(noises_.end() - looks_for_stable, noises_.end(),
                     [&](double noise) { return std::abs(noise - noises_.back()) <= still_stable * noises_.back(); });
}

stopping_rule::stopping_rule(const stopping_options& options, time_source now)
    : options_(options),
      now_(std::move(now)),
      began_(now_()),
      watch_(options.noise),
      next_look_(std::max<u64>(options.least, few_samples)) {}

void stopping_rule::add(double sample, bool held_back) {
  (held_back ? held_back_ : samples_).push_back(sample);
  why_ = reason();
}

stop_reason stopping_rule::reason() {
  const u64 runs = samples_.size();
  if (options_.fixed != 0) {
    // A clock that stays low must not keep it for ever.
    if (runs >= options_.fixed) return stop_reason::fixed;
    return runs + held_back_.size() >= 2 * options_.fixed ? stop_reason::most : stop_reason::not_asked;
  }
  if (runs >= next_look_) {
    next_look_ = runs + std::max<u64>(1, runs / 10);
    if (const stop_reason why = watch_.look(samples_); why != stop_reason::not_asked) return why;
  }
  if (seconds() >= options_.seconds) return stop_reason::time;
  return runs + held_back_.size() >= options_.most ? stop_reason::most : stop_reason::not_asked;
}

double stopping_rule::fraction() const {
  const auto of = [](double done, double all) { return all > 0 ? std::min(1.0, done / all) : 1.0; };
  const auto runs = static_cast<double>(samples_.size());
  if (options_.fixed != 0) return of(runs, static_cast<double>(options_.fixed));
  return of(seconds(), options_.seconds);
}

sampling stopping_rule::how() const {
  const bool all = samples_.empty() && !held_back_.empty();
  return {why_, all ? 0 : held_back_.size(), all, drift_of(samples())};
}

}  // namespace pivotscope
