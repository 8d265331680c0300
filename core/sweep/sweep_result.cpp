#include "core/sweep/sweep_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/common/expect.hpp"
#include "core/common/whole_file.hpp"
#include "core/index/config_text.hpp"
#include "core/run/json_parts.hpp"
#include "core/sweep/sweep_folder.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int json_format = 1;

// A value of the right kind or the library's exception; what is not there is empty.
std::string text_at(const json& of, const char* name) {
  return of.contains(name) ? of.at(name).get<std::string>() : std::string();
}
u32 small_count_at(const json& of, const char* name) {
  const u64 count = of.at(name).get_ref<const json::number_unsigned_t&>();
  return static_cast<u32>(std::min<u64>(count, ~0u));
}
double number_at(const json& of, const char* name) {
  const double value = of.at(name).get<double>();
  if (!std::isfinite(value) || value < 0) throw std::invalid_argument(fmt::format("{} that is none", name));
  return value;
}
double time_from(const json& value) {
  const double ms = value.get<double>();
  if (!std::isfinite(ms) || ms < 0) throw std::invalid_argument("a time that is none");
  return ms;
}

figure_hint hint_of_wanted(std::string_view measure) {
  if (measure == "rate") return figure_hint::rate;
  return measure == "time" ? figure_hint::milliseconds : figure_hint::ratio;
}

figure_line line_from(const json& row) {
  figure_line line = figure_names();
  const figure_hint wanted = hint_of_wanted(text_at(row, "wanted_of"));
  for (figure& one : line) {
    if (one.name == "wanted" || one.name == "got") one.hint = wanted;
    const auto at = row.find(one.name);
    if (at == row.end() || at->is_null()) {
      if (one.hint == figure_hint::text) one.value = std::string();
      continue;
    }
    if (one.hint == figure_hint::text)
      one.value = at->get<std::string>();
    else if (one.hint == figure_hint::count)
      one.value = u64{at->get_ref<const json::number_unsigned_t&>()};
    else
      one.value = at->get<double>();
  }
  if (text_of_figure(line, "row").empty()) throw std::invalid_argument("a row without a name");
  return line;
}

// Nothing of a file that is older than these counters. A file has all or none.
std::optional<memory_counters> memory_from(const json& row) {
  memory_counters memory;
  std::size_t there = 0;
  for (const memory_counter& one : all_memory_counters) {
    const auto at = row.find(one.name);
    if (at == row.end() || at->is_null()) continue;
    memory.*one.value = at->get<double>(), ++there;
    if (!may_be(one, memory.*one.value)) throw std::invalid_argument(fmt::format("{} that is none", one.name));
  }
  if (there == 0) return std::nullopt;
  if (there < all_memory_counters.size()) throw std::invalid_argument("some counters of the memories, and not all");
  return memory;
}

// What a plot takes of a row; without a config where it has no figures.
sweep_point point_from(const json& row, const figure_line& line, const sweep& of, const machine_info& machine) {
  sweep_point point{.machine = machine};
  const std::string id = text_of_figure(line, "row");
  if (const sweep_row* known = of.row(id)) point.row = *known;
  point.row.id = id;
  point.row.series = text_of_figure(line, "series");
  point.row.width = text_of_figure(line, "key_width") == "u64" ? key_width::u64 : key_width::u32;
  outcome<workload> load = workload_from_line(text_of_figure(line, "workload"));
  if (!load) throw std::invalid_argument(load.error().words);
  point.row.load = std::move(*load);
  point.problem = text_of_figure(line, "problem");
  const std::string config = text_of_figure(line, "config");
  if (config.empty()) return point;
  tuned_config best{.finalist = true};
  if (!set_program(point.row, config)) {
    const outcome<index_config> read = config_from_line(config);
    if (!read) throw std::invalid_argument(read.error().words);
    best.config = *read;
  }
  const json& candidate = row.at("candidates").at(0);
  best.index_bytes = candidate.at("index_bytes").get_ref<const json::number_unsigned_t&>();
  best.build_ms = time_from(candidate.at("build_ms"));
  outcome<std::vector<named_time>> stages = named_times_from_text(text_of_figure(line, "build_stages"));
  if (!stages) throw std::invalid_argument(stages.error().words);
  best.build_stages = std::move(*stages);
  if (const auto* operations = std::get_if<u64>(&figure_of(line, "operations").value)) best.operations = *operations;
  for (const json& ms : candidate.at("samples_ms")) best.samples_ms.push_back(time_from(ms));
  if (best.samples_ms.empty()) throw std::invalid_argument("a config without times");
  if (const auto* sort = std::get_if<double>(&figure_of(line, "sort_ms").value)) point.sort_ms = *sort;
  if (const auto* write = std::get_if<double>(&figure_of(line, "write_ms").value)) point.write_ms = *write;
  if (const auto* last = std::get_if<double>(&figure_of(line, "last_batch_ms").value)) best.last_batch_ms = *last;
  if (const auto* rays = std::get_if<double>(&figure_of(line, "rays_ms").value)) point.rays_ms = *rays;
  if (const auto* sectors = std::get_if<double>(&figure_of(line, "sectors").value)) point.sectors = *sectors;
  if (const auto* instructions = std::get_if<u64>(&figure_of(line, "instructions").value))
    point.counters = {.occupancy = number_at(row, "occupancy"),
                      .instructions = *instructions,
                      .cycles_per_instruction = number_at(row, "cycles_per_instruction"),
                      .memory = memory_from(row)};
  point.ranking.push_back(std::move(best));
  return point;
}

sweep_head head_from(const json& all) {
  sweep_head head{.program = text_at(all, "program"), .commit = text_at(all, "commit")};
  outcome<machine_info> machine = machine_from_json(all.at("machine"));
  if (!machine) throw std::invalid_argument(machine.error().words);
  head.machine = std::move(*machine);
  head.clocks_before = text_at(all, "clocks_before"), head.clocks_after = text_at(all, "clocks_after");
  head.scale = small_count_at(all, "scale");
  head.rounds = {.least = small_count_at(all, "rounds"), .repeats = small_count_at(all, "repeats")};
  // Before there was a rule, they were fixed.
  head.rounds.most = all.contains("most_rounds") ? small_count_at(all, "most_rounds") : head.rounds.least;
  head.complete = all.at("complete").get<bool>();
  return head;
}

sweep sweep_from(const json& all) {
  const std::string name = all.at("sweep").get<std::string>();
  const outcome<const sweep*> known = find_sweep(name);
  sweep of = known ? **known : sweep{};
  if (!known) of.name = name, of.sentence = "A sweep that this program does not know";
  of.source = text_at(all, "source"), of.saw = text_at(all, "saw");
  of.missing.clear();
  for (const json& one : all.at("missing")) of.missing.push_back({text_at(one, "series"), text_at(one, "why")});
  return of;
}

sweep_result result_from(const json& all) {
  if (!all.is_object() || !all.contains("sweep") || !all.contains("rows"))
    throw std::invalid_argument("it is not the JSON of a sweep");
  if (all.at("format") != json_format) throw std::invalid_argument("it is of another format");
  sweep_result result{.of = sweep_from(all), .head = head_from(all)};
  for (const json& row : all.at("rows")) {
    result.lines.push_back(line_from(row));
    const std::string id = text_of_figure(result.lines.back(), "row");
    // A row stands there again for each of its wants.
    const auto same = [&](const sweep_point& point) { return point.row.id == id; };
    if (std::any_of(result.points.begin(), result.points.end(), same)) continue;
    result.points.push_back(point_from(row, result.lines.back(), result.of, result.head.machine));
  }
  return result;
}

outcome<json> parsed(std::string_view text) {
  json all = json::parse(text, nullptr, false);
  if (all.is_discarded()) return problem{"it is no JSON, or it was cut off"};
  return all;
}

}  // namespace

outcome<sweep_result> sweep_result_from_json(std::string_view text) {
  const outcome<json> all = parsed(text);
  if (!all) return all.error();
  return in_words([&] { return result_from(*all); });
}

outcome<sweep_result> sweep_result_of_folder(const fs::path& folder) {
  const outcome<std::string> name = sweep_folder::name_in(folder);
  if (!name) return name.error();
  const outcome<const sweep*> of = find_sweep(*name);
  if (!of) return problem{fmt::format("{}: {}", folder.string(), of.error().words)};
  const outcome<sweep_folder> read = sweep_folder::read(folder, **of);
  if (!read) return read.error();
  const folder_head& head = read->head();
  sweep_result result{.of = **of, .points = read->points(), .damaged = read->damaged()};
  result.head = {.program = head.program,
                 .commit = head.commit,
                 .machine = head.machine,
                 .scale = head.scale,
                 .rounds = head.rounds,
                 .complete = result.points.size() == (*of)->rows.size()};
  for (const sweep_point& point : result.points)
    for (figure_line& line : figures_of(result.of, point, head.scale)) result.lines.push_back(std::move(line));
  return result;
}

outcome<sweep_result> read_sweep_result(const fs::path& path) {
  std::error_code none;
  if (fs::is_directory(path, none)) return sweep_result_of_folder(path);
  std::string text;
  if (const int error = read_whole_file(path, text); error != 0)
    return problem{fmt::format("{}: {}", path.string(), system_words(error))};
  outcome<sweep_result> result = sweep_result_from_json(text);
  if (!result) return problem{fmt::format("{}: {}", path.string(), result.error().words)};
  return result;
}

outcome<std::string> short_sweep_json(std::string_view text) {
  if (const outcome<sweep_result> whole = sweep_result_from_json(text); !whole) return whole.error();
  return in_words([&] {
    json all = json::parse(text);
    const json rows = std::exchange(all["rows"], json::array());
    all["machine"]["detail"] = driver_words(text_at(all["machine"], "detail"));
    std::string out = all.dump(1, ' ', true);
    std::string lines;
    for (json row : rows) {
      json& candidates = row["candidates"];
      if (candidates.size() > 1) candidates = json::array({candidates[0]});
      std::erase_if(row.get_ref<json::object_t&>(),
                    [](const auto& field) { return field.second.is_null() || field.second == ""; });
      lines += (lines.empty() ? "\n  " : ",\n  ") + row.dump(-1, ' ', true);
    }
    const std::string empty = "\"rows\": []";
    return out.replace(out.find(empty), empty.size(), "\"rows\": [" + lines + "\n ]") + "\n";
  });
}

std::string driver_words(std::string_view detail) {
  std::string kept;
  while (!detail.empty()) {
    const std::size_t end = std::min(detail.find("; "), detail.size());
    std::string clause(detail.substr(0, end));
    detail.remove_prefix(std::min(end + 2, detail.size()));
    // A place in brackets is left out; what is about a place, all of it.
    const std::size_t open = clause.find(" ("), close = clause.find(')', std::min(open, clause.size()));
    if (close != clause.npos && clause.substr(open, close - open).find('/') != clause.npos)
      clause.erase(open, close - open + 1);
    if (!clause.empty() && clause.find('/') == clause.npos) kept += (kept.empty() ? "" : "; ") + clause;
  }
  return kept;
}

}  // namespace pivotscope
