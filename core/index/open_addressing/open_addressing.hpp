// The family `open_addressing`: a hash table whose cells lie in one array. A key lies in the first window that its probing comes
// to and that had an empty cell then. What runs on all three machines. (After WarpCore and cuCollections: windows that several
// lanes look at together, each by one load.)
//
//   windows    | w0              | w1              | w2              |     L lanes x 16 bytes; here 2 x 2 cells
//   cells      | 7 0| 23 4|    |    | 8 2| 15 x| 31 5| 6 1|    |   ...     key and row id; x: erased; or empty
//                              ^ the next key of w0
//
//   region     cells
//   entries    AoS: {key, row id}, 8 bytes, or 16 with 64-bit keys; SoA: keys
//   row ids    SoA only
//
// Invariants. A cell's row id says what it is: not_found empty, erased_row erased, claimed_row about to get its key, else live;
// every key value is legal. Empty cells have the greatest key. A window's cells fill from its first to its last. A cell that has
// a key keeps it, erased or not, until the table is cleaned up; so a key has one cell at most, however many insert it at once,
// and a search ends at its key or at an empty cell.
//   Key and row id in one word (AoS, 32-bit keys) change by one compare-and-swap. Else the row id is claimed, the key stored,
// and after a fence the row id: who sees a row id sees its key. Who meets a claimed cell passes it by, as what goes in has not
// come in yet; but who inserts waits, as it could be the same key.
// Operations: find, insert, erase; no order, so no ranges and no successor. Does not keep duplicates: insert gives a key that is
// there the new row id. Cost at load 0.8, windows of 8: 1.15 windows a hit and 2.3 a miss by linear probing, 1.1
// and 1.7 by double hashing.
#pragma once

#include "core/index/entry_cell.hpp"
#include "core/index/open_addressing/probing.hpp"
#include "core/simt/region.hpp"
#include "core/simt/run.hpp"

namespace pivotscope {

inline constexpr u32 erased_row = 0xFFFFFFFEu, claimed_row = 0xFFFFFFFDu;  // beside not_found: none is a row id

struct table_region {
  static constexpr region_id entries{0}, rows{1};
};

struct table_view {
  u32 windows = 0;
};

enum class insertion : u8 { added, replaced, full };

// A table's cells, one at a time, while others may write.
template <class Config, class Key, class Memory>
class table_cells {
 public:
  PIVOTSCOPE_FN table_cells(Config config, Memory& memory) : config_(config), memory_(memory) {}

  struct cell {
    Key key;
    u32 row;
  };

  // The row id before the key: a live row id's key is there.
  PIVOTSCOPE_FN cell look(u64 i) {
    if constexpr (sizeof(Key) == 4) {
      if (in_one_word(config_.value)) return parts(memory_.template load<u64>(table_region::entries, i));
    }
    const u32 row = load_row(i);
    return {row == not_found || row == claimed_row ? greatest_key<Key>() : load_key(i), row};
  }

  // Puts key and row id into an empty cell; false when another came first.
  PIVOTSCOPE_FN bool claim(u64 i, Key key, u32 row) {
    if constexpr (sizeof(Key) == 4) {
      if (in_one_word(config_.value)) return swap_word(i, ~0ull, word(key, row));
    }
    if (!swap_row(i, not_found, claimed_row)) return false;
    memory_.template store_part<Key>(table_region::entries, i, key_stride(), 0, key);
    memory_.fence();
    memory_.template store_part<u32>(row_region(), i, row_stride(), row_offset(), row);
    return true;
  }

  // Puts `row` in place of the row id that was seen beside the key; false when it is another one by now.
  PIVOTSCOPE_FN bool change_row(u64 i, const cell& seen, u32 row) {
    if constexpr (sizeof(Key) == 4) {
      if (in_one_word(config_.value)) return swap_word(i, word(seen.key, seen.row), word(seen.key, row));
    }
    return swap_row(i, seen.row, row);
  }

 private:
  PIVOTSCOPE_FN static u64 word(Key key, u32 row) { return static_cast<u64>(row) << 32 | static_cast<u32>(key); }
  PIVOTSCOPE_FN static cell parts(u64 word) { return {static_cast<Key>(word), static_cast<u32>(word >> 32)}; }

  PIVOTSCOPE_FN u32 key_stride() const {
    return config_.value.layout == cell_layout::aos ? u32{sizeof(entry_cell<Key>)} : u32{sizeof(Key)};
  }
  PIVOTSCOPE_FN region_id row_region() const {
    return config_.value.layout == cell_layout::aos ? table_region::entries : table_region::rows;
  }
  PIVOTSCOPE_FN u32 row_stride() const {
    return config_.value.layout == cell_layout::aos ? u32{sizeof(entry_cell<Key>)} : u32{sizeof(u32)};
  }
  PIVOTSCOPE_FN u32 row_offset() const { return config_.value.layout == cell_layout::aos ? u32{sizeof(Key)} : 0u; }

  PIVOTSCOPE_FN Key load_key(u64 i) {
    return memory_.template load_part<Key>(table_region::entries, i, key_stride(), 0);
  }
  PIVOTSCOPE_FN u32 load_row(u64 i) {
    return memory_.template load_part<u32>(row_region(), i, row_stride(), row_offset());
  }
  PIVOTSCOPE_FN bool swap_row(u64 i, u32 from, u32 to) {
    return memory_.template compare_exchange<u32>(row_region(), i, row_stride(), row_offset(), from, to) == from;
  }
  PIVOTSCOPE_FN bool swap_word(u64 i, u64 from, u64 to) {
    return memory_.template compare_exchange<u64>(table_region::entries, i, 8, 0, from, to) == from;
  }

  Config config_;
  Memory& memory_;
};

struct open_addressing {
  using config = open_addressing_config;

  // --- Reading, while others write ---

  // The row id of `key`, or not_found.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static u32 find_now(Config config, Lanes& lanes, Memory& memory, const table_view& table, Key key,
                                    bool live) {
    table_cells<Config, Key, Memory> cells(config, memory);
    window_walk walk(config, key, table.windows);
    u32 row = not_found;
    bool searching = live;
    for (u32 tried = 0; tried < table.windows && !lanes.all_done(!searching); ++tried, walk.next()) {
      const u64 first = static_cast<u64>(walk.window()) * window_cells(config.value);
      const u32 seen = lanes.min([&](u32 lane) {
        u32 least_seen = on_to_the_next;
        for (u32 i = 0; searching && i < cells_a_lane(config.value); ++i)
          least_seen = least(least_seen, row_or_end(cells.look(first + lane * cells_a_lane(config.value) + i), key));
        return least_seen;
      });
      if (searching && seen < claimed_row) row = seen;
      searching = searching && seen == on_to_the_next;
    }
    return row;
  }

  // --- Writing ---

  // Gives `key` the row id. Full: no window had an empty cell, and nothing was changed.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static insertion insert(Config config, Lanes& lanes, Memory& memory, const table_view& table, Key key,
                                        u32 row, bool live) {
    table_cells<Config, Key, Memory> cells(config, memory);
    window_walk walk(config, key, table.windows);
    insertion done = insertion::full;
    bool searching = live;
    for (u32 tried = 0; tried < table.windows && !lanes.all_done(!searching);) {
      const u64 first = static_cast<u64>(walk.window()) * window_cells(config.value);
      const u32 seen = look<true>(config, lanes, cells, first, key, searching);
      const u32 came_to = lanes.once([&] {
        if (!searching) return go_on;
        const u64 at = first + (seen & place_bits);
        switch (seen & ~place_bits) {
          case the_key:
            return static_cast<u32>(replace(cells, at, row));
          case an_empty:  // when another came first it may have been with this very key
            return cells.claim(at, key, row) ? static_cast<u32>(insertion::added) : again;
          case a_claimed:
            return again;
          default:
            return go_on;
        }
      });
      if (came_to == again) continue;
      if (came_to != go_on) done = static_cast<insertion>(came_to), searching = false;
      ++tried, walk.next();
    }
    return done;
  }

  // Removes `key`; was it there?
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static bool erase(Config config, Lanes& lanes, Memory& memory, const table_view& table, Key key,
                                  bool live) {
    table_cells<Config, Key, Memory> cells(config, memory);
    window_walk walk(config, key, table.windows);
    bool erased = false, searching = live;
    for (u32 tried = 0; tried < table.windows && !lanes.all_done(!searching); ++tried, walk.next()) {
      const u64 first = static_cast<u64>(walk.window()) * window_cells(config.value);
      const u32 seen = look<false>(config, lanes, cells, first, key, searching);
      const u32 came_to = lanes.once([&] {
        if (!searching) return go_on;
        const u32 what = seen & ~place_bits;
        if (what == the_key) return u32{remove(cells, first + (seen & place_bits))};
        return what == an_empty ? 0u : go_on;
      });
      if (came_to == go_on) continue;
      erased = came_to != 0;
      searching = false;
    }
    return erased;
  }

 private:
  // What a lane sees of a window is a number, the least of all lanes' counts. Of a search: a row id, or that it ends.
  static constexpr u32 no_such_key = erased_row, on_to_the_next = ~0u;
  template <class Cell, class Key>
  PIVOTSCOPE_FN static u32 row_or_end(const Cell& cell, Key key) {
    if (cell.row == not_found) return no_such_key;
    if (cell.row == claimed_row || cell.key != key) return on_to_the_next;
    return cell.row;  // of its one cell, which may be erased
  }

  // Of who writes: the cell with the key, else one that is claimed, else the first empty one; and its place in the window. A
  // key that is about to come is not there yet: only who inserts minds it.
  static constexpr u32 place_bits = 0xFFu, the_key = 0, a_claimed = 1u << 8, an_empty = 2u << 8;
  // What a write came to beside an insertion's kinds.
  static constexpr u32 go_on = 16, again = 17;

  template <bool MindsClaims, class Config, class Lanes, class Cells, class Key>
  PIVOTSCOPE_FN static u32 look(Config config, Lanes& lanes, Cells& cells, u64 first, Key key, bool searching) {
    const u32 each = cells_a_lane(config.value);
    return lanes.min([&](u32 lane) {
      u32 seen = ~0u;
      for (u32 i = lane * each; searching && i < (lane + 1) * each; ++i) {
        const auto cell = cells.look(first + i);
        if (cell.row == not_found)
          seen = least(seen, an_empty | i);
        else if (cell.row == claimed_row)
          seen = MindsClaims ? least(seen, a_claimed | i) : seen;
        else if (cell.key == key)
          seen = least(seen, the_key | i);
      }
      return seen;
    });
  }

  // Of a cell that has the key, and keeps it.
  template <class Cells>
  PIVOTSCOPE_FN static insertion replace(Cells& cells, u64 at, u32 row) {
    for (;;) {
      const auto cell = cells.look(at);
      if (cells.change_row(at, cell, row)) return cell.row == erased_row ? insertion::added : insertion::replaced;
    }
  }
  template <class Cells>
  PIVOTSCOPE_FN static bool remove(Cells& cells, u64 at) {
    for (;;) {
      const auto cell = cells.look(at);
      if (cell.row == erased_row) return false;
      if (cells.change_row(at, cell, erased_row)) return true;
    }
  }
};

}  // namespace pivotscope
