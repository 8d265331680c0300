// A slab of `buckets`: where its cells lie, how lanes load them, and how a cell and a link change.
#pragma once

#include "core/common/answers.hpp"
#include "core/common/key_hash.hpp"
#include "core/families/buckets/config.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

struct buckets_region {
  static constexpr region_id entries{0}, free{1}, pool{2}, rows{3};
};
// The cells of the region `pool`: counters, of which the state knows what they were when a batch began.
inline constexpr u32 pool_taken = 0;  // slabs that were asked of the list of free ones
inline constexpr u32 pool_more = 1;   // entries beyond the first that erases of one key removed

struct buckets_view {
  u64 live = 0, used = 0;            // cells with a live entry; cells with a live or an erased one
  u32 buckets = 1, slabs = 1;        // slabs: the buckets' first ones, and the pool behind them
  u32 free_begin = 0, free_end = 0;  // the part of the list of free slabs that is left
  u32 taken = 0, more = 0;           // what the pool's counters were
  u64 first_new = 0;                 // of a pass that empties cells: the first of them

  PIVOTSCOPE_FN u32 in_pool() const { return slabs - buckets; }
  PIVOTSCOPE_FN u32 left() const { return free_end - free_begin; }
};

// What a link holds beside a slab's number. They are the greatest keys of the index's width: a link is as wide as a key.
template <class Key>
struct slab_link {
  static constexpr Key none = greatest_key<Key>();           // the chain ends here, as in an empty cell
  static constexpr Key busy = static_cast<Key>(none - 1);    // an insert is about to link a slab here
  static constexpr Key unused = static_cast<Key>(none - 2);  // the slab is in no chain
  PIVOTSCOPE_FN static constexpr bool ends(Key link) { return link >= unused; }
};

// The first slab of a key's chain.
template <class Key>
PIVOTSCOPE_FN constexpr u32 bucket_of(Key key, const buckets_view& view) {
  return place_of_key(key, view.buckets);
}
template <class Config>
PIVOTSCOPE_FN constexpr u64 first_cell(Config config, u64 slab) {
  return slab * config.value.slab;
}
template <class Key, class Config>
PIVOTSCOPE_FN constexpr u32 key_stride(Config config) {
  return config.value.layout == slab_layout::aos ? u32{sizeof(entry_cell<Key>)} : u32{sizeof(Key)};
}

// A lane's share of a slab. With two arrays the row ids are loaded where they matter.
template <class Key>
struct slab_share {
  Key keys[most_slab_cells_a_lane];
  u32 rows[most_slab_cells_a_lane];
};

struct slab_cells {
  static constexpr region_id entries = buckets_region::entries, rows = buckets_region::rows;

  template <class Config>
  PIVOTSCOPE_FN static constexpr node_run run_of(Config config) {
    return share_node(config.value.lanes, config.value.slab);
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void will_read(Config config, Memory& memory, u64 slab) {
    memory.will_read(entries, first_cell(config, slab), config.value.slab, key_stride<Key>(config));
  }

  // `live`: false in a thread without a lookup.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static slab_share<Key> load(Config config, Memory& memory, u64 slab, u32 lane, bool live,
                                            typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    slab_share<Key> got{};
    if (!live) return got;
    const node_run run = run_of(config);
    if (config.value.layout == slab_layout::aos) {
      memory.template each_of_run<entry_cell<Key>>(
          entries, first_cell(config, slab), run, lane,
          [&](u32 i, const entry_cell<Key>& cell) { got.keys[i] = cell.key, got.rows[i] = cell.row; });
    } else {
      memory.template each_of_run<Key>(entries, first_cell(config, slab), run, lane,
                                       [&](u32 i, Key key) { got.keys[i] = key; });
    }
    return got;
  }
  // With two arrays, loads the row id if the key is `key`, or if it may be that of an empty cell; else it does not
  // matter. Beside writers a row id that is there says that its key is: an empty cell's key may have been loaded before.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void complete(Config config, Memory& memory, u64 cell, Key& its_key, u32& row, Key key) {
    if (config.value.layout == slab_layout::aos) return;
    row = 0;
    if (its_key != key && its_key != greatest_key<Key>()) return;
    load_row(config, memory, cell, its_key, row);
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void load_row(Config config, Memory& memory, u64 cell, Key& its_key, u32& row) {
    if (config.value.layout == slab_layout::aos) return;
    if constexpr (Memory::others_write) {
      row = memory.template load_acquire<u32>(rows, cell, sizeof(u32), 0);
      const bool has_key = row != not_found && row != claimed_row;
      if (has_key && its_key == greatest_key<Key>()) its_key = memory.template load<Key>(entries, cell);
    } else {
      row = memory.template load<u32>(rows, cell);
    }
  }

  // Returns true if the cell holds this entry, which was seen in it: where erased cells are taken by other keys, a key and
  // a row id that are loaded one after the other may be those of two entries. A row id belongs to one entry, so a key that
  // is loaded between two equal ones is its own.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool holds(Config config, Memory& memory, u64 cell, Key key, u32 row) {
    if constexpr (Memory::others_write) {
      if (!keeps_all(config.value) || in_one_word(config.value)) return true;
      if (memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0) != key) return false;
      const bool aos = config.value.layout == slab_layout::aos;
      const u32 again = aos ? memory.template load_acquire<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key))
                            : memory.template load_acquire<u32>(rows, cell, sizeof(u32), 0);
      return again == row;
    } else {
      return true;
    }
  }

  // Returns the link of a slab. What is loaded of the next slab is no older.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static Key next_of(Config config, Memory& memory, u64 slab, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u64 cell = first_cell(config, slab) + link_cell(config.value);
    if constexpr (Memory::others_write) {
      return memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0);
    } else {
      return memory.template load_part<Key>(entries, cell, key_stride<Key>(config), 0);
    }
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void set_link(Config config, Memory& memory, u64 slab, Key link,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.template store_part<Key>(entries, first_cell(config, slab) + link_cell(config.value),
                                    key_stride<Key>(config), 0, link);
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static bool swap_link(Config config, Memory& memory, u64 slab, Key from, Key to,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return memory.template compare_exchange<Key>(entries, first_cell(config, slab) + link_cell(config.value),
                                                 key_stride<Key>(config), 0, from, to) == from;
  }

  // Stores an entry, the key before the row id: into a cell that nobody else writes, or that was claimed.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void store(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                  typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.template store_part<Key>(entries, cell, key_stride<Key>(config), 0, key);
    memory.fence();
    if (config.value.layout == slab_layout::aos)
      memory.template store_part<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key), row);
    else
      memory.template store_part<u32>(rows, cell, sizeof(u32), 0, row);
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
  // Replaces the row id that was seen beside the key; an entry that another may take the cell of gives up its key too.
  // Returns false if the cell has another row id by now.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool change_row(Config config, Memory& memory, u64 cell, Key key, u32 seen, u32 row,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const bool gives_up = keeps_all(config.value) && row == erased_row;
    if (in_one_word(config.value))
      return swap_word(memory, cell, word(key, seen), word(gives_up ? greatest_key<Key>() : key, row));
    return swap_row<Key>(config, memory, cell, seen, row);
  }

 private:
  template <class Key>
  PIVOTSCOPE_FN static u64 word(Key key, u32 row) {
    return static_cast<u64>(row) << 32 | static_cast<u32>(key);
  }
  template <class Memory>
  PIVOTSCOPE_FN static bool swap_word(Memory& memory, u64 cell, u64 from, u64 to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return memory.template compare_exchange<u64>(entries, cell, 8, 0, from, to) == from;
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static bool swap_row(Config config, Memory& memory, u64 cell, u32 from, u32 to,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (config.value.layout == slab_layout::aos)
      return memory.template compare_exchange<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key), from, to) ==
             from;
    return memory.template compare_exchange<u32>(rows, cell, sizeof(u32), 0, from, to) == from;
  }
};

}  // namespace pivotscope
