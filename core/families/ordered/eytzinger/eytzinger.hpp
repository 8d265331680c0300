// EO: the entries in the order of a complete K-ary search tree, level by level (Eytzinger, or BFS order).
//
//   K = 3, n = 14                 [ 8 11 ]                    ranks of level 0: slots 0..1
//                     [ 2 5 ]    [ 9 10 ]   [ 12 13 ]         level 1: slots 2..7
//          [ 0 1 ] [ 3 4 ] [ 6 7 ]                            level 2: slots 8..13; it is filled from the left
//
//   slot  | 0  1 | 2  3 | 4  5 | 6  7 | 8  9 |10 11 |12 13 |   node j: slots j (K - 1) on
//   rank  | 8 11 | 2  5 | 9 10 |12 13 | 0  1 | 3  4 | 6  7 |   child c of node j: node j K + 1 + c
//
// Invariants
// - Every level but the last is full. In-order traversal is sorted.
// - Slots after the last entry, up to the end of its node, are empty: they hold the greatest key and the row id
//   not_found, which no comparison takes for an entry. So there are n entries and at most K - 1 empty slots.
// - With K = 2 one slot at the front is empty (Section 3.2): then siblings, and the tops of whole subtrees, begin at
//   even slots.
//
//   search   one node per level, at most ceil(log_K (n + 1)) levels; a hit ends it.
//   range    one scan on every level.
//   build    one slot per thread, by the formulas of Section 3.5 for q and its correction c; on a GPU by their inverse,
//            so that the thread with the next key finds its slot.
#pragma once

#include "core/families/ordered/build_terms.hpp"
#include "core/families/ordered/config.hpp"
#include "core/families/ordered/probe.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/simt/source_place.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct eytzinger_order {
  static constexpr bool has_pivots = false;
  static constexpr bool entries_ascend = false;

  template <class Config>
  PIVOTSCOPE_FN static constexpr u64 empty_front(Config config) {
    return config.value.fanout == 2 ? 1 : 0;
  }

  template <class Config>
  PIVOTSCOPE_FN static index_shape shape(Config config, u64 keys) {
    const u64 fanout = config.value.fanout, node = fanout - 1, front = empty_front(config);
    index_shape s;
    s.keys = keys;
    s.entry_slots = keys == 0 ? 0 : front + ceil_div(keys, node) * node;
    for (u64 first = 0, size = node; first < keys; first += size, size *= fanout) {
      s.level_first[s.levels++] = front + first;
    }
    s.level_first[s.levels] = front + keys;
    return s;
  }

  // b, the entries of the last level when it is not full, and K^H - 1, those of the H full levels above it.
  struct split {
    u64 inner, last;
    u32 full_levels;
  };
  template <class Config>
  PIVOTSCOPE_FN static split split_levels(Config config, const index_shape& s) {
    if (s.keys == 0) return {0, 0, 0};
    const u64 fanout = config.value.fanout;
    const u32 lowest = s.levels - 1;
    const u64 here = s.level_first[s.levels] - s.level_first[lowest];
    const u64 room = lowest == 0 ? fanout - 1 : (s.level_first[lowest] - s.level_first[lowest - 1]) * fanout;
    return here == room ? split{s.keys, 0, s.levels} : split{s.keys - here, here, lowest};
  }

  template <class Config, class Terms = terms_unseen>
  PIVOTSCOPE_FN static u64 entry_source(Config config, const index_shape& s, u64 slot, Terms&& terms = {}) {
    const u64 fanout = config.value.fanout, node = fanout - 1, front = empty_front(config);
    if (slot < front || slot - front >= s.keys) return no_rank;
    const u64 position = slot - front;
    const split levels = split_levels(config, s);
    terms(build_term::position, position);
    terms(build_term::full_levels, levels.full_levels);
    terms(build_term::last, levels.last);
    if (position >= levels.inner) {  // last level: q_{0,i} = i + floor(i / (K-1))
      const u64 i = position - levels.inner;
      terms(build_term::level, levels.full_levels);
      terms(build_term::level_first, levels.inner);
      terms(build_term::place, i);
      return i + i / node;
    }
    u32 depth = levels.full_levels - 1;  // most of them are on the lowest levels
    while (slot < s.level_first[depth]) --depth;
    const u64 first = s.level_first[depth] - front;
    const u32 height = levels.full_levels - 1 - depth;
    u64 power = 1;  // K^l, with l counted from the lowest full level
    for (u32 l = height; l > 0; --l) power *= fanout;
    const u64 i = position - first;
    const u64 q = power * (1 + i + i / node) - 1;
    const u64 below = node * (q + 1);
    const u64 c = levels.last < below ? levels.last : below;  // entries of the last level that are smaller
    terms(build_term::level, depth);
    terms(build_term::level_first, first);
    terms(build_term::place, i);
    terms(build_term::height, height);
    terms(build_term::found, q);
    terms(build_term::correction, c);
    return q + c;
  }
  template <class Config, class Terms = terms_unseen>
  PIVOTSCOPE_FN static u64 pivot_source(Config, const index_shape&, u64, Terms&& = {}) {
    return no_rank;
  }

  // The inverse of entry_source: K - 1 entries of the last level alternate with one above it, until the last level
  // ends. Ranks, and slots that hold a key, are below 2^32.
  template <class Config>
  PIVOTSCOPE_FN static u64 entry_slot(Config config, const index_shape& s, u64 of_rank) {
    const u32 fanout = config.value.fanout, node = fanout - 1, front = static_cast<u32>(empty_front(config));
    const split levels = split_levels(config, s);
    const u32 rank = static_cast<u32>(of_rank), last = static_cast<u32>(levels.last), whole = last / node * fanout;
    const u32 group = rank / fanout, in_group = rank % fanout;
    if (in_group < node && rank < whole + last % node)
      return front + static_cast<u32>(levels.inner) + group * node + in_group;
    const power_and_rest m = without_power((rank < whole ? group : rank - last) + 1, fanout);
    const u32 level = levels.full_levels - 1 - m.power;
    const u32 first =
        fanout == 2 ? 1u << level : static_cast<u32>(s.level_first[level]);  // K = 2: one slot is empty in front
    return first + (m.rest - 1 - m.rest / fanout);
  }
  // What a GPU's i-th turn builds: in the order of the keys, then the empty slots.
  template <class Config>
  PIVOTSCOPE_FN static slot_and_rank entry_turn(Config config, const index_shape& s, u64 i) {
    if (i < s.keys) return {entry_slot(config, s, i), i};
    const u64 empty = i - s.keys;
    return {empty < empty_front(config) ? empty : s.keys + empty, no_rank};
  }

  template <class Config>
  PIVOTSCOPE_FN static u32 entry_level(Config, const index_shape& s, u64 slot) {
    u32 level = 0;
    while (level + 1 < s.levels && slot >= s.level_first[level + 1]) ++level;
    return level;
  }
  template <class Config>
  PIVOTSCOPE_FN static u32 pivot_level(Config, const index_shape&, u64) {
    return 0;
  }
  template <class Config>
  PIVOTSCOPE_FN static u64 count_level(Config, const index_shape& s, region_id array, u32 level, u64 first, u64 end) {
    if (array == ordered_region::pivots) return 0;
    const u64 a = first > s.level_first[level] ? first : s.level_first[level];
    const u64 b = end < s.level_first[level + 1] ? end : s.level_first[level + 1];
    return a < b ? b - a : 0;
  }
  template <class Config>
  PIVOTSCOPE_FN static bool level_run(Config, const index_shape& s, u32 level, region_id& array, u64& first,
                                      u64& count) {
    array = ordered_region::entries;
    first = s.level_first[level];
    count = s.level_first[level + 1] - first;
    return true;
  }

  // The leftmost slots, as they are.
  template <class Config>
  PIVOTSCOPE_FN static pin_plan plan_pins(Config config, const index_shape& s) {
    const u64 capacity = pin_capacity(config.value), node = config.value.fanout - 1, front = empty_front(config);
    pin_plan plan;
    if (s.keys == 0 || capacity < front + node) return plan;
    while (plan.levels < s.levels && level_end(s, plan.levels) <= capacity) {
      plan.whole = static_cast<u32>(level_end(s, plan.levels++));
    }
    const u64 nodes = front + (capacity - front) / node * node;
    plan.total = plan.whole;
    if (config.value.pin == pin_kind::full)
      plan.total = static_cast<u32>(nodes < s.entry_slots ? nodes : s.entry_slots);
    return plan;
  }
  template <class Config>
  PIVOTSCOPE_FN static pinned_slot pin_source(Config, const index_shape&, const pin_plan&, u32 i) {
    return {ordered_region::entries, i};
  }

  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const ordered_view& view) {
    const index_shape& s = view.shape;
    const node_run run = share_node(config.value.lanes, config.value.fanout - 1);
    // The count of smaller keys and a flag for "found here" travel through the lanes' sum together.
    constexpr u32 hit = 1u << 16;
    auto found = wave.all(wave.lanes.least_row());
    const u32 front = static_cast<u32>(empty_front(config));
    const u64 nodes = ceil_div<u64>(s.keys, run.node);
    auto node = wave.all(0u);
    auto searching = wave.all(s.keys != 0);
    for (u32 level = 0; level < s.levels; ++level) {
      if (wave.may_stop(searching)) break;
      wave.each([&](u32 i) {
        if (searching[i]) wave.memory.step(level);
        const u32 first = front + node[i] * run.node;
        const bool pinned = is_pinned(config, view.pin, level, first, run.node);
        const u32 seen = wave.lanes.sum([&](u32 lane) {
          if (!searching[i] || run.live(lane) == 0) return 0u;
          const bool lowest = level + 1 == s.levels;
          const probe p = wave.memory.probe_entries(first, run, lane, wave.keys[i], pinned, true, lowest);
          found[i].take(p.row);
          wave.memory.watch_lane(lane, "p.less", p.less, "p.row", watched_row{p.row});
          return p.less + (p.row != not_found ? hit : 0u);
        });
        // A child that does not exist may lie past 32 bits.
        const u32 less = seen & (hit - 1);
        const u64 child = static_cast<u64>(node[i]) * config.value.fanout + 1 + less;
        if (searching[i]) {
          wave.memory.watch("wave.keys[i]", wave.keys[i], "level", level, "node[i]", node[i], "first", first, "pinned",
                            pinned, "less", less, "child", child, "nodes", nodes);
        }
        searching[i] = searching[i] && seen < hit && child < nodes;
        node[i] = static_cast<u32>(child);
        if (searching[i]) wave.memory.will_read(ordered_region::entries, front + child * run.node, run.node);
      });
    }
    auto rows = wave.all(not_found);
    wave.each([&](u32 i) { rows[i] = found[i].of_all(wave.lanes); });
    return rows;
  }

  // Section 3.2: on every level the qualifying entries lie together, and they begin where the search for the low end
  // passes: at the first key of its node that is not smaller, or else right behind the node.
  template <class Config, class Lanes, class Memory, class Key, class Scan>
  PIVOTSCOPE_FN static void scan(Config config, Lanes& lanes, Memory& memory, const ordered_view& view, Key low,
                                 Scan& scan) {
    const index_shape& s = view.shape;
    const node_run run = share_node(config.value.lanes, config.value.fanout - 1);
    const u32 front = static_cast<u32>(empty_front(config));
    const u64 nodes = ceil_div<u64>(s.keys, run.node);
    u64 node = 0;
    for (u32 level = 0; level < s.levels; ++level) {
      // On the last level there may be nothing where the path leads, and then nothing to its right either.
      const bool here = node < nodes;
      if (lanes.may_stop(!here)) break;
      if (here) memory.step(level);
      const u64 first = front + node * run.node;
      const bool pinned = here && is_pinned(config, view.pin, level, static_cast<u32>(first), run.node);
      const u32 less = lanes.sum([&](u32 lane) {
        if (!here || run.live(lane) == 0) return 0u;
        return memory.probe_entries(static_cast<u32>(first), run, lane, low, pinned, false).less;
      });
      const u64 end = s.level_first[level + 1];
      if (here) {
        memory.watch("low", low, "level", level, "node", node, "first", first, "pinned", pinned, "less", less, "end",
                     end);
      }
      scan.run(here ? first + less : end, end, level);
      node = node * config.value.fanout + 1 + less;
    }
  }

 private:
  // Where a level's slots end, with the empty ones of the last node.
  PIVOTSCOPE_FN static u64 level_end(const index_shape& s, u32 level) {
    return level + 1 == s.levels ? s.entry_slots : s.level_first[level + 1];
  }
};

}  // namespace pivotscope
