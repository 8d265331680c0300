#include "app/cli/run_configs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/output.hpp"
#include "app/cli/table.hpp"
#include "app/report/figure_words.hpp"
#include "core/index/axes.hpp"
#include "core/run/entry_count.hpp"
#include "core/run/run_figures.hpp"
#include "core/tuning/name_alone.hpp"

namespace pivotscope {
namespace {

// A column of the table: a figure of the records.
struct column {
  std::string head;
  std::string_view figure;
};

std::vector<column> columns_of(const std::vector<run_record>& records) {
  const operation kind = records.empty() ? operation::find : records.front().kind;
  const bool sums = answer_of(kind) == answer_kind::sum;
  const std::string_view noun = operation_noun(kind), one = info_of(kind).one;
  std::vector<column> columns = {{"config", "config"},
                                 {"index", "index_bytes"},
                                 {"sort ms", "sort_ms"},
                                 {"build ms", "build_ms"},
                                 {fmt::format("{} ms", one), "median_ms"},
                                 {"least", "least_ms"},
                                 {"greatest", "greatest_ms"},
                                 {"runs", "runs"},
                                 {"noise", "noise"}};
  if (std::any_of(records.begin(), records.end(), [](const auto& r) { return !r.route.samples_ms.empty(); }))
    columns.push_back({"of it routing", "route_ms"});
  if (std::any_of(records.begin(), records.end(), [](const auto& r) { return !r.part.samples_ms.empty(); }))
    columns.push_back({"of it rays", "rays_ms"});
  if (std::any_of(records.begin(), records.end(), [](const auto& r) { return !r.row_times.empty(); }))
    columns.push_back({"rows ms", "rows_ms"});
  columns.push_back({std::string(noun), "per_second"});
  if (sums) columns.push_back({"entries", "entries_per_second"});
  columns.push_back({"found", sums ? "entries" : "found"});
  return columns;
}

// The unit of a time stands in the head, and counts are told in full.
std::string cell_of(const figure& f) {
  if (const auto* count = std::get_if<u64>(&f.value)) return fmt::format("{}", *count);
  const auto* value = std::get_if<double>(&f.value);
  return value && f.hint == figure_hint::milliseconds ? milliseconds_text(*value) : shown_figure(f);
}

}  // namespace

outcome<run_results> run_configs(machine& on, const run_request& request, terminal_job& job) {
  run_results results;
  const auto run_one = [&](const typed_config& typed, const loaded_workload& loaded) -> status {
    const key_width width = loaded.keys->width();
    if (results.made.empty() || results.made.back().width != width)
      results.made.push_back({width, loaded.keys_ms, loaded.batch_ms});
    const index_config config = config_for(typed, loaded.keys->size(), on.info());
    outcome<run_record> record = run_config(on, config, *loaded.keys, loaded.asked,
                                            {.batch = request.batch, .keep_index = request.keep_index}, job.control());
    if (!record) return record.error();
    if (!request.keep_answers) record->answers = {};
    results.records.push_back(std::move(*record));
    return fine();
  };
  if (status s = for_each_config(request.configs, request.options, request.load, on, job, run_one); !s)
    return s.error();
  return results;
}

std::string records_table(const std::vector<run_record>& records) {
  const std::vector<column> columns = columns_of(records);
  std::vector<table_row> rows(1);
  for (const column& one : columns) rows.front().push_back(one.head);
  for (const run_record& record : records) {
    const figure_line line = figures_of(record);
    table_row& row = rows.emplace_back();
    if (record.check.wrong > 0) {
      row = {text_of_figure(line, "config"), "wrong answers"};
      continue;
    }
    for (const column& one : columns) row.push_back(cell_of(figure_of(line, one.figure)));
  }
  return table_text(rows);
}

std::string holding_text(std::span<const holding> all, u64 rows) {
  std::vector<std::string> lines;
  for (const holding& one : all) {
    const std::string words = held_words(one.held, rows);
    if (words.empty()) continue;
    std::string line = fmt::format("\n{} {}.\n", method_name(one.config), words);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return fmt::format("{}", fmt::join(lines, ""));
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
