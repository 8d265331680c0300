// What the formulas of the build go through on their way from a slot to a rank (lightweight, Section 3.5), so that they
// can be watched while they run. They tell each term to what they are handed: builds hand them terms_unseen, of which
// nothing is left in a kernel.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

enum class build_term : u8 {
  position,     // the slot, counted from the first that can hold a key
  full_levels,  // H of Eytzinger order
  last,         // b: keys of the last level, below the full ones
  level,        // from the root
  level_first,  // position at which it begins
  next_first,   // ... and at which the next one does
  place,        // i: position on the level
  height,       // l: levels below, down to the lowest that the formula counts
  found,        // q or p: what the formula comes to, before c and before it is checked
  correction,   // c
};
inline constexpr u32 build_term_count = 10;

struct terms_unseen {
  PIVOTSCOPE_FN constexpr void operator()(build_term, u64) const {}
};

}  // namespace pivotscope
