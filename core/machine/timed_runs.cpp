#include "core/machine/timed_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

namespace pivotscope {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

outcome<timed_runs> time_runs(const batch_options& options, std::string_view doing, const job_control& control,
                              const std::function<outcome<timed_run>(u64 run)>& once) {
  u64 run = 0;
  for (; run < options.warm_ups; ++run) {
    if (control.cancelled()) return job_control::cancelled_problem();
    outcome<timed_run> warmed = once(run);
    if (!warmed) return warmed.error();
    if (!doing.empty()) control.progress(doing, 0);
  }
  stopping_rule rule(options.rule(), options.now);
  for (; rule.go_on(); ++run) {
    if (control.cancelled()) return job_control::cancelled_problem();
    outcome<timed_run> done = once(run);
    if (!done) return done.error();
    rule.add(done->ms, done->held_back);
    if (!doing.empty()) control.progress(doing, rule.fraction());
  }
  return timed_runs{rule.samples(), rule.how(), run};
}

u64 most_runs(const batch_options& options) {
  const stopping_options rule = options.rule();
  return options.warm_ups + (rule.fixed != 0 ? rule.fixed : rule.most);
}

measuring_conditions conditions_before(const batch_options& options) {
  measuring_conditions met;
  if (!options.measures()) return met;
  std::vector<std::string> governors;
  for (int processor = 0;; ++processor) {
    std::string governor = first_line(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", processor));
    if (governor.empty()) break;
    governors.push_back(std::move(governor));
  }
  met.governor = detail::governors_of(std::move(governors));
  met.load = detail::load_of(first_line("/proc/loadavg"));
  return met;
}

namespace detail {

std::string governors_of(std::vector<std::string> governors) {
  std::sort(governors.begin(), governors.end());
  governors.erase(std::unique(governors.begin(), governors.end()), governors.end());
  return fmt::format("{}", fmt::join(governors, ", "));
}

std::optional<double> load_of(const std::string& loadavg) {
  double load = 0;
  if (std::from_chars(loadavg.data(), loadavg.data() + loadavg.size(), load).ec != std::errc{}) return std::nullopt;
  return load;
}

}  // namespace detail
}  // namespace pivotscope
