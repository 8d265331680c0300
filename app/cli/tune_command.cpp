// pivotscope tune: measures many configs over a workload, ranks them, and keeps the ranking.
#include <fmt/format.h>

#include "app/built/this_program.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/options/workload_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/printed_json.hpp"
#include "app/cli/run_configs.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/table.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/index/config_text.hpp"
#include "core/tuning/batch_to_time.hpp"
#include "core/tuning/tuning_store.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope tune --keys 2^20
  pivotscope tune --keys 2^28 --lookups 2^27 --machine cuda --json
  pivotscope tune --keys 2^24 --ascending --smallest
  pivotscope tune --keys 2^24 --ranges 2^16 --hits 1024
  pivotscope tune --keys 2^24 --kept             what was found the last time; nothing is measured

Many configs on a slice of the batch, then the best few on all of them, in rounds. Every answer is
checked; a config with a wrong one is out. A ~ before a rate: it cannot be told apart from the one above.
docs/adviser.md has the method.
Exit status: 0 all right, 1 a wrong answer, 2 bad input, 130 ended by ctrl-C. --json is described in docs/json.md.)";

const workload standard{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 20};
constexpr std::size_t shown_rows = 16;

std::string tuning_table(const tuning& done) {
  std::vector<table_row> rows = {{"config", std::string(operation_noun(done.asked)), "quarter slower", "quarter faster",
                                  "index", "build ms", "runs"}};
  for (std::size_t i = 0; i < std::min(done.ranking.size(), shown_rows); ++i) {
    const tuned_config& one = done.ranking[i];
    const bool ties = i > 0 && done.ranking[i - 1].finalist == one.finalist && !done.ranking[i - 1].beats_next;
    rows.push_back({to_line(one.config), (ties ? "~ " : "") + rate_text(one.rate()), rate_text(one.rate_at(0.75)),
                    rate_text(one.rate_at(0.25)), bytes_text(one.index_bytes), milliseconds_text(one.build_ms),
                    fmt::format("{}{}", one.samples_ms.size(), one.finalist ? "" : ", first look")});
  }
  return table_text(rows);
}

// Of what files hold too.
batch_extent extent_of(const loaded_workload& loaded, const workload& load, machine_kind on) {
  const batch& asked = loaded.asked;
  return {loaded.keys->size(), asked.kind, asked.size(), load.ranges != 0 ? load.range_hits : 0, on};
}

class tune_command final : public subcommand {
 public:
  command_words words() const override {
    return {"tune", "measure many indexes over a workload and rank them", examples};
  }

  void add_options(option_list& to) override {
    to.flag("--ascending", ascending_, "only orders that keep the entries ascending", "What is required");
    to.flag("--smallest", smallest_, "only orders without anything beside the entries", "What is required");
    to.text("--key-width", width_, {"WIDTH", "Workload"}, "u32 or u64 (default u32, or what the keys of a file need)");
    to.flag("--kept", kept_, "print what was found the last time; measure nothing");
    to.flag("--json", json_, "print JSON");
    workload_.add_to(to, standard);
    workload_.add_files_to(to);
    workload_.add_questions_to(to);
    machine_.add_to(to, "best");
  }

  int run(const machine_source& machines) override {
    const outcome<workload> load = workload_.read(standard);
    if (!load) return complain(load.error());
    if (width_ && *width_ != "u32" && *width_ != "u64")
      return complain(fmt::format("--key-width: '{}' is no width of keys; there are u32 and u64", *width_));
    outcome<key_width> width = width_ == "u64" ? key_width::u64 : key_width::u32;
    const auto path = tuning_path(machine_.cache_folder.value_or(""));
    if (kept_) return show_kept(machines, *load, *width, path);

    terminal_job job;
    if (!width_) width = width_not_told(workload_, *load, job.control());
    if (!width) return complain(width.error());
    outcome<std::unique_ptr<machine>> on = machine_.open(machines);
    if (!on) return complain(on.error());
    outcome<loaded_workload> loaded = load_workload(workload_, *load, *width, **on, job.control());
    if (!loaded) return complain(loaded.error());
    if (const std::string few = too_few_to_time(extent_of(*loaded, *load, (*on)->info().kind)); !few.empty())
      return complain(few + ": nothing is tuned");
    tuning_options options;
    options.ascending = ascending_;
    options.smallest = smallest_;
    options.report = [&](const tuning_progress& now) { job.set_heading(now.words); };
    outcome<tuning> done = tune(**on, *loaded->keys, loaded->asked, options, job.control());
    if (!done) return complain(done.error());
    done->by = this_program();

    const std::string words = workload_.words(*load);
    // Files may change under the same name.
    const bool files = workload_.keys_from || workload_.has_file();
    if (!files && is_whole_line(*load)) {
      const outcome<std::string> kept = keep_tuning(path, words, *done);
      if (const std::string& told = kept ? *kept : kept.error().words; !told.empty()) complain(told);
    }
    return show(words, *done);
  }

 private:
  int show_kept(const machine_source& machines, const workload& load, key_width width,
                const std::filesystem::path& path) const {
    const outcome<machine_kind> kind = machine_.kind(machines);
    if (!kind) return complain(kind.error());
    tuning_question question{*kind, "", workload_.words(load), width, ascending_, smallest_};
    for (const machine_report& report : machines.find())
      if (report.kind == *kind) question.machine = report.info.name;
    const kept_tuning kept = load_tuning(path, question);
    if (kept.found) return show(question.workload, *kept.found);
    if (!kept.note.empty()) return complain(kept.note);
    return complain(fmt::format("nothing was tuned yet for {} on {}; without --kept it is measured", question.workload,
                                machine_name(*kind)));
  }

  // What was measured, now or then: the ranking, and words for each config that answered wrong.
  int show(const std::string& words, const tuning& done) const {
    int wrong = 0;
    for (const tuning_reject& out : done.rejected) {
      if (!out.wrong) continue;
      ++wrong;
      complain(fmt::format("wrong: {}: {}", to_line(out.config), out.words));
    }
    print_tuning(words, done, wrong);
    return finish_output(wrong == 0 ? exit_right : exit_wrong);
  }

  void print_tuning(const std::string& words, const tuning& done, int wrong) const {
    if (json_) {
      print_json(words, done, wrong);
      return;
    }
    print(fmt::format("{}\non {}, {}{}\n", words, machine_name(done.kind), done.machine,
                      done.driver.empty() ? "" : fmt::format(", driver {}", done.driver)));
    if (!done.by.program.empty()) print(fmt::format("{}, commit {}\n", done.by.program, done.by.commit));
    if (!done.conditions.clocks.empty()) print(fmt::format("clocks: {}\n", done.conditions.clocks));
    print(fmt::format("{} keys, {} {}; {} configs measured in {:.1f} s, every answer was checked\n\n",
                      count_text(done.keys), count_text(done.operations), operation_noun(done.asked),
                      done.ranking.size(), done.seconds));
    print(tuning_table(done));
    if (done.ranking.size() > shown_rows)
      print(fmt::format("and {} slower ones; --json has them all\n", done.ranking.size() - shown_rows));
    std::vector<holding> held;
    for (const tuned_config& one : done.ranking) held.push_back({one.config, one.held});
    print(holding_text(held, done.keys));
    if (const u32 tied = done.tied_with_winner(); tied > 1)
      print(fmt::format("\nThe first {} cannot be told apart within the noise.\n", tied));
    for (const tuning_reject& out : done.rejected)
      if (!out.wrong) print(fmt::format("\nnot measured: {}: {}\n", to_line(out.config), out.words));
  }

  bool ascending_ = false, smallest_ = false, kept_ = false, json_ = false;
  std::optional<std::string> width_;
  workload_options workload_;
  machine_choice machine_;
};

}  // namespace

std::unique_ptr<subcommand> make_tune_command() { return std::make_unique<tune_command>(); }

}  // namespace pivotscope
