// The one way that a script goes: an index and a script in, a record out. Every answer is checked by the oracle
// (docs/updates.md), and at the end every entry that the index holds.
#pragma once

#include "core/run/script_steps.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

// Why a config cannot be asked for a script, with the methods that can; nothing when it can.
std::optional<std::string> check_serves(const index_config& config, const script& s);

// Batches of reads of one kind go through machine::run(), all others through machine::update(). `index` is one that was
// built from `keys` and is as it was. What is wrong stands in the record, which ends there. Problem: the machine's, what
// the family lacks, too little memory for the oracle, or cancelled.
outcome<script_record> run_script(machine& on, std::shared_ptr<const built_index> index, const key_set& keys,
                                  const script& s, const script_options& options, const job_control& control);

// Builds the index first.
outcome<script_record> run_script_config(machine& on, const index_config& config, const key_set& keys, const script& s,
                                         const script_options& options, const job_control& control);

}  // namespace pivotscope
