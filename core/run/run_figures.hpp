// The figures of a run's record, as one list of named values.
#pragma once

#include "core/common/measured_by.hpp"
#include "core/run/run_record.hpp"
#include "core/statistics/figure.hpp"

namespace pivotscope {

// Returns the figures of the runs of a stage: the same names in the same order for every stage.
figure_line figures_of(const stage_time& time);

// Returns the same names in the same order for every record. A record with a wrong answer has no figures, only words.
figure_line figures_of(const run_record& record);

// What all records of a file have in common.
struct run_head {
  measured_by by = {};
  std::string workload = {};  // its line, or the names of its files
  u64 seed = 0;
  batch_options batch = {};
};

// Returns what is needed to measure a record of such a file again.
figure_line figures_of(const machine_info& on, const run_head& head);

// Returns CSV: one line per record, with its figures and then what is needed to measure them again.
std::string run_csv(std::span<const run_record> records, const run_head& head);

}  // namespace pivotscope
