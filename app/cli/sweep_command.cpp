// pivotscope sweep: a named sweep, row by row, beside what is wanted of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/cli/commit.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/table.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/common/whole_file.hpp"
#include "core/machine/clocks.hpp"
#include "core/sweep/sweep_figures.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope sweep --list
  pivotscope sweep packed --machine cuda --csv packed.csv --json packed.json
  pivotscope sweep packed --rows "2^28"             some of its rows
  pivotscope sweep packed --scale 12                a rehearsal: every count cut by 12 bits

For each row the candidates are measured as `pivotscope tune` measures, and the best one is shown: its median rate, the
middle half of its runs, what was wanted and whether that is reached, and what the adviser would choose beside it. Every
answer is checked; a row with a wrong one has no figures. The files are written anew after each row, so ctrl-C keeps what
was measured. docs/cli.md has the columns.
Exit status: 0 all right, also where a row falls short; 1 a wrong answer, 2 bad input, 130 ended by ctrl-C. The JSON is
described in docs/json.md.)";

// As people read it.
std::string shown(const figure& f) {
  if (const auto* text = std::get_if<std::string>(&f.value)) return *text;
  if (const auto* count = std::get_if<u64>(&f.value)) return count_text(*count);
  const double* value = std::get_if<double>(&f.value);
  if (value == nullptr) return "-";
  switch (f.hint) {
    case figure_hint::rate:
      return rate_text(*value);
    case figure_hint::milliseconds:
      return milliseconds_text(*value) + " ms";
    case figure_hint::seconds:
      return fmt::format("{:.1f} s", *value);
    case figure_hint::bytes:
      return bytes_text(static_cast<u64>(*value));
    case figure_hint::ratio:
    case figure_hint::count:
    case figure_hint::text:
      break;
  }
  return fmt::format("{:.2f}", *value);
}

const figure& named(const figure_line& line, std::string_view name) {
  return *std::find_if(line.begin(), line.end(), [&](const figure& f) { return f.name == name; });
}

// "0.97 PACKED lanes=4"; where it is the best one, that alone.
std::string adviser_cell(const figure_line& line) {
  const std::string config = shown(named(line, "adviser"));
  if (config.empty()) return "";
  if (config == shown(named(line, "config"))) return "1.00, the same";
  return fmt::format("{} {}", shown(named(line, "adviser_share")), config);
}

// The quartiles, beside the median: "-0.3 +0.2%".
std::string noise_cell(const figure_line& line) {
  const auto number = [&](std::string_view name) { return std::get<double>(named(line, name).value); };
  const double median = number("per_second");
  if (median <= 0) return "-";
  return fmt::format("{:+.1f} {:+.1f}%", (number("lower_quartile") / median - 1) * 100,
                     (number("upper_quartile") / median - 1) * 100);
}

table_row cells_of(const figure_line& line, bool first) {
  const auto cell = [&](std::string_view name) { return shown(named(line, name)); };
  const std::string wanted = named(line, "wanted").known() ? cell("wanted") : "";
  const std::string words = cell("wanted_words");
  const std::string verdict = cell("verdict");
  const std::string judged = verdict.substr(0, verdict.find(", not judged"));
  table_row row = {cell("row"), cell("config")};
  if (cell("config").empty()) return {cell("row"), cell("wrong") != "0" ? "wrong answers" : "not measured"};
  row.insert(row.end(), {cell("keys"), cell("per_second"), noise_cell(line), cell("median_ms"), cell("of_sorted_array"),
                         cell("sort_ms"), cell("build_ms"), cell("device_bytes")});
  if (!first) row = {"", "", "", "", "", "", "", "", "", ""};
  // A rate stands there already.
  row.push_back(named(line, "got").known() && cell("wanted_of") != "rate" ? cell("got") : "");
  row.push_back(words.empty() ? wanted : fmt::format("{} ({})", wanted, words));
  row.push_back(judged);
  row.push_back(first ? adviser_cell(line) : "");
  return row;
}

std::string sweep_table(const sweep& of, const std::vector<sweep_point>& points, u32 scale) {
  std::vector<table_row> rows = {{"row", "best config", "keys", "per second", "middle half", "median", "bytes", "sort",
                                  "build", "peak", "it", "wanted", "", "adviser"}};
  for (const sweep_point& point : points) {
    bool first = true;
    for (const figure_line& line : figures_of(of, point, scale)) rows.push_back(cells_of(line, first)), first = false;
  }
  return table_text(rows);
}

// "B+, HT (buckets)"
std::string missing_names(const sweep& of) {
  std::vector<std::string> names;
  for (const missing_series& one : of.missing) names.push_back(one.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

class sweep_command final : public subcommand {
 public:
  command_words words() const override {
    return {"sweep", "measure a named sweep, beside what is wanted of it", examples};
  }

  void add_options(option_list& to) override {
    to.place("NAME", name_, "which one");
    to.flag("--list", list_,
            "print the sweeps that there are; with NAME: its axes, series and rows, and what the paper saw");
    to.text("--rows", part_, {"TEXT"}, "only rows with this in their name, and those that they are compared with");
    to.text("--scale", scale_, {"K"}, "a rehearsal: every count divided by 2^K (default 0)");
    to.text("--csv", csv_, {"FILE"}, "write the figures there, a line for each row and want");
    to.text("--json", json_, {"FILE"}, "write them there as JSON, with every candidate's runs");
    machine_.add_to(to, "best");
  }

  int run(const machine_source& machines) override {
    if (list_ && !name_) return print_list();
    if (!name_) return complain("which sweep? `pivotscope sweep --list` names them");
    const outcome<const sweep*> found = find_sweep(*name_);
    if (!found) return complain(found.error());
    if (list_) return print_one(**found);
    const outcome<u64> scale = parse_count(scale_, "--scale", 0, most_scale);
    if (!scale) return complain(scale.error());
    const outcome<sweep> rows = part_of(**found, part_);
    if (!rows) return complain(fmt::format("--rows: {}", rows.error().words));
    for (const auto& file : {csv_, json_})
      if (file)
        if (const status writable = check_writable(*file); !writable) return complain(writable.error());
    return measure(machines, *rows, static_cast<u32>(*scale));
  }

 private:
  static int print_list() {
    std::vector<table_row> rows = {{"sweep", "rows", "what", "missing"}};
    for (const sweep& one : sweeps())
      rows.push_back({one.name, fmt::format("{}", one.rows.size()), one.sentence, missing_names(one)});
    print(table_text(rows, {0, 2, 3}));
    return finish_output(exit_right);
  }

  static void print_missing(const sweep& of) {
    for (const missing_series& one : of.missing) print(fmt::format("missing: {}: {}\n", one.name, one.why));
  }

  // One sweep: what it is made of, and what the paper saw.
  static int print_one(const sweep& of) {
    print(fmt::format("sweep {}: {}\n{}\n", of.name, of.sentence, of.source));
    if (of.plot) {
      print(fmt::format("x: {}: {}\n", of.plot->x_words, fmt::join(of.plot->ticks, "; ")));
      print(fmt::format("y: {}\n", plot_y_words(of.plot->y)));
      print(fmt::format("series: {}\n", fmt::join(series_of(of), "; ")));
    }
    if (!of.rows_of.empty()) print(fmt::format("measured as {}, of which it is another plot\n", of.rows_of));
    print_missing(of);
    if (!of.saw.empty()) print(fmt::format("the paper saw: {}\n", of.saw));
    std::vector<table_row> rows = {{"row", "workload", "configs"}};
    for (const sweep_row& row : of.rows)
      for (std::size_t i = 0; i < std::max<std::size_t>(1, row.configs.size()); ++i)
        rows.push_back({i == 0 ? row.id : "", i == 0 ? to_line(row.load) : "",
                        i < row.configs.size()   ? row.configs[i]
                        : row.configs_of.empty() ? "std::lower_bound"
                                                 : "that of " + row.configs_of});
    print("\n" + table_text(rows, {0, 1, 2}));
    return finish_output(exit_right);
  }

  int measure(const machine_source& machines, const sweep& what, u32 scale) const {
    std::vector<sweep_point> points;
    sweep_options options{.scale = scale};
    sweep_head head{.program = "pivotscope " PIVOTSCOPE_VERSION,
                    .commit = built_from(),
                    .scale = scale,
                    .rounds = options.rounds,
                    .repeats = options.repeats};
    const auto began = std::chrono::steady_clock::now();
    status done = fine(), written = fine();
    {
      terminal_job job;
      options.report = [&](const sweep_progress& now) { job.report_whole(now.words, now.fraction); };
      outcome<std::unique_ptr<machine>> on = machine_.open(machines);
      if (!on) return complain(on.error());
      head.machine = (*on)->info();
      head.clocks_before = clocks_now(head.machine.kind);
      const auto keep = [&] {
        if (written) written = write_files(what, head, points, false);
      };
      done = run_sweep(what, **on, machines, options, job.control(), points, keep);
      head.clocks_after = clocks_now(head.machine.kind);
      head.complete = done.ok();
      if (written) written = write_files(what, head, points, true);
    }
    print_all(what, head, points, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    int wrong = 0;
    for (const sweep_point& point : points)
      if (point.wrong) ++wrong, complain(fmt::format("wrong: {}: {}", point.row.id, point.problem));
    if (!written) return complain(written.error());
    if (!done) return finish_output(complain(done.error()));
    return finish_output(wrong == 0 ? exit_right : exit_wrong);
  }

  // What is written as it is, a terminal or a pipe, is written once, at the end.
  static bool in_place(const std::string& path) {
    std::error_code none;
    const auto kind = std::filesystem::status(path, none).type();
    return path.starts_with("/dev/") ||
           (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found);
  }

  status write_files(const sweep& what, const sweep_head& head, const std::vector<sweep_point>& points,
                     bool last) const {
    if (csv_ && (last || !in_place(*csv_)))
      if (status kept = write_whole_file(*csv_, sweep_csv(what, points, head.scale)); !kept) return kept;
    if (!json_ || (!last && in_place(*json_))) return fine();
    return write_whole_file(*json_, sweep_json(what, head, points));
  }

  static void print_all(const sweep& what, const sweep_head& head, const std::vector<sweep_point>& points,
                        double seconds) {
    print(fmt::format("sweep {}: {}\n{}, commit {}\non {}\n", what.name, what.sentence, head.program, head.commit,
                      machine_words(head.machine)));
    if (!head.machine.detail.empty()) print(fmt::format("  {}\n", head.machine.detail));
    const auto clocks = [](const std::string& text) { return text.empty() ? std::string("not known") : text; };
    print(fmt::format("clocks: before {}; after {}\n", clocks(head.clocks_before), clocks(head.clocks_after)));
    print(fmt::format("{} of {} rows in {:.1f} s; {} rounds of {} runs of each candidate; every answer was checked\n",
                      points.size(), what.rows.size(), seconds, head.rounds, head.repeats));
    print_notes(what, head, points);
    print("\n" + sweep_table(what, points, head.scale));
    print_reasons(what, points, head.scale);
    if (!what.missing.empty()) print("\n");
    print_missing(what);
    if (!what.saw.empty()) print(fmt::format("\nthe paper saw, on its machine: {} ({})\n", what.saw, what.source));
    for (const sweep_point& point : points)
      if (!point.problem.empty() && !point.wrong) print(fmt::format("\n{}: {}\n", point.row.id, point.problem));
  }

  // Why what is wanted is not judged, each reason once.
  static void print_notes(const sweep& what, const sweep_head& head, const std::vector<sweep_point>& points) {
    std::vector<std::string> told;
    for (const sweep_point& point : points) {
      const std::optional<std::string> why = point.wants.empty() ? std::nullopt : not_judged(what, point, head.scale);
      if (!why || std::find(told.begin(), told.end(), *why) != told.end()) continue;
      print(fmt::format("not judged: {}\n", *why));
      told.push_back(*why);
    }
  }

  // Why rows fall short.
  static void print_reasons(const sweep& what, const std::vector<sweep_point>& points, u32 scale) {
    for (const sweep_point& point : points)
      for (const figure_line& line : figures_of(what, point, scale))
        if (const std::string why = shown(named(line, "why")); !why.empty())
          print(fmt::format("\n{}: {}.\n", point.row.id, why));
  }

  std::optional<std::string> name_, csv_, json_;
  std::string scale_ = "0", part_;
  bool list_ = false;
  machine_choice machine_;
};

}  // namespace

std::unique_ptr<subcommand> make_sweep_command() { return std::make_unique<sweep_command>(); }

}  // namespace pivotscope
