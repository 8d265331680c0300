// A batch of writes, merged into a new array. The batch is sorted by key; the erases of a key come before its inserts.
// The merge path has the entries and the writes in one order: of a key its erases, then its entries, then its inserts.
//
//   array as it was   | 3 | 5 | 5 | 9 |                   before = 4
//   batch             -5  +5  +7                          writes = 3: - erases, + inserts
//   step                0   1   2   3   4   5   6         as many as entries and writes
//   merge path          3  -5   5   5  +5  +7   9
//   new array         | 3 |           | 5'| 7'| 9 |       an erase takes the entries of its key, which follow it
//
// If w writes come before step s, write w and entry s - w are the next ones. A binary search finds w and looks at no
// other step. It is made for the first step of each tile. A thread does four steps: it searches in its tile, where few
// writes are, then goes from step to step.
//
// Without erases, step s makes cell s of the new array. With erases, each write is ranked in its tile first, and a scan
// of what they take and add tells which cell a step makes.
#pragma once

#include "core/common/answers.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

// The state of the passes of an update.
struct merge_view {
  u64 before = 0;              // entries
  u64 writes = 0, erases = 0;  // of the batch
  u64 changes = 0;             // of a batch with erases: taken and added by all writes, as merge_passes::change()
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
  PIVOTSCOPE_FN bool is_erase(u32 write) const { return numbers[write] < erases; }
  PIVOTSCOPE_FN entry_cell<Key> inserted(u32 write) const {
    return make_entry(keys[write], first_row + (numbers[write] - erases));
  }
  PIVOTSCOPE_FN bool comes_first(u32 write, const entry_cell<Key>& entry) const {
    return keys[write] < entry.key || (keys[write] == entry.key && is_erase(write));
  }
  // True if the step with this write and this entry as the next ones is the write's.
  PIVOTSCOPE_FN bool is_write(u32 write, u32 entry) const {
    return entry == before || (write < writes && comes_first(write, entries[entry]));
  }
  // Returns how many writes come before a step; it is known to be from `begin` to `end`.
  PIVOTSCOPE_FN u32 writes_before(u64 step, u32 begin, u32 end) const {
    if (u64{begin} + before < step) begin = static_cast<u32>(step - before);
    if (end > step) end = static_cast<u32>(step);
    while (begin < end) {
      const u32 middle = begin + (end - begin) / 2;
      if (comes_first(middle, entries[static_cast<u32>(step - 1 - middle)]))
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
  // Returns the first entry whose key is not less; it is known to be from `begin` to `end`.
  PIVOTSCOPE_FN u32 first_not_less(Key key, u32 begin, u32 end) const {
    while (begin < end) {
      const u32 middle = begin + (end - begin) / 2;
      if (entries[middle].key < key)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
  // Returns the first entry behind those of a key, the first of which is `at`. Mostly there is one or none.
  PIVOTSCOPE_FN u32 end_of_key(Key key, u32 at) const {
    const auto more = [&](u32 many) { return many <= before - at && entries[at + many - 1].key == key; };
    u32 many = 1;
    for (; more(many); many *= 2) at += many;
    for (many /= 2; many > 0; many /= 2)
      if (more(many)) at += many;
    return at;
  }
};

struct merge_passes {
  static constexpr region_id from_entries{0};
  // `changes` and `ends` are of a batch with erases. An erase's end is the first entry behind those of its key.
  static constexpr array_id tile_starts{2}, changes{3}, ends{4};
  static constexpr u32 tile = 1024;        // steps
  static constexpr u32 tile_threads = 64;  // that rank the writes of a tile
  static constexpr u32 steps_at_once = 4;  // of a thread that merges

  // How many entries a write takes and adds, as one number: one scan sums both.
  PIVOTSCOPE_FN static constexpr u64 change(u64 taken, u64 added) { return taken << 32 | added; }
  PIVOTSCOPE_FN static constexpr u64 taken_by(u64 change) { return change >> 32; }
  PIVOTSCOPE_FN static constexpr u64 added_by(u64 change) { return change & 0xFFFFFFFFu; }

  // How many writes come before tile i.
  struct start_tiles {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const merge_path<Key> path(view, view.regions[number_of(from_entries)]);
      const u64 step = i * tile < path.steps() ? i * tile : path.steps();
      view.array<u32>(tile_starts)[i] = path.writes_before(step, 0, path.writes);
    }
  };
  // What the writes of a tile take and add. Neighbouring threads take neighbouring writes of the same tile.
  struct rank_writes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const merge_path<Key> path(view, view.regions[number_of(from_entries)]);
      const u64 tile_number = i / tile_threads;
      const u32* const starts = view.array<u32>(tile_starts) + tile_number;
      const u64 begin = tile_number * tile - starts[0], end = (tile_number + 1) * tile - starts[1];  // entries
      for (u32 w = starts[0] + static_cast<u32>(i % tile_threads); w < starts[1]; w += tile_threads)
        rank(view, path, w, static_cast<u32>(begin), end < path.before ? static_cast<u32>(end) : path.before);
    }
  };
  // Steps 4 i to 4 i + 3 of a batch without erases: as many cells.
  struct merge_inserts {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const merge_path<Key> path(view, view.before[number_of(from_entries)]);
      const u64 first = i * steps_at_once;
      u32 write = writes_before(view, path, first), entry = static_cast<u32>(first) - write;
      const auto next = [&] { return path.is_write(write, entry) ? path.inserted(write++) : path.entries[entry++]; };
      if (first + steps_at_once <= path.steps()) {
        four_of<entry_cell<Key>> cells;
        PIVOTSCOPE_UNROLL
        for (u32 s = 0; s < steps_at_once; ++s) cells[s] = next();
        view.store_four(from_entries, first, cells);
      } else {
        for (u64 step = first; step < path.steps(); ++step) view.store(from_entries, step, next());
      }
    }
  };
  // Steps 4 i to 4 i + 3 of a batch with erases.
  struct merge_changes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const merge_path<Key> path(view, view.before[number_of(from_entries)]);
      const u64 first = i * steps_at_once;
      u32 write = writes_before(view, path, first), entry = static_cast<u32>(first) - write;
      const u32* const key_ends = view.array<u32>(ends);
      u32 kept = write > 0 && path.is_erase(write - 1) ? key_ends[write - 1] : 0;  // entries before it are erased
      const u64 sum = write < path.writes ? view.array<u64>(changes)[write] : view.as<merge_view>().changes;
      u64 cell = (entry < kept ? kept : entry) - taken_by(sum) + added_by(sum);
      const u32 left = path.before - entry, last = entry + steps_at_once - 1;
      if (entry >= kept && left >= steps_at_once && !path.is_write(write, last))
        return copy_four(view, cell, path.entries + entry);
      for (u64 step = first; step < first + steps_at_once && step < path.steps(); ++step) {
        if (!path.is_write(write, entry)) {
          if (entry >= kept) view.store(from_entries, cell++, path.entries[entry]);
          ++entry;
        } else {
          if (path.is_erase(write))
            kept = key_ends[write];
          else
            view.store(from_entries, cell++, path.inserted(write));
          ++write;
        }
      }
    }
  };

 private:
  // Returns how many writes come before a step.
  template <class Key>
  PIVOTSCOPE_FN static u32 writes_before(const build_view& view, const merge_path<Key>& path, u64 step) {
    const u32* const starts = view.array<u32>(tile_starts) + step / tile;
    return path.writes_before(step, starts[0], starts[1]);
  }
  // Finds what a write takes and adds. It stands on the path between the entries from `begin` to `end`.
  template <class Key>
  PIVOTSCOPE_FN static void rank(const build_view& view, const merge_path<Key>& path, u32 write, u32 begin, u32 end) {
    u64& found = view.array<u64>(changes)[write];
    if (!path.is_erase(write)) {
      found = change(0, 1);
      return;
    }
    const Key key = path.keys[write];
    const u32 first = path.first_not_less(key, begin, end), behind = path.end_of_key(key, first);
    // The first erase of a key takes all its entries.
    const u32 taken = write == 0 || path.keys[write - 1] != key ? behind - first : 0;
    view.done[path.numbers[write]] = taken > 0 ? write_done::erased : write_done::absent;
    view.array<u32>(ends)[write] = behind;
    found = change(taken, 0);
  }
  // Copies four entries to the cells from `cell` on. A store of two entries is one of 16 bytes, if their keys are 32-bit.
  template <class Cell>
  PIVOTSCOPE_FN static void copy_four(const build_view& view, u64 cell, const Cell* from) {
    const Cell four[] = {from[0], from[1], from[2], from[3]};
    if (cell % 2 == 0) {
      view.store_two(from_entries, cell, four[0], four[1]);
      view.store_two(from_entries, cell + 2, four[2], four[3]);
    } else {
      view.store(from_entries, cell, four[0]);
      view.store_two(from_entries, cell + 1, four[1], four[2]);
      view.store(from_entries, cell + 3, four[3]);
    }
  }
};

}  // namespace pivotscope
