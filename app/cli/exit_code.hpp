// What the program's exit status says.
#pragma once

namespace pivotscope {

inline constexpr int exit_right = 0;
inline constexpr int exit_wrong = 1;  // some answer was wrong
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_cancelled = 130;  // as a shell reports a command that ctrl-C ended

}  // namespace pivotscope
