// Which bits of the keys passes of a radix sort order, and which are left to be put in order afterwards, group by
// group.
//
//   key     | the same in all | sorted by passes, 8 bits each | left |        a sample tells where the upper bits
//           B                top                            low    0        differ, and how many keys share them
//
// Keys that agree in all but their `low` bits are a group. Where groups are small, their keys lie near to where they
// belong: one pass over the keys puts them there, in place of one of the sort's for every 8 bits.
#pragma once

#include <optional>

#include "core/machine/cuda/group_window.hpp"

namespace pivotscope {

inline constexpr u32 samples = 64, keys_a_sample = 4096;  // of keys at equal steps over all
inline constexpr u64 least_to_group = 1ull << 22;         // below that passes take next to no time

// Bits that passes sort: as many as make groups of 16 keys or fewer of evenly spread keys, in whole passes.
PIVOTSCOPE_FN constexpr u32 grouped_by(u32 key_bits, u64 n) { return key_bits > 32 && n > 1ull << 28 ? 32 : 24; }

struct key_sample {
  u32 top = 0;      // no sampled keys differ in bit `top` or above
  u32 sharing = 0;  // pairs of neighbours, in order, of a sample that share their `grouped_by` bits below top
};

struct key_grouping {
  u32 low, end;  // bits [low, end) are sorted by passes

  // Of evenly spread keys: all upper bits are sorted, and as few as may be.
  constexpr bool is_plain(u32 key_bits) const { return end == key_bits && low == most_low_bits(key_bits); }
};

// Nothing: groups would be long, or there are too few keys to gain by it. Of keys that are spread evenly over the
// sorted bits a sample's neighbours share them by chance: as many of all pairs as keys fall into one group. So they
// tell how long a group is that a key lies in.
constexpr std::optional<key_grouping> plan_groups(u32 key_bits, u64 n, key_sample seen) {
  constexpr u64 most_keys = 24;  // of a group on average, so that one of longest_group is out of the question
  constexpr u64 pairs = u64{samples} * keys_a_sample * (keys_a_sample / 2);
  if (n < least_to_group || n >> 32 != 0 || u64{seen.sharing} * n > most_keys * pairs) return std::nullopt;
  const u32 bits = grouped_by(key_bits, n), end = seen.top > bits ? seen.top : bits;
  return key_grouping{end - bits, end};
}

}  // namespace pivotscope
