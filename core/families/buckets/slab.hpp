// A slab of `buckets`: its cells, as those of other tables (row_cells), and its link.
#pragma once

#include "core/common/key_hash.hpp"
#include "core/families/buckets/config.hpp"
#include "core/index/row_cells.hpp"
#include "core/simt/region.hpp"

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

struct slab_cells : row_cells<buckets_region::entries, buckets_region::rows> {
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
  // The same for all lanes of an operation. Beside writers they have what one of them saw.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static Key next_of(Config config, Lanes& lanes, Memory& memory, u64 slab,
                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if constexpr (Memory::others_write) {
      return lanes.once([&] { return next_of<Key>(config, memory, slab); });
    } else {
      return next_of<Key>(config, memory, slab);
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
  // In a pass.
  template <class Key, class Config>
  PIVOTSCOPE_FN static Key link_in(Config config, const build_view& view, u64 slab) {
    return entry_in<Key>(config, view, first_cell(config, slab) + link_cell(config.value)).key;
  }
};

}  // namespace pivotscope
