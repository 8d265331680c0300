#include "app/cli/sweep_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/table.hpp"
#include "app/report/figure_words.hpp"
#include "core/index/config_text.hpp"
#include "core/run/entry_count.hpp"
#include "core/sweep/plot_lines.hpp"
#include "core/sweep/sweep_comparison.hpp"
#include "core/sweep/sweep_result.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr std::size_t figures_alone = 12;  // columns without wants

// "0.97 PACKED lanes=4"; where it is the best one, that alone.
std::string adviser_cell(const figure_line& line) {
  const std::string config = shown_figure(figure_of(line, "adviser"));
  if (config.empty()) return "";
  if (config == shown_figure(figure_of(line, "config"))) return "1.00, the same";
  return fmt::format("{} {}", shown_figure(figure_of(line, "adviser_share")), config);
}

// "131 G/s +18% L1": what the model allows, how far that is from what was measured, and the narrowest memory.
std::string model_cell(const figure_line& line) {
  if (!figure_of(line, "model_error").known()) return "-";
  return fmt::format("{} {:+.0f}% {}", shown_figure(figure_of(line, "model_per_second")),
                     100 * std::get<double>(figure_of(line, "model_error").value),
                     shown_figure(figure_of(line, "model_bound")));
}

// "0.3%"; beyond what the stopping rule takes for quiet (docs/measuring.md) "2.1% > 0.5%".
std::string noise_cell(const figure_line& line) {
  const figure& noise = figure_of(line, "noise");
  const auto* share = std::get_if<double>(&noise.value);
  constexpr double quiet = stopping_options{}.noise;
  return shown_figure(noise) + (share != nullptr && *share > quiet ? " > " + share_words(quiet) : "");
}

table_row cells_of(const figure_line& line, bool first) {
  const auto cell = [&](std::string_view name) { return shown_figure(figure_of(line, name)); };
  const std::string wanted = figure_of(line, "wanted").known() ? cell("wanted") : "";
  const std::string words = cell("wanted_words");
  const std::string verdict = cell("verdict");
  const std::string judged = verdict.substr(0, verdict.find(", not judged"));
  table_row row = {cell("row"), cell("config")};
  if (cell("config").empty()) return {cell("row"), cell("wrong") != "0" ? "wrong answers" : "not measured"};
  row.insert(row.end(),
             {cell("keys"), cell("per_second"), middle_half(line), noise_cell(line), cell("median_ms"),
              cell("of_sorted_array"), cell("sort_ms"), cell("build_ms"), cell("device_bytes"), model_cell(line)});
  if (!first) row = table_row(figures_alone);
  // A rate stands there already.
  row.push_back(figure_of(line, "got").known() && cell("wanted_of") != "rate" ? cell("got") : "");
  row.push_back(words.empty() ? wanted : fmt::format("{} ({})", wanted, words));
  row.push_back(judged);
  row.push_back(first ? adviser_cell(line) : "");
  return row;
}

std::string sweep_table(const sweep& of, const std::vector<sweep_point>& points, u32 scale) {
  std::vector<table_row> rows = {{"row", "best config", "keys", "per second", "middle half", "noise", "median", "bytes",
                                  "sort", "build", "peak", "model", "it", "wanted", "", "adviser"}};
  for (const sweep_point& point : points) {
    bool first = true;
    for (const figure_line& line : figures_of(of, point, scale)) rows.push_back(cells_of(line, first)), first = false;
  }
  const bool wants = std::any_of(of.rows.begin(), of.rows.end(),
                                 [](const sweep_row& row) { return row.advised || !row.wants.empty(); });
  for (table_row& row : rows)
    if (!wants && row.size() > figures_alone) row.resize(figures_alone);
  return table_text(rows);
}

// "B+, HT (buckets)"
std::string missing_names(const sweep& of) {
  std::vector<std::string> names;
  for (const missing_series& one : of.missing) names.push_back(one.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_missing(const sweep& of) {
  for (const missing_series& one : of.missing) print(fmt::format("missing: {}: {}\n", one.name, one.why));
}

// Why what is wanted is not judged, each reason once.
void print_notes(const sweep& what, const sweep_head& head, const std::vector<sweep_point>& points) {
  std::vector<std::string> told;
  for (const sweep_point& point : points) {
    const std::optional<std::string> why = point.wants.empty() ? std::nullopt : not_judged(what, point, head.scale);
    if (!why || std::find(told.begin(), told.end(), *why) != told.end()) continue;
    print(fmt::format("not judged: {}\n", *why));
    told.push_back(*why);
  }
}

// Rows whose runs differ by more than the stopping rule takes for quiet, and what is to be said of runs that do not count.
void print_sampling(const std::vector<sweep_point>& points) {
  std::size_t noisy = 0, settled = 0, measured = 0;
  const sweep_point* worst = nullptr;
  const auto noise = [](const sweep_point& point) { return point.best()->summary().noise.value_or(0); };
  for (const sweep_point& point : points) {
    if (point.best() == nullptr) continue;
    ++measured, noisy += point.best()->noisy();
    settled += point.best()->noisy() && point.best()->how.why == stop_reason::stable;
    if (worst == nullptr || noise(point) > noise(*worst)) worst = &point;
  }
  if (noisy > 0)
    print(
        fmt::format("\nnoisy: the runs of {} of {} rows differ by more than {}, by {} at most ({}){}; `pivotscope run "
                    "--repeats auto` measures one for longer\n",
                    noisy, measured, share_words(stopping_options{}.noise), share_words(noise(*worst)), worst->row.id,
                    settled == 0 ? "" : fmt::format("; of {} of them the noise has settled", settled)));
  for (const sweep_point& point : points) {
    const std::string note = point.best() ? held_back_words(point.best()->how) : "";
    if (!note.empty()) print(fmt::format("\n{}: {}\n", point.row.id, note));
    const std::string held = point.best() ? held_words(point.best()->held, point.row.load.keys) : "";
    if (!held.empty()) print(fmt::format("\n{}: {} {}.\n", point.row.id, point.name_of(*point.best()), held));
  }
}

// How far the traffic model is from what was measured.
void print_model(const std::vector<sweep_point>& points) {
  const std::optional<model_errors> errors = tell_model_errors(points);
  if (!errors) {
    print("\nmodel: none; it is of a GPU's lookups (docs/traffic.md)\n");
    return;
  }
  print(fmt::format("\nmodel: over {} row{} its error is {:.0f}% in the middle and {:.0f}% at most ({}); by {}\n",
                    errors->points, errors->points == 1 ? "" : "s", 100 * errors->median, 100 * errors->worst,
                    errors->worst_row, fmt::join(model_words(points), ", and ")));
}

table_row memory_row(const std::string& id, const memory_counters& of) {
  table_row row = {id};
  for (const memory_counter& one : all_memory_counters)
    row.push_back(one.share ? share_words(of.*one.value) : throughput_text(of.*one.value));
  return row;
}

// What the GPU counted of the best one's lookups, and why it did not, each reason once.
void print_counters(const sweep& what, const std::vector<sweep_point>& points) {
  if (!what.counters) return;
  std::vector<table_row> rows = {{"counted by the GPU", "AO", "EI", "CPI", "EI x CPI", "median", "median x AO"}};
  std::vector<table_row> memories = {{"counted by the GPU", "L1 hits", "L2 hits", "L1", "L2", "DRAM"}};
  std::vector<std::string> reasons;
  for (const sweep_point& point : points) {
    if (!point.counters) {
      const std::string& why = point.counters_problem;
      if (!why.empty() && std::find(reasons.begin(), reasons.end(), why) == reasons.end()) reasons.push_back(why);
      continue;
    }
    const hardware_counters& of = *point.counters;
    rows.push_back({point.row.id, share_words(of.occupancy), short_number(static_cast<double>(of.instructions)),
                    fmt::format("{:.3g}", of.cycles_per_instruction), short_number(of.warp_cycles()),
                    milliseconds_text(point.median_ms()) + " ms",
                    milliseconds_text(point.median_ms() * of.occupancy) + " ms"});
    if (of.memory) memories.push_back(memory_row(point.row.id, *of.memory));
  }
  for (const std::vector<table_row>& table : {rows, memories})
    if (table.size() > 1) print("\n" + table_text(table, {0}));
  for (const std::string& why : reasons) print(fmt::format("\nnot counted: {}\n", why));
  if (!what.plot || !is_scatter(*what.plot)) return;
  if (const auto fit = fit_of(plot_lines(what, points))) print(fmt::format("\n{}\n", fit_words(*fit)));
}

// Joins, each part of its own: a plot of the lookups alone shows neither.
void print_joins(const std::vector<sweep_point>& points) {
  std::vector<table_row> rows = {{"join by matches", "sort and build", "probe", "write", "in all"}};
  const auto ms = [](std::optional<double> value) { return value ? milliseconds_text(*value) + " ms" : "-"; };
  for (const sweep_point& point : points)
    if (point.write_ms)
      rows.push_back(
          {point.row.id, ms(point.ready_ms()), ms(point.median_ms()), ms(point.write_ms), ms(point.join_ms())});
  if (rows.size() > 1) print("\n" + table_text(rows, {0}));
}

// Why rows fall short.
void print_reasons(const sweep& what, const std::vector<sweep_point>& points, u32 scale) {
  for (const sweep_point& point : points)
    for (const figure_line& line : figures_of(what, point, scale))
      if (const std::string why = shown_figure(figure_of(line, "why")); !why.empty())
        print(fmt::format("\n{}: {}.\n", point.row.id, why));
}

}  // namespace

int print_sweeps() {
  std::vector<table_row> rows = {{"sweep", "rows", "what", "missing"}};
  for (const sweep& one : sweeps())
    rows.push_back({one.name, fmt::format("{}", one.rows.size()), one.sentence, missing_names(one)});
  for (const figure_recipe& one : figure_recipes())
    rows.push_back({std::string(one.name), "-", std::string(one.sentence), ""});
  print(table_text(rows, {0, 2, 3}));
  return finish_output(exit_right);
}

int print_figure(const figure_recipe& of) {
  print(fmt::format("{}: {}\n{}\ncomputed on the CPU, without times\n", of.name, of.sentence, of.source));
  return finish_output(exit_right);
}

void print_computed(const computed_figure& of) {
  std::vector<table_row> rows = {{of.x_words}};
  std::map<double, table_row> by_x;
  for (const computed_series& one : of.series) {
    rows.front().push_back(one.name);
    for (const computed_dot& dot : one.dots) by_x[dot.x];
  }
  for (auto& [x, row] : by_x) {
    row.push_back(fmt::format("{:g}", x));
    for (const computed_series& one : of.series) {
      const auto at = std::ranges::find(one.dots, x, &computed_dot::x);
      row.push_back(at == one.dots.end() ? "" : fmt::format("{:.4g}", at->y));
    }
    rows.push_back(row);
  }
  print(fmt::format("{}: {}\n{}\n", of.name, of.y_words, table_text(rows)));
}

int print_sweep(const sweep& of) {
  print(fmt::format("sweep {}: {}\n{}\n", of.name, of.sentence, of.source));
  if (of.plot) {
    print(fmt::format("x: {}: {}\n", of.plot->x_words, fmt::join(of.plot->ticks, "; ")));
    print(fmt::format("y: {}\n", plot_y_words(of.plot->y)));
    print(fmt::format("series: {}\n", fmt::join(series_of(of), "; ")));
    if (const auto parts = plot_y_parts(of.plot->y); !parts.empty())
      print(fmt::format("of each series: {}\n", fmt::join(parts, "; ")));
  }
  if (!of.rows_of.empty()) print(fmt::format("measured as {}, of which it is another plot\n", of.rows_of));
  print_missing(of);
  if (!of.saw.empty()) print(fmt::format("the paper saw: {}\n", of.saw));
  std::vector<table_row> rows = {{"row", "workload", "configs"}};
  for (const sweep_row& row : of.rows)
    for (std::size_t i = 0; i < std::max<std::size_t>(1, row.configs.size()); ++i)
      rows.push_back({i == 0 ? row.id : "", i == 0 ? to_line(row.load) : "",
                      i < row.configs.size() ? row.configs[i]
                      : row.program()        ? *row.program()
                                             : "that of " + row.configs_of});
  print("\n" + table_text(rows, {0, 1, 2}));
  return finish_output(exit_right);
}

void print_comparison(std::string_view name, const sweep_result& before, const std::vector<sweep_point>& now) {
  const std::vector<row_comparison> compared = compare_rows(before.points, now);
  std::vector<table_row> rows = {{"row", "before", "now", "it is", "best before"}};
  for (const row_comparison& one : compared)
    rows.push_back({one.row, milliseconds_text(one.before_ms) + " ms", milliseconds_text(one.now_ms) + " ms",
                    one.said.words(), one.other_config});
  print(fmt::format("\nbeside {}, of {} on {}:\n{}\n", name,
                    before.head.commit.empty() ? before.head.program : "commit " + before.head.commit,
                    before.head.machine.name, comparison_summary(compared)));
  if (!compared.empty()) print("\n" + table_text(rows, {0, 3, 4}));
}

void print_points(const sweep& what, const sweep_head& head, const std::vector<sweep_point>& points, std::size_t kept,
                  double seconds) {
  print(fmt::format("sweep {}: {}\n{}, commit {}\non {}\n", what.name, what.sentence, head.program, head.commit,
                    machine_words(head.machine)));
  if (!head.machine.detail.empty()) print(fmt::format("  {}\n", head.machine.detail));
  const auto clocks = [](const std::string& text) { return text.empty() ? std::string("not known") : text; };
  print(fmt::format("clocks: before {}; after {}\n", clocks(head.clocks_before), clocks(head.clocks_after)));
  const std::string before = kept == 0 ? "" : fmt::format(", {} of them measured before", kept);
  print(fmt::format("{} of {} rows{} in {:.1f} s; each candidate in {}; every answer was checked\n", points.size(),
                    what.rows.size(), before, seconds, head.rounds.words()));
  print_notes(what, head, points);
  print("\n" + sweep_table(what, points, head.scale));
  print_sampling(points);
  print_model(points);
  print_counters(what, points);
  print_joins(points);
  print_reasons(what, points, head.scale);
  if (!what.missing.empty()) print("\n");
  print_missing(what);
  if (!what.saw.empty()) print(fmt::format("\nthe paper saw, on its machine: {} ({})\n", what.saw, what.source));
  for (const sweep_point& point : points)
    if (!point.problem.empty() && !point.wrong) print(fmt::format("\n{}: {}\n", point.row.id, point.problem));
  for (const sweep_point& point : points)
    for (const tuning_reject& out : point.rejected)
      if (!out.wrong) print(fmt::format("\n{}: without {}: {}\n", point.row.id, to_line(out.config), out.words));
}

}  // namespace pivotscope
