#include "app/cli/run_configs.hpp"

#include <fmt/format.h>

#include <algorithm>

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

table_row range_row(const scenario_report& report, bool rows) {
  table_row row = report_row(report);
  if (report.check.wrong > 0) return row;
  row.resize(7);  // but for the lookups' rate and how many were found
  if (rows) row.push_back(milliseconds_text(sum_of_medians(report.row_times)));
  for (std::string cell : {rate_text(report.ranges_per_second()), rate_text(report.entries_per_second()),
                           fmt::format("{}", report.entries)}) {
    row.push_back(std::move(cell));
  }
  return row;
}

outcome<scenario_report> run_one(machine& on, const index_config& config, const answer_checker& keys,
                                 const loaded_workload& loaded, const run_request& request,
                                 const job_control& control) {
  if (!loaded.ranges) {
    return run_scenario(on, config, keys, loaded.resident, loaded.lookups, {.lookup = request.lookup}, control);
  }
  const range_options options{
      .repeats = request.lookup.repeats, .warm_ups = request.lookup.warm_ups, .rows = request.rows};
  return run_scenario(on, config, keys, loaded.resident, *loaded.ranges, range_scenario_options{.ranges = options},
                      control);
}

void drop_answers(scenario_report& report) {
  std::vector<u32>().swap(report.answers);
  std::vector<range_answer>().swap(report.range_answers);
  std::vector<u64>().swap(report.range_begins);
  std::vector<u32>().swap(report.range_rows);
}

std::string ranges_table(const std::vector<scenario_report>& reports) {
  const bool rows = std::any_of(reports.begin(), reports.end(), [](const auto& r) { return !r.row_times.empty(); });
  table_row head = {"config", "index", "sort ms", "build ms", "range ms", "least", "greatest"};
  if (rows) head.push_back("rows ms");
  head.insert(head.end(), {"ranges", "entries", "found"});
  std::vector<table_row> table = {head};
  for (const scenario_report& report : reports) table.push_back(range_row(report, rows));
  return table_text(table);
}

}  // namespace

outcome<run_results> run_configs(machine& on, const run_request& request, terminal_job& job) {
  run_results results;
  std::optional<loaded_workload> loaded;
  std::optional<answer_checker> keys;  // of `loaded`, with what it sorts
  for (std::size_t i = 0; i < request.configs.size(); ++i) {
    const index_config& config = request.configs[i];
    job.set_heading(heading(request, i));
    if (!loaded || loaded->keys.width() != config.keys) {
      keys.reset();
      loaded.reset();  // frees its memory before more is taken
      outcome<loaded_workload> made = load_workload(request.options, request.load, config.keys, on, job.control());
      if (!made) return made.error();
      loaded = std::move(*made);
      keys.emplace(loaded->keys);
      results.made.push_back({config.keys, loaded->keys_ms, loaded->lookups_ms});
    }
    outcome<scenario_report> report = run_one(on, config, *keys, *loaded, request, job.control());
    if (!report) return report.error();
    if (!request.keep_answers) drop_answers(*report);
    results.reports.push_back(std::move(*report));
  }
  return results;
}

std::string reports_table(const std::vector<scenario_report>& reports) {
  if (std::any_of(reports.begin(), reports.end(), [](const auto& r) { return r.of_ranges; })) {
    return ranges_table(reports);
  }
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
                         report.check.wrong, report.lookups + report.ranges));
  }
  return count;
}

}  // namespace pivotscope
