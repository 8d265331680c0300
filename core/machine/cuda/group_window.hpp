// How much of the keys a warp of the pass that puts groups in order takes (group_plan.hpp, group_pass.hpp).
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

inline constexpr u32 longest_group = 64;  // that is surely put in order

// The pass over the groups: a warp's keys, of which it puts those groups in order that begin before its last
// longest_group; its blocks.
inline constexpr u32 group_warps = 4, group_block = 32 * group_warps;
PIVOTSCOPE_FN constexpr u32 keys_a_window(u32 key_bytes) { return key_bytes == 4 ? 384 : 256; }
PIVOTSCOPE_FN constexpr u32 keys_a_group_warp(u32 key_bytes) { return keys_a_window(key_bytes) - longest_group; }
PIVOTSCOPE_FN constexpr u64 group_blocks(u32 key_bytes, u64 n) {
  return ceil_div<u64>(n, u64{keys_a_group_warp(key_bytes)} * group_warps);
}

// The most bits that may be left: what is compared of a key has its place beside them.
PIVOTSCOPE_FN constexpr u32 most_low_bits(u32 key_bits) { return key_bits - 24; }

}  // namespace pivotscope
