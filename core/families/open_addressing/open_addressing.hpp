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
//   insert claims the row id, stores the key, and after a fence stores the row id: who sees a row id sees its key. A
//   search passes a claimed cell, because its entry is not in yet. An insert waits at it, because it may be the same
//   key.
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
#include "core/index/entry_cell.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

struct table_region {
  static constexpr region_id entries{0}, rows{1};
};

struct table_view {
  u64 live = 0, used = 0;  // cells with a live entry; cells with a live or an erased one
  window_count size = {};
};

struct open_addressing {
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
    auto goes_on = wave.to_keep(false);
    const auto first = wave.of_keys([&](Key key) { return first_window(key, size); });
    wave.each([&](u32 i) { will_read<Key>(config, memory, first[i]); });
    wave.fetch([&](u32 i, u32 lane) { return load_share<Key>(config, memory, first[i], lane, true); },
               [&](u32 i, auto&& at) {
                 memory.step(0);
                 const u32 seen = look_through(config, wave.lanes, memory, first[i], wave.keys[i], true, at);
                 memory.watch("wave.keys[i]", wave.keys[i], "first[i]", first[i], "size.windows", size.windows, "seen",
                              watched_row{seen});
                 wave.keep(goes_on, i, seen == on_to_the_next && size.windows > 1);
                 wave.keep(rows, i, is_live_row(seen) ? seen : not_found);
               });
    wave.again(
        goes_on,
        [&](u32, Key key) {
          window_walk walk(config, key, size);
          walk.next();
          return further{walk.window(), walk.step(), 1, not_found};
        },
        [&](Key key, further& here, bool live) {
          if (live) memory.step(0);
          const auto load = [&](u32 lane) { return load_share<Key>(config, memory, here.window, lane, live); };
          const u32 seen = look_through(config, wave.lanes, memory, here.window, key, live, load);
          if (live) {
            memory.watch("key", key, "here.window", here.window, "here.tried", here.tried, "seen", watched_row{seen});
          }
          here.row = is_live_row(seen) ? seen : not_found;
          window_walk walk(config, here.window, here.step, size);
          walk.next();
          here.window = walk.window(), here.step = walk.step();
          if (live) will_read<Key>(config, memory, here.window);
          return live && seen == on_to_the_next && ++here.tried < size.windows;
        },
        [&](u32 i, const further& here) { rows[i] = here.row; });
    return rows;
  }

  // --- Writing ---

  // As few lanes as a window takes: what one thread loads of 64 bytes, several do not load sooner.
  PIVOTSCOPE_FN static constexpr open_addressing_config for_writes(open_addressing_config c) {
    c.lanes = c.window > most_cells_a_lane ? c.window / most_cells_a_lane : 1;
    return c;
  }
  // Tells what an operation on `key` reads first.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void will_begin(Config config, Memory& memory, const state_view& view, Key key) {
    const u32 window = first_window(key, view.as<table_view>().size);
    will_read<Key>(config, memory, window);
    if (config.value.layout == cell_layout::soa)
      memory.will_read(table_region::rows, static_cast<u64>(window) * config.value.window, config.value.window,
                       sizeof(u32));
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
        const end_of_window end = end_in<true>(config, lanes, memory, walk.window(), key);
        memory.watch("key", key, "walk.window()", walk.window(), "size.windows", size.windows, "tried", tried);
        if (end.cell == no_cell) break;
        if (end.row == claimed_row) continue;
        const u64 cell = static_cast<u64>(walk.window()) * config.value.window + end.cell;
        const bool done = lanes.once([&] {
          return end.row == not_found ? claim(config, memory, cell, key, row)
                                      : change_row(config, memory, cell, key, end.row, row);
        });
        if (done)
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
        const end_of_window end = end_in<false>(config, lanes, memory, walk.window(), key);
        memory.watch("key", key, "walk.window()", walk.window(), "size.windows", size.windows, "tried", tried);
        if (end.cell == no_cell) break;
        if (end.row == not_found || end.row == erased_row) return write_done::absent;
        const u64 cell = static_cast<u64>(walk.window()) * config.value.window + end.cell;
        const bool done = lanes.once([&] { return change_row(config, memory, cell, key, end.row, erased_row); });
        if (done) return write_done::erased;
      }
    }
    return write_done::absent;
  }

  // --- Passes of the build, of the clean-up and of growth ---
  struct empty_cells {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      if (config.value.layout == cell_layout::aos) {
        view.store(entries, i, make_entry(greatest_key<Key>(), not_found));
      } else {
        view.store(entries, i, greatest_key<Key>());
        view.store(table_region::rows, i, not_found);
      }
    }
  };
  struct insert_keys {
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      return insert(config, lanes, memory, view, view.template key<Key>(i), view.row(i)) == write_done::added;
    }
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static void will(Config config, Memory& memory, const build_view& view, u64 i) {
      will_begin(config, memory, view, view.template key<Key>(i));
    }
  };
  // Inserts the entry in cell i of the table that was there, if it is live.
  struct insert_live {
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      const entry_cell<Key> cell = before<Key>(config, view, i);
      return is_live_row(cell.row) && insert(config, lanes, memory, view, cell.key, cell.row) == write_done::added;
    }
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static void will(Config config, Memory& memory, const build_view& view, u64 i) {
      const entry_cell<Key> cell = before<Key>(config, view, i);
      if (is_live_row(cell.row)) will_begin(config, memory, view, cell.key);
    }

   private:
    template <class Key, class Config>
    PIVOTSCOPE_FN static entry_cell<Key> before(Config config, const build_view& view, u64 i) {
      if (config.value.layout == cell_layout::aos) return view.load_before<entry_cell<Key>>(entries, i);
      return make_entry(view.load_before<Key>(entries, i), view.load_before<u32>(table_region::rows, i));
    }
  };

 private:
  // What a lane sees of a window is one number: a row id, or one of these. The least number of all lanes counts.
  static constexpr u32 no_such_key = erased_row, on_to_the_next = ~0u;

  // A lookup that goes on beyond its first window.
  struct further {
    u32 window, step, tried, row;
  };
  // A lane's share of a window: entries, or with two arrays the keys.
  template <class Key>
  struct share {
    Key keys[most_cells_a_lane];
    u32 rows[most_cells_a_lane];  // AoS only
  };

  template <class Config>
  PIVOTSCOPE_FN static constexpr node_run run_of(Config config) {
    return share_node(config.value.lanes, config.value.window);
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void will_read(Config config, Memory& memory, u32 window) {
    const u64 first = static_cast<u64>(window) * config.value.window;
    const u32 cell = config.value.layout == cell_layout::aos ? u32{sizeof(entry_cell<Key>)} : u32{sizeof(Key)};
    memory.will_read(entries, first, config.value.window, cell);
  }

  // `live`: false in a thread without a lookup.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static share<Key> load_share(Config config, Memory& memory, u32 window, u32 lane, bool live,
                                             typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    share<Key> got{};
    if (!live) return got;
    const u64 first = static_cast<u64>(window) * config.value.window;
    if (config.value.layout == cell_layout::aos) {
      memory.template each_of_run<entry_cell<Key>>(
          entries, first, run_of(config), lane,
          [&](u32 i, const entry_cell<Key>& cell) { got.keys[i] = cell.key, got.rows[i] = cell.row; });
    } else {
      memory.template each_of_run<Key>(entries, first, run_of(config), lane,
                                       [&](u32 i, Key key) { got.keys[i] = key; });
    }
    return got;
  }

  // at(lane): the lane's share of the window.
  template <class Config, class Lanes, class Memory, class Key, class At>
  PIVOTSCOPE_FN static u32 look_through(Config config, Lanes& lanes, Memory& memory, u32 window, Key key, bool live,
                                        At&& at) {
    return lanes.min([&](u32 lane) {
      u32 seen = on_to_the_next;
      if (!live) return seen;
      const u64 of_window = static_cast<u64>(window) * config.value.window;
      if (config.value.layout == cell_layout::aos &&
          memory.template least_row<entry_cell<Key>>(entries, of_window, run_of(config), lane, key, false, seen))
        return seen;
      const auto got = at(lane);
      const u32 each = cells_a_lane(config.value);
      const u64 first = of_window + lane * each;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        memory.saw(entries, first + i, got.keys[i]);
        seen = least(seen, row_or_end(config, memory, first + i, got.keys[i], got.rows[i], key));
      }
      memory.watch_lane(lane, "seen", watched_row{seen});
      return seen;
    });
  }
  // What a cell says of a searched key.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static u32 row_or_end(Config config, Memory& memory, u64 cell, Key its_key, u32 row, Key key) {
    complete(config, memory, cell, its_key, row, key);
    if (row == not_found) return no_such_key;
    if (Memory::others_write && row == claimed_row) return on_to_the_next;  // its entry is not in yet
    return its_key == key ? row : on_to_the_next;                           // of its one cell, which may be erased
  }
  // With two arrays, loads the row id if the key is equal, or if it may be that of an empty cell; else it does not
  // matter. Beside writers a row id that is there says that its key is: an empty cell's key may have been loaded before.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void complete(Config config, Memory& memory, u64 cell, Key& its_key, u32& row, Key key) {
    if (config.value.layout == cell_layout::aos) return;
    row = 0;
    if (its_key != key && its_key != greatest_key<Key>()) return;
    if constexpr (Memory::others_write) {
      row = memory.template load_acquire<u32>(table_region::rows, cell, sizeof(u32), 0);
      const bool has_key = row != not_found && row != claimed_row;
      if (has_key && its_key == greatest_key<Key>()) its_key = memory.template load<Key>(entries, cell);
    } else {
      row = memory.template load<u32>(table_region::rows, cell);
    }
  }

  // --- Of a write ---

  static constexpr u32 no_cell = ~0u;
  // The first cell of a window at which a write ends, or waits: the cell's place in the window, or no_cell; and what it
  // has for a row id. It is empty, or has the key.
  struct end_of_window {
    u32 cell, row;
  };
  // `Waits`: at a claimed cell as well, since it may get this key. Cells are never emptied, so the order in which the
  // lanes load them does not matter: a write that takes an empty cell has seen all cells before it with other keys.
  template <bool Waits, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static end_of_window end_in(Config config, Lanes& lanes, Memory& memory, u32 window, Key key) {
    const u32 each = cells_a_lane(config.value);
    const u64 first = static_cast<u64>(window) * config.value.window;
    auto rows = lanes.each(u32{0});
    const u32 cell = lanes.min([&](u32 lane) {
      auto got = load_share<Key>(config, memory, window, lane, true);
      u32 seen = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        complete(config, memory, first + lane * each + i, got.keys[i], got.rows[i], key);
        memory.saw(entries, first + lane * each + i, got.keys[i]);
        const bool claimed = got.rows[i] == claimed_row;
        const bool ends = got.rows[i] == not_found || (claimed ? Waits : got.keys[i] == key);
        if (ends && seen == no_cell) seen = lane * each + i, rows[lane] = got.rows[i];
      }
      return seen;
    });
    return {cell, cell == no_cell ? 0u : lanes.told_by(rows, cell / each)};
  }

  // Puts key and row id into an empty cell. Returns false if another thread came first.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool claim(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                  typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (in_one_word(config.value)) return swap_word(memory, cell, ~0ull, word(key, row));
    if (!swap_row<Key>(config, memory, cell, not_found, claimed_row)) return false;
    const bool aos = config.value.layout == cell_layout::aos;
    const u32 key_stride = aos ? u32{sizeof(entry_cell<Key>)} : u32{sizeof(Key)};
    memory.template store_part<Key>(entries, cell, key_stride, 0, key);
    memory.fence();
    if (aos)
      memory.template store_part<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key), row);
    else
      memory.template store_part<u32>(table_region::rows, cell, sizeof(u32), 0, row);
    return true;
  }
  // Replaces the row id that was seen beside the key. Returns false if the cell has another one by now.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool change_row(Config config, Memory& memory, u64 cell, Key key, u32 seen, u32 row,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (in_one_word(config.value)) return swap_word(memory, cell, word(key, seen), word(key, row));
    return swap_row<Key>(config, memory, cell, seen, row);
  }
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
    if (config.value.layout == cell_layout::aos)
      return memory.template compare_exchange<u32>(entries, cell, sizeof(entry_cell<Key>), sizeof(Key), from, to) ==
             from;
    return memory.template compare_exchange<u32>(table_region::rows, cell, sizeof(u32), 0, from, to) == from;
  }
};

}  // namespace pivotscope
