#include "app/report/figure_words.hpp"

#include <fmt/format.h>

#include "app/cli/options/machine_options.hpp"
#include "app/cli/table.hpp"
#include "core/statistics/compare.hpp"
#include "core/sweep/sweep_result.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {

std::string shown_figure(const figure& f) {
  if (const auto* text = std::get_if<std::string>(&f.value)) return *text;
  if (const auto* count = std::get_if<u64>(&f.value)) return count_text(*count);
  const double* value = std::get_if<double>(&f.value);
  if (value == nullptr) return "-";
  switch (f.hint) {
    case figure_hint::rate:
      return rate_text(*value);
    case figure_hint::throughput:
      return throughput_text(*value);
    case figure_hint::milliseconds:
      return milliseconds_text(*value) + " ms";
    case figure_hint::seconds:
      return fmt::format("{:.1f} s", *value);
    case figure_hint::bytes:
      return bytes_text(static_cast<u64>(*value));
    case figure_hint::share:
      return share_words(*value);
    case figure_hint::ratio:
    case figure_hint::count:
    case figure_hint::text:
      break;
  }
  return fmt::format("{:.2f}", *value);
}

std::string middle_half(const figure_line& line) {
  const auto number = [&](std::string_view name) {
    const auto* value = std::get_if<double>(&figure_of(line, name).value);
    return value == nullptr ? 0.0 : *value;
  };
  const double median = number("per_second");
  if (median <= 0) return "-";
  return fmt::format("{:+.1f} {:+.1f}%", (number("lower_quartile") / median - 1) * 100,
                     (number("upper_quartile") / median - 1) * 100);
}

std::string command_of(const sweep& of, const sweep_head& head) {
  const std::string scale = head.scale == 0 ? "" : fmt::format(" --scale {}", head.scale);
  const std::string rounds =
      head.rounds.fixed() && head.rounds.least > 0 ? fmt::format(" --rounds {}", head.rounds.least) : "";
  return fmt::format("pivotscope sweep {} --machine {}{}{} --json {}.json", of.name, machine_name(head.machine.kind),
                     scale, rounds, of.name);
}

std::string device_words(const machine_info& machine) {
  std::string words = machine_words(machine);
  const std::string kind = fmt::format("{}, ", machine_name(machine.kind));
  return words.starts_with(kind) ? words.substr(kind.size()) : words;
}

}  // namespace pivotscope
