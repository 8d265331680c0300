// A bucket of `cuckoo` beside writers: its cells, as those of other tables (row_cells), and what changes one of them as a
// whole.
#pragma once

#include "core/families/cuckoo/homes.hpp"
#include "core/index/row_cells.hpp"

namespace pivotscope {

struct cuckoo_cells : row_cells<cuckoo_region::entries, cuckoo_region::rows> {
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
  // Returns the key and the row id of a cell. In cells of two words they may be those of two entries: freeze() tells.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static entry_cell<Key> now_in(Config config, Memory& memory, u64 cell, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const Key key = memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0);
    return make_entry(key, row_now<Key>(config, memory, cell));
  }
  // Returns true if the cell has this key and this row id, which were seen in it, at one moment: a row id belongs to one
  // entry, so a key that is loaded between two equal ones is its own. An erased entry's key is gone when another comes.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool still(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                  typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (in_one_word(config.value)) return true;
    if (memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0) != key) return false;
    return row_now<Key>(config, memory, cell) == row;
  }
  // Claims a cell that had this key and this row id: an entry's, an erased one's, or an empty one's (the greatest key, not_found).
  // Until it is filled, or let go, nobody else writes it; who searches for its key waits. Returns false if another was quicker.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool freeze(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (!change_row(config, memory, cell, key, row, claimed_row)) return false;
    if (in_one_word(config.value) || row == not_found) return true;
    if (memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0) == key) return true;
    let_go(config, memory, cell, key, row);  // it is another's by now
    return false;
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void let_go(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    change_row(config, memory, cell, key, claimed_row, row);
  }
  // Replaces the row id of an entry, both as they were seen in a cell. Returns false if they no longer belong together there.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool replace_row(Config config, Memory& memory, u64 cell, Key key, u32 seen, u32 row,
                                        typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return still(config, memory, cell, key, seen) && change_row(config, memory, cell, key, seen, row);
  }
  // Gives the row id to a key that was erased in this cell. Returns false if the cell has another one by now.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool revive(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (in_one_word(config.value)) return change_row(config, memory, cell, key, erased_row, row);
    if (!freeze(config, memory, cell, key, erased_row)) return false;
    let_go(config, memory, cell, key, row);
    return true;
  }

 private:
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static u32 row_now(Config config, Memory& memory, u64 cell) {
    if (config.value.layout == cell_layout::aos)
      return memory.template load_acquire<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key));
    return memory.template load_acquire<u32>(rows, cell, sizeof(u32), 0);
  }
};

}  // namespace pivotscope
