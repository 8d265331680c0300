#include "app/cli/options/repeat_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/cli/options/option_list.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

// A number behind which `unit` may stand; nothing for anything else.
std::optional<double> number_with(std::string_view text, std::string_view unit, bool& has_unit) {
  has_unit = text.ends_with(unit);
  if (has_unit) text.remove_suffix(unit.size());
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

// "0.5%" or "0.005"
outcome<double> parse_noise(std::string_view text) {
  bool percent = false;
  const auto number = number_with(text, "%", percent);
  if (!number) return problem{fmt::format("--noise '{}' is not a share: write 0.5% or 0.005", text)};
  const double noise = percent ? *number / 100 : *number;
  if (noise <= 0 || noise >= 1)
    return problem{fmt::format("--noise {} is not above 0 and below 100%: write 0.5% or 0.005", text)};
  return noise;
}

// "10" or "10s"
outcome<double> parse_seconds(std::string_view text) {
  constexpr double most = 86'400;
  bool unit = false;
  const auto number = number_with(text, "s", unit);
  if (!number) return problem{fmt::format("--most-seconds '{}' is not a number of seconds", text)};
  if (*number <= 0 || *number > most)
    return problem{fmt::format("--most-seconds {} is not above 0 and at most {:.0f}, a day", text, most)};
  return *number;
}

}  // namespace

void repeat_options::add_to(option_list& to) {
  to.text("--repeats", repeats, {"N|auto"},
          "timed runs of all lookups (default 3); auto: as many as it takes to know the median (--noise)");
  to.text("--noise", noise, {"SHARE"},
          "with --repeats auto: runs end when they differ by less (default 0.5%), or stably");
  to.text("--most-seconds", most_seconds, {"S"}, "with --repeats auto: a time limit for each config (default 10)");
  to.text("--warm-ups", warm_ups, {"N"}, "runs before them that do not count (default 1)");
  to.flag("--cold", cold, "empty the last-level cache (L2 on cuda) before each run");
}

outcome<batch_options> repeat_options::read() const {
  batch_options options{.cold = cold};
  outcome<u64> before = parse_count(warm_ups, "--warm-ups", 0, 1'000'000);
  if (!before) return before.error();
  options.warm_ups = static_cast<u32>(*before);
  if (repeats == "auto") {
    stopping_options rule;
    if (noise) {
      const outcome<double> parsed = parse_noise(*noise);
      if (!parsed) return parsed.error();
      rule.noise = *parsed;
    }
    if (most_seconds) {
      const outcome<double> parsed = parse_seconds(*most_seconds);
      if (!parsed) return parsed.error();
      rule.seconds = *parsed;
    }
    options.until = rule;
    return options;
  }
  outcome<u64> runs = parse_count(repeats, "--repeats", 1, 1'000'000);
  if (!runs) return problem{runs.error().words + "; or write auto"};
  options.repeats = static_cast<u32>(*runs);
  return options;
}

std::string repeat_words(const batch_options& options) {
  const std::string cold = options.cold ? ", each with an empty cache" : "";
  if (options.until) {
    return fmt::format("median of as many runs as it takes{} (noise under {}, or stable, or {:g} s)", cold,
                       share_words(options.until->noise), options.until->seconds);
  }
  return fmt::format("median of {} run{}{}", options.repeats, options.repeats == 1 ? "" : "s", cold);
}

}  // namespace pivotscope
