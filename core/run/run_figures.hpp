// What a run's record tells, as one list of named values.
#pragma once

#include "core/run/figure.hpp"
#include "core/run/run_record.hpp"

namespace pivotscope {

// The same names in the same order for every record. One with a wrong answer has no figures, only words.
figure_line figures_of(const run_record& record);

// A line for each record.
std::string run_csv(std::span<const run_record> records);

}  // namespace pivotscope
