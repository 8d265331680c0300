// AO+PB: the sorted array, cut into leaves, and above it a tree of the keys that a K-ary search
// compares with, level by level.
//
//   K = 3, n = 14: leaf partitions of S = K - 1 = 2 entries
//
//   pivots    [ 5 11 ]                                 level 0: slots 0..1      (ranks of the pivot keys)
//             [ 1  3 ] [ 7  9 ] [ - - ]                level 1: slots 2..7      (-: no partition to its right)
//   entries   0 1 | 2 3 | 4 5 | 6 7 | 8 9 | 10 11 | 12 13
//
// The pivot beside child t of a level is the last key of that child. A search goes to the right of it if the
// searched key is greater. Level l, counted from the leaves, has ceil(n / (S K^l)) children, K per node; the pivot
// of child t is the key at p = S K^l (t + 1) - 1. With t = i + floor(i / (K-1)) for slot i of the level, this is
// lightweight's Section 3.5, formula for p. S is K - 1. With K = 2 it is 2, as in Figure 6, because a partition of
// one entry needs no search.
//
// Invariants
// - All paths have the same length.
// - A pivot without a partition to its right is empty: it is the greatest key, and no key is greater (Figure 6, the
//   star).
// - Nodes are dense: node j of a level begins (K-1) j slots into it.
//
//   search   one node per level, then one leaf partition. With duplicates it comes to the first.
//   build    one slot per thread; if the slot's key is a pivot, the thread stores it there too.
//   space    n entries and about n / (K-1) pivot keys.
#pragma once

#include "core/families/ordered/build_terms.hpp"
#include "core/families/ordered/config.hpp"
#include "core/families/ordered/probe.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/families/ordered/sorted_run.hpp"
#include "core/simt/source_place.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct pivot_buffer_order {
  static constexpr bool has_pivots = true;
  static constexpr bool entries_ascend = true;

  template <class Config>
  PIVOTSCOPE_FN static constexpr u32 leaf_entries(Config config) {
    return config.value.fanout == 2 ? 2u : config.value.fanout - 1;
  }

  template <class Config>
  PIVOTSCOPE_FN static index_shape shape(Config config, u64 keys) {
    const u64 fanout = config.value.fanout, node = fanout - 1, leaf = leaf_entries(config);
    index_shape s;
    s.keys = keys;
    s.leaf_entries = leaf;
    s.entry_slots = ceil_div(keys, leaf) * leaf;
    u32 depth = 0;
    for (u64 children = ceil_div(keys, leaf); children > 1; children = ceil_div(children, fanout)) ++depth;
    for (; config.value.pivots != 0 && depth > config.value.pivots; --depth) s.leaf_entries *= fanout;
    s.longest_step = ladder_for(config, s.leaf_entries < keys ? s.leaf_entries : keys).longest;
    u64 nodes[max_levels] = {};  // of each level, from the leaves up
    u64 children = ceil_div(keys, s.leaf_entries);
    for (u32 level = 0; level < depth; ++level) nodes[level] = children = ceil_div(children, fanout);
    for (u32 level = 0; level < depth; ++level) {
      s.level_first[level] = s.pivot_slots;
      s.pivot_slots += nodes[depth - 1 - level] * node;
    }
    s.level_first[depth] = s.pivot_slots;
    s.levels = keys == 0 ? 0 : depth + 1;  // the leaves are the last
    return s;
  }

  template <class Config, class Terms = terms_unseen>
  PIVOTSCOPE_FN static u64 entry_source(Config, const index_shape& s, u64 slot, Terms&& = {}) {
    return slot < s.keys ? slot : no_rank;
  }
  template <class Config, class Terms = terms_unseen>
  PIVOTSCOPE_FN static u64 pivot_source(Config config, const index_shape& s, u64 slot, Terms&& terms = {}) {
    const u64 fanout = config.value.fanout, node = fanout - 1;
    const u32 level = pivot_level(config, s, slot), height = s.levels - 2 - level;
    const u64 i = slot - s.level_first[level];
    u64 child_entries = s.leaf_entries;  // S K^l
    for (u32 l = height; l > 0; --l) child_entries *= fanout;
    const u64 end = child_entries * (1 + i + i / node);
    terms(build_term::level, level);
    terms(build_term::level_first, s.level_first[level]);
    terms(build_term::next_first, s.level_first[level + 1]);
    terms(build_term::place, i);
    terms(build_term::height, height);
    terms(build_term::found, end - 1);
    return end < s.keys ? end - 1 : no_rank;
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
  // The inverse of pivot_source: the slot of the pivot that holds the key of this rank, or no_slot. The rank is not the
  // last one. The last key of every leaf but the last leaf is a pivot.
  template <class Config>
  PIVOTSCOPE_FN static u64 pivot_slot(Config config, const index_shape& s, u32 rank) {
    const u32 leaf = config.value.pivots == 0 ? leaf_entries(config) : static_cast<u32>(s.leaf_entries);
    const u32 end = rank + 1;  // below n
    if (end % leaf != 0) return no_slot;
    const power_and_rest m = without_power(end / leaf, config.value.fanout);
    return s.level_first[s.levels - 2 - m.power] + (m.rest - 1 - m.rest / config.value.fanout);
  }
  // Pivots that hold a key.
  PIVOTSCOPE_FN static u64 filled_pivots(const index_shape& s) {
    return s.keys == 0 ? 0 : (s.keys - 1) / s.leaf_entries;
  }
  // The i-th slot without one, i < pivot_slots - filled_pivots(): from the lowest level up.
  template <class Config>
  PIVOTSCOPE_FN static u64 empty_pivot(Config config, const index_shape& s, u64 i) {
    u64 on_level = filled_pivots(s);
    for (u32 level = s.levels - 2;; --level, on_level /= config.value.fanout) {
      const u64 full = s.level_first[level] + (on_level - on_level / config.value.fanout),
                end = s.level_first[level + 1];
      if (i < end - full) return full + i;
      i -= end - full;
    }
  }

  template <class Config>
  PIVOTSCOPE_FN static u32 entry_level(Config, const index_shape& s, u64) {
    return s.levels - 1;
  }
  template <class Config>
  PIVOTSCOPE_FN static u32 pivot_level(Config, const index_shape& s, u64 slot) {
    u32 level = s.levels - 2;  // most of them are on the lowest levels
    while (slot < s.level_first[level]) --level;
    return level;
  }
  template <class Config>
  PIVOTSCOPE_FN static u64 count_level(Config, const index_shape& s, region_id array, u32 level, u64 first, u64 end) {
    u64 level_begin = 0, level_end = 0;
    if (array == ordered_region::pivots && level + 1 < s.levels) {
      level_begin = s.level_first[level];
      level_end = s.level_first[level + 1];
    } else if (array != ordered_region::pivots && level + 1 == s.levels) {
      level_end = s.keys;
    }
    const u64 a = first > level_begin ? first : level_begin;
    const u64 b = end < level_end ? end : level_end;
    return a < b ? b - a : 0;
  }
  template <class Config>
  PIVOTSCOPE_FN static bool level_run(Config, const index_shape& s, u32 level, region_id& array, u64& first,
                                      u64& count) {
    const bool leaves = level + 1 == s.levels;
    array = leaves ? ordered_region::entries : ordered_region::pivots;
    first = leaves ? 0 : s.level_first[level];
    count = (leaves ? s.keys : s.level_first[level + 1]) - first;
    return true;
  }

  template <class Config>
  PIVOTSCOPE_FN static pin_plan plan_pins(Config config, const index_shape& s) {
    const u64 capacity = pin_capacity(config.value), node = config.value.fanout - 1;
    pin_plan plan;
    while (plan.levels + 1 < s.levels && s.level_first[plan.levels + 1] <= capacity) {
      plan.whole = static_cast<u32>(s.level_first[++plan.levels]);
    }
    const u64 nodes = capacity / node * node;
    plan.total = plan.whole;
    if (config.value.pin == pin_kind::full)
      plan.total = static_cast<u32>(nodes < s.pivot_slots ? nodes : s.pivot_slots);
    return plan;
  }
  template <class Config>
  PIVOTSCOPE_FN static pinned_slot pin_source(Config, const index_shape&, const pin_plan&, u32 i) {
    return {ordered_region::pivots, i};
  }

  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const ordered_view& view) {
    const index_shape& s = view.shape;
    auto rows = wave.all(not_found);
    if (s.keys == 0) return rows;
    const auto base = descend(config, wave, view);
    if (config.value.pivots == 0) {
      const node_run leaf = share_node(config.value.lanes, leaf_entries(config));
      wave.each([&](u32 i) {
        wave.memory.step(s.levels - 1);
        rows[i] = wave.lanes.min([&](u32 lane) {
          return leaf.live(lane) == 0
                     ? not_found
                     : wave.memory.probe_entries(base[i], leaf, lane, wave.keys[i], false, true, true).row;
        });
        wave.memory.watch("wave.keys[i]", wave.keys[i], "base[i]", base[i], "rows[i]", watched_row{rows[i]});
      });
      return rows;
    }
    const auto offset = seek_in_partition(config, wave, s, base);
    wave.each([&](u32 i) {
      wave.memory.step(s.levels - 1);
      rows[i] = wave.lanes.min([&](u32 lane) {
        return lane == 0 ? wave.memory.probe_entries(offset[i], {1, 1, 1}, 0, wave.keys[i], false).row : not_found;
      });
      wave.memory.watch("wave.keys[i]", wave.keys[i], "offset[i]", offset[i], "rows[i]", watched_row{rows[i]});
    });
    return rows;
  }

  // Section 3.4: to the smallest qualifying entry, then on from there, past the ends of partitions.
  template <class Config, class Lanes, class Memory, class Key, class Scan>
  PIVOTSCOPE_FN static void scan(Config config, Lanes& lanes, Memory& memory, const ordered_view& view, Key low,
                                 Scan& scan) {
    const index_shape& s = view.shape;
    if (s.keys == 0) return;
    auto one = wave_of(lanes, memory, low);
    const auto bases = descend(config, one, view);
    const u32 base = bases[0];
    u64 first = base;
    if (config.value.pivots == 0) {
      memory.step(s.levels - 1);
      const node_run leaf = share_node(config.value.lanes, leaf_entries(config));
      first += lanes.sum([&](u32 lane) {
        return leaf.live(lane) == 0 ? 0u : memory.probe_entries(base, leaf, lane, low, false, false).less;
      });
      memory.watch("low", low, "base", base, "first", first);
    } else {
      first = seek_in_partition(config, one, s, bases)[0];
    }
    scan.run(first, s.keys, s.levels - 1);
  }

 private:
  // The first entry of the leaf partition that the pivots lead to. Like every slot here below n, so 32 bits hold it.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto descend(Config config, Wave& wave, const ordered_view& view) {
    const index_shape& s = view.shape;
    const node_run run = share_node(config.value.lanes, config.value.fanout - 1);
    const u32 leaf = config.value.pivots == 0 ? leaf_entries(config) : static_cast<u32>(s.leaf_entries);
    auto node = wave.all(0u);  // within its level
    for (u32 level = 0; level + 1 < s.levels; ++level) {
      const bool to_leaves = level + 2 == s.levels;
      wave.each([&](u32 i) {
        wave.memory.step(level);
        const u32 first = static_cast<u32>(s.level_first[level]) + node[i] * run.node;
        const bool pinned = is_pinned(config, view.pin, level, first, run.node);
        const u32 less = wave.lanes.sum([&](u32 lane) {
          return run.live(lane) == 0 ? 0u : wave.memory.count_less_pivots(first, run, lane, wave.keys[i], pinned);
        });
        node[i] = node[i] * config.value.fanout + less;
        wave.memory.watch("wave.keys[i]", wave.keys[i], "level", level, "first", first, "pinned", pinned, "less", less,
                          "node[i]", node[i]);
        if (!to_leaves) {
          wave.memory.will_read(ordered_region::pivots, s.level_first[level + 1] + node[i] * u64{run.node}, run.node);
        } else if (config.value.pivots == 0) {
          wave.memory.will_read(ordered_region::entries, node[i] * u64{leaf}, leaf);
        }
      });
    }
    wave.each([&](u32 i) { node[i] *= leaf; });
    return node;
  }

  // A trimmed buffer's leaf: as in ascending order, over [base, base + leaf_entries). All lookups of a warp take the
  // same number of steps, also in the last partition, which may be shorter.
  template <class Config, class Wave, class Bases>
  PIVOTSCOPE_FN static auto seek_in_partition(Config config, Wave& wave, const index_shape& s, const Bases& base) {
    auto offset = wave.all(0u);
    wave.each([&](u32 i) {
      const u64 rest = s.keys - base[i];
      offset[i] = static_cast<u32>((rest < s.leaf_entries ? rest : s.leaf_entries) - 1);
      will_step_back(config, wave.memory, base[i], offset[i], s.longest_step);
    });
    for (u32 step = s.longest_step; step > 0; step /= config.value.fanout) {
      wave.each([&](u32 i) {
        wave.memory.step(s.levels - 1);
        offset[i] = step_back(config, wave.lanes, offset[i], step, wave.keys[i],
                              [&](u32, u32 at) { return wave.memory.entry_key(base[i] + at); });
        wave.memory.watch("wave.keys[i]", wave.keys[i], "base[i]", base[i], "step", step, "offset[i]", offset[i]);
        will_step_back(config, wave.memory, base[i], offset[i], step / config.value.fanout);
      });
    }
    wave.each([&](u32 i) { offset[i] += base[i]; });
    return offset;
  }
};

}  // namespace pivotscope
