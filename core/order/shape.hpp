// index_shape: how many slots an index has and where its levels begin. Depends on n and the config, never on the keys.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// The arrays of an index. In AoS `entries` holds {key, row id}; in SoA it holds keys and `rows` the row ids.
enum class array_id : u8 { entries, rows, pivots };

inline constexpr u32 max_levels = 34;
inline constexpr u64 no_rank = ~0ull;

// One level of the search tree in one array; level 0 is the root. A level of `entries` counts slots of entries, a level
// of `pivots` slots of separators. AO+BS has no tree in memory: its levels are those of Figure 3, see ascending.hpp.
struct index_shape {
  u64 keys = 0;                      // n
  u64 entry_slots = 0;               // slots of `entries` that the order uses, with the empty ones before and between
  u64 pivot_slots = 0;               // slots of `pivots`
  u32 levels = 0;                    // steps that a search can take, at most
  u32 leaf_entries = 0;              // pivot buffer: entries of a leaf partition
  u64 level_first[max_levels] = {};  // first slot of level l; level_first[levels] is the end
};

// What a kernel needs to answer lookups.
struct index_view {
  const void* entries = nullptr;
  const void* rows = nullptr;    // SoA only
  const void* pivots = nullptr;  // pivot buffer only
  index_shape shape;
};

}  // namespace pivotscope
