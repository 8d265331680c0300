// row_cells: the cells of a hash table, each a key and a row id, which threads change while others read them. The lanes
// of an operation load a node of cells together: a window, a slab.
//
//   layout   a cell
//   AoS      {key, row id}, 8 bytes, or 16 with 64-bit keys. With 32-bit keys it is one word, and swapped as one
//   SoA      the key in the region of entries, the row id in the region of row ids
//
//   row id   not_found --> claimed_row --> a live one <--> erased_row
//            empty         its key comes                   another row id for its key, or a claim for any key
//
// Invariants
// - Who sees a row id sees its key. A claim stores the key and after a fence the row id; a cell of one word is never
//   claimed, because both change at once.
// - Empty cells have the greatest key.
// - An erased cell keeps its key, unless the table reuses it for other keys.
//
// The table's knobs (config.value) have `keys`, `lanes` and `layout`, and three functions:
//   node_cells(knobs)      cells of a node, a power of two: 1 to 8 for each lane
//   node_slots(knobs)      how many of them, from the first on, are for entries
//   reuses_erased(knobs)   whether an insert of any key may take an erased cell
#pragma once

#include "core/common/answers.hpp"
#include "core/config/index_config.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

enum class cell_layout : u8 { aos, soa };
enum class kept_duplicates : u8 { off, on };  // whether an insert of a key that is there adds another entry

inline constexpr u32 most_cells_a_lane = 8;  // of a node

template <class Knobs>
PIVOTSCOPE_FN constexpr u32 cells_a_lane(const Knobs& knobs) {
  return node_cells(knobs) / knobs.lanes;
}
// As few lanes as load a node: what one thread loads of 64 bytes, several do not load sooner.
PIVOTSCOPE_FN constexpr u32 fewest_lanes(u32 cells) {
  return cells > most_cells_a_lane ? cells / most_cells_a_lane : 1;
}
// A key and its row id in one word, which is compared and swapped as a whole.
template <class Knobs>
PIVOTSCOPE_FN constexpr bool in_one_word(const Knobs& knobs) {
  return knobs.layout == cell_layout::aos && knobs.keys == key_width::u32;
}
template <class Config>
PIVOTSCOPE_FN constexpr u64 first_cell(Config config, u64 node) {
  return node * node_cells(config.value);
}
template <class Key, class Config>
PIVOTSCOPE_FN constexpr u32 key_stride(Config config) {
  return config.value.layout == cell_layout::aos ? u32{sizeof(entry_cell<Key>)} : u32{sizeof(Key)};
}

// A lane's share of a node. With two arrays the row ids are loaded where they matter: complete().
template <class Key>
struct node_share {
  Key keys[most_cells_a_lane];
  u32 rows[most_cells_a_lane];
};

// What a lane sees of a node is one number: a row id, or one of these. The least number of all lanes counts.
inline constexpr u32 no_such_key = erased_row, on_to_the_next = ~0u;

inline constexpr u32 no_cell = ~0u;
// Where a write ends in a node, or waits: the cell's place in the node, or no_cell; and its row id.
struct end_of_node {
  u32 cell, row;
};

// Two adjacent items, which one load of up to 16 bytes brings.
template <class T>
struct alignas(2 * sizeof(T) < 16 ? 2 * sizeof(T) : 16) two_of {
  T first, second;
};

template <region_id Entries, region_id Rows>
struct row_cells {
  static constexpr region_id entries = Entries, rows = Rows;

  // --- Reading ---

  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void will_read(Config config, Memory& memory, u64 node) {
    memory.will_read(entries, first_cell(config, node), node_cells(config.value), key_stride<Key>(config));
  }
  // A write may need any row id of the node.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void will_write(Config config, Memory& memory, u64 node) {
    will_read<Key>(config, memory, node);
    if (config.value.layout == cell_layout::soa)
      memory.will_read(rows, first_cell(config, node), node_cells(config.value), sizeof(u32));
  }

  // `live`: false in a thread without a lookup.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static node_share<Key> load(Config config, Memory& memory, u64 node, u32 lane, bool live,
                                            typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    node_share<Key> got{};
    if (!live) return got;
    const node_run run = share_node(config.value.lanes, node_cells(config.value));
    if (config.value.layout == cell_layout::aos) {
      memory.template each_of_run<entry_cell<Key>>(
          entries, first_cell(config, node), run, lane,
          [&](u32 i, const entry_cell<Key>& cell) { got.keys[i] = cell.key, got.rows[i] = cell.row; });
    } else {
      memory.template each_of_run<Key>(entries, first_cell(config, node), run, lane,
                                       [&](u32 i, Key key) { got.keys[i] = key; });
    }
    return got;
  }
  // With two arrays, loads the row id if the key is `key`, or if it may be that of an empty cell; else it does not
  // matter.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void complete(Config config, Memory& memory, u64 cell, Key& its_key, u32& row, Key key) {
    if (config.value.layout == cell_layout::aos) return;
    row = 0;
    if (its_key != key && its_key != greatest_key<Key>()) return;
    load_row(config, memory, cell, its_key, row);
  }
  // Beside writers a row id that is there says that its key is: an empty cell's key may have been loaded before.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void load_row(Config config, Memory& memory, u64 cell, Key& its_key, u32& row) {
    if (config.value.layout == cell_layout::aos) return;
    if constexpr (Memory::others_write) {
      row = memory.template load_acquire<u32>(rows, cell, sizeof(u32), 0);
      const bool has_key = row != not_found && row != claimed_row;
      if (has_key && its_key == greatest_key<Key>()) its_key = memory.template load<Key>(entries, cell);
    } else {
      row = memory.template load<u32>(rows, cell);
    }
  }
  // Returns true if the cell holds this entry, which was seen in it: where erased cells are reused, a key and a row id
  // that are loaded one after the other may be those of two entries. A row id belongs to one entry, so a key that is
  // loaded between two equal ones is its own.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool holds(Config config, Memory& memory, u64 cell, Key key, u32 row) {
    if constexpr (Memory::others_write) {
      if (!reuses_erased(config.value) || in_one_word(config.value)) return true;
      if (memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0) != key) return false;
      const bool aos = config.value.layout == cell_layout::aos;
      const u32 again = aos ? memory.template load_acquire<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key))
                            : memory.template load_acquire<u32>(rows, cell, sizeof(u32), 0);
      return again == row;
    } else {
      return true;
    }
  }
  // Finds what a lane's share of the cells says of a searched key, in vectors. A node fills from its first cell on, so that
  // the first one that has the key or is empty tells all. Returns false where the machine has no vectors, or where a cell
  // that has the key may be an erased one: then load() and row_or_end() do it.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool row_at_end(Config config, Memory& memory, u64 node, u32 lane, Key key, u32& seen) {
    if (config.value.layout == cell_layout::soa || reuses_erased(config.value)) return false;
    const u32 cells = node_cells(config.value);
    const bool last_is_none = node_slots(config.value) < cells && lane == config.value.lanes - 1;
    return memory.template row_at_end<entry_cell<Key>>(
        entries, first_cell(config, node), share_node(config.value.lanes, cells), lane, key, last_is_none, seen);
  }
  // Returns what a loaded cell says of a searched key: a row id, which may be erased_row, or how the search goes on.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static u32 row_or_end(Config config, Memory& memory, u64 cell, Key its_key, u32 row, Key key) {
    complete(config, memory, cell, its_key, row, key);
    if (row == not_found) return no_such_key;
    if (Memory::others_write && row == claimed_row) return on_to_the_next;  // its entry is not in yet
    if (its_key != key) return on_to_the_next;
    if (reuses_erased(config.value) && (row == erased_row || !holds(config, memory, cell, key, row)))
      return on_to_the_next;  // to another entry with the key
    return row;               // of its one cell, which may be erased
  }

  // --- Writing ---

  // Returns the first cell that is empty or has the key. An insert also ends at an erased cell if it may take that, and
  // waits at a claimed one, because that may get this key. Cells are not emptied, so the order in which the lanes load
  // them does not matter: who takes an empty cell has seen other keys in all before it.
  template <bool Inserts, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static end_of_node end_in(Config config, Lanes& lanes, Memory& memory, u64 node, Key key,
                                          typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 each = cells_a_lane(config.value), slots = node_slots(config.value);
    const bool all_slots = slots == node_cells(config.value);
    const bool any_free = Inserts && reuses_erased(config.value);
    auto row_ids = lanes.each(u32{0});
    const u32 end = lanes.min([&](u32 lane) {
      if (u32 found = no_cell; !any_free && end_in_words(config, memory, node, lane, key, found, row_ids[lane]))
        return found;
      auto got = load<Key>(config, memory, node, lane, true);
      u32 seen = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_node = lane * each + i;
        if (!all_slots && in_node >= slots) continue;
        const u64 cell = first_cell(config, node) + in_node;
        if (any_free)
          load_row(config, memory, cell, got.keys[i], got.rows[i]);
        else
          complete(config, memory, cell, got.keys[i], got.rows[i], key);
        memory.saw(entries, cell, got.keys[i]);
        const bool claimed = got.rows[i] == claimed_row;
        const bool ends = got.rows[i] == not_found || (any_free  ? got.rows[i] == erased_row
                                                       : claimed ? Inserts
                                                                 : got.keys[i] == key);
        if (ends && seen == no_cell) seen = in_node, row_ids[lane] = got.rows[i];
      }
      return seen;
    });
    return {end, end == no_cell ? 0u : lanes.told_by(row_ids, end / each)};
  }

  // The same for a lane's share of cells of one word, in vectors. Returns false where the machine has none.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool end_in_words(Config config, Memory& memory, u64 node, u32 lane, Key key, u32& in_node,
                                         u32& row) {
    if constexpr (sizeof(Key) == sizeof(u32)) {
      if (!in_one_word(config.value)) return false;
      const u32 cells = node_cells(config.value), each = cells_a_lane(config.value);
      const node_run run = share_node(config.value.lanes, cells);
      for (u32 bits = 0;;) {
        if (!memory.cells_that_end(entries, first_cell(config, node), run, lane, key, bits)) return false;
        const u32 slots = node_slots(config.value) - lane * each;
        if (slots < each) bits &= (1u << slots) - 1;
        if (bits == 0) return true;
        in_node = lane * each + trailing_zeros(bits);
        const auto cell = memory.template load<entry_cell<Key>>(entries, first_cell(config, node) + in_node);
        row = cell.row;
        if (row == not_found || cell.key == key) return true;  // else another key came first
        in_node = no_cell;
      }
    }
    return false;
  }

  // Puts an entry into a cell that had the row id `seen` and no entry. Returns false if another thread came first.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool claim(Config config, Memory& memory, u64 cell, u32 seen, Key key, u32 row,
                                  typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (in_one_word(config.value)) return swap_word(memory, cell, word(greatest_key<Key>(), seen), word(key, row));
    if (!swap_row<Key>(config, memory, cell, seen, claimed_row)) return false;
    store(config, memory, cell, key, row);
    return true;
  }
  // Replaces the row id that was seen beside the key. Returns false if the cell has another one by now.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool change_row(Config config, Memory& memory, u64 cell, Key key, u32 seen, u32 row,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    // claim() knows a free cell of one word by the greatest key.
    const bool gives_up = reuses_erased(config.value) && row == erased_row;
    if (in_one_word(config.value))
      return swap_word(memory, cell, word(key, seen), word(gives_up ? greatest_key<Key>() : key, row));
    return swap_row<Key>(config, memory, cell, seen, row);
  }
  // Stores an entry, the key before the row id: into a cell that nobody else writes, or that was claimed.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void store(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                  typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.template store_part<Key>(entries, cell, key_stride<Key>(config), 0, key);
    memory.fence();
    if (config.value.layout == cell_layout::aos)
      memory.template store_part<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key), row);
    else
      memory.template store_part<u32>(rows, cell, sizeof(u32), 0, row);
  }

  // --- In a pass, whose threads do not share cells ---

  template <class Config, class Key>
  PIVOTSCOPE_FN static void put(Config config, const build_view& view, u64 cell, Key key, u32 row) {
    if (config.value.layout == cell_layout::aos) {
      view.store(entries, cell, make_entry(key, row));
    } else {
      view.store(entries, cell, key);
      view.store(rows, cell, row);
    }
  }
  template <class Key, class Config>
  PIVOTSCOPE_FN static entry_cell<Key> entry_in(Config config, const build_view& view, u64 cell) {
    if (config.value.layout == cell_layout::aos) return view.load<entry_cell<Key>>(entries, cell);
    return make_entry(view.load<Key>(entries, cell), view.load<u32>(rows, cell));
  }
  // The same of a cell with an even number, and of the next one.
  template <class Key, class Config>
  PIVOTSCOPE_FN static two_of<entry_cell<Key>> two_in(Config config, const build_view& view, u64 cell) {
    if (config.value.layout == cell_layout::aos) return two_at<entry_cell<Key>>(view, entries, cell);
    const auto keys = two_at<Key>(view, entries, cell);
    const auto row_ids = two_at<u32>(view, rows, cell);
    return {make_entry(keys.first, row_ids.first), make_entry(keys.second, row_ids.second)};
  }
  // Of the table that was there.
  template <class Key, class Config>
  PIVOTSCOPE_FN static entry_cell<Key> entry_before(Config config, const build_view& view, u64 cell) {
    if (config.value.layout == cell_layout::aos) return view.load_before<entry_cell<Key>>(entries, cell);
    return make_entry(view.load_before<Key>(entries, cell), view.load_before<u32>(rows, cell));
  }

 protected:
  template <class Key>
  PIVOTSCOPE_FN static u64 word(Key key, u32 row) {
    return static_cast<u64>(row) << 32 | static_cast<u32>(key);
  }
  template <class Memory>
  PIVOTSCOPE_FN static bool swap_word(Memory& memory, u64 cell, u64 from, u64 to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return word_swapped(memory, cell, from, to) == from;
  }
  // Swaps a cell's word, or its row id, if it is `from`. Returns the one that was there.
  template <class Memory>
  PIVOTSCOPE_FN static u64 word_swapped(Memory& memory, u64 cell, u64 from, u64 to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return memory.template compare_exchange<u64>(entries, cell, 8, 0, from, to);
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static u32 row_swapped(Config config, Memory& memory, u64 cell, u32 from, u32 to,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (config.value.layout == cell_layout::aos)
      return memory.template compare_exchange<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key), from, to);
    return memory.template compare_exchange<u32>(rows, cell, sizeof(u32), 0, from, to);
  }

 private:
  template <class T>
  PIVOTSCOPE_FN static two_of<T> two_at(const build_view& view, region_id region, u64 i) {
    return static_cast<const two_of<T>*>(view.regions[number_of(region)])[i / 2];
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static bool swap_row(Config config, Memory& memory, u64 cell, u32 from, u32 to,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return row_swapped<Key>(config, memory, cell, from, to) == from;
  }
};

}  // namespace pivotscope
