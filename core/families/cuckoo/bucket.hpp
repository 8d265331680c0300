// A bucket of `cuckoo` beside writers: its cells, and where an eviction finds room among them.
#pragma once

#include "core/families/cuckoo/homes.hpp"
#include "core/index/moving_cells.hpp"

namespace pivotscope {

struct cuckoo_cells : moving_cells<cuckoo_region::entries, cuckoo_region::rows> {
  // Returns the first cell that is empty, or has the key; or, if `Waits`, one about to get an entry, which may be this key's. Cells are
  // not emptied, so the order in which the lanes load them does not matter: who takes an empty cell has seen other keys
  // in all before it.
  template <bool Waits, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static end_of_node look(Config config, Lanes& lanes, Memory& memory, u32 bucket, Key key,
                                        typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 each = cells_a_lane(config.value);
    auto row_ids = lanes.each(u32{0});
    const u32 end = lanes.min([&](u32 lane) {
      auto got = load<Key>(config, memory, bucket, lane, true);
      u32 seen = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_bucket = lane * each + i;
        const u64 cell = first_cell(config, bucket) + in_bucket;
        complete(config, memory, cell, got.keys[i], got.rows[i], key);
        memory.saw(entries, cell, got.keys[i]);
        const bool claimed = got.rows[i] == claimed_row;
        const bool ends = got.rows[i] == not_found || got.keys[i] == key || (Waits && claimed);
        if (ends && seen == no_cell) seen = in_bucket, row_ids[lane] = got.rows[i];
      }
      return seen;
    });
    return {end, end == no_cell ? 0u : lanes.told_by(row_ids, end / each)};
  }
  // Returns the first cell that an eviction may fill: an empty one, or, in a bucket that is full, an erased one. A bucket of which a
  // cell is claimed says that cell.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static end_of_node room_in(Config config, Lanes& lanes, Memory& memory, u32 bucket,
                                           typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 each = cells_a_lane(config.value);
    auto row_ids = lanes.each(u32{0});
    constexpr u32 behind_empty = 1u << 16;
    const u32 end = lanes.min([&](u32 lane) {
      auto got = load<Key>(config, memory, bucket, lane, true);
      u32 seen = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_bucket = lane * each + i;
        const u64 cell = first_cell(config, bucket) + in_bucket;
        load_row(config, memory, cell, got.keys[i], got.rows[i]);
        memory.saw(entries, cell, got.keys[i]);
        const bool erased = got.rows[i] == erased_row;
        if (got.rows[i] != not_found && got.rows[i] != claimed_row && !erased) continue;
        const u32 place = erased ? in_bucket | behind_empty : in_bucket;
        if (place < seen) seen = place, row_ids[lane] = got.rows[i];
      }
      return seen;
    });
    if (end == no_cell) return {no_cell, 0};
    const u32 cell = end & (behind_empty - 1);
    return {cell, lanes.told_by(row_ids, cell / each)};
  }
};

}  // namespace pivotscope
