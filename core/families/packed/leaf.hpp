// The leaves of `packed`: looking for a key in one, where in order it would lie, and the row ids of a run of ranks.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/packed/directory.hpp"
#include "core/families/packed/pack.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

// What a lane sees of a leaf beside row ids: the entries lie elsewhere, in full.
inline constexpr u32 in_full = not_found - 1;
inline constexpr u32 no_escape = ~0u;

template <class Config, class Key, class Memory>
class packed_leaves {
 public:
  using place = typename Memory::place;
  static constexpr u32 most_packs = 8;

  // A lane's packs of a leaf.
  struct share {
    pack<Key> packs[most_packs];
  };
  struct rank_in_leaf {
    u64 rank;
    u32 leaf, escape;  // the last that was looked at
  };

  PIVOTSCOPE_FN packed_leaves(Config config, Memory& memory, const packed_view& view)
      : config_(config), memory_(memory), view_(view) {}

  PIVOTSCOPE_FN u32 level() const { return view_.levels; }
  PIVOTSCOPE_FN bool has(Key key) const { return static_cast<Key>(key - least()) <= span(); }
  // From the least key; of one outside that of the greatest.
  PIVOTSCOPE_FN Key offset_of(Key key) const { return offset_in(view_, key); }
  // Its bits as entries have them.
  using spread = typename pack<Key>::spread;
  PIVOTSCOPE_FN spread spread_of(Key key) const { return pack<Key>::spread_of(offset_of(key), view_.row_bits); }

  // A key's block of the whole range, and where in its bucket the key lies: one thread.
  struct root_block {
    bucket_place<Key> at;
    prefix_block block;
  };
  PIVOTSCOPE_FN root_block root_of(Key key, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    const auto here = root_place(view_, offset_of(key));
    return {here, load_block(0, here.bucket, key)};
  }
  // The leaves where it may lie, down the directory from there, as a leaf_range or the last_leaf.
  template <class Leaves>
  PIVOTSCOPE_FN Leaves where(Key key, const root_block& root, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    return leaves_of<Leaves>(
        block_words(config_.value), mostly_marks(config_.value), root.at, root.block,
        [&](u32 level, u32 number) { return load_block(level, number, key); },
        [&](u32 listed) { return load_listed(listed); });
  }
  PIVOTSCOPE_FN void hold(u32 leaf) {
    memory_.hold("leaf", leaf, packed_region::leaves, u64{leaf} * leaf_entries(config_.value));
  }

  PIVOTSCOPE_FN void will_read(u32 leaf) {
    memory_.will_read(packed_region::leaves, u64{leaf} * quads_a_leaf(), quads_a_leaf(), sizeof(quad));
  }
  PIVOTSCOPE_FN share load_share(u32 leaf, u32 lane, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    share got{};
    const u32 each = quads_a_leaf() / used_lanes(config_.value);
    const auto put = [&](u32 i, const quad& q) { put_quad(got.packs[i / pack<Key>::quads], i % pack<Key>::quads, q); };
    // 32 bits are enough to number quads: three keys take no more than two.
    const u32 first = leaf * quads_a_leaf() + lane * each;
    const node_run run{each, each, 1};
    if (config_.value.reads == leaf_reads::cached) {
      memory_.template each_of_run<quad>(packed_region::leaves, first, run, 0, put);
    } else {
      memory_.template each_read<reread::never, quad>(packed_region::leaves, first, run, 0, put);
    }
    return got;
  }

  // Is a leaf asked at once whether a key that it has not may lie before it? A dozen instructions for each lookup,
  // which pay where half of the lookups in doubt would else read another leaf from memory; what fits a cache goes and
  // looks.
  PIVOTSCOPE_FN bool asks_at_once() const { return leaf_bytes(config_.value) > 32; }
  PIVOTSCOPE_FN bool may_begin_behind(const share& got, u32 lane, const spread& bits) const {
    return lane == 0 && asks_at_once() && got.packs[0].may_begin_behind(bits, view_.row_bits);
  }
  // The row id of the key that these bits are of among a lane's packs, or not_found, as it always is where they are
  // escaped.
  PIVOTSCOPE_FN u32 look_through(const share& got, u32 leaf, u32 lane, const spread& bits, Key key) {
    u32 seen = not_found;
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < packs_a_lane(); ++i) {
      see(got.packs[i], u64{leaf} * leaf_packs(config_.value) + lane * packs_a_lane() + i, offset_of(key));
      seen = ::pivotscope::least(seen, got.packs[i].match(bits, view_.row_bits));
    }
    memory_.watch_lane(lane, "seen", watched_row{seen});
    return seen;
  }
  // Is there a leaf that escapes? What was seen of a lane's packs then is in_full where these do.
  PIVOTSCOPE_FN bool any_escapes() const { return view_.escapes != 0; }
  PIVOTSCOPE_FN u32 seen_or_in_full(const share& got, u32 seen) const {
    return got.packs[0].escaped() ? in_full : seen;
  }
  // The same where a leaf's entries lie in full.
  PIVOTSCOPE_FN u32 look_through_full(u32 escape, u32 leaf, u32 lane, Key key) {
    u32 row = not_found;
    each_in_full(escape, leaf, lane, [&](const entry_cell<Key>& entry) {
      if (entry.key == key) row = ::pivotscope::least(row, entry.row);
    });
    return row;
  }
  // Do all keys of a leaf that has not this one come behind it? The lane that has its first pack knows.
  PIVOTSCOPE_FN bool begins_behind(u32 leaf, Key offset) {
    return load_pack(u64{leaf} * leaf_packs(config_.value)).offset(0, offset, view_.row_bits) > offset;
  }
  PIVOTSCOPE_FN bool begins_behind_full(u32 escape, Key key) { return load_full(escape, 0).key > key; }
  // Which of the escaped leaves it is, of one that is.
  PIVOTSCOPE_FN u32 escape_number(u32 leaf) {
    return memory_.template load<quad>(packed_region::leaves, u64{leaf} * quads_a_leaf()).words[0];
  }

  // How many entries are smaller than the key: by a group's lanes, of a lookup that is there.
  template <class Lanes>
  PIVOTSCOPE_FN rank_in_leaf rank_of(Lanes& lanes, Key key, bool live, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    rank_in_leaf found{key <= least() ? 0 : view_.keys, 0, no_escape};
    bool going = live && key > least() && has(key);
    leaf_range range{0, 0};
    if (going) range = where<leaf_range>(key, root_of(key));
    u32 leaf = range.leaf - range.before;
    if (going) hold(leaf);
    const Key offset = offset_of(key);
    while (!lanes.all_done(!going)) {
      if (going) memory_.step(level());
      const u32 escape = lanes.min([&](u32 lane) {
        if (!going || lane != 0) return no_escape;
        const pack<Key> first = load_pack(u64{leaf} * leaf_packs(config_.value));
        return first.escaped() ? static_cast<u32>(first.words[0]) : no_escape;
      });
      const u32 below = lanes.sum([&](u32 lane) {
        u32 count = 0;
        if (!going) return count;
        if (escape != no_escape) {
          each_in_full(escape, leaf, lane, [&](const entry_cell<Key>& entry) { count += entry.key < key ? 1 : 0; });
          return count;
        }
        const share got = load_share(leaf, lane);
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < packs_a_lane(); ++i) {
          const u64 number = u64{leaf} * leaf_packs(config_.value) + lane * packs_a_lane() + i;
          see(got.packs[i], number, offset);
          PIVOTSCOPE_UNROLL
          for (u32 e = 0; e < pack_entries; ++e) {
            if (number * pack_entries + e < view_.keys && got.packs[i].offset(e, offset, view_.row_bits) < offset)
              ++count;
          }
        }
        return count;
      });
      if (going) {
        found = {u64{leaf} * leaf_entries(config_.value) + below, leaf, escape};
        memory_.watch("key", key, "leaf", leaf, "below", below);
        going = below == leaf_entries(config_.value) && leaf < range.leaf;
        leaf += going ? 1 : 0;
      }
    }
    return found;
  }

  // The entry of that rank, the first that is no smaller than `key`.
  template <class Lanes>
  PIVOTSCOPE_FN entry_cell<Key> entry_near(Lanes& lanes, const rank_in_leaf& at, Key key, bool live, place from = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(from);
    Key its_key = 0;
    const u32 row = lanes.min([&](u32 lane) {
      if (!live || lane != 0) return not_found;
      memory_.scan_step(level(), false);
      const pack<Key> seen = load_pack(at.rank / pack_entries);
      const u32 in_pack = static_cast<u32>(at.rank % pack_entries);
      const u32 in_leaf = static_cast<u32>(at.rank - u64{at.leaf} * leaf_entries(config_.value));
      its_key = least() + seen.offset(in_pack, key < least() ? Key{0} : offset_of(key), view_.row_bits);
      if (at.escape != no_escape) its_key = load_full(at.escape, in_leaf).key;
      if (!seen.escaped()) {
        memory_.saw(packed_region::leaves, at.rank, its_key);
        return seen.row(in_pack, view_.row_bits);
      }
      const u32 leaf = static_cast<u32>(at.rank / leaf_entries(config_.value));
      const entry_cell<Key> entry =
          load_full(escape_number(leaf), static_cast<u32>(at.rank % leaf_entries(config_.value)));
      its_key = entry.key;
      memory_.saw(packed_region::leaves, at.rank, its_key);
      return entry.row;
    });
    if (live) memory_.watch("key", key, "at.rank", at.rank, "its_key", its_key, "row", watched_row{row});
    return make_entry(static_cast<Key>(lanes.sum([&](u32 lane) { return lane == 0 ? u64{its_key} : u64{0}; })), row);
  }

  // The sum of the row ids of ranks [begin, end), each handed to output.row(place + rank - begin, row id): by a group's
  // lanes, and what is left of many by the warp's.
  template <class Lanes, class Output>
  PIVOTSCOPE_FN u64 sum_rows(Lanes& lanes, u64 begin, u64 end, u64 place, Output& output,
                             typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    const u64 alone = begin + u64{rounds_alone} * lanes.size() * pack_entries;
    const u64 mine = end < alone ? end : alone;
    const u64 sum = stream(lanes, begin, mine, place, output, false);
    const rest_of_range rest{mine, end, place + (mine - begin)};
    return sum + lanes
                     .take_turns(mine < end, rest,
                                 [&](auto& warp, const rest_of_range& r) {
                                   return total{stream(warp, r.begin, r.end, r.place, output, true)};
                                 })
                     .sum;
  }

 private:
  static constexpr u32 rounds_alone = 8;
  struct rest_of_range {
    u64 begin, end, place;
  };
  struct total {
    u64 sum = 0;
  };

  PIVOTSCOPE_FN Key least() const { return static_cast<Key>(view_.least); }
  PIVOTSCOPE_FN Key span() const { return static_cast<Key>(view_.span); }
  PIVOTSCOPE_FN u32 packs_a_lane() const { return leaf_packs(config_.value) / used_lanes(config_.value); }
  PIVOTSCOPE_FN u32 quads_a_leaf() const { return leaf_packs(config_.value) * pack<Key>::quads; }

  PIVOTSCOPE_FN prefix_block load_block(u32 level, u32 number, Key key) {
    memory_.step(level);
    prefix_block block{};
    const u32 quads = config_.value.block / 16;
    const auto put = [&](u32 i, const quad& q) {
      PIVOTSCOPE_UNROLL
      for (u32 w = 0; w < 4; ++w) block.words[4 * i + w] = q.words[w];
    };
    const u64 first = u64{number} * quads;
    if (config_.value.scratch != 0 && number < view_.pinned) {
      put(0, memory_.template load_scratch<quad>(number));
    } else if (config_.value.reads == leaf_reads::kept) {
      memory_.template each_read<reread::often, quad>(packed_region::blocks, first, {quads, quads, 1}, 0, put);
    } else {
      memory_.template each_of_run<quad>(packed_region::blocks, first, {quads, quads, 1}, 0, put);
    }
    memory_.watch("key", key, "number", number, "block.first_leaf()", block.first_leaf());
    return block;
  }
  PIVOTSCOPE_FN Key load_listed(u32 listed) { return memory_.template load<Key>(packed_region::lists, listed); }
  PIVOTSCOPE_FN pack<Key> load_pack(u64 number) {
    pack<Key> got{};
    memory_.template each_of_run<quad>(packed_region::leaves, number * pack<Key>::quads,
                                       {pack<Key>::quads, pack<Key>::quads, 1}, 0,
                                       [&](u32 i, const quad& q) { put_quad(got, i, q); });
    return got;
  }
  PIVOTSCOPE_FN entry_cell<Key> load_full(u32 escape, u32 entry) {
    return memory_.template load<entry_cell<Key>>(packed_region::escapes,
                                                  u64{escape} * (leaf_entries(config_.value) + 1) + entry);
  }

  // For the trace: the entries of a pack, but for those behind the last.
  PIVOTSCOPE_FN void see(const pack<Key>& got, u64 number, Key near) {
    if (got.escaped()) return;
    PIVOTSCOPE_UNROLL
    for (u32 e = 0; e < pack_entries; ++e) {
      if (number * pack_entries + e < view_.keys)
        memory_.saw(packed_region::leaves, number * pack_entries + e, least() + got.offset(e, near, view_.row_bits));
    }
  }

  // f(entry) for a lane's share of a leaf's entries in full.
  template <class F>
  PIVOTSCOPE_FN void each_in_full(u32 escape, u32 leaf, u32 lane, F&& f) {
    for (u32 e = lane; e < leaf_entries(config_.value); e += used_lanes(config_.value)) {
      const u64 rank = u64{leaf} * leaf_entries(config_.value) + e;
      if (rank >= view_.keys) break;
      const entry_cell<Key> entry = load_full(escape, e);
      memory_.saw(packed_region::leaves, rank, entry.key);
      f(entry);
    }
  }

  template <class Lanes, class Output>
  PIVOTSCOPE_FN u64 stream(Lanes& lanes, u64 begin, u64 end, u64 place, Output& output, bool with_warp) {
    constexpr u32 at_once = Lanes::are_threads ? 8 : 1;  // of a thread's loads
    auto sums = lanes.each(u64{0});
    for (u64 first = begin / pack_entries; begin < end && first * pack_entries < end; first += at_once * lanes.size()) {
      memory_.scan_step(level(), with_warp);
      lanes.each_lane([&](u32 lane) {
        pack<Key> got[at_once]{};
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < at_once; ++i) {
          const u64 number = first + i * lanes.size() + lane;
          if (number * pack_entries < end) got[i] = load_pack(number);
        }
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < at_once; ++i) {
          const u64 number = first + i * lanes.size() + lane;
          if (number * pack_entries < end)
            sums[lane] += sum_of_pack(got[i], number * pack_entries, begin, end, place, output);
        }
      });
      memory_.watch("begin", begin, "end", end, "first", first);
    }
    return lanes.sum([&](u32 lane) { return sums[lane]; });
  }
  // Of the entries that lie in [begin, end); the pack's first has rank `rank`.
  template <class Output>
  PIVOTSCOPE_FN u64 sum_of_pack(const pack<Key>& got, u64 rank, u64 begin, u64 end, u64 place, Output& output) {
    u64 sum = 0;
    if (!got.escaped() && begin <= rank && rank + pack_entries <= end) {  // nearly all of a long range
      PIVOTSCOPE_UNROLL
      for (u32 e = 0; e < pack_entries; ++e) {
        const u32 row = got.row(e, view_.row_bits);
        sum += row;
        output.row(place + (rank + e - begin), row);
      }
      return sum;
    }
    PIVOTSCOPE_UNROLL
    for (u32 e = 0; e < pack_entries; ++e) {
      if (rank + e < begin || rank + e >= end) continue;
      const u32 row = got.escaped() ? row_in_full(rank + e) : got.row(e, view_.row_bits);
      sum += row;
      output.row(place + (rank + e - begin), row);
    }
    return sum;
  }
  PIVOTSCOPE_FN u32 row_in_full(u64 rank) {
    const u32 leaf = static_cast<u32>(rank / leaf_entries(config_.value));
    return load_full(escape_number(leaf), static_cast<u32>(rank % leaf_entries(config_.value))).row;
  }

  Config config_;
  Memory& memory_;
  const packed_view& view_;
};

}  // namespace pivotscope
