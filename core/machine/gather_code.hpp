// Where a gather loads, and what is there: the kernel, the CPU's loop and the check use the same formulas.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

inline constexpr u32 gather_unroll = 4;  // loads that the code of a thread has under way at once

// MurmurHash3's finaliser: a bijection of 32 bits in which every bit affects all others.
PIVOTSCOPE_FN constexpr u32 spread_word(u32 x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

// Returns word `i` of the array.
PIVOTSCOPE_FN constexpr u32 gather_word(u32 i) { return i * 0x9e3779b1u + 0x7f4a7c15u; }

// Returns the number with which a group draws in a step. No two steps of a run have the same one. `salt` belongs to the
// run, so that no run finds in a cache what the run before it left there.
PIVOTSCOPE_FN constexpr u32 gather_number(u32 salt, u32 group, u32 step, u32 steps) {
  return salt + group * steps + step;
}
PIVOTSCOPE_FN constexpr u32 salt_of_run(u32 run) { return run * 0x9e3779b1u; }

// Returns a place below `places`.
PIVOTSCOPE_FN constexpr u32 gather_place(u32 number, u32 places) {
  return static_cast<u32>((static_cast<u64>(spread_word(number)) * places) >> 32);
}

}  // namespace pivotscope
