// The one way to run a script: an index and a script in, a record out. The oracle checks every answer
// (docs/updates.md), and at the end every entry that the index holds.
#pragma once

#include "core/run/script_steps.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

// Returns why a config cannot run a script, with the methods that can; nothing if it can.
std::optional<std::string> check_serves(const index_config& config, const script& s);

// Runs a script on `index`, which must be as it was built from `keys`. Batches of reads of one kind use machine::run(),
// all others machine::update(). A wrong answer is in the record, which ends there. Problem: the machine's, an operation
// that the family lacks, too little memory for the oracle, or cancelled.
outcome<script_record> run_script(machine& on, std::shared_ptr<const built_index> index, const key_set& keys,
                                  const script& s, const script_options& options, const job_control& control);

// Builds the index, then runs the script.
outcome<script_record> run_script_config(machine& on, const index_config& config, const key_set& keys, const script& s,
                                         const script_options& options, const job_control& control);

}  // namespace pivotscope
