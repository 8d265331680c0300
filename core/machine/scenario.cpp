#include "core/machine/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/config/config_text.hpp"

namespace pivotscope {
namespace {

nlohmann::json time_json(const stage_time& time) {
  return {{"stage", time.name},
          {"median_ms", time.median()},
          {"least_ms", time.least()},
          {"greatest_ms", time.greatest()},
          {"samples_ms", time.samples_ms}};
}

std::string_view origin_name(kernel_info::source origin) {
  switch (origin) {
    case kernel_info::source::none:
      return "none";
    case kernel_info::source::compiled:
      return "compiled";
    case kernel_info::source::disk_cache:
      return "disk cache";
    case kernel_info::source::memory_cache:
      return "memory cache";
  }
  return "none";
}

nlohmann::json kernel_json(const kernel_info& kernel) {
  return {{"name", kernel.name},
          {"registers", kernel.registers},
          {"shared_bytes", kernel.shared_bytes},
          {"local_bytes", kernel.local_bytes},
          {"blocks_per_sm", kernel.blocks_per_sm},
          {"occupancy", kernel.occupancy},
          {"compile_ms", kernel.compile_ms},
          {"origin", origin_name(kernel.origin)}};
}

nlohmann::json times_json(const scenario_report& report) {
  nlohmann::json times = nlohmann::json::array({time_json(report.sort)});
  for (const stage_time& build : report.builds) times.push_back(time_json(build));
  times.push_back(time_json(report.lookup));
  for (const stage_time& time : report.row_times) times.push_back(time_json(time));
  return times;
}

double per_second(u64 count, double ms) { return ms > 0 ? static_cast<double>(count) / ms * 1e3 : 0; }

// What is known of an index once it is built.
scenario_report report_of(const machine& on, const built_index& index, const key_array& keys, const stage_time& sort) {
  scenario_report report;
  report.config = index.config();
  report.machine = on.info();
  report.keys = keys.size();
  report.index_bytes = index.bytes();
  report.entry_bytes = index.bytes(array_id::entries);
  report.row_bytes = index.bytes(array_id::rows);
  report.pivot_bytes = index.bytes(array_id::pivots);
  report.sort = sort;
  report.builds.assign(index.build_times().begin(), index.build_times().end());
  report.kernels.assign(index.kernels().begin(), index.kernels().end());
  return report;
}

}  // namespace

double scenario_report::lookups_per_second() const { return per_second(lookups, lookup.median()); }
double scenario_report::ranges_per_second() const { return per_second(ranges, lookup.median()); }
double scenario_report::entries_per_second() const { return per_second(entries, lookup.median()); }

outcome<scenario_report> run_scenario(machine& on, const index_config& config, const answer_checker& keys,
                                      std::shared_ptr<const resident_keys> resident, const key_array& lookups,
                                      const scenario_options& options, const job_control& control) {
  const stage_time sort = resident->sort_time();
  outcome<std::shared_ptr<const built_index>> index = on.build(config, std::move(resident), control);
  if (!index) return index.error();
  outcome<lookup_result> looked_up = on.lookup(**index, lookups, options.lookup, control);
  if (!looked_up) return looked_up.error();

  scenario_report report = report_of(on, **index, keys.keys(), sort);
  report.lookups = lookups.size();
  report.lookup = std::move(looked_up->time);
  report.kernels.push_back(std::move(looked_up->kernel));
  report.answers = std::move(looked_up->answers);
  if (options.check) {
    report.check = keys.lookups(lookups, report.answers, control);
    if (control.cancelled()) return job_control::cancelled_problem();
    report.checked = true;
  }
  return report;
}

outcome<scenario_report> run_scenario(machine& on, const index_config& config, const answer_checker& keys,
                                      std::shared_ptr<const resident_keys> resident, const range_array& ranges,
                                      const range_scenario_options& options, const job_control& control) {
  const stage_time sort = resident->sort_time();
  outcome<std::shared_ptr<const built_index>> index = on.build(config, std::move(resident), control);
  if (!index) return index.error();
  outcome<range_result> found = on.ranges(**index, ranges, options.ranges, control);
  if (!found) return found.error();

  scenario_report report = report_of(on, **index, keys.keys(), sort);
  report.of_ranges = true;
  report.ranges = ranges.size();
  for (const range_answer& answer : found->answers) report.entries += answer.count;
  report.lookup = std::move(found->time);
  report.row_times = std::move(found->row_times);
  report.kernels.push_back(std::move(found->kernel));
  report.range_answers = std::move(found->answers);
  report.range_begins = std::move(found->begins);
  report.range_rows = std::move(found->rows);
  if (options.check) {
    const bool no_rows = options.ranges.rows && report.range_begins.empty();
    report.check = keys.ranges(ranges, report.range_answers, report.range_begins, report.range_rows, control);
    if (control.cancelled()) return job_control::cancelled_problem();
    if (no_rows) report.check = {ranges.size(), std::max<u64>(1, ranges.size()), 0, "row ids are missing"};
    report.checked = true;
  }
  return report;
}

void to_json(nlohmann::json& json, const scenario_report& report) {
  nlohmann::json config;
  to_json(config, report.config);
  json = {{"config", config},
          {"config_line", to_line(report.config)},
          {"machine",
           {{"kind", machine_name(report.machine.kind)},
            {"name", report.machine.name},
            {"detail", report.machine.detail},
            {"processors", report.machine.processors},
            {"memory_bytes", report.machine.memory_bytes},
            {"l2_bytes", report.machine.l2_bytes},
            {"compute_capability", report.machine.compute_capability}}},
          {"keys", report.keys},
          {"lookups", report.lookups},
          {"ranges", report.ranges},
          {"checked", report.checked},
          {"wrong", report.check.wrong}};
  // A wrong index has no figures.
  if (report.check.wrong > 0) {
    json["first_wrong"] = report.check.first_wrong;
    return;
  }
  if (report.checked) json["found"] = report.check.found;
  json["bytes"] = {{"index", report.index_bytes},
                   {"entries", report.entry_bytes},
                   {"rows", report.row_bytes},
                   {"pivots", report.pivot_bytes}};
  json["times"] = times_json(report);
  if (!report.of_ranges) {
    json["lookups_per_second"] = report.lookups_per_second();
  } else {
    json["entries"] = report.entries;
    json["ranges_per_second"] = report.ranges_per_second();
    json["entries_per_second"] = report.entries_per_second();
  }
  json["kernels"] = nlohmann::json::array();
  for (const kernel_info& kernel : report.kernels) json["kernels"].push_back(kernel_json(kernel));
}

}  // namespace pivotscope
