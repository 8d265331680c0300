// index_shape: how many slots an index has and where its levels begin. Depends on n and the config, never on the keys.
#pragma once

#include "core/common/portable.hpp"
#include "core/index/rank.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

// The regions of an index. In AoS `entries` holds {key, row id}; in SoA it holds keys and `rows` the row ids.
namespace ordered_region {
inline constexpr region_id entries{0}, rows{1}, pivots{2};
}

// One level of the search tree in one array; level 0 is the root. A level of `entries` counts slots of entries, a level
// of `pivots` slots of separators. AO+BS has no tree in memory: its levels are those of Figure 3, see ascending.hpp.
struct index_shape {
  u64 keys = 0;                      // n
  u64 entry_slots = 0;               // slots of `entries` that the order uses, with the empty ones before and between
  u64 pivot_slots = 0;               // slots of `pivots`
  u32 levels = 0;                    // steps that a search can take, at most
  u64 leaf_entries = 0;              // pivot buffer: entries of a leaf partition
  u32 longest_step = 0;              // ascending search of the array, or of a trimmed buffer's leaf: its first step
  u64 level_first[max_levels] = {};  // first slot of level l; level_first[levels] is the end
};

// What a GPU's turn builds: a slot, and the rank of its key, or no_rank.
struct slot_and_rank {
  u64 slot, rank;
};

// Of m > 0: l and f with m = K^l f, where K does not divide f.
struct power_and_rest {
  u32 power, rest;
};
PIVOTSCOPE_FN power_and_rest without_power(u32 m, u32 fanout) {
  if (fanout == 2) {
    const u32 zeros = trailing_zeros(m);
    return {zeros, m >> zeros};
  }
  u32 l = 0;
  while (m % fanout == 0) m /= fanout, ++l;
  return {l, m};
}

// What of an index lies in a block's scratch (O2; lightweight, Section 4.2): the keys that the first `levels` steps can
// read, and with full pinning as many as fit of those of the next step.
struct pin_plan {
  u32 levels = 0;  // M: steps that read nothing but scratch
  u32 whole = 0;   // keys for them
  u32 total = 0;   // with those of step M + 1
  u64 unit = 0;    // ascending order: distance between the keys of the first M steps
};

// Where a pinned key comes from.
struct pinned_slot {
  region_id array;
  u64 slot;
};

// How a search finds its way: an index's state (simt/region.hpp).
struct ordered_view {
  index_shape shape;
  pin_plan pin;
};

}  // namespace pivotscope
