// Random cases for checking indexes against the reference: a config and a workload each, drawn from a seed. The
// property tests draw from here too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/machine/trace/trace.hpp"
#include "core/run/run.hpp"
#include "core/run/run_script.hpp"

namespace pivotscope {

struct verify_case {
  index_config config;
  workload load;
  bool range_rows = false;  // the row ids of the case's ranges are compared, too
};

struct case_options {
  u64 seed = 1;
  u64 most_keys = 1 << 14;
  u32 configs = 0;  // how many different configs there may be, since a GPU compiles each; 0: one a case
};

// Case i of a seed, on its own. Configs: each family as often as any other, every axis that is accepted, and in half of the cases
// every number of the index at an end of its range. Workloads: keys in crowds in half of the cases, else all distributions, one range
// of any width at any place most often; no key, one key, all keys equal, 0 and the greatest key; sizes around powers of two and of the fanout, where a tree's last level is
// full; from all hits to all misses.
class case_generator {
 public:
  explicit case_generator(const case_options& options) : options_(options) {}
  verify_case draw(u64 i) const;

 private:
  case_options options_;
};

// The lookups of a case: its workload's, then 0, the greatest key, some keys with their neighbours, and what is a power of two away
// from keys all over the set.
outcome<batch> case_lookups(const verify_case& c, const key_array& keys, const job_control& control = {});

// Successors are asked of the case's lookups' keys.
outcome<batch> case_successors(const verify_case& c, const key_array& keys, const job_control& control = {});

// The ranges of a case: a few drawn from its keys, of 0, 1, 31 to 33, 63 to 65 or all entries, and empty ones; then the
// ends of the width, low > high, and ranges from and to some keys and their neighbours.
outcome<batch> case_ranges(const verify_case& c, const key_array& keys, const job_control& control = {});

// The case's keys with a script over them: inserts, erases and finds, apart or mixed.
workload case_script(const verify_case& c);

struct case_counts {
  u64 keys = 0, lookups = 0, ranges = 0, successors = 0, operations = 0, traces = 0;  // operations: of scripts
  bool operator==(const case_counts&) const = default;
};

struct case_failure {
  question asked;                       // of the first wrong answer
  std::string words;                    // what was wrong
  std::optional<workload> script = {};  // of a script's answer or what it left: the case's with the script
};

// Builds, looks keys, ranges and successors up and runs a script, as far as the config's family has them, and compares
// every answer with class reference's, of scripts with the oracle's; traces a few of each, whose answers must be the machine's. Nothing: all right. Adds what it did to
// `counts`.
outcome<std::optional<case_failure>> check_case(machine& on, const verify_case& c, case_counts& counts,
                                                const job_control& control = {});

// The same over these keys, in place of the workload's: lookups then are the edges alone where the workload has none.
outcome<std::optional<case_failure>> check_case_over(machine& on, const verify_case& c, key_array keys,
                                                     case_counts& counts, const job_control& control = {});

// A failing case with fewer keys, if one of a few smaller sizes fails too; else the case itself.
outcome<std::pair<verify_case, case_failure>> shrink_case(machine& on, const verify_case& c,
                                                          const case_failure& failure, const job_control& control = {});

// How many different configs there are to be on a machine: compiling one takes a GPU longer than a thousand cases.
u32 standard_configs(machine_kind on);

// Case i: drawn, checked and, when it fails, made smaller, as far as the control lets it. What stopped it is a problem
// that begins with the case's line.
outcome<std::optional<std::pair<verify_case, case_failure>>> verify_one(machine& on, const case_generator& generator,
                                                                        u64 i, case_counts& counts,
                                                                        const job_control& control = {});

// The case as one line for a shell: pivotscope trace --config "..." --keys ... --lookup KEY. Of a range it ends with
// --range-to HIGH, of a successor with --successor KEY in place of the lookup.
// A script's: pivotscope run --config "..." --workload "...".
std::string command_line(const verify_case& c, const case_failure& failure, machine_kind machine);
std::string trace_command_line(const verify_case& c, const question& asked, machine_kind machine);

}  // namespace pivotscope
