// The way through, once: workload + config -> keys -> index -> answers -> check -> report. A batch is of point lookups
// or of range lookups. What the command line, the window and the tests all call.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "core/machine/machine.hpp"
#include "core/reference/answer_checker.hpp"

namespace pivotscope {

struct scenario_options {
  lookup_options lookup;
  bool check = true;  // every answer
};

struct scenario_report {
  index_config config;
  machine_info machine;
  u64 keys = 0;
  u64 lookups = 0;  // of the batch: point lookups, or none
  bool of_ranges = false;
  u64 ranges = 0;   // or range lookups
  u64 entries = 0;  // that all ranges together have
  u64 index_bytes = 0;
  u64 entry_bytes = 0, row_bytes = 0, pivot_bytes = 0;
  stage_time sort;
  std::vector<stage_time> builds;
  stage_time lookup;                  // of the batch: all lookups, or counting and summing of all ranges
  std::vector<stage_time> row_times;  // of listing row ids, when that was asked for
  std::vector<kernel_info> kernels;   // build kernels, then the batch's
  bool checked = false;
  check_report check;
  std::vector<u32> answers;
  std::vector<range_answer> range_answers;
  std::vector<u64> range_begins;  // as range_result's; without row ids both are empty
  std::vector<u32> range_rows;
  double lookups_per_second() const;  // by the median; 0 without lookups
  double ranges_per_second() const;
  double entries_per_second() const;  // of counting and summing
};

// Runs one config over keys that are already on the machine, `keys.keys()`. When the check finds a wrong answer the
// report says so (report.check.wrong > 0) and its figures must not be shown as results.
outcome<scenario_report> run_scenario(machine& on, const index_config& config, const answer_checker& keys,
                                      std::shared_ptr<const resident_keys> resident, const key_array& lookups,
                                      const scenario_options& options, const job_control& control);

struct range_scenario_options {
  range_options ranges;
  bool check = true;  // every answer, and every row id that was asked for
};

// The same for a batch of range lookups.
outcome<scenario_report> run_scenario(machine& on, const index_config& config, const answer_checker& keys,
                                      std::shared_ptr<const resident_keys> resident, const range_array& ranges,
                                      const range_scenario_options& options, const job_control& control);

void to_json(nlohmann::json& json, const scenario_report& report);  // without the answers; docs/json.md

}  // namespace pivotscope
