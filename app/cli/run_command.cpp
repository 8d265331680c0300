// pivotscope run: build, look up, check, print.
#include <fmt/format.h>

#include "app/built/this_program.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/options/config_options.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/options/repeat_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/printed_json.hpp"
#include "app/cli/run_configs.hpp"
#include "app/cli/run_scripts.hpp"
#include "app/cli/subcommand.hpp"
#include "core/common/whole_file.hpp"
#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"
#include "core/run/entry_file.hpp"
#include "core/run/run_figures.hpp"
#include "core/run/script_figures.hpp"
#include "core/tuning/known_faster.hpp"
#include "core/workload/files/key_file.hpp"
#include "core/workload/files/range_file.hpp"
#include "core/workload/script_answers.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope run
  pivotscope run --config "EO+KS fanout=9" --config "AO+PB+KS fanout=9 lanes=2" --keys 2^24 --lookups 2^24
  pivotscope run --config "AO+BS keys=u64" --keys-from keys.txt --lookups-from lookups.txt --answers rows.txt
  pivotscope run --config "EO+KS scan=cooperative" --keys 2^24 --ranges 2^16 --hits 1024
  pivotscope run --keys-from keys.txt --ranges-from ranges.txt --answers answers.txt --rows
  pivotscope run --config "AO+PB+KS fanout=9 lanes=2" --keys 2^24 --lower-bounds 2^20
  pivotscope run --config PACKED --keys 2^24 --distribution duplicates --matches 2^20
  pivotscope run --config PLAIN --keys 1000 --script updates.txt --answers answers.txt
  pivotscope run --config PLAIN --keys 1000 --inserts 200 --erases 100 --mix 0.2 --lookups 500
  pivotscope run --config HT+OA --keys 1000 --script updates.txt --entries entries.txt
  pivotscope run --machine cuda --keys 2^28 --lookups 2^27 --repeats 10 --json
  pivotscope run --config EO+BS --config PACKED --keys 2^24 --lookups 2^24 --repeats auto --csv figures.csv
  pivotscope run --config EO+BS --config AO+BS --repeats auto --noise 0.5% --most-seconds 20 --cold

Every answer is checked. Times are milliseconds, of the GPU's clock on cuda; the rate is lookups / median time.
Answers are text, one a line: the row id of an entry with that key, or - when there is none; of a range or of
matches the number of entries, the sum of their row ids and, with --rows, the row ids; of a successor or a
lower bound its key and a row id, or -. With a script each batch is a line of the table, or of more than 40
each kind of batch; and answers are those of all that it asks, in order.
Exit status: 0 all right, 1 a wrong answer, 2 bad input, 130 ended by ctrl-C. --json is described in docs/json.md.)";

const workload standard{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 20};

class run_command final : public subcommand {
 public:
  command_words words() const override {
    return {"run", "build an index, look keys up, check every answer, print the times", examples};
  }

  void add_options(option_list& to) override {
    config_.add_to(to, "a row of the table");
    repeats_.add_to(to);
    to.flag("--json", json_, "print JSON");
    to.text("--csv", csv_, {"FILE"}, "write the figures there, a line for each config, or for each batch of a script");
    workload_.add_to(to, standard);
    workload_.add_files_to(to);
    workload_.add_questions_to(to);
    workload_.add_script_to(to);
    to.text("--answers", answers_, {"FILE", files_group}, "write the answers there");
    to.text("--entries", entries_, {"FILE", files_group},
            "write what the index holds there, at the end: a key and its row id a line, in ascending order");
    to.flag("--rows", rows_, "ranges, matches: list the row ids as well, check them, and add them to the answers");
    to.flag("--rays", rays_, "lookups by rays: time the rays by themselves as well");
    machine_.add_to(to, "best");
  }

  int run(const machine_source& machines) override {
    outcome<run_request> request = read_request();
    if (!request) return complain(request.error());
    terminal_job job;
    if (status s = config_.set_width(request->configs, workload_, request->load, job.control()); !s)
      return complain(s.error());
    outcome<std::unique_ptr<machine>> on = machine_.open(machines);
    if (!on) return complain(on.error());
    if (has_script(request->load)) return run_with_script(**on, *request, job);
    outcome<run_results> results = run_configs(**on, *request, job);
    if (!results) return complain(results.error());
    const int wrong = complain_about_wrong(results->records);
    if (answers_ && wrong == 0) {
      const status written = write_answers_of(results->records.front(), job.control());
      if (!written) return complain(written.error());
    }
    if (entries_ && wrong == 0) {
      if (status written = write_entries(*entries_, *results->records.front().index, job.control()); !written)
        return complain(written.error());
    }
    if (csv_) {
      const run_head head{this_program(), request->options.words(request->load), request->load.seed, request->batch};
      if (status written = write_whole_file(*csv_, run_csv(results->records, head)); !written)
        return complain(written.error());
    }
    print_results(*request, (*on)->info(), *results);
    return finish_output(wrong == 0 ? exit_right : exit_wrong);
  }

 private:
  int run_with_script(machine& on, const run_request& request, terminal_job& job) const {
    outcome<script_results> results = run_scripts(on, request, job);
    if (!results) return complain(results.error());
    const int wrong = complain_about_wrong(results->records);
    if (answers_ && wrong == 0) {
      const status written =
          write_script_answers(*answers_, results->scripts.front(), results->records.front().answers, job.control());
      if (!written) return complain(written.error());
    }
    if (entries_ && wrong == 0) {
      if (status written = write_entries(*entries_, *results->records.front().index, job.control()); !written)
        return complain(written.error());
    }
    if (csv_) {
      const run_head head{this_program(), to_line(request.options.in_full(request.load)), request.load.seed,
                          request.batch};
      if (status written = write_whole_file(*csv_, script_csv(results->records, head)); !written)
        return complain(written.error());
    }
    if (json_)
      print_json(request, *results);
    else
      print(scripts_text(request, on.info(), *results));
    return finish_output(wrong == 0 ? exit_right : exit_wrong);
  }

  status write_answers_of(const run_record& record, const job_control& control) const {
    const batch_answers& answers = record.answers;
    switch (answer_of(record.kind)) {
      case answer_kind::row:
        return write_answers(*answers_, answers.found, control);
      case answer_kind::next:
        return write_successor_answers(*answers_, answers.successors, control);
      case answer_kind::sum:
      case answer_kind::done:
        break;
    }
    return write_range_answers(*answers_, answers.ranges, answers.begins, answers.rows, control);
  }

  outcome<run_request> read_request() const {
    run_request request;
    outcome<std::vector<typed_config>> configs = config_.read();
    if (!configs) return configs.error();
    request.configs = std::move(*configs);
    outcome<workload> load = workload_.read(standard);
    if (!load) return load.error();
    outcome<batch_options> repeats = repeats_.read();
    if (!repeats) return repeats.error();
    if (has_script(*load) && repeats->until)
      return problem{
          "--repeats auto goes with one batch; a script's batches are run a fixed number of times: --repeats 10"};
    if (has_script(*load) && repeats->cold)
      return problem{"--cold goes with one batch; a script's batches each find the cache as the one before left it"};
    if (status served = check_all_serve(request.configs, *load); !served) return served.error();
    if (rows_ && has_script(*load))
      return problem{"--rows lists the row ids of ranges or matches, and not of a script's"};
    if (rows_ && answer_of(workload_.asked(*load)) != answer_kind::sum)
      return problem{"--rows lists the row ids of ranges or matches; add --ranges N, --matches N or a file of them"};
    if (rays_) {
      if (has_script(*load) || workload_.asked(*load) != operation::find)
        return problem{"--rays times the rays of lookups: add --lookups N, and no script"};
      if (repeats->cold) return problem{"--rays times rays with a warm cache: leave out --cold"};
      for (const typed_config& typed : request.configs)
        if (family_of(typed.config).part_of_lookups() != "rays")
          return problem{fmt::format("--rays: {} has no rays that are timed by themselves; take a config of CGRX",
                                     to_line(typed.config))};
    }
    if (csv_) {
      if (status writable = check_writable(*csv_); !writable) return writable.error();
    }
    if (answers_) {
      if (request.configs.size() > 1) return problem{"--answers goes with one --config: each has its own answers"};
      if (status writable = check_writable(*answers_); !writable) return writable.error();
    }
    if (entries_) {
      if (request.configs.size() > 1) return problem{"--entries goes with one --config: each index has its own"};
      if (status writable = check_writable(*entries_); !writable) return writable.error();
    }
    request.options = workload_;
    request.load = *load;
    request.batch = *repeats;
    request.batch.rows = rows_, request.batch.part = rays_;
    request.keep_answers = answers_.has_value();
    request.keep_index = entries_.has_value();
    return request;
  }

  // What is made is known before any work, and what a file of operations has once it has been read.
  status check_all_serve(const std::vector<typed_config>& configs, const workload& load) const {
    const bool lookups = workload_.asked(load) != operation::find || !has_script(load);
    const std::pair<operation, bool> asked[] = {{operation::insert, load.recipe.inserts != 0},
                                                {operation::erase, load.recipe.erases != 0},
                                                {workload_.asked(load), lookups}};
    for (const typed_config& typed : configs)
      for (const auto& [what, is_asked] : asked)
        if (is_asked)
          if (auto why = check_serves(typed.config, what)) return problem{*why};
    return fine();
  }

  void print_results(const run_request& request, const machine_info& info, const run_results& all) const {
    const std::vector<run_record>& records = all.records;
    if (json_) {
      print_json(request, all);
      return;
    }
    const bool all_wrong = std::all_of(records.begin(), records.end(), [](const auto& r) { return r.check.wrong > 0; });
    if (all_wrong) return;
    print(fmt::format("{}\non {}\n", request.options.words(request.load), machine_words(info)));
    const run_record& first = records.front();
    print(fmt::format("{} keys, {} {}, {}; every answer was checked\n\n", first.keys, first.operations,
                      operation_noun(first.kind), repeat_words(request.batch)));
    print(records_table(records));
    std::vector<holding> held;
    for (const run_record& record : records)
      if (record.check.wrong == 0) held.push_back({record.config, record.held});
    print(holding_text(held, first.keys));
    print(sampling_text(records));
    for (const run_record& record : records) {
      if (const auto words = caution(record.config))
        print(fmt::format("\n{}: {}.\n", method_name(record.config), *words));
      if (const known_row* known = known_faster(record.config, record.keys, request.load, info))
        print(fmt::format("\n{}\n", words_of(*known)));
    }
  }

  config_options config_{.standard = "EO+BS"};
  std::optional<std::string> answers_, csv_, entries_;
  bool rows_ = false, rays_ = false;
  bool json_ = false;
  repeat_options repeats_;
  workload_options workload_;
  machine_choice machine_;
};

}  // namespace

std::unique_ptr<subcommand> make_run_command() { return std::make_unique<run_command>(); }

}  // namespace pivotscope
