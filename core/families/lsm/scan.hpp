// Ranges and next keys of `lsm`: a warp serves one lookup, a lane goes along a level.
//
//   level       0        1        2                 range from 4 to 9
//   cursor    5 -      5 6      7 3                 first entries from 4 on
//   least 5   newest of those that have it: level 0, a tombstone. Levels 0 and 1 go on
//   cursor    9 8      7 4      7 3
//   least 7   newest: level 1, row id 4. Levels 1 and 2 go on
//
// The oldest level is the largest, and has no tombstones: its entries below the least key of the others are taken 32 at a
// time, an entry a lane.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/lsm/config.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

inline constexpr region_id lsm_entries{0};
inline constexpr u32 lsm_warp = 32;  // lanes of a warp

// Returns the greatest power of two up to n, the length of a search's first step; 0 if there are no entries.
PIVOTSCOPE_FN constexpr u32 lsm_first_step(u32 n) {
  for (u32 by = 1; by < 32; by *= 2) n |= n >> by;  // sets all bits below the highest one
  return n - (n >> 1);
}

// A range, as it is handed to the warp.
template <class Key>
struct lsm_range {
  u64 place;  // where the row id of its first entry goes
  Key low, high;
};

struct lsm_scans {
  // Where each lane is on its level, and the entry there. Row id not_found: none, or it is not looked at.
  template <class Warp, class Key>
  struct cursors {
    using numbers = typename Warp::template per_lane<u32>;
    numbers at, rows;
    typename Warp::template per_lane<Key> keys;
  };

  template <class Warp, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer scan_range(Warp& warp, Memory& memory, const lsm_view& lsm,
                                               const lsm_range<Key>& range, Output& output) {
    using cell = entry_cell<Key>;
    const u32 oldest = lsm.levels - 1, end = lsm.counts[oldest];
    cursors<Warp, Key> cursor = lower_bounds(warp, memory, lsm, range.low);
    u32 at = warp.told_by(cursor.at, oldest);
    auto sums = warp.each(u64{0});
    auto keys = warp.each(Key{0});  // of the oldest level
    u32 count = 0;
    for (bool more = true; more;) {
      memory.scan_step(lsm.levels, true);
      see_entries(warp, memory, lsm, cursor, oldest);
      const least_entry<Key> next = least_of(warp, cursor);
      const u32 taken = warp.sum([&](u32 lane) {
        if (lane >= end - at) return 0u;
        const cell entry = memory.template load<cell>(lsm_entries, lsm.first_cell(oldest) + at + lane);
        memory.saw(lsm_entries, lsm.first_cell(oldest) + at + lane, entry.key);
        keys[lane] = entry.key;
        if (entry.key > range.high || (next.is_there() && entry.key >= next.key)) return 0u;
        output.row(range.place + count + lane, entry.row);
        sums[lane] += entry.row;
        return 1u;
      });
      count += taken, at += taken;
      memory.watch("range.high", range.high, "at", at, "end", end, "taken", taken, "count", count);
      if (taken == lsm_warp) continue;
      more = next.is_there() && next.key <= range.high;
      if (!more) break;
      // The newest version of the least key: all others are shadowed.
      const u32 row = warp.told_by(cursor.rows, next.lane);
      warp.each_lane([&](u32 lane) {
        if (lane != next.lane || !is_live_row(row)) return;
        output.row(range.place + count, row);
        sums[lane] += row;
      });
      count += static_cast<u32>(is_live_row(row));
      if (at < end && warp.told_by(keys, taken) == next.key) ++at;
      pass_by(warp, cursor, next.key);
    }
    return range_answer{count, warp.sum([&](u32 lane) { return sums[lane]; })};
  }

  // Returns the least key from `low` on that is not erased.
  template <class Warp, class Memory, class Key>
  PIVOTSCOPE_FN static successor_answer scan_next(Warp& warp, Memory& memory, const lsm_view& lsm, Key low) {
    cursors<Warp, Key> cursor = lower_bounds(warp, memory, lsm, low);
    successor_answer answer{};
    for (bool more = true; more;) {
      memory.scan_step(lsm.levels, true);
      see_entries(warp, memory, lsm, cursor, lsm.levels);
      const least_entry<Key> next = least_of(warp, cursor);
      more = next.is_there();
      if (!more) break;
      const u32 row = warp.told_by(cursor.rows, next.lane);
      more = !is_live_row(row);
      if (!more) answer = {next.key, row};
      memory.watch("low", low, "next.key", next.key, "next.lane", next.lane, "row", watched_row{row});
      pass_by(warp, cursor, next.key);
    }
    return answer;
  }

 private:
  // The least key among the lanes' entries, and the newest level that has it.
  template <class Key>
  struct least_entry {
    Key key;
    u32 lane;
    PIVOTSCOPE_FN bool is_there() const { return lane < lsm_warp; }
  };

  // Finds on each level, a lane each, how many entries are smaller than `low`.
  template <class Warp, class Memory, class Key>
  PIVOTSCOPE_FN static cursors<Warp, Key> lower_bounds(Warp& warp, Memory& memory, const lsm_view& lsm, Key low) {
    constexpr u32 bytes = sizeof(entry_cell<Key>);
    cursors<Warp, Key> cursor{warp.each(0u), warp.each(not_found), warp.each(Key{0})};
    auto counts = warp.each(0u);
    warp.each_lane([&](u32 lane) { counts[lane] = lane < lsm.levels ? lsm.counts[lane] : 0; });
    const u32 most = ~warp.min([&](u32 lane) { return ~counts[lane]; });
    for (u32 step = lsm_first_step(most); step > 0; step /= 2) {
      memory.step(0);
      warp.each_lane([&](u32 lane) {
        const u32 slot = cursor.at[lane] + step - 1;
        if (slot >= counts[lane]) return;
        const Key key = memory.template load_part<Key>(lsm_entries, lsm.first_cell(lane) + slot, bytes, 0);
        memory.saw(lsm_entries, lsm.first_cell(lane) + slot, key);
        cursor.at[lane] += step * static_cast<u32>(key < low);
        memory.watch_lane(lane, "low", low, "step", step, "slot", slot, "key", key, "cursor.at[lane]", cursor.at[lane]);
      });
    }
    return cursor;
  }

  // Loads the entries of the first `levels` levels that were not looked at.
  template <class Warp, class Memory, class Key>
  PIVOTSCOPE_FN static void see_entries(Warp& warp, Memory& memory, const lsm_view& lsm, cursors<Warp, Key>& cursor,
                                        u32 levels) {
    using cell = entry_cell<Key>;
    warp.each_lane([&](u32 lane) {
      if (lane >= levels || cursor.at[lane] >= lsm.counts[lane]) return;
      const u64 at = lsm.first_cell(lane) + cursor.at[lane];
      if (cursor.rows[lane] == not_found) {
        const cell entry = memory.template load<cell>(lsm_entries, at);
        cursor.keys[lane] = entry.key, cursor.rows[lane] = entry.row;
      }
      memory.saw(lsm_entries, at, cursor.keys[lane]);
    });
  }

  template <class Warp, class Key>
  PIVOTSCOPE_FN static least_entry<Key> least_of(Warp& warp, cursors<Warp, Key>& cursor) {
    const auto is_there = [&](u32 lane) { return cursor.rows[lane] != not_found; };
    Key key;
    if constexpr (sizeof(Key) == 4) {
      key = warp.min([&](u32 lane) { return is_there(lane) ? cursor.keys[lane] : ~0u; });
    } else {
      const auto high = [&](u32 lane) { return static_cast<u32>(cursor.keys[lane] >> 32); };
      const u32 most = warp.min([&](u32 lane) { return is_there(lane) ? high(lane) : ~0u; });
      const u32 rest = warp.min(
          [&](u32 lane) { return is_there(lane) && high(lane) == most ? static_cast<u32>(cursor.keys[lane]) : ~0u; });
      key = Key{most} << 32 | rest;
    }
    const u32 lane = warp.min([&](u32 l) { return is_there(l) && cursor.keys[l] == key ? l : ~0u; });
    return {key, lane};
  }

  // All levels whose entry has the key go on behind it.
  template <class Warp, class Key>
  PIVOTSCOPE_FN static void pass_by(Warp& warp, cursors<Warp, Key>& cursor, Key key) {
    warp.each_lane([&](u32 lane) {
      if (cursor.rows[lane] == not_found || cursor.keys[lane] != key) return;
      ++cursor.at[lane];
      cursor.rows[lane] = not_found;
    });
  }
};

}  // namespace pivotscope
