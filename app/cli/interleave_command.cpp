// pivotscope interleave: small mixed batches under the schedules that writers go wrong in.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/schedule_text.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/machine/machine_source.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope interleave --config PLAIN --schedules 2^20 --seed 3
  pivotscope interleave --config PLAIN --replay "keys=5,3 ops=+5,-5 schedule=0:1 1"

Batches of two or three operations on a key and its neighbours, over small indexes, also over ones that are about to be full:
each under all schedules that switch twice between the operations, before accesses of words that both touch, and under some
random ones. Answers, and what is left in the index, are judged by the oracle (docs/updates.md). The first that is wrong ends
it, and standard output has the line that shows it again.
Exit status: 0 all right, 1 a wrong answer, 2 bad input, 130 ended by ctrl-C.)";

class interleave_command final : public subcommand {
 public:
  command_words words() const override {
    return {"interleave", "try updates that meet in an index under every schedule of two switches", examples};
  }

  void add_options(option_list& to) override {
    to.required("--config", config_line_, {"LINE"}, "the index, of a method that can insert or erase");
    to.text("--schedules", schedules_, {"N"}, "whole batches, until so many ran (default 100000)");
    to.text("--seed", seed_, {"N"}, "which batches (default 1)");
    to.text("--replay", replay_, {"LINE"}, "this one alone, access by access, the operations side by side");
  }

  int run(const machine_source& machines) override {
    outcome<typed_config> typed = typed_config_from_line(config_line_);
    if (!typed) return complain(fmt::format("--config \"{}\": {}", config_line_, typed.error().words));
    const outcome<u64> schedules = parse_count(schedules_, "--schedules", 1, 1ull << 40);
    if (!schedules) return complain(schedules.error());
    const outcome<u64> seed = parse_count(seed_, "--seed", 0, greatest_key<u64>());
    if (!seed) return complain(seed.error());
    outcome<std::unique_ptr<machine>> cpu = machines.open(machine_kind::cpu, {});
    if (!cpu) return complain(cpu.error());
    const index_config config = config_for(*typed, 0, (*cpu)->info());  // a handful of keys
    return replay_ ? replay(**cpu, config) : try_all(**cpu, config, *schedules, *seed);
  }

 private:
  int replay(machine& cpu, const index_config& config) const {
    const outcome<interleaved_case> c = interleaved_case_from_text(*replay_, config.keys);
    if (!c) return complain(fmt::format("--replay \"{}\": {}", *replay_, c.error().words));
    auto made = interleaving::make(cpu, config, *c);
    if (!made) return complain(made.error());
    const interleaved_run run = (*made)->run(c->order);
    print(schedule_text(*c, **made, run));
    if (!run.fault.empty()) complain("wrong: " + run.fault);
    return finish_output(run.fault.empty() ? exit_right : exit_wrong);
  }

  static int try_all(machine& cpu, const index_config& config, u64 schedules, u64 seed) {
    interleaving_counts counts;
    outcome<std::optional<interleaving_failure>> tried = [&] {
      terminal_job job;
      return try_interleavings(cpu, config, schedules, seed, counts, job.control());
    }();
    if (!tried && tried.error().cancelled)
      return complain(problem{fmt::format("cancelled after {} schedules, all right", counts.schedules), true});
    if (!tried) return complain(tried.error());
    if (!*tried) {
      print(fmt::format("{}, seed {}: {}, all right\n", to_line(config), seed, counts_text(counts)));
      return finish_output(exit_right);
    }
    const interleaving_failure& failure = **tried;
    print(fmt::format("pivotscope interleave --config \"{}\" --replay \"{}\"\n", to_line(config),
                      to_text(failure.failing)));
    complain(fmt::format("wrong, batch {} of seed {}: {}", counts.cases, seed, failure.words));
    return finish_output(exit_wrong);
  }

  std::string config_line_, schedules_ = "100000", seed_ = "1";
  std::optional<std::string> replay_;
};

}  // namespace

std::unique_ptr<subcommand> make_interleave_command() { return std::make_unique<interleave_command>(); }

}  // namespace pivotscope
