// A batch of writes, done to the scene as a whole. The batch is sorted by key; the erases of a key come before its
// inserts. A search of the sorted batch tells for each triangle if its key is erased.
//
//   triangles    | 2 | 4 | 5 | 6 | 9 |            batch  -4 -9 +7 +3         as keys, with wide = 2
//   boxes        [ 2 4 ] [ 5 6 ] [ 9 ]
//
//   rebuild      what stays and what comes is listed. The greatest of these keys tells the grid, and then the scene is
//                built as at first, bit for bit:
//   triangles    | 2 | 3 | 5 | 6 | 7 |
//   boxes        [ 2 3 ] [ 5 6 ] [ 7 ]
//
//   refit        an erased triangle becomes a hole; what comes takes the first holes, and then cells behind the last.
//                All other triangles stay in their cells. Then all groups are bounded again:
//   triangles    | 2 | 7 | 5 | 6 | 3 |
//   boxes        [ 2   7 ] [ 5 6 ] [ 3 ]          boxes overlap: a ray to 5 meets two
//
// Both read all triangles once and search the batch for each. A rebuild sorts all of them; a refit sorts the batch alone.
//
// A key may be greater than the grid has places for. A refit then gives the grid the bits that it takes, and moves each
// triangle of a cell to its key's new place. It never takes bits away.
//
// A build answers the least row id of equal keys, because their triangles lie in the order of their row ids. Refits put
// triangles where there is room. So a rebuild after them lists the entries in the order of their row ids, as a build gets
// them: it sorts these first.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/rx/scene.hpp"
#include "core/simt/searchers.hpp"
#include "core/simt/tile_pass.hpp"

namespace pivotscope {

// The state of the passes of an update.
struct rx_batch {
  key_grid grid = {}, grid_before = {};
  u32 cells = 0;               // triangles and holes of the scene as it was
  u32 writes = 0, erases = 0;  // of the batch
  u32 first_row = 0;           // of the inserts
  u32 kept = 0;                // triangles that stay: what comes is behind them
  u32 holes = 0;               // of a refit, with those that the batch makes
  u64 limit = 0;               // look_at_writes counts keys above it
};

// The state of a pass that finds the greatest of the listed keys, a part of them at a time.
struct rx_maxima {
  u64 keys = 0, parts = 0;
  bool of_entries = true;  // else of the greatest keys of parts, as an earlier pass left them

  static constexpr u64 keys_a_part = 256;
  // What the last pass leaves in a cell of the triangles.
  struct alignas(16) cell {
    u64 greatest;
  };
};

struct rx_update_passes {
  // Of a refit: the cells that are holes. Of a rebuild after refits: those that are none, by the row ids beside them.
  static constexpr array_id cells_listed{4}, rows_that_stay{5};
  static constexpr array_id maxima{6};
  static constexpr u32 thread_cells = 4;
  static constexpr u32 tile_cells = tile_threads * thread_cells;

  // Item i is a write. Takes it that no erase finds its key: what finds one says so later. Counts the inserts of keys
  // above the limit.
  struct look_at_writes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool at(Config, const build_view& view, u64 i) {
      const rx_batch& batch = view.as<rx_batch>();
      const u32 number = view.array<u32>(batch_numbers)[i];
      const bool inserts = number >= batch.erases;
      if (!inserts) view.done[number] = write_done::absent;
      return inserts && view.array<Key>(batch_keys)[i] > batch.limit;
    }
  };

  // A pass by tiles that chooses triangles, holes too. Pass has, beside what it inherits from here,
  //   chooses<Key>(view, batch, cell, triangle)          may store to the cell: it is the thread's own
  //   put<Key>(view, batch, place, cell, triangle)       of one that was chosen: its place among all chosen
  template <class Pass>
  struct choosing_pass {
    // Of each thread a bit for each of its cells that is chosen. A scratch without a use leads GCC 12 to leave out
    // host_tiles()' choice between key widths.
    struct chosen_cells {
      u32 bits[tile_threads];
    };
    template <class Key>
    using scratch = chosen_cells;
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config, Tile& tile, scratch<Key>& chosen, const build_view& view, u64 number) {
      const rx_batch& batch = view.as<rx_batch>();
      const auto triangle_of = [&](u64 cell) { return view.load<triangle_cell>(rx_scene.triangles, cell); };
      auto counts = tile.all(0u);
      tile.each([&](u32 thread) {
        u32 bits = 0, count = 0;
        for (u32 i = 0; i < thread_cells; ++i) {
          const u64 cell = number * tile_cells + thread * thread_cells + i;
          if (cell >= batch.cells) break;
          if (!Pass::template chooses<Key>(view, batch, cell, triangle_of(cell))) continue;
          bits |= 1u << i;
          ++count;
        }
        chosen.bits[thread] = bits;
        counts[thread] = count;
      });
      const u64 begin = tile.places(counts, unknown_place);
      tile.each([&](u32 thread) {
        u64 place = begin + counts[thread];
        for (u32 i = 0; i < thread_cells; ++i) {
          if ((chosen.bits[thread] >> i & 1) == 0) continue;
          const u64 cell = number * tile_cells + thread * thread_cells + i;
          Pass::template put<Key>(view, batch, place++, cell, triangle_of(cell));
        }
      });
    }
  };

  // Of a rebuild: lists the entries that stay, side by side.
  struct list_kept : choosing_pass<list_kept> {
    template <class Key>
    PIVOTSCOPE_FN static bool chooses(const build_view& view, const rx_batch& batch, u64, const triangle_cell& t) {
      return stays<Key>(view, batch, t);
    }
    template <class Key>
    PIVOTSCOPE_FN static void put(const build_view& view, const rx_batch& batch, u64 place, u64,
                                  const triangle_cell& t) {
      list_entry<Key>(view, place, rx_key_at(batch.grid_before, t), t.mark);
    }
  };
  // The same after refits, when entries of one key are in no order: lists the row ids that stay, to be sorted, and their
  // cells.
  struct list_rows : choosing_pass<list_rows> {
    template <class Key>
    PIVOTSCOPE_FN static bool chooses(const build_view& view, const rx_batch& batch, u64, const triangle_cell& t) {
      return stays<Key>(view, batch, t);
    }
    template <class Key>
    PIVOTSCOPE_FN static void put(const build_view& view, const rx_batch&, u64 place, u64 cell,
                                  const triangle_cell& t) {
      view.array<Key>(rows_that_stay)[place] = t.mark;
      view.array<u32>(cells_listed)[place] = static_cast<u32>(cell);
    }
  };
  // Item i is a cell, in the order of the row ids: lists its entry.
  struct list_by_row {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const triangle_cell t = view.load<triangle_cell>(rx_scene.triangles, view.array<u32>(cells_listed)[i]);
      list_entry<Key>(view, i, rx_key_at(view.as<rx_batch>().grid_before, t), t.mark);
    }
  };
  // Item i is a write: lists what comes, behind what stays.
  struct list_inserts {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      with_insert<Key>(view, i, [&](const rx_batch& batch, u32 insert, Key key, u32 row) {
        list_entry<Key>(view, u64{batch.kept} + insert, key, row);
      });
    }
  };
  // Item i of `parts` finds the greatest of the keys i, i + parts, i + 2 parts, ... A last pass of one part leaves it in
  // the first cell of the triangles, where the host can read it.
  struct find_greatest {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const rx_maxima& of = view.as<rx_maxima>();
      const Key* const keys = view.array<Key>(of.of_entries ? rx_codes : maxima);
      Key greatest = 0;
      for (u64 k = i; k < of.keys; k += of.parts)
        if (keys[k] > greatest) greatest = keys[k];
      view.array<Key>(maxima)[i] = greatest;
      if (of.parts == 1) view.store(rx_scene.triangles, 0, rx_maxima::cell{greatest});
    }
  };
  // Item i is an entry: numbers it along the Morton curve.
  struct number_listed {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const key_grid& grid = view.as<rx_view>().grid;
      Key& code = view.array<Key>(rx_codes)[i];
      code = static_cast<Key>(grid.morton(grid.of(code)));
    }
  };

  // Of a refit: makes holes of the triangles whose keys are erased, and lists all holes.
  struct make_holes : choosing_pass<make_holes> {
    template <class Key>
    PIVOTSCOPE_FN static bool chooses(const build_view& view, const rx_batch& batch, u64 cell, const triangle_cell& t) {
      if (stays<Key>(view, batch, t)) return false;
      view.store(rx_scene.triangles, cell, hole_with(erased_row));
      return true;
    }
    template <class Key>
    PIVOTSCOPE_FN static void put(const build_view& view, const rx_batch&, u64 place, u64 cell, const triangle_cell&) {
      view.array<u32>(cells_listed)[place] = static_cast<u32>(cell);
    }
  };
  // Item i is a cell: moves its triangle to where its key is in the new grid.
  struct move_triangles {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const rx_batch& batch = view.as<rx_batch>();
      const triangle_cell triangle = view.load<triangle_cell>(rx_scene.triangles, i);
      if (triangle.is_hole()) return;
      const grid_point to = batch.grid.of(rx_key_at(batch.grid_before, triangle));
      view.store(rx_scene.triangles, i, triangle_at(batch.grid, to, triangle.mark, false));
    }
  };
  // Item i is a write: what comes takes a hole, or a cell behind the last.
  struct put_inserts {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      with_insert<Key>(view, i, [&](const rx_batch& batch, u32 insert, Key key, u32 row) {
        const u64 cell =
            insert < batch.holes ? view.array<u32>(cells_listed)[insert] : u64{batch.cells} + (insert - batch.holes);
        view.store(rx_scene.triangles, cell, triangle_at(batch.grid, batch.grid.of(key), row, false));
      });
    }
  };

 private:
  // Does the batch erase the key? Then says so of the first erase of the key. Entries of one key say the same.
  template <class Key>
  PIVOTSCOPE_FN static bool erases(const build_view& view, const rx_batch& batch, u64 key) {
    if (batch.erases == 0) return false;
    const Key* const keys = view.array<Key>(batch_keys);
    const u32 first = first_not(0, batch.writes, [&](u32 write) { return keys[write] < key; });
    if (first == batch.writes || keys[first] != key) return false;
    const u32 number = view.array<u32>(batch_numbers)[first];
    if (number >= batch.erases) return false;
    say_erased(view, number);
    return true;
  }
  // Several threads may say so of the same erase at once.
  PIVOTSCOPE_FN static void say_erased(const build_view& view, u32 number) {
    write_done what = write_done::erased;
#if defined(__CUDACC_RTC__)
    view.done[number] = what;
#else
    __atomic_store(&view.done[number], &what, __ATOMIC_RELAXED);
#endif
  }

  template <class Key>
  PIVOTSCOPE_FN static bool stays(const build_view& view, const rx_batch& batch, const triangle_cell& t) {
    return !t.is_hole() && !erases<Key>(view, batch, rx_key_at(batch.grid_before, t));
  }

  template <class Key>
  PIVOTSCOPE_FN static void list_entry(const build_view& view, u64 place, u64 key, u32 row) {
    view.array<Key>(rx_codes)[place] = static_cast<Key>(key);
    view.array<u32>(rx_rows)[place] = row;
  }

  // Calls f(batch, insert, key, row id) if write i is an insert: number `insert` of those.
  template <class Key, class F>
  PIVOTSCOPE_FN static void with_insert(const build_view& view, u64 i, F&& f) {
    const rx_batch& batch = view.as<rx_batch>();
    const u32 number = view.array<u32>(batch_numbers)[i];
    if (number < batch.erases) return;
    const u32 insert = number - batch.erases;
    f(batch, insert, view.array<Key>(batch_keys)[i], batch.first_row + insert);
  }
};

}  // namespace pivotscope
