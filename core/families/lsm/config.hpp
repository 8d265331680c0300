// The knobs of `lsm`, its levels, and the state by which searches find their way.
#pragma once

#include "core/config/index_config.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

inline constexpr u32 lsm_most_levels = 32;                     // a lane of a warp each
inline constexpr u32 least_level0 = 4, most_level0 = 1 << 24;  // entries of level 0, a power of two

inline constexpr family_id lsm_id = family_named("lsm");

struct lsm_config {
  key_width keys = key_width::u32;
  u32 level0 = 1 << 16;  // entries that level 0 has room for
  launch_config launch = {};

  constexpr bool operator==(const lsm_config&) const = default;
  PIVOTSCOPE_FN static constexpr lsm_config of(const index_config& c) { return {c.keys, c.knobs[0], c.launch}; }
  PIVOTSCOPE_FN constexpr operator index_config() const { return {lsm_id, keys, launch, {level0}}; }
};

struct lsm_view {
  u32 counts[lsm_most_levels] = {};  // entries of each level, tombstones included
  u32 levels = 0;                    // up to the oldest one that has entries
  u32 level0 = 0;                    // entries that level 0 has room for
  u64 cells = 0;                     // of the region
  u32 taken_before = 0;              // bit i: level i had entries before the last batch
  bool has_batch = false;            // since it was built, or merged into one level

  PIVOTSCOPE_FN u64 room(u32 level) const { return u64{level0} << level; }
  // Bit i: level i has entries.
  PIVOTSCOPE_FN u32 taken() const {
    u32 bits = 0;
    for (u32 level = 0; level < levels; ++level) bits |= static_cast<u32>(counts[level] > 0) << level;
    return bits;
  }
  PIVOTSCOPE_FN u64 first_cell(u32 level) const { return room(level) - level0; }
};

// Returns the smallest level that has room for so many entries.
PIVOTSCOPE_FN constexpr u32 lsm_level_for(u64 entries, u32 level0) {
  u32 level = 0;
  while (level + 1 < lsm_most_levels && u64{level0} << level < entries) ++level;
  return level;
}

}  // namespace pivotscope
