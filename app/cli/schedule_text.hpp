// A schedule of operations that are done at once, for people: who accesses what, one below the other.
#pragma once

#include "core/verify/interleaving.hpp"

namespace pivotscope {

// A column an operation, a line an access, and what each came to.
std::string schedule_text(const interleaved_case& c, const interleaving& of, const interleaved_run& run);
// "12 batches of 30 operations (10 insert, 9 erase, 11 find), 5040 schedules"
std::string counts_text(const interleaving_counts& counts);

}  // namespace pivotscope
