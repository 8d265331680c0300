// The slot mapping of any order at run time: for views, tests, the trace's words and the CPU's build. The formulas are
// the order's own (order/*/), this only picks the order.
#pragma once

#include <utility>

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/index/built_index.hpp"

namespace pivotscope {

index_shape make_shape(const ordered_config& config, u64 keys);
const index_shape& shape_of(const stored_index& index);  // of this family

// Rank (position in sorted order) of the key in a slot; no_rank for an empty slot. Slot < entry_slots / pivot_slots.
u64 entry_rank(const ordered_config& config, const index_shape& shape, u64 slot);
u64 pivot_rank(const ordered_config& config, const index_shape& shape, u64 slot);
// Where the entry of a rank lies in `entries`. rank < n.
u64 entry_slot(const ordered_config& config, const index_shape& shape, u64 rank);
// The pivot that its key is, or no_slot. rank < n.
u64 pivot_slot(const ordered_config& config, const index_shape& shape, u64 rank);
// Pivots without a key.
u64 empty_pivots(const ordered_config& config, const index_shape& shape);
// Whose turn a slot is when the index is built: which of the entries' pass, of an empty pivot which of theirs.
u64 entry_turn(const ordered_config& config, const index_shape& shape, u64 slot);
u64 empty_pivot_turn(const ordered_config& config, const index_shape& shape, u64 slot);
// Level at which a search can first read the slot; 0 is the root.
u32 entry_level(const ordered_config& config, const index_shape& shape, u64 slot);
u32 pivot_level(const ordered_config& config, const index_shape& shape, u64 slot);

// What lies in scratch, and where each key of it comes from (O2).
pin_plan plan_pins(const ordered_config& config, const index_shape& shape);
pinned_slot pin_source(const ordered_config& config, const index_shape& shape, const pin_plan& plan, u32 index);

// Slots [first, first + count) of an array that form one level, or one contiguous run of a level. Levels whose slots
// lie scattered (AO+BS) have none: contiguous is false and the level is asked slot by slot.
struct level_run {
  region_id array = ordered_region::entries;
  u64 first = 0;
  u64 count = 0;
  bool contiguous = false;
};
level_run level_slots(const ordered_config& config, const index_shape& shape, u32 level);

// How many slots of [first, end) of an array are on each level; out must hold max_levels counts. Cost: levels, not
// slots.
void count_levels(const ordered_config& config, const index_shape& shape, region_id array, u64 first, u64 end,
                  u64* out);

}  // namespace pivotscope
