// pivotscope advise: which index, from what is known before anything runs.
#include <fmt/format.h>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/options/workload_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/printed_json.hpp"
#include "app/cli/subcommand.hpp"
#include "core/index/config_text.hpp"
#include "core/tuning/adviser.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope advise --keys 2^28
  pivotscope advise --keys 2^20 --ascending --machine cuda
  pivotscope advise --keys 2^26 --key-width u64 --range-size 64 --json

The decision tree of lightweight, Section 6.1, with its reasons; on cuda also what our own measurements found faster.
Nothing is built or timed: pivotscope tune does that. docs/adviser.md has the tree.
Exit status: 0 all right, 2 bad input. --json is described in docs/json.md.)";

const workload standard{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 20};

std::string reasons_text(const std::vector<advice_reason>& reasons) {
  std::string text;
  for (const advice_reason& reason : reasons) text += fmt::format("  - {} ({})\n", reason.words, reason.source);
  return text;
}

class advise_command final : public subcommand {
 public:
  command_words words() const override {
    return {"advise", "say which index suits a workload on a machine, and why", examples};
  }

  void add_options(option_list& to) override {
    const auto flag = [&](const char* name, bool& value, const char* words) {
      to.flag(name, value, words, "What is required");
    };
    flag("--ascending", ascending_, "the entries must lie in ascending order");
    flag("--smallest", smallest_, "nothing beside the entries may take memory");
    flag("--short-rebuild", short_rebuild_, "the index is built anew often");
    to.text("--range-size", range_size_, {"H", "What is required"},
            "the lookups are ranges that yield about H entries each");
    to.text("--key-width", width_, {"WIDTH", "Workload"}, "u32 or u64 (default u32)");
    to.flag("--json", json_, "print JSON");
    workload_.add_size_to(to, standard);
    machine_.add_to(to, "best");
  }

  int run(const machine_source& machines) override {
    const outcome<workload_facts> facts = read_facts();
    if (!facts) return complain(facts.error());
    const outcome<machine_info> on = read_machine(machines);
    if (!on) return complain(on.error());
    const advice given = advise(*facts, *on);
    if (json_)
      print_json(*facts, *on, given);
    else
      print_as_text(*facts, *on, given);
    return finish_output(exit_right);
  }

 private:
  outcome<workload_facts> read_facts() const {
    const outcome<workload> load = workload_.read(standard);
    if (!load) return load.error();
    if (width_ != "u32" && width_ != "u64")
      return problem{fmt::format("--key-width: '{}' is no width of keys; there are u32 and u64", width_)};
    workload_facts facts = facts_of(*load, width_ == "u64" ? key_width::u64 : key_width::u32);
    facts.ascending = ascending_;
    facts.smallest = smallest_;
    facts.short_rebuild = short_rebuild_;
    if (range_size_) {
      const outcome<u64> size = parse_count(*range_size_, "--range-size", 1, max_keys);
      if (!size) return size.error();
      facts.range_share = 1, facts.range_entries = *size;
    }
    return facts;
  }

  outcome<machine_info> read_machine(const machine_source& machines) const {
    const outcome<machine_kind> kind = machine_.kind(machines);
    if (!kind) return kind.error();
    for (const machine_report& report : machines.find()) {
      if (report.kind != *kind) continue;
      if (!report.available) return problem{report.why_not};
      return report.info;
    }
    return problem{fmt::format("There is no machine {}", machine_name(*kind))};
  }

  static void print_as_text(const workload_facts& facts, const machine_info& on, const advice& given) {
    print(fmt::format("{} keys of {} bits, on {}\n\n", count_text(facts.keys), facts.width == key_width::u32 ? 32 : 64,
                      machine_words(on)));
    print(fmt::format("{}\n{}", to_line(given.config), reasons_text(given.reasons)));
    if (given.measured)
      print(fmt::format("\n{}\n  measured faster than the paper's on our hardware:\n{}", to_line(*given.measured),
                        reasons_text(given.measured_reasons)));
    print("\npivotscope tune measures what is fastest here.\n");
  }

  bool ascending_ = false, smallest_ = false, short_rebuild_ = false, json_ = false;
  std::optional<std::string> range_size_;
  std::string width_ = "u32";
  workload_options workload_;
  machine_choice machine_;
};

}  // namespace

std::unique_ptr<subcommand> make_advise_command() { return std::make_unique<advise_command>(); }

}  // namespace pivotscope
