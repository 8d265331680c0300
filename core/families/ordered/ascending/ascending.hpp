// AO: the sorted array itself.
//
//   rank   0   1   2   3   4   5   6   7   8   9  10  11  12  13          K = 2, n = 14, steps 8, 4, 2, 1
//   slot | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10| 11| 12| 13|
//   level  3   1   3   2   3   0   3   2   3   1   3   2   3   -          (Figure 3, counted from 0)
//
// Invariant: slot = rank. Nothing is stored beside the n entries.
//
//   search   by offsets, from the last entry to the front, with steps that shrink by K (lightweight, Section 3.1,
//            Listing 1). It takes floor(log_K n) + 1 steps of up to K - 1 keys, each at a place of its own, and then
//            one read of the entry that it comes to. With duplicates that is the first one. With K > 2 (AO+KS) the
//            K - 1 reads of a step share no sector: this variant is here to show that it is slow.
//   range    one scan from the entry that the search for the low end comes to.
//   pinning  (O2) the keys of the first M steps lie at distances i S K / K^M from the last entry (Section 4.2.1).
//   build    one copy of the sorted pairs.
#pragma once

#include "core/families/ordered/build_terms.hpp"
#include "core/families/ordered/config.hpp"
#include "core/families/ordered/probe.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/families/ordered/sorted_run.hpp"
#include "core/simt/source_place.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct ascending_order {
  static constexpr bool has_pivots = false;
  static constexpr bool entries_ascend = true;  // entry i is the one of rank i

  template <class Config>
  PIVOTSCOPE_FN static index_shape shape(Config config, u64 keys) {
    index_shape s;
    s.keys = keys;
    s.entry_slots = keys;
    const step_ladder ladder = ladder_for(config, keys);
    s.levels = ladder.steps;
    s.longest_step = ladder.longest;
    return s;
  }

  template <class Config, class Terms = terms_unseen>
  PIVOTSCOPE_FN static u64 entry_source(Config, const index_shape& s, u64 slot, Terms&& = {}) {
    return slot < s.keys ? slot : no_rank;
  }
  template <class Config, class Terms = terms_unseen>
  PIVOTSCOPE_FN static u64 pivot_source(Config, const index_shape&, u64, Terms&& = {}) {
    return no_rank;
  }
  template <class Config>
  PIVOTSCOPE_FN static u64 entry_slot(Config, const index_shape&, u64 rank) {
    return rank;
  }
  // The slot that a GPU's i-th turn builds.
  template <class Config>
  PIVOTSCOPE_FN static slot_and_rank entry_turn(Config, const index_shape& s, u64 i) {
    return {i, i < s.keys ? i : no_rank};
  }

  // The step from which an entry is first read. Steps reach distances from the last entry that are multiples of their
  // length, so the zeros at the end of the distance, written to base K, tell. The last entry itself is read at the very
  // end, if at all.
  template <class Config>
  PIVOTSCOPE_FN static u32 entry_level(Config config, const index_shape& s, u64 slot) {
    u64 distance = s.keys - 1 - slot;
    if (distance == 0) return s.levels - 1;
    u32 zeros = 0;
    while (distance % config.value.fanout == 0) distance /= config.value.fanout, ++zeros;
    return s.levels - 1 - zeros;
  }
  template <class Config>
  PIVOTSCOPE_FN static u32 pivot_level(Config, const index_shape&, u64) {
    return 0;
  }

  // Slots of [first, end) on a level: multiples of the step among the distances, less those of the step before.
  template <class Config>
  PIVOTSCOPE_FN static u64 count_level(Config config, const index_shape& s, region_id array, u32 level, u64 first,
                                       u64 end) {
    if (array == ordered_region::pivots || s.keys == 0) return 0;
    if (end > s.keys) end = s.keys;
    if (first >= end) return 0;
    u64 step = 1;
    for (u32 l = level + 1; l < s.levels; ++l) step *= config.value.fanout;
    const u64 nearest = s.keys - end, farthest = s.keys - 1 - first;  // distances, both inclusive
    const auto multiples = [&](u64 unit) { return farthest / unit - (nearest == 0 ? 0 : (nearest - 1) / unit); };
    u64 count = multiples(step) - (level == 0 ? 0 : multiples(config.value.fanout * step));
    if (nearest == 0 && level == s.levels - 1) ++count;  // the last entry: distance 0
    return count;
  }
  // No level is one run of slots.
  template <class Config>
  PIVOTSCOPE_FN static bool level_run(Config, const index_shape&, u32, region_id& array, u64& first, u64& count) {
    array = ordered_region::entries;
    first = count = 0;
    return false;
  }

  // Pinned key i < whole is the one at distance i * unit; those of step M + 1 follow, the K - 1 between two of them
  // together, nearest first.
  template <class Config>
  PIVOTSCOPE_FN static pin_plan plan_pins(Config config, const index_shape& s) {
    const u64 capacity = pin_capacity(config.value), fanout = config.value.fanout;
    pin_plan plan;
    if (s.keys == 0) return plan;
    u64 unit = s.longest_step;
    while (plan.levels < s.levels && (s.keys - 1) / unit + 1 <= capacity) {
      ++plan.levels;
      plan.whole = static_cast<u32>((s.keys - 1) / unit + 1);
      plan.unit = unit;
      unit /= fanout;
    }
    plan.total = plan.whole;
    if (config.value.pin != pin_kind::full || plan.levels == 0 || plan.levels == s.levels) return plan;
    const u64 next = (s.keys - 1) / (plan.unit / fanout) + 1;  // keys of M + 1 steps
    plan.total = static_cast<u32>(next < capacity ? next : capacity);
    return plan;
  }
  template <class Config>
  PIVOTSCOPE_FN static pinned_slot pin_source(Config config, const index_shape& s, const pin_plan& plan, u32 i) {
    u64 distance = i * plan.unit;
    if (i >= plan.whole) {
      const u32 between = config.value.fanout - 1, j = i - plan.whole;
      distance = (j / between) * plan.unit + (j % between + 1) * (plan.unit / config.value.fanout);
    }
    return {ordered_region::entries, s.keys - 1 - distance};
  }

  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const ordered_view& view) {
    auto rows = wave.all(not_found);
    if (view.shape.keys == 0) return rows;
    const auto offset = seek(config, wave, view);
    wave.each([&](u32 i) {
      wave.memory.step(view.shape.levels);
      rows[i] = wave.lanes.min([&](u32 lane) {
        return lane == 0 ? wave.memory.probe_entries(offset[i], {1, 1, 1}, 0, wave.keys[i], false).row : not_found;
      });
      wave.memory.watch("wave.keys[i]", wave.keys[i], "offset[i]", offset[i], "rows[i]", watched_row{rows[i]});
    });
    return rows;
  }

  // Section 3.1: to the smallest qualifying entry, then on from there.
  template <class Config, class Lanes, class Memory, class Key, class Scan>
  PIVOTSCOPE_FN static void scan(Config config, Lanes& lanes, Memory& memory, const ordered_view& view, Key low,
                                 Scan& scan) {
    if (view.shape.keys == 0) return;
    auto one = wave_of(lanes, memory, low);
    scan.run(seek(config, one, view)[0], view.shape.keys, view.shape.levels);
  }

 private:
  // The first entry whose key is not smaller, or the last one.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto seek(Config config, Wave& wave, const ordered_view& view) {
    const index_shape& s = view.shape;
    const u32 fanout = config.value.fanout, last = static_cast<u32>(s.keys - 1);
    auto offset = wave.all(last);
    u32 step = s.longest_step;
    u32 level = 0;
    if (config.value.pin != pin_kind::none && view.pin.levels > 0) {
      // Listing 2: the first M steps search the pinned keys, counted from the last entry.
      u32 scaled_step = 1;
      for (u32 m = 1; m < view.pin.levels; ++m) scaled_step *= fanout;
      auto distance = wave.all(0u);
      for (; level < view.pin.levels; ++level, scaled_step /= fanout) {
        wave.each([&](u32 i) {
          wave.memory.step(level);
          distance[i] = step_forth(config, wave.lanes, distance[i], view.pin.whole, scaled_step, wave.keys[i],
                                   [&](u32, u32 index) { return wave.memory.scratch_key(index); });
          wave.memory.watch("wave.keys[i]", wave.keys[i], "level", level, "scaled_step", scaled_step, "distance[i]",
                            distance[i]);
        });
      }
      wave.each([&](u32 i) { offset[i] -= static_cast<u32>(distance[i] * view.pin.unit); });
      step = static_cast<u32>(view.pin.unit) / fanout;
      if (config.value.pin == pin_kind::full && level < s.levels) {
        // Step M + 1: in scratch or not, by index.
        wave.each([&](u32 i) {
          wave.memory.step(level);
          offset[i] = step_back(config, wave.lanes, offset[i], step, wave.keys[i], [&](u32 nth, u32 slot) {
            const u32 index = view.pin.whole + distance[i] * (fanout - 1) + nth - 1;
            return index < view.pin.total ? wave.memory.scratch_key(index) : wave.memory.entry_key(slot);
          });
          wave.memory.watch("wave.keys[i]", wave.keys[i], "level", level, "step", step, "distance[i]", distance[i],
                            "offset[i]", offset[i]);
        });
        ++level, step /= fanout;
      }
    }
    for (; level < s.levels; ++level, step /= fanout) {
      wave.each([&](u32 i) {
        wave.memory.step(level);
        offset[i] = step_back(config, wave.lanes, offset[i], step, wave.keys[i],
                              [&](u32, u32 slot) { return wave.memory.entry_key(slot); });
        wave.memory.watch("wave.keys[i]", wave.keys[i], "level", level, "step", step, "offset[i]", offset[i]);
        will_step_back(config, wave.memory, 0, offset[i], step / fanout);
      });
    }
    return offset;
  }
};

}  // namespace pivotscope
