// pivotscope trace: one lookup, of a key, a range or a successor, step by step.
#include <fmt/format.h>

#include <array>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/options/workload_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/printed_json.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/machine/change_index.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/load_workload.hpp"
#include "core/run/run.hpp"
#include "core/run/run_script.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/workload/question_text.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope trace --lookup 9
  pivotscope trace --config "AO+PB+KS fanout=5 lanes=2" --lookup 8
  pivotscope trace --config "EO+KS" --lookup 9 --source
  pivotscope trace --config "EO+KS scan=cooperative" --lookup 4 --range-to 12
  pivotscope trace --config "EO+KS" --successor 9
  pivotscope trace --config "EO+KS" --lower-bound 9
  pivotscope trace --config "AO+BS" --match 9
  pivotscope trace --config PLAIN --insert 8
  pivotscope trace --config PLAIN --erase 9
  pivotscope trace --config "EO+KS keys=u64" --keys 2^20 --seed 7 --lookup 12345 --json

Without workload options the keys are the 14 of the papers' worked examples. Each step says which bytes were read by
which lane, what was compared, and which keys are still possible; of an insert or an erase, what it changed, over an index
that stays as it is. The answer is checked, and so is the machine's own.
Exit status: 0 right, 1 a wrong answer, 2 bad input. --json is described in docs/json.md.)";

class trace_command final : public subcommand {
 public:
  command_words words() const override {
    return {"trace", "show one lookup step by step: what it reads, compares and rules out", examples};
  }

  void add_options(option_list& to) override {
    to.text("--config", config_line_, {"LINE"}, "the index, as one line in quotes (default EO+BS)");
    to.text("--lookup", text_of(operation::find), {"KEY"}, "the key to look for");
    to.text("--range-to", range_to_, {"KEY"}, "the range from the --lookup key to this one, both inclusive");
    for (const operation kind : all_operations)
      if (kind != operation::find && kind != operation::range)
        to.text(option_of(kind).c_str(), text_of(kind), {"KEY"},
                fmt::format("in place of --lookup: {}", info_of(kind).answer));
    to.flag("--source", source_, "with the lines of the source that each step runs, and the values there");
    to.flag("--json", json_, "print JSON");
    workload_.add_keys_to(to, workload{});
    to.text("--keys-from", workload_.keys_from, {"FILE", "Workload"},
            "keys of your own: text, one unsigned integer a line, or SOSD's or NumPy's format");
    machine_.add_to(to, "cpu");
  }

  int run(const machine_source& machines) override {
    const std::string line = config_line_.value_or("EO+BS");
    outcome<typed_config> typed = typed_config_from_line(line);
    if (!typed) return complain(fmt::format("--config \"{}\": {}", line, typed.error().words));
    outcome<workload> load = workload_.read(workload{.lookups = 0});
    if (!load) return complain(load.error());
    set_batch_size(*load, operation::find, 0);  // a line may have some, but none are made
    if (!config_line_) {
      workload keys_alone = *load;
      keys_alone.own_batch = {};
      terminal_job job;
      const outcome<key_width> width = width_not_told(workload_, keys_alone, job.control());
      if (!width) return complain(width.error());
      typed->config.keys = *width;
    }
    outcome<question> what = read_keys(typed->config.keys);
    if (!what) return complain(what.error());
    if (auto why = check_serves(typed->config, what->kind)) return complain(*why);
    outcome<std::unique_ptr<machine>> on = machine_.open(machines);
    if (!on) return complain(on.error());

    outcome<std::pair<lookup_trace, check_report>> traced = trace_on(**on, *typed, *load, *what);
    if (!traced) return complain(traced.error());
    const auto& [trace, check] = *traced;
    if (json_)
      print_json(trace, check.wrong, source_);
    else
      print(to_text(trace, source_));
    if (check.wrong > 0) complain("wrong: " + check.first_wrong);
    return finish_output(check.wrong == 0 ? exit_right : exit_wrong);
  }

 private:
  static outcome<u64> read_key(std::string_view option, const std::string& text, key_width width) {
    outcome<u64> key = parse_count(text, option, 0, greatest_key<u64>());
    if (key && width == key_width::u32 && *key > greatest_key<u32>()) {
      return problem{fmt::format("{} {} does not fit keys=u32, whose keys end at {}; put keys=u64 into the config",
                                 option, text, greatest_key<u32>())};
    }
    return key;
  }

  // "--lower-bound"; a range is asked for by --lookup and --range-to.
  static std::string option_of(operation kind) { return "--" + option_name(info_of(kind).one); }
  std::optional<std::string>& text_of(operation kind) { return texts_[static_cast<std::size_t>(kind)]; }

  outcome<question> read_keys(key_width width) {
    std::vector<operation> asked;
    std::string options;
    for (const operation kind : all_operations) {
      if (text_of(kind)) asked.push_back(kind);
      if (kind != operation::range) options += (options.empty() ? "" : ", ") + option_of(kind);
    }
    if (asked.size() != 1) return problem{fmt::format("one of these says what to show, and one alone: {}", options)};
    const operation kind = asked.front();
    const outcome<u64> key = read_key(option_of(kind), *text_of(kind), width);
    if (!key) return key.error();
    if (!range_to_) return question(kind, *key);
    const outcome<u64> high = read_key("--range-to", *range_to_, width);
    if (!high) return high.error();
    return question(operation::range, *key, *high);
  }

  static key_array one_key(key_width width, u64 key) {
    key_array one(width, 1);
    one.visit([key](auto& values) { values[0] = static_cast<std::decay_t<decltype(values[0])>>(key); });
    return one;
  }

  // The trace, and whether its answer and the machine's own are right.
  outcome<std::pair<lookup_trace, check_report>> trace_on(machine& on, const typed_config& typed, const workload& load,
                                                          const question& what) const {
    const key_width width = typed.config.keys;
    terminal_job job;
    const outcome<loaded_key_set> loaded =
        load_keys(workload_.in_full(load), width, on, job.control(), family_of(typed.config).sorted_input());
    if (!loaded) return loaded.error();
    const key_set& keys = *loaded->set;
    const index_config config = config_for(typed, keys.size(), on.info());
    outcome<std::shared_ptr<const built_index>> index = on.build(config, keys.resident(), job.control());
    if (!index) return index.error();
    outcome<lookup_trace> trace = trace_of(**index, what);
    if (!trace) return trace.error();
    outcome<check_report> check = trace->write ? check_write(on, *index, keys, *trace, job.control())
                                               : check_trace(on, **index, keys, *trace, job.control());
    if (!check) return check.error();
    if (job.control().cancelled()) return job_control::cancelled_problem();
    return std::pair{std::move(*trace), std::move(*check)};
  }

  // Of the trace's answer and then of the machine's own.
  static outcome<check_report> check_trace(machine& on, const built_index& index, const key_set& keys,
                                           const lookup_trace& trace, const job_control& control) {
    batch asked{.keys = one_key(keys.width(), trace.key)};
    batch_answers traced;
    asked.kind = trace.asked;
    if (trace.asked == operation::range) asked.highs = one_key(keys.width(), trace.range->high);
    if (trace.range)
      traced.ranges = {trace.range->answer};
    else if (trace.successor)
      traced.successors = {*trace.successor};
    else
      traced.found = {trace.row};
    const bool one_a_key = !family_of(index.config()).keeps_duplicates(index.config());
    if (trace.asked == operation::matches && !trace.range) count_found(traced, false);
    outcome<run_record> own =
        run_batch(on, index, keys, asked, {.batch = {.rows = answer_of(asked.kind) == answer_kind::sum}}, control);
    if (!own) return own.error();
    check_report check = keys.checker().check(asked, traced, false, control, one_a_key);
    return check.wrong > 0 ? std::move(check) : std::move(own->check);
  }

  // The machine's own write, which the oracle checks, and the trace came to the same.
  static outcome<check_report> check_write(machine& on, std::shared_ptr<const built_index> index, const key_set& keys,
                                           const lookup_trace& trace, const job_control& control) {
    script one(keys.width());
    one.add({trace.write->kind, trace.key});
    outcome<script_record> own = run_script(on, std::move(index), keys, one, {}, control);
    if (!own) return own.error();
    check_report check{.checked = 1, .wrong = own->wrong(), .first_wrong = own->first_wrong()};
    const write_counts traced = count_writes({&trace.write->done, 1});
    if (check.wrong == 0 && own->batches.front().counts != traced) {
      check.wrong = 1;
      check.first_wrong = fmt::format("the trace of {} came to '{}', but the machine's own write did not",
                                      to_text(question_of(trace)), write_done_name(trace.write->done));
    }
    return check;
  }

  std::optional<std::string> config_line_;
  std::array<std::optional<std::string>, all_operations.size()> texts_ = {};  // keys as typed
  std::optional<std::string> range_to_;
  bool source_ = false, json_ = false;
  workload_options workload_;
  machine_choice machine_;
};

}  // namespace

std::unique_ptr<subcommand> make_trace_command() { return std::make_unique<trace_command>(); }

}  // namespace pivotscope
