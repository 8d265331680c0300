#include "app/report/measured_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/figure_words.hpp"
#include "app/report/measured_files.hpp"
#include "core/common/plain_words.hpp"
#include "core/common/shell_word.hpp"
#include "core/common/whole_file.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"

namespace pivotscope {
namespace {

// "On NVIDIA H200, ...; driver 580; clocks: 1980 MHz. pivotscope 0.1.0, commit 710d93e; 7 runs".
std::string measured_words(std::string device, const std::vector<std::string>& facts, const measured_by& by,
                           const std::string& method) {
  for (const std::string& fact : facts)
    if (!fact.empty()) device += "; " + fact;
  return fmt::format("On {}. {}, commit {}; {}", in_cell(device), in_cell(by.program), in_cell(by.commit), method);
}

std::string named(const char* what, const std::string& value) { return value.empty() ? "" : what + value; }

measured_table table_of(run_result run) {
  measured_table table{.row_name = "config",
                       .usual = {"config", "per_second", "middle_half", "median_ms", "runs", "index_bytes"}};
  table.names = run.lines.front();
  table.lines = std::move(run.lines);
  const auto first = [&](std::string_view name) {
    for (const figure_line& line : table.lines)
      if (std::string words = text_of_figure(line, name); !words.empty()) return words;
    return std::string();
  };
  table.measured = measured_words(device_words(run.machine),
                                  {named("driver ", run.machine.driver), driver_words(run.machine.detail),
                                   named("clocks after it: ", first("clocks"))},
                                  run.by, in_cell(run.method));
  table.command = fmt::format("pivotscope run --machine {} --workload {} --config ...", machine_name(run.machine.kind),
                              shell_word(run.workload));
  return table;
}

measured_table table_of(const memory_benchmark& floor) {
  measured_table table{.row_name = "kind",
                       .names = figures_of(benchmark_point{}),
                       .usual = {"kind", "array_bytes", "request_bytes", "per_second", "ms", "runs"}};
  for (const benchmark_point& point : floor.points)
    if (point.measured()) table.lines.push_back(figures_of(point));
  table.measured =
      measured_words(floor.name, {named("driver ", floor.driver), named("clocks after it: ", floor.clocks)}, floor.by,
                     "medians; what is read is looked at by its sum");
  table.command = fmt::format("pivotscope floor --machine {} --again --json floor.json", machine_name(floor.kind));
  return table;
}

}  // namespace

std::string in_cell(const std::string& words) {
  std::string out;
  for (const char c : plain_lines(words)) {
    if (c == '\n') continue;  // a cell is one line
    if (c == '|' || c == '\\' || c == '*' || c == '`' || c == '<' || c == '[') out += '\\';
    out += c;
  }
  return out;
}

measured_table table_of(const sweep_result& result) {
  measured_table table{.row_name = "row",
                       .names = figure_names(),
                       .lines = result.lines,
                       .usual = {"row", "config", "per_second", "middle_half", "median_ms", "runs", "of_sorted_array"}};
  if (std::any_of(table.lines.begin(), table.lines.end(),
                  [](const figure_line& line) { return figure_of(line, "wanted").known(); }))
    table.usual.insert(table.usual.end(), {"wanted", "verdict"});
  const sweep_head& head = result.head;
  table.measured = measured_words(device_words(head.machine),
                                  {named("driver ", head.machine.driver), driver_words(head.machine.detail),
                                   named("clocks before: ", head.clocks_before), named("after: ", head.clocks_after)},
                                  {head.program, head.commit},
                                  fmt::format("medians of {}; every answer was checked{}", head.rounds.runs_words(),
                                              head.complete ? "" : "; not all rows of the sweep were measured"));
  table.command = command_of(result.of, head);
  return table;
}

outcome<measured_table> read_measured_table(const std::filesystem::path& path) {
  std::string text;
  std::error_code none;
  if (!std::filesystem::is_directory(path, none) && read_whole_file(path, text) == 0) {
    const auto told = [&](const problem& why) { return problem{fmt::format("{}: {}", path.string(), why.words)}; };
    const result_kind kind = kind_of_result(text);
    if (kind == result_kind::run) {
      outcome<run_result> run = run_result_from_json(text);
      if (!run) return told(run.error());
      return table_of(std::move(*run));
    }
    if (kind == result_kind::floor) {
      const outcome<memory_benchmark> floor = memory_benchmark_result_from_json(text);
      if (!floor) return told(floor.error());
      return table_of(*floor);
    }
  }
  const outcome<sweep_result> sweep = read_sweep_result(path);
  if (!sweep) return sweep.error();
  return table_of(*sweep);
}

}  // namespace pivotscope
