// packed: the sorted entries in fewer bits, under a directory that is small enough to stay in a cache (beyond the
// papers: docs/packed.md). The code here runs on all machines.
//
//   blocks     | b0 | b1 | b2 | ...  one per bucket of the key range: in which leaf?                 directory.hpp
//   leaves     | p p p p | p p p p | ...  a leaf is one atom of memory, 12 entries in 4 packs        pack.hpp
//   escapes    | entries of a leaf in full, and the first key behind it | ...
//   lists      | where leaves begin, in full, of blocks that cannot tell them apart | ...
//
//   region     cells
//   leaves     entries in ascending order, three per pack; the last one is repeated, up to a whole leaf
//   blocks     prefix blocks: those of the whole range, then those of nodes, level by level
//   escapes    entries in full, of leaves whose keys are so far apart that an entry's bits do not tell which is meant
//   plan       used by the build; empty afterwards
//   lists      keys: the places of leaves' first keys in their bucket, those of a list side by side
//
// Invariants
// - A leaf is searched only for keys within `slack` of its own keys and of the first key behind it. Where these are as
//   far apart as an entry's bits reach, the leaf is escaped.
// - So a match is the key, and a difference tells which key is smaller.
// - Every key value and every row id is legal.
//
// Operations
//   find       by the lanes of a group: one block and one leaf. One leaf more, the one before, if a separator's digit
//              is the key's own and the key is not in its leaf. One block more for each level that skew adds; in a
//              list, one read for each halving. Duplicates are kept.
//   range      finds the ranks of both ends, and streams the row ids between them.
//   successor  finds the rank of key + 1, and reads the entry there.
//   build      packs and blocks from the sorted keys, one per thread; then what nodes and escaped leaves need, if there
//              are any.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/packed/build.hpp"
#include "core/families/packed/directory.hpp"
#include "core/families/packed/leaf.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

struct packed : packed_build {
  using config = packed_config;
  struct by_group {};  // a group's lookups are one wave (simt/wave.hpp)

  PIVOTSCOPE_FN static constexpr u32 lanes(const packed_config& c) { return used_lanes(c); }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const packed_config& c) { return c.scratch; }
  PIVOTSCOPE_FN static constexpr u32 in_flight(const packed_config& c) { return c.flight; }

  // The values that a block pins: the first prefix blocks, each a quad.
  PIVOTSCOPE_FN static u32 pinned_keys(const state_view& view) { return view.as<packed_view>().pinned; }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static quad pinned_key(Config, Memory& memory, const state_view&, u32 i) {
    return memory.template load<quad>(packed_region::blocks, i);
  }

  // Returns the row ids of the wave's keys, or not_found. Most lookups end in their first leaf; the first leaves of all
  // lookups of a group are loaded at once.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    using Key = typename Wave::key;
    const packed_view& here = view.as<packed_view>();
    if (here.keys == 0) return wave.to_keep(not_found);
    auto& memory = wave.memory;
    packed_leaves<Config, Key, typename Wave::memory_type> leaves(config, memory, here);
    wave.of_owners([&](u32, Key key) {
      memory.will_read(packed_region::blocks, root_place(here, leaves.offset_of(key)).bucket, 1, config.value.block);
      return 0u;
    });
    const auto roots = wave.of_owners([&](u32, Key key) { return leaves.root_of(key); });
    const auto last = wave.of_owners([&](u32 i, Key key) {
      const auto found = leaves.template where<last_leaf>(key, roots[i]);
      leaves.will_read(found.leaf);
      leaves.hold(found.leaf);
      return found;
    });
    const auto first = wave.told_by(last, [](const last_leaf& l) { return l.leaf; });
    const auto bits = wave.of_owners([&](u32, Key key) { return leaves.spread_of(key); });
    const auto low = wave.told_by(bits, [](const auto& b) { return b.low; });
    const auto high = wave.told_by(bits, [](const auto& b) { return b.high; });
    auto looked = wave.least_seen(
        leaves.asks_at_once(), leaves.any_escapes(), [&](u32) { memory.step(here.levels); },
        [&](u32 i, u32 lane) { return leaves.load_share(first[i], lane); },
        [&](u32 i, u32 lane, const auto& got) {
          return seen_and_noted{leaves.look_through(got, first[i], lane, {low[i], high[i]}, wave.keys[i]),
                                leaves.may_begin_behind(got, lane, {low[i], high[i]})};
        },
        [&](const auto& got, u32 seen) { return leaves.seen_or_in_full(got, seen); },
        [&](u32 i, u32 seen) {
          memory.watch("wave.keys[i]", wave.keys[i], "first[i]", first[i], "seen", watched_row{seen});
        });
    auto& rows = looked.least;
    // A key outside the range of keys may have the bits of one that is in a leaf.
    const auto goes_on = wave.of_owners([&](u32 i, Key key) {
      const bool is_in_range = leaves.has(key);
      if (!is_in_range) rows[i] = not_found;
      const bool perhaps_before = last[i].doubtful != 0 && (!leaves.asks_at_once() || looked.noted[i]);
      return is_in_range && (rows[i] == in_full || (rows[i] == not_found && perhaps_before));
    });
    wave.again(
        goes_on,
        [&](u32 i, Key) {
          return further{rows[i] == in_full ? last[i].leaf : last[i].leaf - 1, not_found, no_escape};
        },
        [&](Key key, further& now, bool live) { return look_further(leaves, wave.lanes, memory, key, now, live); },
        [&](u32 i, const further& now) { rows[i] = now.row; });
    return rows;
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id)
  // for each, from `place` on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    const packed_view& here = view.as<packed_view>();
    packed_leaves<Config, Key, Memory> leaves(config, memory, here);
    const bool any = low <= high && here.keys != 0;
    const u64 begin = leaves.rank_of(lanes, low, any).rank;
    const bool to_the_end = high == greatest_key<Key>();
    const u64 behind = leaves.rank_of(lanes, key_after(high), any && !to_the_end).rank;
    const u64 end = !any ? begin : to_the_end ? here.keys : behind;
    return {end - begin, leaves.sum_rows(lanes, begin, end, place, output)};
  }

  // Returns the least key greater than `key`, or with `itself` the least that is not smaller, and a row id of it.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static successor_answer next_key(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                                                 Key key, bool itself) {
    const packed_view& here = view.as<packed_view>();
    packed_leaves<Config, Key, Memory> leaves(config, memory, here);
    const Key greatest = static_cast<Key>(here.least + here.span), from = itself ? key : key_after(key);
    const bool any = here.keys != 0 && (itself ? key <= greatest : key < greatest);
    const auto at = leaves.rank_of(lanes, from, any);
    const entry_cell<Key> entry = leaves.entry_near(lanes, at, from, any);
    return any ? successor_answer{entry.key, entry.row} : successor_answer{};
  }

 private:
  // A lookup that goes on beyond its first leaf.
  struct further {
    u32 leaf, row, escape;
  };
  static constexpr u32 leaf_before = no_escape - 1;  // in place of an escaped leaf's number

  // Does one step of such a lookup: reads a leaf, or the full entries of an escaped one. If all keys of a leaf are
  // greater, the leaf before it is next.
  template <class Leaves, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static bool look_further(Leaves& leaves, Lanes& lanes, Memory& memory, Key key, further& now,
                                         bool live) {
    const bool full = now.escape != no_escape;
    if (live) memory.step(leaves.level() + (full ? 1 : 0));
    const auto bits = leaves.spread_of(key);
    const u32 seen = lanes.min([&](u32 lane) {
      if (!live) return not_found;
      if (full) return leaves.look_through_full(now.escape, now.leaf, lane, key);
      const auto got = leaves.load_share(now.leaf, lane);
      return leaves.seen_or_in_full(got, leaves.look_through(got, now.leaf, lane, bits, key));
    });
    const u32 next = lanes.min([&](u32 lane) {
      if (!live || lane != 0 || (seen != in_full && seen != not_found)) return no_escape;
      if (seen == in_full) return leaves.escape_number(now.leaf);
      const bool behind =
          full ? leaves.begins_behind_full(now.escape, key) : leaves.begins_behind(now.leaf, leaves.offset_of(key));
      return behind ? leaf_before : no_escape;
    });
    if (live) memory.watch("key", key, "now.leaf", now.leaf, "seen", watched_row{seen});
    now.escape = next == leaf_before ? no_escape : next;
    now.row = seen == in_full ? not_found : seen;
    now.leaf -= next == leaf_before ? 1 : 0;
    return next != no_escape;
  }
};

}  // namespace pivotscope
