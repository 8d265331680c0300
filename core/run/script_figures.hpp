// The figures of a script's record, as named values: one set per batch, and one for all batches of a kind.
#pragma once

#include "core/run/run_figures.hpp"
#include "core/run/script_record.hpp"

namespace pivotscope {

// Returns CSV: one line per batch of each record, with its figures and then what is needed to measure them again. A
// record with a wrong answer has no figures, and ends with the batch in which that was.
std::string script_csv(std::span<const script_record> records, const run_head& head);

}  // namespace pivotscope
