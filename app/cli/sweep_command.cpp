// pivotscope sweep: a named sweep, row by row, beside what is wanted of it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/built/this_program.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/floor_rates.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/sweep_words.hpp"
#include "app/cli/terminal_job.hpp"
#include "app/picture/figure_png.hpp"
#include "core/common/whole_file.hpp"
#include "core/counters/nsight_compute.hpp"
#include "core/machine/clocks.hpp"
#include "core/sweep/computed_figure.hpp"
#include "core/sweep/run_sweep.hpp"
#include "core/sweep/sweep_comparison.hpp"
#include "core/sweep/sweep_folder.hpp"
#include "core/sweep/sweep_shard.hpp"
#include "core/sweep/sweep_svg.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope sweep --list
  pivotscope sweep packed --machine cuda --csv packed.csv --json packed.json
  pivotscope sweep packed --rows "2^28"             some of its rows
  pivotscope sweep packed --scale 12                a rehearsal: every count cut by 12 bits
  pivotscope sweep lightweight-20a --into 20a       killed? The same again goes on behind what was measured
  pivotscope sweep lightweight-20a --shard 3/16 --into part-3
  pivotscope sweep merge part-* --into 20a
  pivotscope sweep lightweight-1a --against 1a.json   faster or slower than it was measured before?
  pivotscope sweep lightweight-20a --into 20a --kept --csv 20a.csv --svg 20a.svg --png 20a.png
  pivotscope sweep gph-6.1 --csv 6.1.csv --svg 6.1.svg     a theorem beside a table: computed on the CPU, without times

For each row the candidates are measured as `pivotscope tune` measures, and the best one is shown: its median rate, the
middle half of its runs, what was wanted and whether that is reached, and what the adviser would choose beside it. Every
answer is checked; a row with a wrong one has no figures. The files are written anew after each row, so ctrl-C keeps what
was measured; the PNG is drawn at the end, behind the others. docs/cli.md has the columns, docs/sweeps.md the sweeps and how to spread one over a cluster.
Exit status: 0 all right, also where a row falls short; 1 a wrong answer, 2 bad input, 130 ended by ctrl-C. The JSON is
described in docs/json.md.)";

// What is written as it is, a terminal or a pipe, is written once, at the end.
bool in_place(const std::string& path) {
  std::error_code none;
  const auto kind = std::filesystem::status(path, none).type();
  return path.starts_with("/dev/") ||
         (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found);
}

constexpr u64 most_rounds = 1000;

void complain_each(const std::vector<std::string>& all) {
  for (const std::string& words : all) complain(words);
}

// What is measured of which sweep, and where it is kept.
struct sweep_task {
  const sweep& whole;
  sweep what;  // of its rows
  sweep_options options = {};
  sweep_head head = {};
  std::optional<sweep_result> before = {};  // to compare with
};

class sweep_command final : public subcommand {
 public:
  command_words words() const override {
    return {"sweep", "measure a named sweep, beside what is wanted of it", examples};
  }

  void add_options(option_list& to) override {
    to.place("NAME", name_, "which one; or merge");
    to.places("DIR", folders_, "of merge: the folders to put together");
    to.flag("--list", list_,
            "print the sweeps that there are; with NAME: its axes, series and rows, and what the paper saw");
    to.text("--rows", part_, {"TEXT"}, "only rows with this in their name, and those that they are compared with");
    to.text("--scale", scale_, {"K"}, "a rehearsal: every count divided by 2^K (default 0)");
    to.text("--rounds", rounds_, {"N"},
            "exactly so many rounds of runs; else they go on until each candidate is quiet (docs/measuring.md)");
    to.text("--into", into_, {"DIR"},
            "keep each row there when it is measured, and go on behind what is there already");
    to.text("--shard", shard_, {"I/N"}, "only the I-th of N parts of about the same time, I from 1");
    to.flag("--kept", kept_, "measure nothing: show what --into has");
    to.text("--against", against_, {"RESULT"},
            "say which rows are faster or slower than there: a file of --json, or a folder of --into");
    to.text("--csv", csv_, {"FILE"}, "write the figures there, a line for each row and want");
    to.text("--json", json_, {"FILE"}, "write them there as JSON, with every candidate's runs");
    to.text("--svg", svg_, {"FILE"}, "draw the plot there, with what the paper saw below it");
    to.text("--png", png_, {"FILE"}, "the same figure in pixels; no display is needed");
    floor_.add_to(to);
    machine_.add_to(to, "best");
  }

  int run(const machine_source& machines) override {
    if (list_ && !name_) return print_sweeps();
    if (!name_) return complain("which sweep? `pivotscope sweep --list` names them");
    if (*name_ == "merge") return merge();
    if (const figure_recipe* computed = find_figure(*name_)) return compute(machines, *computed);
    if (!folders_.empty()) return complain(fmt::format("unexpected '{}': one sweep at a time", folders_.front()));
    const outcome<const sweep*> found = find_sweep(*name_);
    if (!found) return complain(found.error());
    if (list_) return print_sweep(**found);
    outcome<sweep_task> task = task_of(**found);
    if (!task) return complain(task.error());
    if ((svg_ || png_) && !(*found)->plot)
      return complain(fmt::format("--{}: {} has no plot: it is a table", svg_ ? "svg" : "png", (*found)->name));
    if (against_) {
      outcome<sweep_result> before = read_sweep_result(*against_);
      if (!before) return complain(fmt::format("--against: {}", before.error().words));
      complain_each(before->damaged);
      task->before = std::move(*before);
    }
    for (const auto& file : {csv_, json_, svg_, png_})
      if (file)
        if (const status writable = check_writable(*file); !writable) return complain(writable.error());
    if (kept_) return show_kept(*task);
    if (const status may = may_compare(*task); !may) return complain(may.error());
    return measure(machines, *task);
  }

 private:
  // A figure without times: it is made at once, on the CPU.
  int compute(const machine_source& machines, const figure_recipe& of) const {
    if (list_) return print_figure(of);
    const bool measures = scale_ || rounds_ || into_ || shard_ || kept_ || against_ || json_ || !part_.empty();
    if (measures || !folders_.empty())
      return complain(fmt::format("{} is computed, not measured: it takes --csv, --svg and --png alone", of.name));
    if (machine_.name == "cuda") return complain(fmt::format("{} is computed on the CPU", of.name));
    for (const auto& file : {csv_, svg_, png_})
      if (file)
        if (const status writable = check_writable(*file); !writable) return complain(writable.error());
    std::optional<computed_figure> made;
    {
      terminal_job job;
      machine_choice cpu;
      cpu.name = "cpu";
      outcome<std::unique_ptr<machine>> on = cpu.open(machines);
      if (!on) return complain(on.error());
      outcome<computed_figure> figure = of.make(**on, job.control());
      if (!figure) return complain(figure.error());
      made = std::move(*figure);
    }
    print_computed(*made);
    const auto write = [&](const std::optional<std::string>& file, auto&& text) {
      return file ? write_whole_file(*file, text()) : fine();
    };
    if (const status done = write(csv_, [&] { return computed_csv(*made); }); !done) return complain(done.error());
    if (const status done = write(svg_, [&] { return computed_svg(*made); }); !done) return complain(done.error());
    if (png_) {
      const auto png = figure_png([&](const words_writer& words) { return computed_svg(*made, words); });
      if (!png) return complain(fmt::format("--png: {}", png.error().words));
      if (const status done = write_whole_file(*png_, *png); !done) return complain(done.error());
    }
    return finish_output(exit_right);
  }

  outcome<sweep_task> task_of(const sweep& whole) const {
    const outcome<u64> scale = parse_count(scale_.value_or("0"), "--scale", 0, most_scale);
    if (!scale) return scale.error();
    outcome<sweep> rows = part_of(whole, part_);
    if (!rows) return problem{fmt::format("--rows: {}", rows.error().words)};
    const auto bits = static_cast<u32>(*scale);
    if (shard_) {
      const outcome<sweep_shard> shard = parse_shard(*shard_);
      if (!shard) return problem{fmt::format("--shard: {}", shard.error().words)};
      *rows = shard_of(*rows, *shard, bits);
    }
    sweep_task task{
        .whole = whole, .what = std::move(*rows), .options = {.scale = bits, .counters = counters_by_ncu()}};
    if (rounds_) {
      const outcome<u64> rounds = parse_count(*rounds_, "--rounds", 1, most_rounds);
      if (!rounds) return rounds.error();
      task.options.rounds.least = task.options.rounds.most = static_cast<u32>(*rounds);
    }
    const measured_by by = this_program();
    task.head = {.program = by.program, .commit = by.commit, .scale = bits, .rounds = task.options.rounds};
    return task;
  }

  status may_compare(const sweep_task& task) const {
    const std::string why = task.before ? not_comparable(*task.before, task.whole, task.head.scale) : "";
    return why.empty() ? fine() : status(problem{fmt::format("--against {}: {}", *against_, why)});
  }

  int merge() const {
    if (!into_) return complain("where to? `pivotscope sweep merge DIR... --into DIR`");
    const std::vector<std::filesystem::path> sources(folders_.begin(), folders_.end());
    const outcome<merged_folders> merged = merge_folders(sources, *into_);
    if (!merged) return complain(merged.error());
    complain_each(merged->damaged);
    print(fmt::format("{} has {} of {} rows of {}\n", *into_, merged->points, merged->rows, merged->sweep));
    if (merged->twice > 0)
      print(fmt::format("{} of them were measured more than once: the first is taken\n", merged->twice));
    return finish_output(exit_right);
  }

  // Those of the folder that are asked for.
  static std::vector<sweep_point> points_of(const sweep_folder& folder, const sweep& what) {
    std::vector<sweep_point> points;
    for (const sweep_point& point : folder.points())
      if (what.row(point.row.id) != nullptr) points.push_back(point);
    return points;
  }

  folder_head folder_head_of(const sweep_task& task) const {
    folder_head head = head_of(task.whole, task.options.scale, task.options.rounds);
    head.program = task.head.program, head.commit = task.head.commit, head.machine = task.head.machine;
    return head;
  }

  int show_kept(sweep_task& task) const {
    const outcome<sweep_folder> folder = sweep_folder::read(*into_, task.whole);
    if (!folder) return complain(folder.error());
    complain_each(folder->damaged());
    const folder_head& head = folder->head();
    task.head = {.program = head.program,
                 .commit = head.commit,
                 .machine = head.machine,
                 .scale = head.scale,
                 .rounds = head.rounds};
    if (const status may = may_compare(task); !may) return complain(may.error());
    const std::vector<sweep_point> points = points_of(*folder, task.what);
    return finish(task, points, points.size(), 0, fine());
  }

  // Whether the folder has all that is asked for: then no machine is needed, which may not be here.
  bool all_kept(const sweep_task& task) const {
    const outcome<sweep_folder> folder = sweep_folder::read(*into_, task.whole);
    return folder && points_of(*folder, task.what).size() == task.what.rows.size() &&
           (machine_.name == "best" || machine_.name == machine_name(folder->head().machine.kind)) &&
           !not_one_measurement(folder->head(), *into_, folder_head_of(task), "this run");
  }

  int measure(const machine_source& machines, sweep_task& task) const {
    if (into_ && all_kept(task)) return show_kept(task);
    if (task.what.rows.empty()) {
      print(fmt::format("shard {} of {} has no row: there is nothing to measure\n", *shard_, task.whole.name));
      return finish_output(exit_right);
    }
    std::optional<file_lock> taken;  // before a machine is opened, and the floor measured
    if (into_) {
      outcome<file_lock> lock = take_folder(*into_);
      if (!lock) return complain(lock.error());
      taken = std::move(*lock);
    }
    std::vector<sweep_point> points;
    std::size_t before = 0;
    const auto began = std::chrono::steady_clock::now();
    status done = fine();
    {
      terminal_job job;
      task.options.report = [&](const sweep_progress& now) { job.report_whole(now.words, now.fraction); };
      outcome<std::unique_ptr<machine>> on = machine_.open(machines);
      if (!on) return complain(on.error());
      task.head.machine = (*on)->info();
      outcome<device_rates> rates = floor_.rates(**on, machine_.cache_folder.value_or(""), job);
      if (!rates) return complain(rates.error());
      task.options.rates = std::move(*rates);
      task.head.clocks_before = clocks_now(task.head.machine.kind);
      std::optional<sweep_folder> folder;
      if (into_) {
        outcome<sweep_folder> opened = sweep_folder::open(*into_, task.whole, folder_head_of(task), std::move(taken));
        if (!opened) return complain(opened.error());
        folder = std::move(*opened);
        complain_each(folder->damaged());
        points = points_of(*folder, task.what), before = points.size();
      }
      const auto keep = [&](const sweep_point& point) -> status {
        if (folder)
          if (status kept = folder->keep(point); !kept) return kept;
        (void)write_files(task, points, false).ok();  // what cannot be written now may be at the end
        return fine();
      };
      done = run_sweep(task.what, **on, machines, task.options, job.control(), points, keep);
      task.head.clocks_after = clocks_now(task.head.machine.kind);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return finish(task, points, before, seconds, done);
  }

  // Writes and prints all; the exit status.
  int finish(sweep_task& task, const std::vector<sweep_point>& points, std::size_t before, double seconds,
             const status& done) const {
    task.head.complete = points.size() == task.what.rows.size();
    const status written = write_files(task, points, true);
    print_points(task.what, task.head, points, before, seconds);
    if (task.before) print_comparison(*against_, *task.before, points);
    int wrong = 0;
    for (const sweep_point& point : points)
      if (point.wrong) ++wrong, complain(fmt::format("wrong: {}: {}", point.row.id, point.problem));
    if (!written) return complain(written.error());
    if (!done) return finish_output(complain(done.error()));
    return finish_output(wrong == 0 ? exit_right : exit_wrong);
  }

  // All that can be written, what was measured before its picture; the first problem.
  status write_files(const sweep_task& task, const std::vector<sweep_point>& points, bool last) const {
    status first = fine();
    const auto write = [&](const std::optional<std::string>& file, auto&& text) {
      if (!file || (!last && in_place(*file))) return;
      status written = write_whole_file(*file, text());
      if (!written && first) first = std::move(written);
    };
    write(csv_, [&] { return sweep_csv(task.what, task.head, points); });
    write(json_, [&] { return sweep_json(task.what, task.head, points); });
    write(svg_, [&] { return sweep_svg(task.what, task.head, points); });
    if (png_ && last) {
      status drawn = write_png(task, points);
      if (!drawn && first) first = std::move(drawn);
    }
    return first;
  }

  status write_png(const sweep_task& task, const std::vector<sweep_point>& points) const {
    const outcome<std::string> png =
        figure_png([&](const words_writer& words) { return sweep_svg(task.what, task.head, points, words); });
    return png ? write_whole_file(*png_, *png) : problem{fmt::format("--png: {}", png.error().words)};
  }

  std::optional<std::string> name_, csv_, json_, svg_, png_, scale_, rounds_, into_, shard_, against_;
  std::vector<std::string> folders_;
  std::string part_;
  bool list_ = false, kept_ = false;
  machine_choice machine_;
  benchmark_choice floor_;
};

}  // namespace

std::unique_ptr<subcommand> make_sweep_command() { return std::make_unique<sweep_command>(); }

}  // namespace pivotscope
