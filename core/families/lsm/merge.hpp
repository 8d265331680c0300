// The runs of `lsm`, made and merged. A batch is sorted by key, the erases of a key before its inserts; the last write of
// each key is an entry of the run, or a tombstone. Two runs are merged along the merge path, on which of a key the newer
// version comes first:
//
//   newer run        | 5 - | 9 8 |                      - a tombstone
//   older run        | 3 2 | 5 6 | 7 4 |
//   step                0     1     2     3     4
//   merge path         3 2   5 -   5 6   7 4   9 8
//   result           | 3 2 | 5 - |     | 7 4 | 9 8 |    a step of the older run makes no cell behind its key's newer version
//
// If w entries of the newer run come before step s, entry w of it and entry s - w of the older one are the next ones. A
// search finds w for the first step of each tile. A tile's entries are brought into the scratch of a block, each
// once; there each thread searches again, then goes from step to step. Which cell a tile's first step makes is what all
// tiles before it made (simt/tile_pass.hpp).
#pragma once

#include "core/common/answers.hpp"
#include "core/families/lsm/config.hpp"
#include "core/families/lsm/scan.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"
#include "core/simt/searchers.hpp"
#include "core/simt/tile_pass.hpp"

namespace pivotscope {

// Where a run lies: in one of the arrays beside the region, in the region, or in the region as it was before a clean-up.
enum class run_place : u32 { array_a, array_b, set_aside, region, before };
struct lsm_run {
  run_place where = run_place::array_a;
  u32 count = 0;
  u64 first = 0;  // cell
};

// The state of the passes.
struct lsm_pass {
  lsm_run newer = {}, older = {}, to = {};  // a pass over one run has none that is older
  u32 erases = 0;                           // of the batch: the writes with the lowest numbers
  u32 first_row = 0;                        // of its inserts
  u32 keeps_tombstones = 1;
};

struct lsm_passes {
  static constexpr array_id first_run{2}, second_run{3}, run_aside{4};  // of run_place, in its order
  static constexpr array_id tile_starts{5};
  // Steps of a thread: odd, so that threads which read the first of theirs meet in no bank of a GPU's shared memory.
  PIVOTSCOPE_FN static constexpr u32 thread_steps(u32 key_bytes) { return key_bytes == 4 ? 15 : 7; }
  PIVOTSCOPE_FN static constexpr u32 tile_steps(u32 key_bytes) { return tile_threads * thread_steps(key_bytes); }

  template <class Key>
  struct tile_scratch {
    entry_cell<Key> cells[tile_steps(sizeof(Key)) + 1];
    u16 sources[tile_steps(sizeof(Key))];  // in `cells`, of what the tile makes
  };

  // The keys of a build, sorted, each with its row id.
  struct build_entries {
    template <class Key>
    using scratch = tile_scratch<Key>;
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config, Tile& tile, scratch<Key>& s, const build_view& view, u64 number) {
      keep_last(tile, s, view, number,
                [&](u64 i) { return make_entry(view.template key<Key>(i), view.sorted_row(i)); });
    }
  };

  // The writes of a batch, sorted, each with its number.
  struct make_run {
    template <class Key>
    using scratch = tile_scratch<Key>;
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config, Tile& tile, scratch<Key>& s, const build_view& view, u64 number) {
      const lsm_pass& pass = view.as<lsm_pass>();
      keep_last(tile, s, view, number, [&](u64 i) {
        const u32 write = view.array<u32>(batch_numbers)[i];
        return make_entry(view.array<Key>(batch_keys)[i],
                          write < pass.erases ? erased_row : pass.first_row + (write - pass.erases));
      });
    }
  };

  // Copies cell i of a run.
  struct copy_run {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const lsm_pass& pass = view.as<lsm_pass>();
      cells_of<Key>(view, pass.to)[i] = cells_of<Key>(view, pass.newer)[i];
    }
  };

  // How many entries of the newer run come before tile i.
  struct start_tiles {
    template <class Key, class Config, class Searchers>
    PIVOTSCOPE_FN static void at(Config, Searchers searchers, const build_view& view, u64 i) {
      const run_pair<Key> path(view);
      const u64 step = i * tile_steps(sizeof(Key));
      view.array<u32>(tile_starts)[i] = path.newer_before(searchers, step < path.steps() ? step : path.steps());
    }
  };

  // The cells of a tile of steps.
  struct merge_tiles {
    template <class Key>
    using scratch = tile_scratch<Key>;
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config, Tile& tile, scratch<Key>& s, const build_view& view, u64 number) {
      const run_pair<Key> path(view);
      const tile_part<Key, Tile::are_threads> part(path, s.cells, view.array<u32>(tile_starts) + number, number);
      // Threads share what they load. One thread alone reads the runs themselves.
      if constexpr (Tile::are_threads)
        tile.each_of(
            part.places(), [&](u32 place) { return part.fetch(place); },
            [&](u32 place, const entry_cell<Key>& cell) { s.cells[place] = cell; });
      const bool keeps_tombstones = view.as<lsm_pass>().keeps_tombstones != 0;
      auto done = tile.all(thread_steps_done{});
      tile.each([&](u32 thread) { done[thread] = walk(part, thread, keeps_tombstones); });
      store_made(tile, s, view, done, part);
    }
  };

 private:
  // What the steps of a thread are.
  struct thread_steps_done {
    u32 newer = 0;                      // entries of the newer run in the tile before them
    u32 are_newer = 0, make_cells = 0;  // a bit a step
    u32 cells = 0;                      // that they make
  };

  template <class Key>
  PIVOTSCOPE_FN static entry_cell<Key>* cells_of(const build_view& view, const lsm_run& run) {
    void* cells = view.regions[number_of(lsm_entries)];
    if (run.where == run_place::before) cells = const_cast<void*>(view.before[number_of(lsm_entries)]);
    if (run.where < run_place::region) cells = view.arrays[number_of(first_run) + static_cast<u32>(run.where)];
    return static_cast<entry_cell<Key>*>(cells) + run.first;
  }

  // The entries of two runs in the order of the merge path.
  template <class Key>
  struct run_pair {
    const entry_cell<Key>*newer, *older;
    u32 newers, olders;

    PIVOTSCOPE_FN explicit run_pair(const build_view& view)
        : newer(cells_of<Key>(view, view.as<lsm_pass>().newer)),
          older(cells_of<Key>(view, view.as<lsm_pass>().older)),
          newers(view.as<lsm_pass>().newer.count),
          olders(view.as<lsm_pass>().older.count) {}
    PIVOTSCOPE_FN u64 steps() const { return u64{newers} + olders; }
    // Returns how many entries of the newer run come before a step.
    template <class Searchers>
    PIVOTSCOPE_FN u32 newer_before(Searchers searchers, u64 step) const {
      const u32 begin = step > olders ? static_cast<u32>(step - olders) : 0;
      const u32 end = step < newers ? static_cast<u32>(step) : newers;
      return searchers.first_not(begin, end, [&](u32 entry) { return comes_before(entry, step); });
    }
    PIVOTSCOPE_FN bool comes_before(u32 entry, u64 step) const {
      return newer[entry].key <= older[static_cast<u32>(step - 1 - entry)].key;
    }
  };

  // The part of the path that is a tile's. Its places: the last newer entry before it, its newer entries, its older ones.
  // InScratch: they have been fetched.
  template <class Key, bool InScratch>
  struct tile_part {
    static constexpr u32 thread_steps = lsm_passes::thread_steps(sizeof(Key));

    const run_pair<Key>& path;
    const entry_cell<Key>* scratch;
    u32 first_newer, first_older, newers, olders;

    PIVOTSCOPE_FN tile_part(const run_pair<Key>& of, const entry_cell<Key>* in, const u32* starts, u64 number)
        : path(of), scratch(in), first_newer(starts[0]), newers(starts[1] - starts[0]) {
      const u64 begin = number * tile_steps(sizeof(Key)), left = path.steps() - begin;
      first_older = static_cast<u32>(begin - first_newer);
      olders = (left < tile_steps(sizeof(Key)) ? static_cast<u32>(left) : tile_steps(sizeof(Key))) - newers;
    }
    PIVOTSCOPE_FN u32 steps() const { return newers + olders; }
    PIVOTSCOPE_FN u32 places() const { return 1 + steps(); }
    PIVOTSCOPE_FN entry_cell<Key> fetch(u32 place) const {
      if (place > newers) return path.older[first_older + (place - 1 - newers)];
      const u32 behind = first_newer + place;
      return behind == 0 ? make_entry(Key{}, 0) : path.newer[behind - 1];
    }
    PIVOTSCOPE_FN entry_cell<Key> at(u32 place) const {
      if constexpr (InScratch) return scratch[place];
      return fetch(place);
    }
    PIVOTSCOPE_FN entry_cell<Key> newer(u32 i) const { return at(1 + i); }
    PIVOTSCOPE_FN entry_cell<Key> older(u32 i) const { return at(1 + newers + i); }
    // An entry that is not there is not read: what comes in its place is not looked at.
    PIVOTSCOPE_FN entry_cell<Key> next_newer(u32 i) const { return i < newers ? newer(i) : make_entry(Key{}, 0); }
    PIVOTSCOPE_FN entry_cell<Key> next_older(u32 i) const { return i < olders ? older(i) : make_entry(Key{}, 0); }
    // As run_pair's, within the tile.
    PIVOTSCOPE_FN u32 newer_before(u32 step) const {
      return first_not(step > olders ? step - olders : 0, step < newers ? step : newers,
                       [&](u32 entry) { return newer(entry).key <= older(step - 1 - entry).key; });
    }
    // Calls f(place) for what each cell of the thread is made of.
    template <class F>
    PIVOTSCOPE_FN void each_made(u32 thread, const thread_steps_done& done, F&& f) const {
      u32 newer_at = done.newer, older_at = thread * thread_steps - newer_at;
      for (u32 step = 0; step < thread_steps; ++step) {
        const bool is_newer = (done.are_newer >> step & 1) != 0;
        const u32 place = is_newer ? 1 + newer_at++ : 1 + newers + older_at++;
        if ((done.make_cells >> step & 1) != 0) f(place);
      }
    }
  };

  // Goes along the steps of a thread.
  template <class Part>
  PIVOTSCOPE_FN static thread_steps_done walk(const Part& part, u32 thread, bool keeps_tombstones) {
    thread_steps_done done;
    const u32 first = thread * part.thread_steps;
    if (first >= part.steps()) return done;
    u32 newer_at = part.newer_before(first), older_at = first - newer_at;
    done.newer = newer_at;
    // The newer entry before the step, which may shadow the next older one.
    bool has_last = part.first_newer + newer_at > 0;
    auto last = part.at(newer_at), to_newer = part.next_newer(newer_at), to_older = part.next_older(older_at);
    for (u32 step = 0; step < part.thread_steps && first + step < part.steps(); ++step) {
      const bool is_newer = older_at == part.olders || (newer_at < part.newers && to_newer.key <= to_older.key);
      bool makes_cell;
      if (is_newer) {
        makes_cell = keeps_tombstones || to_newer.row != erased_row;
        last = to_newer, has_last = true;
        to_newer = part.next_newer(++newer_at);
      } else {
        const bool shadowed = has_last && last.key == to_older.key;
        makes_cell = !shadowed && (keeps_tombstones || to_older.row != erased_row);
        to_older = part.next_older(++older_at);
      }
      done.are_newer |= static_cast<u32>(is_newer) << step;
      done.make_cells |= static_cast<u32>(makes_cell) << step;
      done.cells += static_cast<u32>(makes_cell);
    }
    return done;
  }

  // The part of a sorted list that is a tile's, with the item behind it.
  template <class Key, bool InScratch, class Fetch>
  struct list_part {
    static constexpr u32 thread_steps = lsm_passes::thread_steps(sizeof(Key));

    const Fetch& fetch_item;
    const entry_cell<Key>* scratch;
    u64 begin;
    u32 steps, places;

    PIVOTSCOPE_FN entry_cell<Key> fetch(u32 place) const { return fetch_item(begin + place); }
    PIVOTSCOPE_FN entry_cell<Key> at(u32 place) const {
      if constexpr (InScratch) return scratch[place];
      return fetch(place);
    }
    template <class F>
    PIVOTSCOPE_FN void each_made(u32 thread, const thread_steps_done& done, F&& f) const {
      for (u32 step = 0; step < thread_steps; ++step)
        if ((done.make_cells >> step & 1) != 0) f(thread * thread_steps + step);
    }
  };

  // Keeps the last of the items with equal keys. fetch(i) returns item i of a sorted list.
  template <class Key, class Tile, class Fetch>
  PIVOTSCOPE_FN static void keep_last(Tile& tile, tile_scratch<Key>& s, const build_view& view, u64 number,
                                      const Fetch& fetch) {
    const lsm_pass& pass = view.as<lsm_pass>();
    const u64 begin = number * tile_steps(sizeof(Key)), left = pass.newer.count - begin;
    const u32 steps = left < tile_steps(sizeof(Key)) ? static_cast<u32>(left) : tile_steps(sizeof(Key));
    const list_part<Key, Tile::are_threads, Fetch> part{fetch, s.cells, begin, steps,
                                                        steps + static_cast<u32>(steps < left)};
    if constexpr (Tile::are_threads)
      tile.each_of(
          part.places, [&](u32 place) { return part.fetch(place); },
          [&](u32 place, const entry_cell<Key>& cell) { s.cells[place] = cell; });
    auto done = tile.all(thread_steps_done{});
    tile.each([&](u32 thread) {
      const u32 first = thread * part.thread_steps;
      for (u32 step = 0; step < part.thread_steps && first + step < steps; ++step) {
        const auto item = part.at(first + step);
        const bool is_last = first + step + 1 == part.places || part.at(first + step + 1).key != item.key;
        const bool makes_cell = is_last && (pass.keeps_tombstones != 0 || item.row != erased_row);
        done[thread].make_cells |= static_cast<u32>(makes_cell) << step;
        done[thread].cells += static_cast<u32>(makes_cell);
      }
    });
    store_made(tile, s, view, done, part);
  }

  // Stores what the steps of a tile make, behind what all tiles before it make.
  template <class Key, class Tile, class Done, class Part>
  PIVOTSCOPE_FN static void store_made(Tile& tile, tile_scratch<Key>& s, const build_view& view, Done& done,
                                       const Part& part) {
    auto cells = tile.all(0u);
    tile.each([&](u32 thread) { cells[thread] = done[thread].cells; });
    const u64 begin = tile.places(cells, unknown_place);
    entry_cell<Key>* const to = cells_of<Key>(view, view.as<lsm_pass>().to) + begin;
    // Threads store side by side what lies side by side. One thread alone stores what it did in its turn.
    if constexpr (Tile::are_threads) {
      tile.each([&](u32 thread) {
        u32 cell = cells[thread];
        part.each_made(thread, done[thread], [&](u32 place) { s.sources[cell++] = static_cast<u16>(place); });
      });
      tile.each_of(
          tile.made(), [&](u32 i) { return part.at(s.sources[i]); },
          [&](u32 i, const entry_cell<Key>& cell) { to[i] = cell; });
    } else {
      tile.each([&](u32 thread) {
        entry_cell<Key>* cell = to + cells[thread];
        part.each_made(thread, done[thread], [&](u32 place) { *cell++ = part.at(place); });
      });
    }
  }
};

}  // namespace pivotscope
