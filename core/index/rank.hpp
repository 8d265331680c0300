// Ranks of keys, and levels of a search.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

inline constexpr u32 max_levels = 34;
inline constexpr u64 no_rank = ~0ull;  // of an empty cell; a rank is a position in sorted order, from 0
inline constexpr u64 no_slot = ~0ull;  // of a rank whose key is not there

}  // namespace pivotscope
