// moving_cells: row_cells of a table whose entries move from cell to cell while others search. Such a cell is claimed before
// its entry leaves it or another one comes, and is then told apart by its row id: that belongs to one entry.
#pragma once

#include "core/index/row_cells.hpp"

namespace pivotscope {

template <region_id Entries, region_id Rows>
struct moving_cells : row_cells<Entries, Rows> {
  using cells = row_cells<Entries, Rows>;
  using cells::change_row, cells::entries, cells::rows, cells::store, cells::swap_word, cells::word,
      cells::word_swapped;

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
  // Replaces what a cell had, key and row id. Returns false if it no longer has that.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool replace_cell(Config config, Memory& memory, u64 cell, Key had_key, u32 had_row, Key key,
                                         u32 row, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (in_one_word(config.value)) return swap_word(memory, cell, word(had_key, had_row), word(key, row));
    if (!freeze(config, memory, cell, had_key, had_row)) return false;
    store(config, memory, cell, key, row);
    return true;
  }
  // Replaces the row id of an entry, both as they were seen in a cell. Returns false if they no longer belong together there.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool replace_row(Config config, Memory& memory, u64 cell, Key key, u32 seen, u32 row,
                                        typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return still(config, memory, cell, key, seen) && change_row(config, memory, cell, key, seen, row);
  }
  // The same for an insert of a key that was live in the cell. Also returns true if the key has another live row id there by now:
  // another insert wrote it since, and this one counts as done just before the first write since. So of many inserts of one key
  // at once each swaps once or twice, not as often as there are others.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool give_row(Config config, Memory& memory, u64 cell, Key key, u32 seen, u32 row,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (in_one_word(config.value)) {
      const u64 from = word(key, seen), was = word_swapped(memory, cell, from, word(key, row));
      return was == from || (static_cast<u32>(was) == key && is_live_row(static_cast<u32>(was >> 32)));
    }
    if (!still(config, memory, cell, key, seen)) return false;
    const u32 was = cells::template row_swapped<Key>(config, memory, cell, seen, row);
    return was == seen || (is_live_row(was) && still(config, memory, cell, key, was));
  }
  // Gives the row id to a key that was erased in this cell. Returns false if the cell has another one by now.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool revive(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (in_one_word(config.value)) return change_row(config, memory, cell, key, erased_row, row);
    if (!still(config, memory, cell, key, erased_row)) return false;
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
