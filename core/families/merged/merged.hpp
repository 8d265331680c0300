// merged: one sorted array. An update sorts its batch and merges it into a new array. It is the sorted array that
// dynamic indexes are measured against ("GPU SA": btree, Section 5, and GPU LSM). The code here runs on all machines.
//
//   keys came as     10  7  1  7  16                n = 5
//   slot             0      1      2      3      4
//   entries      |  1 2 |  7 1 |  7 3 | 10 0 | 16 4 |       {key, row id}
//   level           2      1      2      0      2           of the search: steps of 4, 2 and 1
//
//   update       insert 8 with row id 5, erase 7            (merge.hpp)
//   batch        |  7 erased |  8 5 |                       sorted by key
//   acts at         1           3                           of each write, by binary search
//   new array    |  1 2 |  8 5 | 10 0 | 16 4 |              sources: old 0, batch 1, old 3, old 4
//
//   region       cells
//   entries      {key, row id}, 8 bytes, or 16 with 64-bit keys
//
// Invariants
// - Entries ascend by key, and equal keys by row id.
// - There is nothing else: as many cells as entries, none of them empty or erased. No search reads behind the last one,
//   so no key value is taken for an end.
// - The state has the number of entries. An update changes it, and row ids need not be those from 0 to n - 1.
//
// Operations
//   find       a lower bound: in floor(log2 n) + 1 steps, from the greatest power of two up to n down to 1, it asks
//              whether so many more entries are smaller, and reads the key of the last of them. Then it reads the entry
//              that it arrived at. A hit returns the least row id of its key.
//   range      the lower bound of the low end, then the entries from there on: up to 32 by the lookup's own lane, the
//              rest by the 32 lanes of the warp together.
//   next_key   the lower bound of the key, or of the key after it; the entry arrived at is the answer.
//   build      one pass over the sorted keys, four entries per GPU thread.
//   update     sorts a batch of m writes; an erase is a tombstone there. Then it goes along the merge path, on which all
//              entries and writes stand in one order. A binary search says how many writes come before any step of it, so
//              each tile of steps is a block's alone, and a few steps of it a thread's. If the batch erases, a chained
//              scan tells a tile its first cell. The whole array is read and written: O(n + m), however small the batch is.
#pragma once

#include "core/common/answers.hpp"
#include "core/config/index_config.hpp"
#include "core/families/merged/merge.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

inline constexpr u32 merged_alone = 32;     // entries of a range that the lookup's own lane reads
inline constexpr u32 merged_warp = 32;      // lanes of a warp
inline constexpr u32 merged_each_lane = 4;  // loads of a lane of the warp that are under way together
inline constexpr u32 merged_at_once = 4;    // entries that a GPU's thread builds, so that their loads are, too

inline constexpr family_id merged_id = family_named("merged");

struct merged_config {
  key_width keys = key_width::u32;
  launch_config launch = {};

  constexpr bool operator==(const merged_config&) const = default;
  PIVOTSCOPE_FN static constexpr merged_config of(const index_config& c) { return {c.keys, c.launch}; }
  PIVOTSCOPE_FN constexpr operator index_config() const { return {merged_id, keys, launch, {}}; }
};

struct merged_view {
  u64 entries;
};

// Returns the greatest power of two up to n, the length of a search's first step; 0 if there are no entries.
PIVOTSCOPE_FN constexpr u32 merged_first_step(u32 n) {
  for (u32 by = 1; by < 32; by *= 2) n |= n >> by;  // sets all bits below the highest one
  return n - (n >> 1);
}
// Returns the number of a search's steps before it reads the entry arrived at.
PIVOTSCOPE_FN u32 merged_levels(u32 n) { return n == 0 ? 0 : trailing_zeros(merged_first_step(n)) + 1; }

struct merged : merge_passes {
  using config = merged_config;
  struct by_batch {};  // a batch of writes is done as a whole
  using state = merged_view;
  static constexpr region_id entries{0};

  PIVOTSCOPE_FN static constexpr u32 lanes(const merged_config&) { return 1; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const merged_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config, Wave& wave, const state_view& view) {
    using key_type = typename Wave::key;
    const u32 n = entries_of(view);
    auto rows = wave.all(not_found);
    const auto at = lower_bound(wave, n);
    wave.each([&](u32 i) {
      if (at[i] >= n) return;
      wave.memory.step(merged_levels(n));
      const auto entry = wave.memory.template load<entry_cell<key_type>>(entries, at[i]);
      wave.memory.saw(entries, at[i], entry.key);
      if (entry.key == wave.keys[i]) rows[i] = entry.row;
      wave.memory.watch("wave.keys[i]", wave.keys[i], "at[i]", at[i], "entry.key", entry.key, "rows[i]",
                        watched_row{rows[i]});
    });
    return rows;
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id)
  // for each, from `place` on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    const u32 n = lanes.all_done(low > high) ? 0 : entries_of(view);
    auto one = wave_of(lanes, memory, low);
    u32 at = lower_bound(one, n)[0];
    range_answer answer{};
    bool going = at < n;
    if (going) memory.scan_step(merged_levels(n), false);
    while (!lanes.all_done(!going)) {
      if (going) {
        const auto entry = memory.template load<entry_cell<Key>>(entries, at);
        memory.saw(entries, at, entry.key);
        going = entry.key <= high;
        if (going) {
          output.row(place + answer.count, entry.row);
          answer.row_sum += entry.row;
          ++answer.count, ++at;
          going = at < n && answer.count < merged_alone;
        }
        memory.watch("low", low, "high", high, "at", at, "answer.count", answer.count, "answer.row_sum",
                     answer.row_sum);
      }
    }
    const bool wanted = answer.count == merged_alone && at < n;
    const range_rest<Key> rest{place + answer.count, high, at, n};
    const range_answer more = lanes.take_turns(
        wanted, rest, [&](auto& warp, const range_rest<Key>& r) { return scan_with_warp(warp, memory, r, output); });
    return {answer.count + more.count, answer.row_sum + more.row_sum};
  }

  // Returns the least key greater than `key`, or with `itself` the least that is not smaller, and a row id of it.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static successor_answer next_key(Config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                                 bool itself) {
    const u32 n = entries_of(view);
    const Key low = itself ? key : key_after(key);
    auto one = wave_of(lanes, memory, low);
    const u32 at = lower_bound(one, n)[0];
    successor_answer answer{};
    if (at < n) {
      memory.scan_step(merged_levels(n), false);
      const auto entry = memory.template load<entry_cell<Key>>(entries, at);
      memory.saw(entries, at, entry.key);
      // No key follows the greatest value. The search was for that value then, and it is no answer.
      if (itself || low != key) answer = {entry.key, entry.row};
      memory.watch("key", key, "low", low, "at", at, "answer.key", answer.key, "answer.row", watched_row{answer.row});
    }
    return answer;
  }

  // --- The pass of the build: slot i gets the key of rank i ---
  struct build_entries {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      at_key(config, view, static_cast<u32>(i), view.template key<Key>(i), view.sorted_row(i));
    }
    // The same for a key in hand.
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at_key(Config, const build_view& view, u32 rank, Key key, u32 row) {
      view.store(entries, rank, make_entry(key, row));
    }
  };

 private:
  // What is left of a range, as it is handed to the warp.
  template <class Key>
  struct range_rest {
    u64 place;  // where the row id of the entry at `at` goes
    Key high;
    u32 at, end;  // slots, half open
  };

  PIVOTSCOPE_FN static u32 entries_of(const state_view& view) {
    return static_cast<u32>(view.as<merged_view>().entries);
  }

  // Returns how many entries are smaller than each key of the wave: the slot of the first one that is not.
  template <class Wave>
  PIVOTSCOPE_FN static auto lower_bound(Wave& wave, u32 n) {
    using key_type = typename Wave::key;
    constexpr u32 cell = sizeof(entry_cell<key_type>);
    auto at = wave.all(0u);  // so many are known to be smaller
    u32 level = 0;
    for (u32 step = merged_first_step(n); step > 0; step /= 2, ++level) {
      wave.each([&](u32 i) {
        wave.memory.step(level);
        const u32 slot = at[i] + step - 1;
        if (slot < n) {
          const key_type key = wave.memory.template load_part<key_type>(entries, slot, cell, 0);
          wave.memory.saw(entries, slot, key);
          at[i] += step * static_cast<u32>(key < wave.keys[i]);  // a product: of a condition a compiler makes a branch
        }
        wave.memory.watch("wave.keys[i]", wave.keys[i], "n", n, "step", step, "slot", slot, "at[i]", at[i]);
        const u32 next = at[i] + (step > 1 ? step / 2 - 1 : 0);
        if (next < n) wave.memory.will_read(entries, next, 1, cell);
      });
    }
    return at;
  }

  // Reads 32 entries at a time and lane, while the last of them is in the range.
  template <class Warp, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer scan_with_warp(Warp& warp, Memory& memory, const range_rest<Key>& rest,
                                                   Output& output) {
    constexpr u32 width = merged_warp * merged_each_lane;
    memory.scan_step(merged_levels(rest.end), true);
    range_answer answer{};
    auto sums = warp.each(u64{0});
    bool more = true;
    for (u32 at = rest.at; more && at < rest.end; at += width) {
      const u32 left = rest.end - at < width ? rest.end - at : width;
      const u32 inside = warp.sum([&](u32 lane) {
        entry_cell<Key> seen[merged_each_lane]{};
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < merged_each_lane; ++i) {
          const u32 offset = i * merged_warp + lane;
          if (offset < left) seen[i] = memory.template load<entry_cell<Key>>(entries, at + offset);
        }
        u32 count = 0;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < merged_each_lane; ++i) {
          const u32 offset = i * merged_warp + lane;
          if (offset >= left) continue;
          memory.saw(entries, at + offset, seen[i].key);
          if (seen[i].key > rest.high) continue;
          output.row(rest.place + answer.count + offset, seen[i].row);
          sums[lane] += seen[i].row;
          ++count;
        }
        return count;
      });
      answer.count += inside;
      more = inside == width;
      memory.watch("rest.high", rest.high, "rest.end", rest.end, "at", at, "left", left, "inside", inside,
                   "answer.count", answer.count);
    }
    answer.row_sum = warp.sum([&](u32 lane) { return sums[lane]; });
    return answer;
  }
};

}  // namespace pivotscope
