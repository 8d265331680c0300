// A script's record as named values: a batch each, and all batches of a kind together.
#pragma once

#include "core/run/run_figures.hpp"
#include "core/run/script_record.hpp"

namespace pivotscope {

// A line for each batch of each record, and behind its figures what it takes to measure them again. A record with a wrong
// answer has no figures, and ends with the batch in which it was.
std::string script_csv(std::span<const script_record> records, const run_head& head);

}  // namespace pivotscope
