// The program as its command line has it.
#pragma once

#include "app/window_entry.hpp"
#include "core/machine/machine_source.hpp"

namespace pivotscope {

// Runs what the arguments say; the program's exit status (exit_code.hpp). Problems go to standard error in words.
int run_command_line(int argc, const char* const* argv, const window_entry& window, const machine_source& machines);

}  // namespace pivotscope
