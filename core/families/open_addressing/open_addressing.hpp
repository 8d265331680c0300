// open_addressing: a hash table whose cells lie in one array, in windows of a few cells (after WarpCore and
// cuCollections). The key's hash selects its first window. If that window was full when the key was inserted,
// the key lies in the first window with room along its probe sequence. The lanes of a lookup read a window
// together, by loads of 16 bytes.
//
//   windows    | w0              | w1              | w2              |     L lanes; here 2, of 2 cells each
//   cells      | 7 0| 23 4|    |    | 8 2| 15 x| 31 5| 6 1|    |   ...     key and row id; x: erased; or empty
//                              ^ here goes the next key of w0
//
//   region     cells
//   entries    AoS: {key, row id}, 8 bytes, or 16 with 64-bit keys; SoA: keys
//   row ids    SoA only
//
// Invariants
// - A cell's row id tells its state: not_found is empty, erased_row is erased, claimed_row is about to get its key, any
//   other is live. Every key value is legal.
// - Empty cells have the greatest key. A window fills from its first cell to its last.
// - A cell keeps its key, erased or not, until the table is cleaned up. So a key has one cell at most, however many
//   threads insert it at once, and a search ends at its key or at an empty cell.
// - A cell whose key and row id are one word (AoS, 32-bit keys) changes by one compare-and-swap. In another cell, an
//   insert claims the row id, stores the key, and after a fence stores the row id: who sees a row id sees its key
//   (row_cells). A search passes a claimed cell, because its entry is not in yet. An insert waits at it, because it may
//   be the same key.
// - A find beside writers is the find of all lookups, over memory that others write.
//
// Operations
//   find      by the lanes of a group. At load 0.8 with windows of 8 cells it reads 1.15 windows per hit and 2.3 per
//             miss with linear probing, 1.1 and 1.7 with double hashing.
//   insert    by as few lanes as load a window: one, up to 8 cells. They look at all its cells at once, and one of them
//             swaps. A key that is there gets the new row id: duplicates are not kept.
//   erase     likewise. The cell stays in use.
//   build     empties the cells, then inserts the keys in the order of the input.
//   clean-up  before a batch of inserts that would fill the table beyond its load, and when inserts found no room but
//             cells are erased. The live entries go into a new table of the same size.
//   growth    when inserts found no room, or surely will not. The live entries go into a table of twice the cells, or of
//             as many as the inserts need.
// There are no ranges and no successors, because there is no order.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/open_addressing/probing.hpp"
#include "core/index/insert_passes.hpp"
#include "core/index/row_cells.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

struct table_region {
  static constexpr region_id entries{0}, rows{1};
};

struct table_view {
  u64 live = 0, used = 0;  // cells with a live entry; cells with a live or an erased one
  window_count size = {};
};

using table_cells = row_cells<table_region::entries, table_region::rows>;

struct open_addressing : insert_passes<open_addressing, table_cells> {
  using config = open_addressing_config;
  struct by_group {};  // a group's lookups are one wave (simt/wave.hpp)
  static constexpr region_id entries = table_region::entries;

  PIVOTSCOPE_FN static constexpr u32 lanes(const open_addressing_config& c) { return c.lanes; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const open_addressing_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found. Most lookups end in their first window; the first windows of
  // all lookups of a group are loaded at once.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    using Key = typename Wave::key;
    const window_count size = view.as<table_view>().size;
    auto& memory = wave.memory;
    auto rows = wave.to_keep(not_found);
    auto goes_on = wave.unmarked();
    const bool has_next = size.windows > 1;
    const auto first = wave.of_keys([&](Key key) { return first_window(key, size); });
    wave.fetch([&](u32 i, u32 lane) { return table_cells::load<Key>(config, memory, first[i], lane, true); },
               [&](u32 i, auto&& at) {
                 memory.step(0);
                 const u32 seen = look_through(config, wave.lanes, memory, first[i], wave.keys[i], true, at);
                 memory.watch("wave.keys[i]", wave.keys[i], "first[i]", first[i], "size.windows", size.windows, "seen",
                              watched_row{seen});
                 wave.mark(goes_on, i, has_next & (seen == on_to_the_next));
                 wave.keep(rows, i, is_live_row(seen) ? seen : not_found);
               });
    wave.again(
        goes_on,
        [&](u32, Key key) {
          window_walk walk(config, key, size);
          walk.next();
          table_cells::will_read<Key>(config, memory, walk.window());
          return further{walk.window(), walk.step(), 1, not_found};
        },
        [&](Key key, further& here, bool live) {
          if (live) memory.step(0);
          const auto load = [&](u32 lane) { return table_cells::load<Key>(config, memory, here.window, lane, live); };
          const u32 seen = look_through(config, wave.lanes, memory, here.window, key, live, load);
          if (live) {
            memory.watch("key", key, "here.window", here.window, "here.tried", here.tried, "seen", watched_row{seen});
          }
          here.row = is_live_row(seen) ? seen : not_found;
          window_walk walk(config, here.window, here.step, size);
          walk.next();
          here.window = walk.window(), here.step = walk.step();
          if (live) table_cells::will_read<Key>(config, memory, here.window);
          return live && seen == on_to_the_next && ++here.tried < size.windows;
        },
        [&](u32 i, const further& here) { rows[i] = here.row; });
    return rows;
  }

  // --- Writing ---

  PIVOTSCOPE_FN static constexpr open_addressing_config for_writes(open_addressing_config c) {
    c.lanes = fewest_lanes(c.window);
    return c;
  }
  // Where an operation on `key` begins: in its first window.
  template <class Key>
  PIVOTSCOPE_FN static u32 begins_at(const state_view& view, Key key) {
    return first_window(key, view.as<table_view>().size);
  }
  // Tells what it reads there.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void will_begin(Config config, Memory& memory, u32 window) {
    table_cells::will_write<Key>(config, memory, window);
  }

  // Gives `key` the row id. Returns full, and changes nothing, if no window has an empty cell.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                         u32 row) {
    const window_count size = view.as<table_view>().size;
    window_walk walk(config, key, size);
    for (u32 tried = 0; tried < size.windows; ++tried, walk.next()) {
      memory.step(0);
      memory.hold("entry", key, row);
      // Again where another was quicker, perhaps with this very key.
      for (;;) {
        const end_of_node end = table_cells::end_in<true>(config, lanes, memory, walk.window(), key);
        memory.watch("key", key, "walk.window()", walk.window(), "size.windows", size.windows, "tried", tried);
        if (end.cell == no_cell) break;
        if (end.row == claimed_row) continue;
        const u64 cell = first_cell(config, walk.window()) + end.cell;
        const bool done = lanes.once([&] {
          return end.row == not_found ? table_cells::claim(config, memory, cell, not_found, key, row)
                                      : table_cells::change_row(config, memory, cell, key, end.row, row);
        });
        // A live entry that another write changed first: this one counts as done just before that.
        if (done || is_live_row(end.row))
          return end.row == not_found    ? write_done::added
                 : end.row == erased_row ? write_done::revived
                                         : write_done::replaced;
      }
    }
    return write_done::full;
  }

  // Removes `key`. Returns absent if it is not there.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key) {
    const window_count size = view.as<table_view>().size;
    window_walk walk(config, key, size);
    for (u32 tried = 0; tried < size.windows; ++tried, walk.next()) {
      memory.step(0);
      for (;;) {
        const end_of_node end = table_cells::end_in<false>(config, lanes, memory, walk.window(), key);
        memory.watch("key", key, "walk.window()", walk.window(), "size.windows", size.windows, "tried", tried);
        if (end.cell == no_cell) break;
        if (end.row == not_found || end.row == erased_row) return write_done::absent;
        const u64 cell = first_cell(config, walk.window()) + end.cell;
        const bool done =
            lanes.once([&] { return table_cells::change_row(config, memory, cell, key, end.row, erased_row); });
        if (done) return write_done::erased;
      }
    }
    return write_done::absent;
  }

  // --- Passes of the build, of the clean-up and of growth; those that insert are inherited ---
  struct empty_cells {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      table_cells::put(config, view, i, greatest_key<Key>(), not_found);
    }
  };

 private:
  // A lookup that goes on beyond its first window.
  struct further {
    u32 window, step, tried, row;
  };

  // at(lane): the lane's share of the window.
  template <class Config, class Lanes, class Memory, class Key, class At>
  PIVOTSCOPE_FN static u32 look_through(Config config, Lanes& lanes, Memory& memory, u32 window, Key key, bool live,
                                        At&& at) {
    return lanes.min([&](u32 lane) {
      u32 seen = on_to_the_next;
      if (!live) return seen;
      if (table_cells::row_at_end(config, memory, window, lane, key, seen)) return seen;
      const auto got = at(lane);
      const u32 each = cells_a_lane(config.value);
      const u64 first = first_cell(config, window) + lane * each;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        memory.saw(entries, first + i, got.keys[i]);
        seen = least(seen, table_cells::row_or_end(config, memory, first + i, got.keys[i], got.rows[i], key));
      }
      memory.watch_lane(lane, "seen", watched_row{seen});
      return seen;
    });
  }
};

}  // namespace pivotscope
