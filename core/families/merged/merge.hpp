// A batch of writes, merged into a new array. The batch is sorted by key; the erases of a key come before its inserts.
//
//   array as it was   | 3 | 5 | 5 | 9 |                     before = 4
//   batch             -5   +5   +7                          sorted; - erases, + inserts
//   acts at             1    3    3                         the first entry >= key; of an insert the first > key
//   takes, adds       2,0  0,1  0,1                         an erase takes all entries of its key
//   place               1    1    2                         acts at - taken before + added before
//   shift              +2   +1    0                         taken through it - added through it
//   new array         | 3 | 5'| 7'| 9 |                     after = 4
//
// Cell t of the new array has the write j that is the last with place <= t. If j is an insert and its place is t, the
// cell gets j's entry; otherwise the entry that stood at t + shift of j. Cells do not depend on each other, so a thread
// does one. It looks for j among the writes of its tile of cells alone, of which there are few.
#pragma once

#include "core/common/answers.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

// The state of the passes of an update.
struct merge_view {
  u64 before = 0, after = 0;   // entries
  u64 writes = 0, erases = 0;  // of the batch
  u64 changes = 0;             // of all writes: taken and added, as a sum of merge_passes::change()
};

struct merge_passes {
  static constexpr region_id from_entries{0};
  // Numbers of a batch become the row ids that its inserts store, and not_found of erases.
  static constexpr array_id changes{2}, places{3}, shifts{4}, tile_starts{5};
  static constexpr u32 tile = 256;  // cells

  // How many entries a write takes and adds, as one number: one scan sums both.
  PIVOTSCOPE_FN static constexpr u64 change(u64 taken, u64 added) { return taken << 32 | added; }
  PIVOTSCOPE_FN static constexpr u64 taken_by(u64 change) { return change >> 32; }
  PIVOTSCOPE_FN static constexpr u64 added_by(u64 change) { return change & 0xFFFFFFFFu; }

  // Of write i of the sorted batch: where it acts, and what it takes and adds.
  struct rank_writes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const auto& merge = view.as<merge_view>();
      const Key* const keys = view.array<Key>(batch_keys);
      u32* const numbers = view.array<u32>(batch_numbers);
      const Key key = keys[i];
      const u32 number = numbers[i];
      const bool erases = number < merge.erases;
      // What comes behind the key's first erase acts behind its entries, which are taken: places ascend with the writes.
      const bool takes = erases && (i == 0 || keys[i - 1] != key);
      const u64 acts_at = first_entry(view, merge.before, key, !takes);
      const u64 taken = takes ? first_entry(view, merge.before, key, true) - acts_at : 0;
      if (erases) view.done[number] = taken > 0 ? write_done::erased : write_done::absent;
      numbers[i] = erases ? not_found : view.rows[number - merge.erases];
      view.array<u64>(changes)[i] = change(taken, erases ? 0 : 1);
      view.array<u32>(places)[i] = static_cast<u32>(acts_at);
    }
  };
  // After the scan of the changes: the place and the shift of write i.
  struct place_writes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const auto& merge = view.as<merge_view>();
      const u64* const sums = view.array<u64>(changes);
      const u64 before = sums[i], through = i + 1 < merge.writes ? sums[i + 1] : merge.changes;
      u32& place = view.array<u32>(places)[i];
      place = static_cast<u32>(place - taken_by(before) + added_by(before));
      view.array<u32>(shifts)[i] = static_cast<u32>(taken_by(through) - added_by(through));
    }
  };
  // How many writes have their places before tile i.
  struct start_tiles {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const u64 first = i * tile;
      view.array<u32>(tile_starts)[i] =
          first == 0 ? 0 : writes_up_to(view, 0, static_cast<u32>(view.as<merge_view>().writes), first - 1);
    }
  };
  // Cell i of the new array.
  struct merge_entries {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const u32* const starts = view.array<u32>(tile_starts) + i / tile;
      const u32 writes = writes_up_to(view, starts[0], starts[1], i);
      u32 source = static_cast<u32>(i);
      if (writes > 0) {
        const u32 last = writes - 1, row = view.array<u32>(batch_numbers)[last];
        if (view.array<u32>(places)[last] == i && row != not_found)
          return view.store(from_entries, i, make_entry(view.array<Key>(batch_keys)[last], row));
        source += view.array<u32>(shifts)[last];
      }
      view.store(from_entries, i, view.load_before<entry_cell<Key>>(from_entries, source));
    }
  };

 private:
  // Returns the first of `count` entries whose key is not less than `key`, or with `above` greater.
  template <class Key>
  PIVOTSCOPE_FN static u64 first_entry(const build_view& view, u64 count, Key key, bool above) {
    u64 first = 0;
    while (count > 0) {
      const u64 half = count / 2;
      const Key there = view.load<entry_cell<Key>>(from_entries, first + half).key;
      const bool beyond = above ? there <= key : there < key;
      if (beyond) first += half + 1;
      count = beyond ? count - half - 1 : half;
    }
    return first;
  }
  // Returns how many writes have a place <= `cell`; it is known to be from `begin` to `end`.
  PIVOTSCOPE_FN static u32 writes_up_to(const build_view& view, u32 begin, u32 end, u64 cell) {
    const u32* const all = view.array<u32>(places);
    while (begin < end) {
      const u32 middle = begin + (end - begin) / 2;
      if (all[middle] <= cell)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
};

}  // namespace pivotscope
