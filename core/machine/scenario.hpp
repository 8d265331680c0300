// The way through, once: workload + config -> keys -> index -> answers -> check -> report. What the command line, the
// window and the tests all call.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "core/machine/machine.hpp"
#include "core/reference/reference.hpp"

namespace pivotscope {

struct scenario_options {
  lookup_options lookup;
  bool check = true;  // every answer
};

struct scenario_report {
  index_config config;
  machine_info machine;
  u64 keys = 0;
  u64 lookups = 0;
  u64 index_bytes = 0;
  u64 entry_bytes = 0, row_bytes = 0, pivot_bytes = 0;
  stage_time sort;
  std::vector<stage_time> builds;
  stage_time lookup;
  std::vector<kernel_info> kernels;  // build kernels, then the lookup kernel
  bool checked = false;
  check_report check;
  std::vector<u32> answers;
  double lookups_per_second() const;  // by the median; 0 without lookups
};

// Runs one config over keys that are already on the machine. When the check finds a wrong answer the report says so
// (report.check.wrong > 0) and its figures must not be shown as results.
outcome<scenario_report> run_scenario(machine& on, const index_config& config, const key_array& keys,
                                      std::shared_ptr<const resident_keys> resident, const key_array& lookups,
                                      const scenario_options& options, const job_control& control);

void to_json(nlohmann::json& json, const scenario_report& report);  // without the answers; docs/json.md

}  // namespace pivotscope
