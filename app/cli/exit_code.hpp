// What the program's exit status says.
#pragma once

namespace pivotscope {

inline constexpr int exit_right = 0;
inline constexpr int exit_wrong = 1;  // some answer was wrong
inline constexpr int exit_bad_input = 2;
// Ended by a signal, as a shell reports it: 130 for ctrl-C (SIGINT), 143 for SIGTERM, 129 for SIGHUP.
inline constexpr int exit_cancelled_by(int signal) { return 128 + signal; }

}  // namespace pivotscope
