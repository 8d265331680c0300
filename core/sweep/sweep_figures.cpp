#include "core/sweep/sweep_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/index/config_text.hpp"
#include "core/run/json_parts.hpp"
#include "core/sweep/timed_part.hpp"

namespace pivotscope {
namespace {

std::string_view measure_name(measure what) {
  switch (what) {
    case measure::rate:
      return "rate";
    case measure::time:
      return "time";
    case measure::sort_and_build:
      return "sort and build";
  }
  return "";
}

figure_hint hint_of(measure what) {
  switch (what) {
    case measure::rate:
      return figure_hint::rate;
    case measure::time:
      return figure_hint::milliseconds;
    case measure::sort_and_build:
      break;
  }
  return figure_hint::ratio;
}

// 0.85; what is less than a hundredth has two digits as well.
std::string share_text(double share) {
  if (share >= 0.995 && share < 1) return fmt::format("{:.3f}", std::floor(share * 1000) / 1000);  // not 1.00
  return share < 0.01 ? fmt::format("{:.2g}", share) : fmt::format("{:.2f}", share);
}

std::string verdict_words(const told_want& told, const std::optional<std::string>& not_judged) {
  if (not_judged) return fmt::format("{} of it, not judged: {}", share_text(told.share()), *not_judged);
  return told.reached() ? "reached" : fmt::format("falls short: {} of it", share_text(told.share()));
}

// Why a rate falls short, as far as the model can tell: the memory has no more to give, or it is not used up.
std::string why_words(const sweep_point& point, const told_want& told) {
  if (told.wanted.what != measure::rate || told.reached() || point.model_rate <= 0) return {};
  const double allowed = point.model_rate / told.limit, used = told.got / point.model_rate;
  if (allowed < 1)
    return fmt::format("by the model {} allows {} of it at most; {} of that is reached", point.model_bound,
                       share_text(allowed), share_text(used));
  return fmt::format("by the model {} allows {} of it; {} of that is reached: not for lack of bandwidth",
                     point.model_bound, share_text(allowed), share_text(used));
}

// Of its place in the sweep's plot.
std::string tick_words(const sweep& of, const sweep_row& row) {
  return of.plot && row.tick && *row.tick < of.plot->ticks.size() ? of.plot->ticks[*row.tick] : "";
}

figure_line line_of(const sweep& of, const sweep_point& point, const told_want* told,
                    const std::optional<std::string>& not_judged) {
  const sweep_row& row = point.row;
  const tuned_config* best = point.best();
  const auto known = [&](auto&& of_best) { return best ? std::optional<double>(of_best(*best)) : std::nullopt; };
  figure_builder out;
  out.text("row", row.id);
  out.count("keys", row.load.keys);
  out.text("key_width", row.width == key_width::u32 ? "u32" : "u64");
  out.text("workload", to_line(row.load));
  out.text("series", row.series);
  out.text("tick", tick_words(of, row));
  out.text("machine", std::string(machine_name(point.machine.kind)));
  const timed_part timed = timed_part_of(row.load);
  out.text("asked", std::string(timed.noun));
  out.count("operations", timed.operations);
  out.text("config", best ? point.name_of(*best) : "");
  out.value("per_second", figure_hint::rate, known([](const tuned_config& c) { return c.rate(); }));
  out.value("lower_quartile", figure_hint::rate, known([](const tuned_config& c) { return c.rate_at(0.75); }));
  out.value("upper_quartile", figure_hint::rate, known([](const tuned_config& c) { return c.rate_at(0.25); }));
  out.value("median_ms", figure_hint::milliseconds, known([&](const tuned_config&) { return point.median_ms(); }));
  const sample_summary runs = best ? best->summary() : sample_summary{};
  out.value("least_ms", figure_hint::milliseconds, known([&](const tuned_config&) { return runs.least; }));
  out.value("greatest_ms", figure_hint::milliseconds, known([&](const tuned_config&) { return runs.greatest; }));
  out.count("runs", runs.count);
  out.value("noise", figure_hint::share, runs.noise);
  out.text("stopped", best ? std::string(stop_name(best->how.why)) : "");
  out.count("thrown_away", best ? std::optional<u64>(best->how.thrown_away) : std::nullopt);
  out.text("note", point.note());
  out.count("ties", best ? point.ties() : 0);
  out.value("index_bytes", figure_hint::bytes,
            known([](const tuned_config& c) { return static_cast<double>(c.index_bytes); }));
  out.value("of_sorted_array", figure_hint::ratio,
            known([&](const tuned_config&) { return point.sorted_array_share(); }));
  out.value("sort_ms", figure_hint::milliseconds, point.best_sort_ms());
  out.value("build_ms", figure_hint::milliseconds, point.best_build_ms());
  out.text("build_stages", best ? to_text(best->build_stages) : "");
  out.value("sort_and_build_ms", figure_hint::milliseconds, point.sort_and_build_ms());
  out.value("write_ms", figure_hint::milliseconds, best ? point.write_ms : std::nullopt);
  out.value("last_batch_ms", figure_hint::milliseconds, best ? best->last_batch_ms : std::nullopt);
  out.value("rays_ms", figure_hint::milliseconds, best ? point.rays_ms : std::nullopt);
  out.value("per_second_per_byte", figure_hint::rate, point.rate_per_byte());
  out.value("device_bytes", figure_hint::bytes,
            best && point.device_bytes > 0 ? std::optional(static_cast<double>(point.device_bytes)) : std::nullopt);
  out.text("wanted_of", told ? std::string(measure_name(told->wanted.what)) : "");
  const figure_hint hint = told ? hint_of(told->wanted.what) : figure_hint::ratio;
  out.value("wanted", hint, told ? std::optional(told->limit) : std::nullopt);
  out.text("wanted_words", told ? told->words : "");
  out.value("got", hint, told ? std::optional(told->got) : std::nullopt);
  out.value("share", figure_hint::ratio, told ? std::optional(told->share()) : std::nullopt);
  out.text("verdict", told ? verdict_words(*told, not_judged) : "");
  out.text("why", told && !not_judged ? why_words(point, *told) : "");
  out.value("sectors", figure_hint::ratio, best && point.sectors > 0 ? std::optional(point.sectors) : std::nullopt);
  out.value("model_per_second", figure_hint::rate,
            best && point.model_rate > 0 ? std::optional(point.model_rate) : std::nullopt);
  out.text("model_bound", best ? point.model_bound : "");
  out.value("model_error", figure_hint::ratio, point.model_error());
  out.text("model_rates", point.model_error() ? point.model_words : "");
  const auto counted = [&](auto&& of_counters) {
    return point.counters ? std::optional<double>(of_counters(*point.counters)) : std::nullopt;
  };
  out.value("occupancy", figure_hint::share, counted([](const hardware_counters& c) { return c.occupancy; }));
  out.count("instructions", point.counters ? std::optional<u64>(point.counters->instructions) : std::nullopt);
  out.value("cycles_per_instruction", figure_hint::ratio,
            counted([](const hardware_counters& c) { return c.cycles_per_instruction; }));
  for (const memory_counter& one : all_memory_counters)
    out.value(
        one.name, one.share ? figure_hint::share : figure_hint::throughput,
        point.counters && point.counters->memory ? std::optional((*point.counters->memory).*one.value) : std::nullopt);
  out.text("counters_problem", point.counters_problem);
  out.text("adviser", point.advised && best ? to_line(*point.advised) : "");
  const double advised = point.advised_share();
  out.value("adviser_share", figure_hint::ratio, advised > 0 ? std::optional(advised) : std::nullopt);
  out.text("clocks", best ? point.clocks : "");
  out.text("governor", best ? point.governor : "");
  out.value("load", figure_hint::ratio, best ? point.load : std::nullopt);
  out.value("prepared_s", figure_hint::seconds, point.prepared_s);
  out.value("took_s", figure_hint::seconds, point.took_s);
  out.count("wrong", point.wrong ? 1 : 0);
  out.text("problem", point.problem);
  return out.take();
}

nlohmann::json plot_json(const sweep& of) {
  if (!of.plot) return nullptr;
  return {{"x", of.plot->x_words}, {"ticks", of.plot->ticks}, {"y", plot_y_words(of.plot->y)}};
}

nlohmann::json missing_json(const sweep& of) {
  nlohmann::json list = nlohmann::json::array();
  for (const missing_series& one : of.missing) list.push_back({{"series", one.name}, {"why", one.why}});
  return list;
}

nlohmann::json model_json(std::span<const sweep_point> points) {
  const std::optional<model_errors> errors = tell_model_errors(points);
  if (!errors) return nullptr;
  return {{"rates", model_words(points)},
          {"points", errors->points},
          {"median_error", errors->median},
          {"worst_error", errors->worst},
          {"worst_row", errors->worst_row}};
}

nlohmann::json candidates_json(const sweep_point& point) {
  nlohmann::json list = nlohmann::json::array();
  std::vector<tuned_config> all = point.ranking;
  if (point.advised_alone) all.push_back(*point.advised_alone);
  for (const tuned_config& one : all) {
    list.push_back({{"config", point.name_of(one)},
                    {"per_second", one.rate()},
                    {"index_bytes", one.index_bytes},
                    {"build_ms", one.build_ms},
                    {"thrown_away", one.how.thrown_away},
                    {"samples_ms", one.samples_ms}});
  }
  return list;
}

}  // namespace

std::vector<std::string> model_words(std::span<const sweep_point> points) {
  std::vector<std::string> told;
  for (const sweep_point& point : points)
    if (point.model_error() && std::find(told.begin(), told.end(), point.model_words) == told.end())
      told.push_back(point.model_words);
  return told;
}

std::vector<figure_line> figures_of(const sweep& of, const sweep_point& point, u32 scale) {
  const std::optional<std::string> unjudged = not_judged(of, point, scale);
  std::vector<figure_line> lines;
  for (const told_want& told : point.wants) lines.push_back(line_of(of, point, &told, unjudged));
  if (lines.empty()) lines.push_back(line_of(of, point, nullptr, unjudged));
  return lines;
}

figure_line figure_names() {
  figure_line names = line_of({}, {}, nullptr, std::nullopt);
  for (figure& one : names) one.value = {};
  return names;
}

std::string sweep_csv(const sweep& of, const sweep_head& head, std::span<const sweep_point> points) {
  const auto behind = [&](figure_line line, const sweep_point& point) {
    figure_builder of_all;
    of_all.text("sweep", of.name);
    of_all.count("seed", point.row.load.seed);
    of_all.text("device", point.machine.name);
    of_all.text("driver", point.machine.driver);
    of_all.count("scale", head.scale);
    of_all.count("rounds", head.rounds.least);
    of_all.count("most_rounds", head.rounds.most);
    of_all.count("repeats", head.rounds.repeats);
    of_all.text("program", head.program);
    of_all.text("commit", head.commit);
    return joined(std::move(line), of_all.take());
  };
  std::vector<figure_line> lines;
  for (const sweep_point& point : points)
    for (figure_line& line : figures_of(of, point, head.scale)) lines.push_back(behind(std::move(line), point));
  return csv_of(behind(figure_names(), {}), lines);
}

std::string sweep_json(const sweep& of, const sweep_head& head, std::span<const sweep_point> points) {
  nlohmann::json rows = nlohmann::json::array();
  u64 wrong = 0;
  for (const sweep_point& point : points) {
    wrong += point.wrong;
    for (const figure_line& cells : figures_of(of, point, head.scale)) {
      nlohmann::json row;
      for (const figure& f : cells) row[std::string(f.name)] = json_value(f);
      row["candidates"] = candidates_json(point);
      rows.push_back(std::move(row));
    }
  }
  const nlohmann::json all = {{"format", 1},
                              {"program", head.program},
                              {"commit", head.commit},
                              {"sweep", of.name},
                              {"source", of.source},
                              {"plot", plot_json(of)},
                              {"missing", missing_json(of)},
                              {"saw", of.saw},
                              {"model", model_json(points)},
                              {"machine", machine_json(head.machine)},
                              {"clocks_before", head.clocks_before},
                              {"clocks_after", head.clocks_after},
                              {"scale", head.scale},
                              {"rounds", head.rounds.least},
                              {"most_rounds", head.rounds.most},
                              {"repeats", head.rounds.repeats},
                              {"complete", head.complete},
                              {"wrong", wrong},
                              {"rows", rows}};
  // Nothing but ASCII, as all JSON of the program.
  return all.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace pivotscope
