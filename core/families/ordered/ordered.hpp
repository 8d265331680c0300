// ordered: entries in sorted order, in Eytzinger order, or in sorted order under a buffer of pivots (lightweight). A
// step of a search goes one of K ways. The code here runs on all machines.
//
//   region      cells
//   entries     AoS: {key, row id}, 8 bytes, or 16 with 64-bit keys; SoA: keys; laid out by the order (shape.hpp)
//   row ids     SoA only
//   pivots      keys; the pivot buffer only
//
// Each order's header draws its layout and states its invariants and the cost of its search: ascending/,
// eytzinger/, pivot_buffer/.
//
// Operations
//   find       by `lanes` threads. Duplicates are kept; a hit returns the least row id that the search meets.
//   range      finds the low end, then reads the entries from there on.
//   successor  as a range from key + 1 on, which ends at its first entry.
//   build      one pass, one slot per turn, four turns per GPU thread. Another pass fills the few pivots that stay
//              empty.
#pragma once

#include "core/families/ordered/dispatch.hpp"
#include "core/families/ordered/next_key_scan.hpp"
#include "core/families/ordered/probe.hpp"
#include "core/families/ordered/range_scan.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

struct ordered {
  using config = ordered_config;
  using state = ordered_view;

  // Threads that serve a lookup together.
  PIVOTSCOPE_FN static constexpr u32 lanes(const ordered_config& c) { return c.lanes; }
  // Lookups that these threads serve in step.
  PIVOTSCOPE_FN static constexpr u32 in_flight(const ordered_config& c) { return c.flight; }
  // Bytes of scratch that a block fills before it serves lookups.
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const ordered_config& c) {
    return c.pin == pin_kind::none ? 0u : c.scratch;
  }

  // The keys that a block pins: how many there are, and the i-th one, read from its place in the index.
  PIVOTSCOPE_FN static u32 pinned_keys(const state_view& view) { return view.as<ordered_view>().pin.total; }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static Key pinned_key(Config config, Memory& memory, const state_view& view, u32 i) {
    const ordered_view& here = view.as<ordered_view>();
    return sorted_memory<Config, Key, Memory>(config, memory).pin_key(with_order(config, [&](auto order) {
      return decltype(order)::pin_source(config, here.shape, here.pin, i);
    }));
  }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    sorted_memory<Config, typename Wave::key, typename Wave::memory_type> memory(config, wave.memory);
    auto here = wave.over(memory);
    return with_order(config, [&](auto order) { return decltype(order)::find(config, here, view.as<ordered_view>()); });
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id)
  // for each, from `place` on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    sorted_memory<Config, Key, Memory> sorted(config, memory);
    range_scan scan(config, lanes, sorted, low, high, place, output);
    with_order(config,
               [&](auto order) { decltype(order)::scan(config, lanes, sorted, view.as<ordered_view>(), low, scan); });
    return scan.answer();
  }

  // Returns the least key greater than `key`, or with `itself` the least that is not smaller, and a row id of it: the
  // begin of a range.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static successor_answer next_key(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                                                 Key key, bool itself) {
    sorted_memory<Config, Key, Memory> sorted(config, memory);
    // After the greatest value there is none: then it is searched for, and not taken.
    const Key low = itself ? key : key_after(key);
    next_key_scan scan(lanes, sorted, low, itself || low != key);
    with_order(config,
               [&](auto order) { decltype(order)::scan(config, lanes, sorted, view.as<ordered_view>(), low, scan); });
    return scan.answer();
  }

  // --- Passes of the build: one slot each, by the order's formulas (lightweight, Section 3.5) ---
  //
  // On a GPU neighbouring threads take slots whose keys are neighbours, so that both arrays are read once and in order:
  // an order says which slot each turn takes. If a key is a pivot too, its thread also stores it there: a pass over the
  // pivots would read all keys again.
  struct build_entries {
    template <class Config>
    PIVOTSCOPE_FN static slot_and_rank turn(Config config, const build_view& view, u64 i) {
      const index_shape& shape = view.as<ordered_view>().shape;
      return with_order(config, [&](auto order) { return decltype(order)::entry_turn(config, shape, i); });
    }
    // The turns of all keys but the last one, which is no pivot. Most of a GPU's turns are such, and need no condition.
    struct slot_of_key {
      u64 slot;
      u32 rank;
    };
    template <class Config>
    PIVOTSCOPE_FN static u64 whole_turns(Config, const build_view& view) {
      const u64 keys = view.as<ordered_view>().shape.keys;
      return keys == 0 ? 0 : keys - 1;
    }
    template <class Config>
    PIVOTSCOPE_FN static slot_of_key whole_turn(Config config, const build_view& view, u64 i) {
      const index_shape& shape = view.as<ordered_view>().shape;
      const u32 rank = static_cast<u32>(i);
      return {with_order(config, [&](auto order) { return u64{decltype(order)::entry_slot(config, shape, rank)}; }),
              rank};
    }

    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 slot) {
      const index_shape& shape = view.as<ordered_view>().shape;
      at<Key>(config, view, with_order(config, [&](auto order) {
                return slot_and_rank{slot, decltype(order)::entry_source(config, shape, slot)};
              }));
    }
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, slot_and_rank placed) {
      const u64 keys = view.as<ordered_view>().shape.keys, rank = placed.rank;
      const u64 from = rank == no_rank ? 0 : rank;  // no condition: the loads of several slots go together
      const Key its_key = view.template key<Key>(from), key = rank == no_rank ? greatest_key<Key>() : its_key;
      const u32 its_row = view.sorted_row(from), row = rank == no_rank ? not_found : its_row;
      put(config, view, placed.slot, key, row);
      if (rank != no_rank && rank + 1 < keys) put_pivot(config, view, static_cast<u32>(rank), key);
    }
    // The same for a key in hand.
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at_key(Config config, const build_view& view, u32 rank, Key key, u32 row) {
      put(config, view, whole_turn(config, view, rank).slot, key, row);
      if (rank + 1 < view.as<ordered_view>().shape.keys) put_pivot(config, view, rank, key);
    }
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, slot_of_key placed) {
      const Key key = view.template key<Key>(placed.rank);
      put(config, view, placed.slot, key, view.sorted_row(placed.rank));
      put_pivot(config, view, placed.rank, key);
    }
    // True if a thread takes four whole turns at a time: where entries lie in the order of their keys. Not if every
    // second key is a pivot: these stores are the faster, the more neighbours of a level an instruction of a warp
    // stores (docs/performance.md).
    template <class Config>
    PIVOTSCOPE_FN static constexpr bool takes_fours(Config config) {
      return with_order(config, [&](auto order) {
        return decltype(order)::entries_ascend && (!decltype(order)::has_pivots || config.value.fanout > 2);
      });
    }
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at_four(Config config, const build_view& view, u64 rank) {
      const auto keys = view.template four_keys<Key>(rank);
      const auto rows = view.four_sorted_rows(rank);
      if (config.value.layout == entry_layout::aos) {
        four_of<entry_cell<Key>> entries;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < 4; ++i) entries[i] = make_entry(keys[i], rows[i]);
        view.store_four(ordered_region::entries, rank, entries);
      } else {
        view.store_four(ordered_region::entries, rank, keys);
        view.store_four(ordered_region::rows, rank, rows);
      }
      const u32 first = static_cast<u32>(rank) & ~3u;  // so the compiler sees which of the four are no pivots
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < 4; ++i) put_pivot(config, view, first | i, keys[i]);
    }

   private:
    template <class Config, class Key>
    PIVOTSCOPE_FN static void put(Config config, const build_view& view, u64 slot, Key key, u32 row) {
      if (config.value.layout == entry_layout::aos) {
        view.store(ordered_region::entries, slot, make_entry(key, row));
      } else {
        view.store(ordered_region::entries, slot, key);
        view.store(ordered_region::rows, slot, row);
      }
    }
    // Stores the key of this rank in the pivots, if it is one. The rank is not the last one.
    template <class Config, class Key>
    PIVOTSCOPE_FN static void put_pivot(Config config, const build_view& view, u32 rank, Key key) {
      with_order(config, [&](auto order) {
        if constexpr (decltype(order)::has_pivots) {
          const u64 pivot = order.pivot_slot(config, view.as<ordered_view>().shape, rank);
          if (pivot != no_slot) view.store(ordered_region::pivots, pivot, key);
        }
      });
    }
  };
  // Fills the i-th pivot that stays empty. On every level there is at most a node of them.
  struct fill_empty_pivots {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const index_shape& shape = view.as<ordered_view>().shape;
      with_order(config, [&](auto order) {
        if constexpr (decltype(order)::has_pivots) {
          view.store(ordered_region::pivots, order.empty_pivot(config, shape, i), greatest_key<Key>());
        }
      });
    }
  };
};

}  // namespace pivotscope
