// A batch of writes, done to the scene as a whole. The batch is sorted by key; the erases of a key come before its
// inserts. A search of the sorted batch tells for each triangle if its key is erased.
//
//   triangles    | 2 | 4 | 5 | 6 | 9 |            batch  -4 -9 +7 +3         as keys, with wide = 2
//   boxes        [ 2 4 ] [ 5 6 ] [ 9 ]
//
//   rebuild      what stays and what comes is numbered along the Morton curve, sorted, and the scene built again:
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
// A key may be greater than the grid has places for. The grid then gets the bits that it takes: a rebuild numbers all
// triangles by it, a refit moves each triangle of a cell to its key's new place.
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

struct rx_update_passes {
  // Of a refit: the numbers of the cells that are holes.
  static constexpr array_id holes{4};
  static constexpr u32 thread_cells = 4;
  static constexpr u32 tile_cells = tile_threads * thread_cells;
  // The scratch of a tile: of each thread a bit for each of its cells that is chosen. A scratch without a use leads
  // GCC 12 to leave out host_tiles()' choice between key widths.
  struct chosen_cells {
    u32 bits[tile_threads];
  };

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

  // Of a rebuild: numbers the triangles that stay along the Morton curve, side by side.
  struct keep_triangles {
    template <class Key>
    using scratch = chosen_cells;
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config, Tile& tile, scratch<Key>& s, const build_view& view, u64 number) {
      const rx_batch& batch = view.as<rx_batch>();
      each_chosen(
          tile, s, batch, number,
          [&](u32 cell) {
            const triangle_cell triangle = view.load<triangle_cell>(rx_scene.triangles, cell);
            return !triangle.is_hole() && !erases<Key>(view, batch, rx_key_at(batch.grid_before, triangle));
          },
          [&](u32 cell, u64 place) {
            const triangle_cell triangle = view.load<triangle_cell>(rx_scene.triangles, cell);
            store_number<Key>(view, place, rx_key_at(batch.grid_before, triangle), triangle.mark);
          });
    }
  };
  // Item i is a write: numbers what comes, behind what stays.
  struct number_inserts {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const rx_batch& batch = view.as<rx_batch>();
      const u32 number = view.array<u32>(batch_numbers)[i];
      if (number < batch.erases) return;
      const u32 insert = number - batch.erases;
      store_number<Key>(view, u64{batch.kept} + insert, view.array<Key>(batch_keys)[i], batch.first_row + insert);
    }
  };

  // Of a refit: makes holes of the triangles whose keys are erased, and lists all holes. Each thread stores to cells of
  // its own alone.
  struct make_holes {
    template <class Key>
    using scratch = chosen_cells;
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config, Tile& tile, scratch<Key>& s, const build_view& view, u64 number) {
      const rx_batch& batch = view.as<rx_batch>();
      each_chosen(
          tile, s, batch, number,
          [&](u32 cell) {
            const triangle_cell triangle = view.load<triangle_cell>(rx_scene.triangles, cell);
            if (triangle.is_hole()) return true;
            if (!erases<Key>(view, batch, rx_key_at(batch.grid_before, triangle))) return false;
            view.store(rx_scene.triangles, cell, hole_with(erased_row));
            return true;
          },
          [&](u32 cell, u64 place) { view.array<u32>(holes)[place] = cell; });
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
      const rx_batch& batch = view.as<rx_batch>();
      const u32 number = view.array<u32>(batch_numbers)[i];
      if (number < batch.erases) return;
      const u32 insert = number - batch.erases;
      const u32 cell = insert < batch.holes ? view.array<u32>(holes)[insert] : batch.cells + (insert - batch.holes);
      const grid_point at = batch.grid.of(view.array<Key>(batch_keys)[i]);
      view.store(rx_scene.triangles, cell, triangle_at(batch.grid, at, batch.first_row + insert, false));
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

  // Item `place` of what a rebuild sorts.
  template <class Key>
  PIVOTSCOPE_FN static void store_number(const build_view& view, u64 place, u64 key, u32 row) {
    const key_grid& grid = view.as<rx_batch>().grid;
    view.array<Key>(rx_codes)[place] = static_cast<Key>(grid.morton(grid.of(key)));
    view.array<u32>(rx_rows)[place] = row;
  }

  // Calls is_chosen(cell) for all cells of a tile, and then f(cell, place) for those that are: their places count through
  // all tiles.
  template <class Tile, class Choice, class F>
  PIVOTSCOPE_FN static void each_chosen(Tile& tile, chosen_cells& chosen, const rx_batch& batch, u64 number,
                                        Choice&& is_chosen, F&& f) {
    auto counts = tile.all(0u);
    tile.each([&](u32 thread) {
      u32 bits = 0, count = 0;
      for (u32 i = 0; i < thread_cells; ++i) {
        const u64 cell = number * tile_cells + thread * thread_cells + i;
        if (cell >= batch.cells || !is_chosen(static_cast<u32>(cell))) continue;
        bits |= 1u << i;
        ++count;
      }
      chosen.bits[thread] = bits;
      counts[thread] = count;
    });
    const u64 begin = tile.places(counts, unknown_place);
    tile.each([&](u32 thread) {
      u64 place = begin + counts[thread];
      for (u32 i = 0; i < thread_cells; ++i)
        if ((chosen.bits[thread] >> i & 1) != 0)
          f(static_cast<u32>(number * tile_cells + thread * thread_cells + i), place++);
    });
  }
};

}  // namespace pivotscope
