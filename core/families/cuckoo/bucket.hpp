// A bucket of `cuckoo`: what its cells say of a key, how many of them are taken, and where an eviction finds room.
#pragma once

#include "core/families/cuckoo/homes.hpp"
#include "core/index/moving_cells.hpp"

namespace pivotscope {

// What a bucket says of a key: its cell in the bucket, or no_cell; the row id there; how many cells before it are taken.
struct key_and_load {
  u32 cell, row, load;
};

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
  // Returns what a loaded cell says of a searched key where not every empty cell ends the search: `ends`, does this one?
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static u32 row_or_on(Config config, Memory& memory, u64 cell, Key its_key, u32 row, Key key,
                                     bool ends) {
    complete(config, memory, cell, its_key, row, key);
    if (row == not_found) return ends ? no_such_key : on_to_the_next;
    return its_key == key ? row : on_to_the_next;
  }
  // Looks for the key, and counts the cells that are taken: a bucket fills from its first cell on. A cell that is claimed
  // counts; one that has, or may be about to get, this key is returned.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static key_and_load look_and_count(Config config, Lanes& lanes, Memory& memory, u32 bucket, Key key,
                                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 each = cells_a_lane(config.value), all = config.value.bucket;
    auto row_ids = lanes.each(u32{0});
    constexpr u32 empty = 1u << 16;  // behind all cells with the key
    const u32 end = lanes.min([&](u32 lane) {
      auto got = load<Key>(config, memory, bucket, lane, true);
      u32 seen = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_bucket = lane * each + i;
        const u64 cell = first_cell(config, bucket) + in_bucket;
        complete(config, memory, cell, got.keys[i], got.rows[i], key);
        memory.saw(entries, cell, got.keys[i]);
        const bool is_empty = got.rows[i] == not_found;
        if (!is_empty && got.keys[i] != key) continue;
        const u32 place = is_empty ? in_bucket | empty : in_bucket;
        if (place < seen) seen = place, row_ids[lane] = got.rows[i];
      }
      return seen;
    });
    if (end == no_cell) return {no_cell, not_found, all};
    if (end >= empty) return {no_cell, not_found, end - empty};
    return {end, lanes.told_by(row_ids, end / each), end};
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
