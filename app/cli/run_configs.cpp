#include "app/cli/run_configs.hpp"

#include <fmt/format.h>

#include "app/cli/output.hpp"
#include "app/cli/table.hpp"
#include "core/config/config_text.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

std::string heading(const run_request& request, std::size_t i) {
  const std::string line = to_line(request.configs[i]);
  return request.configs.size() == 1 ? line : fmt::format("{}, {} of {}", line, i + 1, request.configs.size());
}

double sum_of_medians(const std::vector<stage_time>& times) {
  double sum = 0;
  for (const stage_time& time : times) sum += time.median();
  return sum;
}

table_row report_row(const scenario_report& report) {
  const std::string line = to_line(report.config);
  if (report.check.wrong > 0) return {line, "wrong answers"};
  return {line,
          bytes_text(report.index_bytes),
          milliseconds_text(report.sort.median()),
          milliseconds_text(sum_of_medians(report.builds)),
          milliseconds_text(report.lookup.median()),
          milliseconds_text(report.lookup.least()),
          milliseconds_text(report.lookup.greatest()),
          rate_text(report.lookups_per_second()),
          fmt::format("{}", report.check.found)};
}

}  // namespace

outcome<run_results> run_configs(machine& on, const run_request& request, terminal_job& job) {
  run_results results;
  std::optional<loaded_workload> loaded;
  for (std::size_t i = 0; i < request.configs.size(); ++i) {
    const index_config& config = request.configs[i];
    job.set_heading(heading(request, i));
    if (!loaded || loaded->keys.width() != config.keys) {
      loaded.reset();  // frees its memory before more is taken
      outcome<loaded_workload> made = load_workload(request.options, request.load, config.keys, on, job.control());
      if (!made) return made.error();
      loaded = std::move(*made);
      results.made.push_back({config.keys, loaded->keys_ms, loaded->lookups_ms});
    }
    outcome<scenario_report> report = run_scenario(on, config, loaded->keys, loaded->resident, loaded->lookups,
                                                   {.lookup = request.lookup}, job.control());
    if (!report) return report.error();
    if (!request.keep_answers) std::vector<u32>().swap(report->answers);
    results.reports.push_back(std::move(*report));
  }
  return results;
}

std::string reports_table(const std::vector<scenario_report>& reports) {
  std::vector<table_row> rows = {
      {"config", "index", "sort ms", "build ms", "lookup ms", "least", "greatest", "lookups", "found"}};
  for (const scenario_report& report : reports) rows.push_back(report_row(report));
  return table_text(rows);
}

int complain_about_wrong(const std::vector<scenario_report>& reports) {
  int count = 0;
  for (const scenario_report& report : reports) {
    if (report.check.wrong == 0) continue;
    ++count;
    complain(fmt::format("wrong: {}: {} ({} of {} answers are wrong)", to_line(report.config), report.check.first_wrong,
                         report.check.wrong, report.lookups));
  }
  return count;
}

}  // namespace pivotscope
