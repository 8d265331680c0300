// pivotscope trace: one lookup, step by step.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/exit_code.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/terminal_job.hpp"
#include "app/cli/workload_options.hpp"
#include "core/config/config_text.hpp"
#include "core/reference/reference.hpp"
#include "core/trace/trace.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope trace --lookup 9
  pivotscope trace --config "AO+PB+KS fanout=5 lanes=2" --lookup 8
  pivotscope trace --config "EO+KS keys=u64" --keys 2^20 --seed 7 --lookup 12345 --json

Without workload options the keys are the 14 of the papers' worked examples. Each step says which bytes were read by
which lane, what was compared, and which keys are still possible. The answer is checked, and so is the machine's own.
Exit status: 0 right, 1 a wrong answer, 2 bad input. --json is described in docs/json.md.)";

class trace_command final : public subcommand {
 public:
  CLI::App* add_to(CLI::App& program) override {
    CLI::App* app =
        program.add_subcommand("trace", "show one lookup step by step: what it reads, compares and rules out");
    app->add_option("--config", config_line_, "the index, as one line in quotes (default EO+BS)")->type_name("LINE");
    app->add_option("--lookup", key_, "the key to look for")->type_name("KEY")->required();
    app->add_flag("--json", json_, "print JSON");
    workload_.add_to(*app, workload{});
    app->add_option("--keys-from", workload_.keys_from,
                    "keys of your own: text, one unsigned integer a line, or SOSD's format")
        ->type_name("FILE")
        ->group("Workload");
    machine_.add_to(*app, "cpu");
    app->footer(examples);
    return app;
  }

  int run() override {
    outcome<index_config> config = config_from_line(config_line_);
    if (!config) return complain(fmt::format("--config \"{}\": {}", config_line_, config.error().words));
    outcome<workload> load = workload_.read(workload{});
    if (!load) return complain(load.error());
    outcome<u64> key = read_key(config->keys);
    if (!key) return complain(key.error());
    outcome<std::unique_ptr<machine>> on = machine_.open();
    if (!on) return complain(on.error());

    outcome<std::pair<lookup_trace, check_report>> traced = trace_on(**on, *config, *load, *key);
    if (!traced) return complain(traced.error());
    const auto& [trace, check] = *traced;
    if (json_) {
      nlohmann::json json;
      to_json(json, trace);
      json["wrong"] = check.wrong;
      print_json(json);
    } else {
      print(to_text(trace));
    }
    if (check.wrong > 0) complain("wrong: " + check.first_wrong);
    return finish_output(check.wrong == 0 ? exit_right : exit_wrong);
  }

 private:
  outcome<u64> read_key(key_width width) const {
    outcome<u64> key = parse_count(key_, "--lookup", 0, greatest_key<u64>());
    if (key && width == key_width::u32 && *key > greatest_key<u32>()) {
      return problem{
          fmt::format("--lookup {} does not fit keys=u32, whose keys end at {}; put keys=u64 into the config", key_,
                      greatest_key<u32>())};
    }
    return key;
  }

  // The trace of `key`, and whether its answer and the machine's own are right.
  outcome<std::pair<lookup_trace, check_report>> trace_on(machine& on, const index_config& config, const workload& load,
                                                          u64 key) const {
    if (status enough = check_memory_for(workload_, load, config.keys, on); !enough) return enough.error();
    terminal_job job;
    outcome<key_array> keys = load_keys(workload_, load, config.keys, job.control());
    if (!keys) return keys.error();
    outcome<std::shared_ptr<const resident_keys>> resident = on.load(*keys, job.control());
    if (!resident) return resident.error();
    outcome<std::shared_ptr<const built_index>> index = on.build(config, *resident, job.control());
    if (!index) return index.error();
    outcome<lookup_trace> trace = trace_lookup(**index, key);
    if (!trace) return trace.error();
    key_array lookups(config.keys, 1);
    lookups.visit([key](auto& values) { values[0] = static_cast<std::decay_t<decltype(values[0])>>(key); });
    outcome<lookup_result> looked_up = on.lookup(**index, lookups, {}, job.control());
    if (!looked_up) return looked_up.error();
    check_report check = check_answers(*keys, lookups, std::vector<u32>{trace->row}, job.control());
    if (check.wrong == 0) check = check_answers(*keys, lookups, looked_up->answers, job.control());
    if (job.control().cancelled()) return job_control::cancelled_problem();
    return std::pair{std::move(*trace), std::move(check)};
  }

  std::string config_line_ = "EO+BS";
  std::string key_;
  bool json_ = false;
  workload_options workload_;
  machine_choice machine_;
};

}  // namespace

std::unique_ptr<subcommand> make_trace_command() { return std::make_unique<trace_command>(); }

}  // namespace pivotscope
