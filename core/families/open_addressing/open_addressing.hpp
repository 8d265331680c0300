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
//
// Operations
//   find      by the lanes of a group. At load 0.8 with windows of 8 cells it reads 1.15 windows per hit and 2.3 per
//             miss with linear probing, 1.1 and 1.7 with double hashing.
//   insert    by one thread. A key that is there gets the new row id: duplicates are not kept.
//   erase     by one thread. The cell stays in use.
//   build     empties the cells, then inserts the keys in the order of the input, one per thread.
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

// The cells of a table, one at a time, while other threads may write.
template <class Config, class Key, class Memory>
class table_cells {
 public:
  PIVOTSCOPE_FN table_cells(Config config, Memory& memory) : config_(config), memory_(memory) {}

  using place = typename Memory::place;

  struct cell {
    Key key;
    u32 row;
  };

  // Reads a cell: its row id before its key, so that the key of a live row id is there.
  PIVOTSCOPE_FN cell look(u64 i, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    cell seen;
    if (in_one_word(config_.value)) {
      seen = parts(memory_.template load<u64>(table_region::entries, i));
    } else {
      seen.row = memory_.template load_acquire<u32>(row_region(), i, row_stride(), row_offset());
      const bool has_key = seen.row != not_found && seen.row != claimed_row;
      seen.key =
          has_key ? memory_.template load_part<Key>(table_region::entries, i, key_stride(), 0) : greatest_key<Key>();
    }
    memory_.saw(table_region::entries, i, seen.key);
    return seen;
  }

  // Puts key and row id into an empty cell. Returns false if another thread came first.
  PIVOTSCOPE_FN bool claim(u64 i, Key key, u32 row, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    if (in_one_word(config_.value)) return swap_word(i, ~0ull, word(key, row));
    if (!swap_row(i, not_found, claimed_row)) return false;
    memory_.template store_part<Key>(table_region::entries, i, key_stride(), 0, key);
    memory_.fence();
    memory_.template store_part<u32>(row_region(), i, row_stride(), row_offset(), row);
    return true;
  }

  // Replaces the row id that was seen beside the key. Returns false if the cell has another one by now.
  PIVOTSCOPE_FN bool change_row(u64 i, const cell& seen, u32 row, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    if (in_one_word(config_.value)) return swap_word(i, word(seen.key, seen.row), word(seen.key, row));
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
  struct by_group {};  // a group's lookups are one wave (simt/wave.hpp)
  static constexpr region_id entries = table_region::entries;

  PIVOTSCOPE_FN static constexpr u32 lanes(const open_addressing_config& c) { return c.lanes; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const open_addressing_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found. Most lookups end in their first window; the first windows of
  // all lookups of a group are loaded at once.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const index_view& view) {
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

  // --- Reading, while others write: one thread ---

  // Returns the row id of `key`, or not_found.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static u32 find_now(Config config, Memory& memory, const build_view& view, Key key) {
    u32 row = not_found;
    walk_through(config, memory, view, key, [&](auto&, u64, const auto& cell) {
      if (cell.row == not_found) return true;
      if (cell.row == claimed_row || cell.key != key) return false;
      if (is_live_row(cell.row)) row = cell.row;
      return true;
    });
    return row;
  }

  // --- Writing: one thread ---

  // Gives `key` the row id. Returns full, and changes nothing, if no window has an empty cell.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert(Config config, Memory& memory, const build_view& view, Key key, u32 row) {
    write_done done = write_done::full;
    walk_through(config, memory, view, key, [&](auto& cells, u64 i, auto cell) {
      memory.hold("entry", key, row);
      for (;;) {
        if (cell.row == not_found) {
          if (cells.claim(i, key, row)) return done = write_done::added, true;
        } else if (cell.row != claimed_row) {
          if (cell.key != key) return false;
          if (cells.change_row(i, cell, row))
            return done = cell.row == erased_row ? write_done::revived : write_done::replaced, true;
        }
        cell = cells.look(i);  // another came first, perhaps with this very key
      }
    });
    return done;
  }

  // Removes `key`. Returns absent if it is not there.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase(Config config, Memory& memory, const build_view& view, Key key) {
    write_done done = write_done::absent;
    walk_through(config, memory, view, key, [&](auto& cells, u64 i, auto cell) {
      if (cell.row == not_found) return true;
      if (cell.row == claimed_row || cell.key != key) return false;
      for (; cell.row != erased_row; cell = cells.look(i))
        if (cells.change_row(i, cell, erased_row)) return done = write_done::erased, true;
      return true;
    });
    return done;
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
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Memory& memory, const build_view& view, u64 i) {
      return insert(config, memory, view, view.template key<Key>(i), view.row(i)) == write_done::added;
    }
  };
  // Inserts the entry in cell i of the table that was there, if it is live.
  struct insert_live {
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Memory& memory, const build_view& view, u64 i) {
      entry_cell<Key> cell{};
      if (config.value.layout == cell_layout::aos) {
        cell = view.load_before<entry_cell<Key>>(entries, i);
      } else {
        cell = make_entry(view.load_before<Key>(entries, i), view.load_before<u32>(table_region::rows, i));
      }
      return is_live_row(cell.row) && insert(config, memory, view, cell.key, cell.row) == write_done::added;
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

  // Calls f(cells, place, cell) for each cell along the probe sequence of `key`, until it returns true.
  template <class Config, class Memory, class Key, class F>
  PIVOTSCOPE_FN static void walk_through(Config config, Memory& memory, const build_view& view, Key key, F&& f) {
    table_cells<Config, Key, Memory> cells(config, memory);
    const window_count size = view.as<table_view>().size;
    window_walk walk(config, key, size);
    for (u32 tried = 0; tried < size.windows; ++tried, walk.next()) {
      memory.step(0);
      const u64 first = static_cast<u64>(walk.window()) * config.value.window;
      for (u32 i = 0; i < config.value.window; ++i) {
        const auto cell = cells.look(first + i);
        memory.watch("key", key, "walk.window()", walk.window(), "size.windows", size.windows, "tried", tried);
        if (f(cells, first + i, cell)) return;
      }
    }
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
      const auto got = at(lane);
      const u32 each = cells_a_lane(config.value);
      const u64 first = static_cast<u64>(window) * config.value.window + lane * each;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        memory.saw(entries, first + i, got.keys[i]);
        seen = least(seen, row_or_end(config, memory, first + i, got.keys[i], got.rows[i], key));
      }
      memory.watch_lane(lane, "seen", watched_row{seen});
      return seen;
    });
  }
  // With two arrays, loads the row id only if the key is equal, or if it may be that of an empty cell.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static u32 row_or_end(Config config, Memory& memory, u64 cell, Key its_key, u32 row, Key key) {
    const bool same = its_key == key;
    if (config.value.layout == cell_layout::soa) {
      if (!same && its_key != greatest_key<Key>()) return on_to_the_next;
      row = memory.template load<u32>(table_region::rows, cell);
    }
    if (row == not_found) return no_such_key;
    return same ? row : on_to_the_next;  // of its one cell, which may be erased
  }
};

}  // namespace pivotscope
