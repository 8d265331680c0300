// A workload's script over several configs on one machine, and the records as tables: of the indexes, and of each
// batch.
#pragma once

#include <string>
#include <vector>

#include "app/cli/run_configs.hpp"
#include "core/run/run_script.hpp"

namespace pivotscope {

struct script_results {
  std::vector<script_record> records;  // one a config, in their order
  std::vector<script> scripts;         // one a key width, in the order of `made`
  std::vector<made_workload> made;
};

// Keys and script are made once for configs of one width that follow each other.
outcome<script_results> run_scripts(machine& on, const run_request& request, terminal_job& job);

// What a person reads: the workload, the machine, the indexes and the batches, and what was remarkable. Empty when all
// configs are wrong.
std::string scripts_text(const run_request& request, const machine_info& info, const script_results& results);

// Words on standard error for each config of which anything is wrong; how many these are.
int complain_about_wrong(const std::vector<script_record>& records);

}  // namespace pivotscope
