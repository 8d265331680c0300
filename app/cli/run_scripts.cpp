#include "app/cli/run_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/repeat_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/table.hpp"
#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/workload/host_memory.hpp"
#include "core/workload/make_script.hpp"

namespace pivotscope {
namespace {

using milliseconds = std::chrono::duration<double, std::milli>;

struct loaded_script {
  std::shared_ptr<const key_set> keys;
  made_workload made;
};

// The script goes to the end of `scripts`.
outcome<loaded_script> load_script(machine& on, const run_request& request, key_width width,
                                   std::vector<script>& scripts, const job_control& control) {
  const workload load = request.options.in_full(request.load);
  outcome<loaded_key_set> keys = load_keys(load, width, on, control);
  if (!keys) return keys.error();
  const auto began = std::chrono::steady_clock::now();
  outcome<script> made = make_script(keys->set->keys(), load, control);
  if (!made) return made.error();
  const double made_ms = milliseconds(std::chrono::steady_clock::now() - began).count();
  for (const typed_config& typed : request.configs)
    if (auto why = check_serves(typed.config, *made)) return problem{*why};
  scripts.push_back(std::move(*made));
  return loaded_script{std::move(keys->set), {width, keys->ms, made_ms}};
}

// "5 added, 2 full"
std::string done_words(const write_counts& counts) {
  const std::pair<u64, const char*> parts[] = {
      {counts.added, "added"},   {counts.revived, "revived"}, {counts.replaced, "replaced"}, {counts.full, "full"},
      {counts.erased, "erased"}, {counts.absent, "absent"},   {counts.noted, "noted"}};
  std::vector<std::string> words;
  for (const auto& [count, name] : parts)
    if (count != 0) words.push_back(fmt::format("{} {}", count, name));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string indexes_table(const std::vector<script_record>& records) {
  std::vector<table_row> rows = {{"config", "index before", "after", "entries", "sort ms", "build ms", "script ms"}};
  for (const script_record& record : records) {
    const std::string line = to_line(record.config);
    if (record.wrong() > 0) {
      rows.push_back({line, "wrong"});
      continue;
    }
    rows.push_back({line, bytes_text(record.bytes_before), bytes_text(record.bytes_after),
                    fmt::format("{}", record.contents.found),
                    record.sort.name.empty() ? "-" : milliseconds_text(record.sort.median()),
                    milliseconds_text(record.build_ms()), milliseconds_text(record.total_ms())});
  }
  return table_text(rows);
}

std::string batches_table(const script_record& record) {
  const auto& batches = record.batches;
  const bool has_room = std::any_of(batches.begin(), batches.end(), [](const auto& b) { return !b.room.empty(); });
  table_row head = {"batch", "kind", "operations", "ms", "least", "greatest"};
  if (has_room) head.push_back("room ms");
  head.insert(head.end(), {"rate", "found", "done"});
  std::vector<table_row> rows = {head};
  for (const script_batch_record& batch : batches) {
    const sample_summary of = batch.time.summary();
    table_row row = {fmt::format("{}", rows.size()),      std::string(batch.kind_name()),
                     fmt::format("{}", batch.operations), milliseconds_text(of.median),
                     milliseconds_text(of.least),         milliseconds_text(of.greatest)};
    if (has_room) row.push_back(batch.room.empty() ? "" : milliseconds_text(batch.room_ms()));
    row.push_back(batch.whole ? "" : rate_text(batch.operations_per_second()));
    row.push_back(batch.check.checked == 0 ? "" : fmt::format("{}", batch.check.found));
    row.push_back(done_words(batch.counts));
    rows.push_back(std::move(row));
  }
  return table_text(rows);
}

// Of more batches than a terminal's screen has room for.
std::string kinds_table(const script_record& record) {
  const std::vector<script_kind_sums> kinds = record.sums_by_kind();
  const bool has_room = std::any_of(kinds.begin(), kinds.end(), [](const auto& k) { return k.room_ms > 0; });
  table_row head = {"kind", "batches", "operations", "ms"};
  if (has_room) head.push_back("room ms");
  head.insert(head.end(), {"rate", "found", "done"});
  std::vector<table_row> rows = {head};
  for (const script_kind_sums& kind : kinds) {
    table_row row = {std::string(kind.kind), fmt::format("{}", kind.batches), fmt::format("{}", kind.operations),
                     milliseconds_text(kind.ms)};
    if (has_room) row.push_back(milliseconds_text(kind.room_ms));
    row.push_back(kind.operations == 0 ? "" : rate_text(kind.operations_per_second()));
    row.push_back(kind.checked == 0 ? "" : fmt::format("{}", kind.found));
    row.push_back(done_words(kind.counts));
    rows.push_back(std::move(row));
  }
  return table_text(rows) +
         "\nSums of all batches of a kind, of their medians; --csv FILE and --json have each batch.\n";
}

// Batches whose inserts found no room, the first few of them.
std::string full_text(const script_record& record) {
  constexpr u64 shown = 5;
  std::string text;
  u64 full = 0;
  for (std::size_t b = 0; b < record.batches.size(); ++b) {
    const std::string words = record.batches[b].full_words();
    if (words.empty()) continue;
    if (++full <= shown) text += fmt::format("\nBatch {}: {}.\n", b + 1, words);
  }
  if (full > shown) text += fmt::format("\nSo it is in {} batches more.\n", full - shown);
  return text;
}

constexpr std::size_t most_rows = 40;

}  // namespace

outcome<script_results> run_scripts(machine& on, const run_request& request, terminal_job& job) {
  script_results results;
  std::optional<loaded_script> loaded;
  for (std::size_t i = 0; i < request.configs.size(); ++i) {
    const key_width width = request.configs[i].config.keys;
    job.set_heading(heading_of(request.configs, i));
    if (!loaded || loaded->keys->width() != width) {
      loaded.reset();  // frees its memory before more is taken
      outcome<loaded_script> made = load_script(on, request, width, results.scripts, job.control());
      if (!made) return made.error();
      loaded = std::move(*made);
      results.made.push_back(loaded->made);
    }
    const index_config config = config_for(request.configs[i], loaded->keys->size(), on.info());
    outcome<script_record> record =
        run_script_config(on, config, *loaded->keys, results.scripts.back(), {.batch = request.batch}, job.control());
    if (!record) return record.error();
    if (!request.keep_index) record->index.reset();
    if (!request.keep_answers) record->answers = {};
    results.records.push_back(std::move(*record));
  }
  return results;
}

std::string scripts_text(const run_request& request, const machine_info& info, const script_results& results) {
  const std::vector<script_record>& records = results.records;
  if (std::all_of(records.begin(), records.end(), [](const auto& r) { return r.wrong() > 0; })) return {};
  const script& asked = results.scripts.front();
  std::string text = fmt::format("{}\non {}\n", to_line(request.options.in_full(request.load)), machine_words(info));
  text += fmt::format("{} keys, {} operations in {} batch{}, {}; every answer was checked\n\n", records.front().keys,
                      asked.size(), asked.batches().size(), asked.batches().size() == 1 ? "" : "es",
                      repeat_words(request.batch));
  text += indexes_table(records);
  std::vector<holding> held;
  for (const script_record& record : records)
    if (record.wrong() == 0) held.push_back({record.config, record.held});
  text += holding_text(held, records.front().keys);
  for (const script_record& record : records) {
    if (record.wrong() > 0) continue;
    text += records.size() == 1 ? "\n" : fmt::format("\n{}\n\n", to_line(record.config));
    text += record.batches.size() > most_rows ? kinds_table(record) : batches_table(record);
    text += full_text(record);
    if (const auto words = caution(record.config))
      text += fmt::format("\n{}: {}.\n", method_name(record.config), *words);
  }
  return text;
}

int complain_about_wrong(const std::vector<script_record>& records) {
  int count = 0;
  for (const script_record& record : records) {
    if (record.wrong() == 0) continue;
    ++count;
    complain(fmt::format("wrong: {}: {}", to_line(record.config), record.first_wrong()));
  }
  return count;
}

}  // namespace pivotscope
