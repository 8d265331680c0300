// The two streams of the command line: results on standard output, everything else on standard error.
#pragma once

#include <string_view>

#include "core/common/outcome.hpp"

namespace pivotscope {

void print(std::string_view text);

// "pivotscope: WORDS" on standard error, as plain_lines(); returns the exit status that the problem stands for.
int complain(const problem& p);
int complain(std::string_view words);

// Flushes standard output; `result` when all of it got out. A reader that went away (a pipe into head) is no fault.
int finish_output(int result);

}  // namespace pivotscope
