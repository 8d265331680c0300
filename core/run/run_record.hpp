// run_record: what was run, what it answered, and how long it took. Times are in milliseconds.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/machine/machine.hpp"
#include "core/reference/answer_checker.hpp"

namespace pivotscope {

// If the check found a wrong answer (check.wrong > 0), the figures must not be shown as results.
struct run_record {
  index_config config = {};
  machine_info machine = {};
  u64 keys = 0;
  operation kind = operation::find;
  u64 operations = 0;  // of the batch
  u64 entries = 0;     // that all ranges or matches of the batch have together
  u64 index_bytes = 0;
  std::optional<u64> held = {};  // entries of the index as it was built (entry_count()); nothing: it has changed since
  std::vector<index_region> regions = {};
  stage_time sort = {};  // of the keys; no name if the family does not want them sorted
  std::vector<stage_time> builds = {};
  stage_time time = {};                    // of the batch: all lookups, or counting and summing all ranges
  stage_time route = {};                   // what routing takes of `time`; no sample: lookups were not routed
  stage_time part = {};                    // likewise the part that batch_options::part asked for; no name: none
  std::vector<stage_time> row_times = {};  // of listing row ids, if that was asked for
  measuring_conditions conditions = {};
  std::vector<kernel_info> kernels = {};  // those of the build, then those of the batch
  bool checked = false;
  check_report check = {};
  batch_answers answers = {};
  std::shared_ptr<const built_index> index = {};  // if asked for

  double build_ms() const;               // the sum of the medians
  double operations_per_second() const;  // by the median; 0 if there is nothing to divide
  double entries_per_second() const;     // of counting and summing
};

void to_json(nlohmann::json& json, const run_record& record);  // without the answers; docs/json.md

}  // namespace pivotscope
