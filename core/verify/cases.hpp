// Random cases, a config and a workload each, by which indexes are checked against the reference. A case is drawn from
// a seed and its number. The property tests use them too.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/index/family.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/key_set.hpp"
#include "core/run/run.hpp"
#include "core/run/run_script.hpp"

namespace pivotscope {

struct verify_case {
  index_config config;
  workload load;
  bool range_rows = false;  // true: the row ids of the case's ranges are compared as well
};

struct case_options {
  u64 seed = 1;
  u64 most_keys = 1 << 14;
  u32 configs = 0;  // greatest number of different configs, because a GPU compiles each; 0: one per case
  std::span<const family* const> of = families();  // the families that configs are drawn from
};

// Draws case i of a seed. It depends on nothing else. Configs: each family equally often; every value of every axis
// that is accepted; in half of the cases each number is at an end of its range. Workloads: keys in crowds in half of
// the cases, otherwise all distributions, most often one range of any width at any place; no key, one key, all keys
// equal, 0 and the greatest key; sizes around powers of two and of the fanout, where the last level of a tree is full;
// from all hits to all misses.
class case_generator {
 public:
  explicit case_generator(const case_options& options) : options_(options) {}
  verify_case draw(u64 i) const;

 private:
  case_options options_;
};

// Returns the lookups of a case: those of its workload, then 0, the greatest key, some keys with their neighbours, and
// values that lie a power of two from keys all over the set.
outcome<batch> case_lookups(const verify_case& c, const key_array& keys, const job_control& control = {});

// Returns a case's successors, matches or lower bounds: they ask for the keys of its lookups.
outcome<batch> case_of_keys(const verify_case& c, operation kind, const key_array& keys,
                            const job_control& control = {});

// Returns the ranges of a case: a few that are drawn from its keys, with 0, 1, 31 to 33, 63 to 65 or all entries, and
// empty ones; then the ends of the width, low > high, and ranges from and to some keys and their neighbours.
outcome<batch> case_ranges(const verify_case& c, const key_array& keys, const job_control& control = {});

// Returns the case's keys with a script: inserts, erases and finds, apart or mixed.
workload case_script(const verify_case& c);

struct case_counts {
  u64 keys = 0, operations = 0, traces = 0;  // operations: of scripts
  std::array<u64, read_operations.size()> asked = {};
  u64& of(operation kind) { return asked[static_cast<std::size_t>(kind)]; }
  u64 of(operation kind) const { return asked[static_cast<std::size_t>(kind)]; }
  bool operator==(const case_counts&) const = default;
};

// What is wrong with a case.
struct case_failure {
  question asked;                       // the first one that was answered wrong
  std::string words;                    // what is wrong
  std::optional<workload> script = {};  // set if a script's answer or its end is wrong: the workload with the script
};

// Checks a case. Builds the index; does lookups, ranges, successor lookups and a script, as far as the config's family
// has them; compares every answer with class reference, and those of scripts with the oracle. Traces a few of each:
// they must give the machine's answers. Returns nothing if all is right. Adds to `counts` what it did.
outcome<std::optional<case_failure>> check_case(machine& on, const verify_case& c, case_counts& counts,
                                                const job_control& control = {});

// The same over these keys instead of the workload's. If the workload has no lookups, only the edges are looked up.
outcome<std::optional<case_failure>> check_case_over(machine& on, const verify_case& c, const key_set& keys,
                                                     case_counts& counts, const job_control& control = {});

// Returns the failing case with fewer keys, if one of a few smaller sizes fails too; otherwise the case itself.
outcome<std::pair<verify_case, case_failure>> shrink_case(machine& on, const verify_case& c,
                                                          const case_failure& failure, const job_control& control = {});

// Returns how many different configs to draw for a machine: a GPU takes longer to compile one
// than to run a thousand cases.
u32 standard_configs(machine_kind on);

// Draws and checks case i and, if it fails, makes it smaller, as far as the control allows. A problem's words
// begin with the case's line.
outcome<std::optional<std::pair<verify_case, case_failure>>> verify_one(machine& on, const case_generator& generator,
                                                                        u64 i, case_counts& counts,
                                                                        const job_control& control = {});

// Returns the case as one line for a shell: pivotscope trace --config "..." --keys ... --lookup KEY. A range has
// --range-to HIGH at the end, a successor lookup --successor KEY instead of --lookup. For a script: pivotscope run
// --config "..." --workload "...".
std::string command_line(const verify_case& c, const case_failure& failure, machine_kind machine);
std::string trace_command_line(const verify_case& c, const question& asked, machine_kind machine);

}  // namespace pivotscope
