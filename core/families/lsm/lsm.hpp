// lsm: a log-structured merge tree, GPU LSM (Ashkiani et al., IPDPS 2018): sorted runs on levels, each level with room for
// twice as many entries as the one before. A batch of updates becomes a run, which is merged with the levels that have no
// room for it. The code here runs on all machines.
//
//   level0=4      level 0            level 1                           level 2
//   slot          0             3    4                            11   12                                27
//   entries    |  5 x | 9 14 |  ..  | 3 9 | 5 10 | 7 11 | 20 12 |  ..  | 1 0 | 5 1 | 7 2 | 8 3 | 10 4 | .. |   {key, row id}
//   count         2                  4                                 5                                 in the state
//                 newest                                               oldest
//
//   find 5        level 0 has a tombstone (x): 5 is not in the index, whatever older levels have
//   find 7        not on level 0; level 1 has row id 11, so the entry on level 2, row id 2, is shadowed
//
//   region       cells
//   entries      {key, row id}, 8 bytes, or 16 with 64-bit keys
//
// Invariants
// - Level i lies from cell level0 * (2^i - 1) on and has room for level0 * 2^i entries. The state counts those it has.
// - A level's entries are a run: ascending by key, each key at most once. What lies behind them means nothing.
// - All versions of a key on a lower level are newer than those on a higher one. The newest one counts.
// - A version with row id erased_row is a tombstone: the key was erased. The oldest level that has entries has none.
//
// Operations
//   find       from the newest level to the oldest a binary search, which ends at the key's first version.
//   range      the warp's lanes take a level each and find its first entry of the range. Then they merge: the least key
//   next_key   among all levels comes next; the newest level that has it tells its row id or that it was erased; all
//              levels that have it go on.
//   build      one run of all keys, on the smallest level with room for it; of equal keys the last stays.
//   update     sorts a batch of m writes into a run. The smallest level k that has room for it and for all entries of the
//              levels 0 to k takes these together, merged from the newest to the oldest (merge.hpp). Of two versions the
//              newer stays; a tombstone goes where no older level has entries. With batches of level0 writes the levels count batches
//              as the bits of a binary number do, and a merge is a carry: each entry is merged at most once a level, so n
//              inserts cost O(n log(n / level0)) reads and writes.
//   rebuild    merges all levels into one, without tombstones and what they shadow.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/lsm/config.hpp"
#include "core/families/lsm/merge.hpp"
#include "core/families/lsm/scan.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct lsm : lsm_passes, lsm_scans {
  using config = lsm_config;
  struct by_batch {};  // a batch of writes is done as a whole
  using state = lsm_view;
  static constexpr region_id entries = lsm_entries;

  PIVOTSCOPE_FN static constexpr u32 lanes(const lsm_config&) { return 1; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const lsm_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config, Wave& wave, const state_view& view) {
    using cell = entry_cell<typename Wave::key>;
    const lsm_view& lsm = view.as<lsm_view>();
    auto rows = wave.all(not_found);
    auto searching = wave.all(true);
    for (u32 level = 0; level < lsm.levels && !wave.all_done(searching); ++level) {
      const u32 n = lsm.counts[level];
      const u64 first = lsm.first_cell(level);
      auto at = wave.all(0u);  // so many entries of the level are known to be smaller
      for (u32 step = lsm_first_step(n); step > 0; step /= 2) {
        wave.each([&](u32 i) {
          if (!searching[i]) return;
          wave.memory.step(level);
          const u32 slot = at[i] + step - 1;
          if (slot < n) {
            const cell entry = wave.memory.template load<cell>(entries, first + slot);
            wave.memory.saw(entries, first + slot, entry.key);
            at[i] += step * static_cast<u32>(entry.key < wave.keys[i]);
            // A level has a key once, and its newest version counts: the search is at its end.
            if (entry.key == wave.keys[i]) rows[i] = entry.row, searching[i] = false;
          }
          wave.memory.watch("wave.keys[i]", wave.keys[i], "n", n, "step", step, "slot", slot, "at[i]", at[i], "rows[i]",
                            watched_row{rows[i]});
          const u32 next = at[i] + (step > 1 ? step / 2 - 1 : 0);
          if (next < n) wave.memory.will_read(entries, first + next, 1, sizeof(cell));
        });
      }
    }
    wave.each([&](u32 i) {
      if (rows[i] == erased_row) rows[i] = not_found;
    });
    return rows;
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id)
  // for each, from `place` on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    const lsm_view& lsm = view.as<lsm_view>();
    const lsm_range<Key> asked{place, low, high};
    return lanes.take_turns(lsm.levels > 0 && low <= high, asked, [&](auto& warp, const lsm_range<Key>& of_lookup) {
      return scan_range(warp, memory, lsm, of_lookup, output);
    });
  }

  // Returns the least key greater than `key`, or with `itself` the least that is not smaller, and a row id of it.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static successor_answer next_key(Config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                                 bool itself) {
    const lsm_view& lsm = view.as<lsm_view>();
    const Key low = itself ? key : key_after(key);  // of the greatest value itself, after which nothing comes
    const lsm_range<Key> asked{0, low, low};
    return lanes.take_turns(
        lsm.levels > 0 && (itself || low != key), asked,
        [&](auto& warp, const lsm_range<Key>& of_lookup) { return scan_next(warp, memory, lsm, of_lookup.low); });
  }
};

}  // namespace pivotscope
