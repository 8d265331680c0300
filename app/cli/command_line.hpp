// The program as its command line has it.
#pragma once

#include "app/window_entry.hpp"

namespace pivotscope {

// Runs what the arguments say; the program's exit status (exit_code.hpp). Problems go to standard error in words.
int run_command_line(int argc, const char* const* argv, const window_entry& window);

}  // namespace pivotscope
