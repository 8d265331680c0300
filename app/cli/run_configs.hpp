// Several configs over one workload on one machine, and their reports as a table.
#pragma once

#include <string>
#include <vector>

#include "app/cli/terminal_job.hpp"
#include "app/cli/workload_options.hpp"
#include "core/machine/scenario.hpp"

namespace pivotscope {

struct run_request {
  std::vector<index_config> configs;
  workload_options options = {};
  workload load = {};
  lookup_options lookup = {};
  bool rows = false;          // ranges: their row ids, too
  bool keep_answers = false;  // else the reports come without
};

// Keys and lookups or ranges of one width, made or read on the host.
struct made_workload {
  key_width width = key_width::u32;
  double keys_ms = 0, lookups_ms = 0;
};

struct run_results {
  std::vector<scenario_report> reports;  // one a config, in their order
  std::vector<made_workload> made;
};

// Keys are made and sorted once for configs of one width that follow each other.
outcome<run_results> run_configs(machine& on, const run_request& request, terminal_job& job);

// Configs whose check failed have words in place of figures.
std::string reports_table(const std::vector<scenario_report>& reports);

// Words on standard error for each config with a wrong answer; how many configs there are of these.
int complain_about_wrong(const std::vector<scenario_report>& reports);

}  // namespace pivotscope
