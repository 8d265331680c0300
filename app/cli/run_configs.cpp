#include "app/cli/run_configs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/output.hpp"
#include "app/cli/table.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

double sum_of_medians(const std::vector<stage_time>& times) {
  double sum = 0;
  for (const stage_time& time : times) sum += time.median();
  return sum;
}

table_row record_row(const run_record& record) {
  const std::string line = to_line(record.config);
  if (record.check.wrong > 0) return {line, "wrong answers"};
  const sample_summary of = record.time.summary();
  return {line,
          bytes_text(record.index_bytes),
          record.sort.name.empty() ? "-" : milliseconds_text(record.sort.median()),
          milliseconds_text(record.build_ms()),
          milliseconds_text(of.median),
          milliseconds_text(of.least),
          milliseconds_text(of.greatest),
          fmt::format("{}", of.count),
          of.noise ? share_words(*of.noise) : "-",
          rate_text(record.operations_per_second()),
          fmt::format("{}", record.check.found)};
}

table_row range_row(const run_record& record, bool rows) {
  table_row row = record_row(record);
  if (record.check.wrong > 0) return row;
  row.resize(9);  // but for the lookups' rate and how many were found
  if (rows) row.push_back(milliseconds_text(sum_of_medians(record.row_times)));
  for (std::string cell : {rate_text(record.operations_per_second()), rate_text(record.entries_per_second()),
                           fmt::format("{}", record.entries)}) {
    row.push_back(std::move(cell));
  }
  return row;
}

std::string ranges_table(const std::vector<run_record>& records) {
  const bool rows = std::any_of(records.begin(), records.end(), [](const auto& r) { return !r.row_times.empty(); });
  table_row head = {"config", "index", "sort ms", "build ms", "range ms", "least", "greatest", "runs", "noise"};
  if (rows) head.push_back("rows ms");
  head.insert(head.end(), {"ranges", "entries", "found"});
  std::vector<table_row> table = {head};
  for (const run_record& record : records) table.push_back(range_row(record, rows));
  return table_text(table);
}

}  // namespace

std::string heading_of(const run_request& request, std::size_t i) {
  const std::string line = to_line(request.configs[i]);
  return request.configs.size() == 1 ? line : fmt::format("{}, {} of {}", line, i + 1, request.configs.size());
}

outcome<run_results> run_configs(machine& on, const run_request& request, terminal_job& job) {
  run_results results;
  std::optional<loaded_workload> loaded;
  for (std::size_t i = 0; i < request.configs.size(); ++i) {
    const index_config& config = request.configs[i];
    job.set_heading(heading_of(request, i));
    if (!loaded || loaded->keys->width() != config.keys) {
      loaded.reset();  // frees its memory before more is taken
      outcome<loaded_workload> made = load_workload(request.options, request.load, config.keys, on, job.control(),
                                                    wants_sorted_keys(request.configs));
      if (!made) return made.error();
      loaded = std::move(*made);
      results.made.push_back({config.keys, loaded->keys_ms, loaded->batch_ms});
    }
    outcome<run_record> record =
        run_config(on, config, *loaded->keys, loaded->asked, {.batch = request.batch}, job.control());
    if (!record) return record.error();
    if (!request.keep_answers) record->answers = {};
    results.records.push_back(std::move(*record));
  }
  return results;
}

std::string records_table(const std::vector<run_record>& records) {
  if (std::any_of(records.begin(), records.end(), [](const auto& r) { return r.kind == operation::range; })) {
    return ranges_table(records);
  }
  const operation kind = records.empty() ? operation::find : records.front().kind;
  std::vector<table_row> rows = {{"config", "index", "sort ms", "build ms",
                                  kind == operation::successor ? "successor ms" : "lookup ms", "least", "greatest",
                                  "runs", "noise", std::string(operation_noun(kind)), "found"}};
  for (const run_record& record : records) rows.push_back(record_row(record));
  return table_text(rows);
}

std::string sampling_text(const std::vector<run_record>& records) {
  std::string text;
  for (const run_record& record : records) {
    const sampling& how = record.time.how;
    const bool plain = how.why == stop_reason::not_asked || (how.why == stop_reason::fixed && how.thrown_away == 0);
    if (record.check.wrong > 0 || (plain && !how.held_back)) continue;
    text += fmt::format("\n{}{}: {}.", how.doubtful() ? "in doubt, " : "", to_line(record.config),
                        stop_words(how, record.time.summary()));
  }
  return text.empty() ? text : text + "\n";
}

int complain_about_wrong(const std::vector<run_record>& records) {
  int count = 0;
  for (const run_record& record : records) {
    if (record.check.wrong == 0) continue;
    ++count;
    complain(fmt::format("wrong: {}: {} ({} of {} answers are wrong)", to_line(record.config), record.check.first_wrong,
                         record.check.wrong, record.operations));
  }
  return count;
}

}  // namespace pivotscope
