// AO: the sorted array itself.
//
//   rank   0   1   2   3   4   5   6   7   8   9  10  11  12  13          n = 14, steps 8, 4, 2, 1
//   slot | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10| 11| 12| 13|
//   level  3   1   3   2   3   0   3   2   3   1   3   2   3   -          (Figure 3, counted from 0)
//
// Invariant: slot = rank. Nothing is stored beside the entries.
// Search: offset-based, back to front, with steps that halve (lightweight, Section 3.1, Listing 1): floor(log2 n) + 1
// steps of one key each, then one read of the entry arrived at. Works with duplicates: it arrives at the first of them.
// Build: one copy of the sorted pairs. Space: n entries.
#pragma once

#include "core/config/index_config.hpp"
#include "core/order/shape.hpp"
#include "core/simt/run.hpp"

namespace pivotscope {

struct ascending_order {
  static constexpr const char* refuse(const index_config& c) {
    return c.fanout != 2
               ? "in ascending order the K - 1 pivots of a step lie far apart, so only binary search (fanout=2) "
                 "is offered; use the Eytzinger order or a pivot buffer for a larger K"
               : nullptr;
  }

  template <class Config>
  PIVOTSCOPE_FN static index_shape shape(Config, u64 keys) {
    index_shape s;
    s.keys = keys;
    s.entry_slots = keys;
    while (s.levels < 33 && (1ull << s.levels) <= keys) ++s.levels;
    return s;
  }

  template <class Config>
  PIVOTSCOPE_FN static u64 entry_source(Config, const index_shape& s, u64 slot) {
    return slot < s.keys ? slot : no_rank;
  }
  template <class Config>
  PIVOTSCOPE_FN static u64 pivot_source(Config, const index_shape&, u64) {
    return no_rank;
  }
  template <class Config>
  PIVOTSCOPE_FN static u64 entry_slot(Config, const index_shape&, u64 rank) {
    return rank;
  }

  // The step from which an entry is first read. Steps reach a distance from the last entry that is a multiple of their
  // length, so the lowest set bit of the distance tells. The last entry itself is read at the very end, if at all.
  template <class Config>
  PIVOTSCOPE_FN static u32 entry_level(Config, const index_shape& s, u64 slot) {
    u64 distance = s.keys - 1 - slot;
    if (distance == 0) return s.levels - 1;
    u32 trailing = 0;
    while ((distance & 1) == 0) distance >>= 1, ++trailing;
    return s.levels - 1 - trailing;
  }
  template <class Config>
  PIVOTSCOPE_FN static u32 pivot_level(Config, const index_shape&, u64) {
    return 0;
  }

  // Slots of [first, end) on a level: multiples of the step among the distances, less those of the step before.
  template <class Config>
  PIVOTSCOPE_FN static u64 count_level(Config, const index_shape& s, array_id array, u32 level, u64 first, u64 end) {
    if (array == array_id::pivots || s.keys == 0) return 0;
    if (end > s.keys) end = s.keys;
    if (first >= end) return 0;
    const u64 step = 1ull << (s.levels - 1 - level);
    const u64 nearest = s.keys - end, farthest = s.keys - 1 - first;  // distances, both inclusive
    const auto multiples = [&](u64 unit) { return farthest / unit - (nearest == 0 ? 0 : (nearest - 1) / unit); };
    u64 count = multiples(step) - (level == 0 ? 0 : multiples(2 * step));
    if (nearest == 0 && level == s.levels - 1) ++count;  // the last entry: distance 0
    return count;
  }
  // No level is one run of slots.
  template <class Config>
  PIVOTSCOPE_FN static bool level_run(Config, const index_shape&, u32, array_id& array, u64& first, u64& count) {
    array = array_id::entries;
    first = count = 0;
    return false;
  }

  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static u32 find(Config, Lanes& lanes, Memory& memory, const index_shape& s, Key key) {
    if (s.keys == 0) return not_found;
    u32 offset = static_cast<u32>(s.keys - 1);
    u32 step = 1u << (s.levels - 1);
    for (u32 level = 0; level < s.levels; ++level, step >>= 1) {
      memory.step(level);
      const u32 not_less =
          lanes.sum([&](u32) { return step <= offset && memory.entry_key(offset - step) >= key ? 1u : 0u; });
      if (not_less != 0) offset -= step;
    }
    memory.step(s.levels);
    return lanes.min([&](u32) { return memory.probe_entries(offset, 1, 1, 1, key).row; });
  }
};

}  // namespace pivotscope
