// The one way to run a batch: an index and a batch in, a record out. The command line, the window, the autotuner
// and the tests all use it.
#pragma once

#include "core/run/key_set.hpp"
#include "core/run/run_record.hpp"

namespace pivotscope {

struct run_options {
  batch_options batch = {};
  bool check = true;  // check every answer, and every row id that was asked for
  // A run of the same batch over the same keys that was checked and found right. Equal answers
  // then need no second check.
  const run_record* right = nullptr;
  bool keep_index = false;  // run_config(): put the index into the record
};

// Runs the batch on an index that was built from `keys`, and checks the answers. Problem: the machine's, or cancelled.
outcome<run_record> run_batch(machine& on, const built_index& index, const key_set& keys, const batch& asked,
                              const run_options& options, const job_control& control);

// Builds the index, then runs the batch.
outcome<run_record> run_config(machine& on, const index_config& config, const key_set& keys, const batch& asked,
                               const run_options& options, const job_control& control);

}  // namespace pivotscope
