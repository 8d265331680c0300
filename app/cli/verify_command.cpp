// pivotscope verify: random configs and workloads against the reference.
#include <fmt/format.h>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/printed_json.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/verify/cases.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope verify --cases 1000 --seed 1
  pivotscope verify --cases 500 --machine cuda --max-keys 2^20

Every case is a random config and a random workload. Each answer, of whatever is asked, is compared with a plain
std::lower_bound; a few of each case are traced as well. Where the index changes, a script of inserts, erases and finds
follows, checked by an oracle. The first wrong answer ends it, and standard output has the case as one line that shows it
again: pivotscope trace ..., or pivotscope run ... of a script.
Exit status: 0 all right, 1 a wrong answer, 2 bad input, 130 ended by ctrl-C. --json is described in docs/json.md.)";

class verify_command final : public subcommand {
 public:
  command_words words() const override {
    return {"verify", "check random configs and workloads against a plain reference", examples};
  }

  void add_options(option_list& to) override {
    to.text("--cases", cases_, {"N"}, "how many (default 1000)");
    to.text("--seed", seed_, {"N"}, "which cases (default 1)");
    to.text("--max-keys", most_keys_, {"N"}, "keys of a case at most (default 2^14)");
    to.text("--configs", configs_, {"N"}, "how many different configs; 0: one a case (default 0 on cpu, 48 on cuda)");
    to.flag("--json", json_, "print JSON");
    machine_.add_to(to, "best");
  }

  int run(const machine_source& machines) override {
    const outcome<u64> cases = parse_count(cases_, "--cases", 0, 1ull << 40);
    if (!cases) return complain(cases.error());
    outcome<machine_kind> kind = machine_.kind(machines);
    if (!kind) return complain(kind.error());
    outcome<case_options> options = read_options(*kind);
    if (!options) return complain(options.error());
    outcome<std::unique_ptr<machine>> on = machine_.open(machines);
    if (!on) return complain(on.error());

    outcome<verify_result> verified = verify(**on, *options, *cases);
    if (!verified) return complain(verified.error());
    print_result(*verified, *kind);
    return finish_output(verified->failure ? exit_wrong : exit_right);
  }

 private:
  outcome<case_options> read_options(machine_kind kind) const {
    case_options options;
    options.configs = standard_configs(kind);
    const outcome<u64> seed = parse_count(seed_, "--seed", 0, greatest_key<u64>());
    if (!seed) return seed.error();
    options.seed = *seed;
    const outcome<u64> most_keys = parse_count(most_keys_, "--max-keys", 0, max_keys);
    if (!most_keys) return most_keys.error();
    options.most_keys = *most_keys;
    if (configs_) {
      const outcome<u64> configs = parse_count(*configs_, "--configs", 0, 1'000'000);
      if (!configs) return configs.error();
      options.configs = static_cast<u32>(*configs);
    }
    return options;
  }

  static outcome<verify_result> verify(machine& on, const case_options& options, u64 cases) {
    terminal_job job;
    const case_generator generator(options);
    verify_result so_far;
    so_far.seed = options.seed;
    for (; so_far.cases < cases; ++so_far.cases) {
      job.report_whole(fmt::format("case {} of {},", so_far.cases + 1, cases),
                       static_cast<double>(so_far.cases) / static_cast<double>(cases));
      auto failure = verify_one(on, generator, so_far.cases, so_far.counts, job.control());
      if (!failure && failure.error().cancelled) {
        return problem{fmt::format("cancelled after {} of {} cases, all right", so_far.cases, cases), true};
      }
      if (!failure) return failure.error();
      so_far.failure = std::move(*failure);
      if (so_far.failure) return so_far;
    }
    return so_far;
  }

  void print_result(const verify_result& r, machine_kind kind) const {
    const std::string failing = r.failure ? command_line(r.failure->first, r.failure->second, kind) : "";
    if (json_) {
      print_json(r, kind, failing);
    } else if (r.failure) {
      print(failing + "\n");
    } else {
      std::string asked;
      for (const operation of : read_operations) asked += fmt::format("{} {}, ", r.counts.of(of), operation_noun(of));
      print(fmt::format("{} cases on {}, seed {}: {} keys, {}{} operations of scripts, {} traces, all right\n", r.cases,
                        machine_name(kind), r.seed, r.counts.keys, asked, r.counts.operations, r.counts.traces));
    }
    if (r.failure) complain(fmt::format("wrong, case {} of seed {}: {}", r.cases, r.seed, r.failure->second.words));
  }

  std::string cases_ = "1000", seed_ = "1", most_keys_ = "2^14";
  std::optional<std::string> configs_;
  bool json_ = false;
  machine_choice machine_;
};

}  // namespace

std::unique_ptr<subcommand> make_verify_command() { return std::make_unique<verify_command>(); }

}  // namespace pivotscope
