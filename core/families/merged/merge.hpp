// A batch of writes, merged into a new array. The batch is sorted by key; the erases of a key come before its inserts.
// The merge path has the entries and the writes in one order: of a key its erases, then its entries, then its inserts.
//
//   array as it was   | 3 | 5 | 5 | 9 |                   before = 4
//   batch             -5  +5  +7                          writes = 3: - erases, + inserts
//   step                0   1   2   3   4   5   6         as many as entries and writes
//   merge path          3  -5   5   5  +5  +7   9
//   new array         | 3 |           | 5'| 7'| 9 |       an erase takes the entries of its key, which follow it
//
// If w writes come before step s, write w and entry s - w are the next ones. A search finds w and looks at no
// other step. It is made for the first step of each tile.
//
// A tile's entries and writes are brought into the scratch of a block, each once. There each thread does a few steps: it
// searches again, then goes from step to step. An entry is erased if the last write before it is an erase of its key.
// Which cell the tile's first step makes is what all tiles before it made (simt/tile_pass.hpp).
//
//   scratch of the tile of steps 2 to 5     | -5 | +5 +7 | 5 5 | 9 |     last write before, writes, entries, next entry
//   sources of its cells                    1 2                          +5 and +7; both entries are erased
#pragma once

#include "core/common/answers.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"
#include "core/simt/searchers.hpp"
#include "core/simt/tile_pass.hpp"

namespace pivotscope {

// The state of the passes of an update.
struct merge_view {
  u64 before = 0;              // entries
  u64 writes = 0, erases = 0;  // of the batch
  u32 first_row = 0;           // of the inserts
};

// The entries and the writes of a merge path.
template <class Key>
struct merge_path {
  const entry_cell<Key>* entries;
  const Key* keys;     // of the writes
  const u32* numbers;  // of the writes: those of the erases come first
  u32 before, writes, erases, first_row;

  PIVOTSCOPE_FN merge_path(const build_view& view, const void* entries_before)
      : entries(static_cast<const entry_cell<Key>*>(entries_before)),
        keys(view.array<Key>(batch_keys)),
        numbers(view.array<u32>(batch_numbers)),
        before(static_cast<u32>(view.as<merge_view>().before)),
        writes(static_cast<u32>(view.as<merge_view>().writes)),
        erases(static_cast<u32>(view.as<merge_view>().erases)),
        first_row(view.as<merge_view>().first_row) {}

  PIVOTSCOPE_FN u64 steps() const { return u64{before} + writes; }
  PIVOTSCOPE_FN bool comes_first(u32 write, const entry_cell<Key>& entry) const {
    return keys[write] < entry.key || (keys[write] == entry.key && numbers[write] < erases);
  }
  // Returns how many writes come before a step.
  template <class Searchers>
  PIVOTSCOPE_FN u32 writes_before(Searchers searchers, u64 step) const {
    const u32 begin = step > before ? static_cast<u32>(step - before) : 0;
    const u32 end = step < writes ? static_cast<u32>(step) : writes;
    return searchers.first_not(
        begin, end, [&](u32 write) { return comes_first(write, entries[static_cast<u32>(step - 1 - write)]); });
  }
};

struct merge_passes {
  static constexpr region_id from_entries{0};
  static constexpr array_id tile_starts{2};
  // Steps of a thread: odd, so that threads which read the first of theirs meet in no bank of a GPU's shared memory.
  PIVOTSCOPE_FN static constexpr u32 thread_steps(u32 key_bytes) { return key_bytes == 4 ? 15 : 7; }
  PIVOTSCOPE_FN static constexpr u32 tile_steps(u32 key_bytes) { return tile_threads * thread_steps(key_bytes); }

  // How many writes come before tile i.
  struct start_tiles {
    template <class Key, class Config, class Searchers>
    PIVOTSCOPE_FN static void at(Config, Searchers searchers, const build_view& view, u64 i) {
      const merge_path<Key> path(view, view.regions[number_of(from_entries)]);
      const u64 step = i * tile_steps(sizeof(Key));
      view.array<u32>(tile_starts)[i] = path.writes_before(searchers, step < path.steps() ? step : path.steps());
    }
  };

  // The cells of a tile of steps.
  struct merge_tiles {
    template <class Key>
    struct scratch {
      entry_cell<Key> cells[tile_steps(sizeof(Key)) + 2];  // a write's row is its number
      u16 sources[tile_steps(sizeof(Key))];                // in `cells`, of what the tile makes
    };
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config, Tile& tile, scratch<Key>& s, const build_view& view, u64 number) {
      const merge_path<Key> path(view, view.before[number_of(from_entries)]);
      const tile_part<Key, Tile::are_threads> part(path, s.cells, view.array<u32>(tile_starts) + number, number);
      // Threads share what they load. One thread alone reads the arrays themselves.
      if constexpr (Tile::are_threads)
        tile.each_of(
            part.places(), [&](u32 place) { return part.fetch(place); },
            [&](u32 place, const entry_cell<Key>& cell) { s.cells[place] = cell; });
      auto done = tile.all(thread_steps_done{});
      auto cells = tile.all(0u);  // of each thread
      tile.each([&](u32 thread) {
        done[thread] = walk(view, part, thread);
        cells[thread] = done[thread].cells;
      });
      // Without erases each step makes a cell.
      const u64 begin = tile.places(cells, path.erases == 0 ? number * tile_steps(sizeof(Key)) : unknown_place);
      // Threads store side by side what lies side by side. One thread alone stores what it did in its turn.
      if constexpr (Tile::are_threads) {
        tile.each([&](u32 thread) {
          u32 cell = cells[thread];
          each_made(part, thread, done[thread], [&](u32 place) { s.sources[cell++] = static_cast<u16>(place); });
        });
        tile.each_of(
            tile.made(), [&](u32 i) { return part.made_of(s.sources[i]); },
            [&](u32 i, const entry_cell<Key>& cell) { view.store(from_entries, begin + i, cell); });
      } else {
        tile.each([&](u32 thread) {
          u64 cell = begin + cells[thread];
          each_made(part, thread, done[thread],
                    [&](u32 place) { view.store(from_entries, cell++, part.made_of(place)); });
        });
      }
    }
  };

 private:
  // What the steps of a thread are.
  struct thread_steps_done {
    u32 writes = 0;                      // of the tile, before them
    u32 are_writes = 0, make_cells = 0;  // a bit a step
    u32 cells = 0;                       // that they make
  };

  // The part of the path that is a tile's. Its places: the last write before it, its writes, its entries, and the entry
  // behind them. InScratch: they have been fetched.
  template <class Key, bool InScratch>
  struct tile_part {
    static constexpr u32 thread_steps = merge_passes::thread_steps(sizeof(Key));

    const merge_path<Key>& path;
    const entry_cell<Key>* scratch;
    u32 first_write, first_entry, writes, entries;
    bool has_next;  // entry

    PIVOTSCOPE_FN tile_part(const merge_path<Key>& of, const entry_cell<Key>* in, const u32* starts, u64 number)
        : path(of), scratch(in), first_write(starts[0]), writes(starts[1] - starts[0]) {
      const u64 begin = number * tile_steps(sizeof(Key)), left = path.steps() - begin;
      first_entry = static_cast<u32>(begin - first_write);
      entries = (left < tile_steps(sizeof(Key)) ? static_cast<u32>(left) : tile_steps(sizeof(Key))) - writes;
      has_next = first_entry + entries < path.before;
    }
    PIVOTSCOPE_FN u32 steps() const { return writes + entries; }
    PIVOTSCOPE_FN u32 places() const { return 1 + steps() + static_cast<u32>(has_next); }
    PIVOTSCOPE_FN static u32 place_of_write(u32 write) { return 1 + write; }
    PIVOTSCOPE_FN u32 place_of_entry(u32 entry) const { return 1 + writes + entry; }

    PIVOTSCOPE_FN entry_cell<Key> fetch(u32 place) const {
      if (place > writes) return path.entries[first_entry + (place - 1 - writes)];
      const u32 behind = first_write + place;                  // the write
      if (behind == 0) return make_entry(Key{}, path.erases);  // none: as good as an insert
      return make_entry(path.keys[behind - 1], path.numbers[behind - 1]);
    }
    PIVOTSCOPE_FN entry_cell<Key> at(u32 place) const {
      if constexpr (InScratch) return scratch[place];
      return fetch(place);
    }
    // What the new array holds of a place.
    PIVOTSCOPE_FN entry_cell<Key> made_of(u32 place) const {
      const entry_cell<Key> from = at(place);
      return place > writes ? from : make_entry(from.key, path.first_row + (from.row - path.erases));
    }

    PIVOTSCOPE_FN entry_cell<Key> write(u32 write) const { return at(place_of_write(write)); }
    PIVOTSCOPE_FN entry_cell<Key> entry(u32 entry) const { return at(place_of_entry(entry)); }
    // A write or an entry that is not there is not read: what comes in its place is not looked at.
    PIVOTSCOPE_FN entry_cell<Key> next_write(u32 write) const {
      return write < writes ? this->write(write) : nothing();
    }
    PIVOTSCOPE_FN entry_cell<Key> next_entry(u32 entry) const {
      return is_there(entry) ? this->entry(entry) : nothing();
    }
    PIVOTSCOPE_FN bool is_there(u32 entry) const { return entry < entries || has_next; }

    PIVOTSCOPE_FN bool is_erase(const entry_cell<Key>& write) const { return write.row < path.erases; }
    PIVOTSCOPE_FN bool erases_key(const entry_cell<Key>& write, Key key) const {
      return is_erase(write) && write.key == key;
    }
    PIVOTSCOPE_FN bool comes_first(const entry_cell<Key>& write, const entry_cell<Key>& entry) const {
      return write.key < entry.key || (write.key == entry.key && is_erase(write));
    }
    // As merge_path's, within the tile.
    PIVOTSCOPE_FN u32 writes_before(u32 step) const {
      return first_not(step > entries ? step - entries : 0, step < writes ? step : writes,
                       [&](u32 w) { return comes_first(write(w), entry(step - 1 - w)); });
    }

   private:
    PIVOTSCOPE_FN static entry_cell<Key> nothing() { return make_entry(Key{}, 0); }
  };

  // Goes along the steps of a thread, and says what came of its erases.
  template <class Part>
  PIVOTSCOPE_FN static thread_steps_done walk(const build_view& view, const Part& part, u32 thread) {
    thread_steps_done done;
    const u32 first = thread * part.thread_steps;
    if (first >= part.steps()) return done;
    u32 write = part.writes_before(first), entry = first - write;
    done.writes = write;
    auto last = part.at(write), to_write = part.next_write(write);  // the last write before the step, and the next one
    auto there = part.next_entry(entry);
    // Entries alone, of which none is erased: keys ascend, so the first and the last one tell.
    const u32 end = entry + part.thread_steps;
    if (end <= part.entries && (write == part.writes || !part.comes_first(to_write, part.entry(end - 1))) &&
        !part.erases_key(last, there.key)) {
      done.cells = part.thread_steps;
      done.make_cells = (1u << part.thread_steps) - 1;
      return done;
    }
    for (u32 step = 0; step < part.thread_steps && first + step < part.steps(); ++step) {
      const bool is_write = entry == part.entries || (write < part.writes && part.comes_first(to_write, there));
      bool makes_cell;
      if (is_write) {
        makes_cell = !part.is_erase(to_write);
        if (!makes_cell) {
          // The first erase of a key takes its entries, of which the first one is the path's next entry.
          const bool takes = part.is_there(entry) && there.key == to_write.key && !part.erases_key(last, to_write.key);
          view.done[to_write.row] = takes ? write_done::erased : write_done::absent;
        }
        last = to_write;
        to_write = part.next_write(++write);
      } else {
        makes_cell = !part.erases_key(last, there.key);
        there = part.next_entry(++entry);
      }
      done.are_writes |= static_cast<u32>(is_write) << step;
      done.make_cells |= static_cast<u32>(makes_cell) << step;
      done.cells += static_cast<u32>(makes_cell);
    }
    return done;
  }
  // Calls f(place) for what each cell of the thread is made of.
  template <class Part, class F>
  PIVOTSCOPE_FN static void each_made(const Part& part, u32 thread, const thread_steps_done& done, F&& f) {
    u32 write = done.writes, entry = thread * part.thread_steps - write;
    for (u32 step = 0; step < part.thread_steps; ++step) {
      const bool is_write = (done.are_writes >> step & 1) != 0;
      const u32 place = is_write ? part.place_of_write(write++) : part.place_of_entry(entry++);
      if ((done.make_cells >> step & 1) != 0) f(place);
    }
  }
};

}  // namespace pivotscope
