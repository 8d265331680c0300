// The passes of `packed`'s build.
//
//   clear_starts    of every bucket of the whole range
//   pack_leaves     a pack a thread; says which leaves escape, notes the first leaf of a bucket, and where in it each
//                   begins
//   fill_blocks     a block of the whole range a thread, from these notes; says which are nodes
//   then, level by level, as long as there are nodes:
//   sum_nodes, add up, place_nodes        where each one's blocks go
//   fill_children   a block a thread; says which are nodes again
//   where there are lists:
//   sum_nodes, add up, place_nodes        where each one's keys go
//   fill_lists      a key a thread
//   and where leaves escape:
//   sum_escapes, add up, place_escapes    where each one's entries go, and these
// To add up: sum_groups, level by level, until one group is left; then scan_sums, from there down.
//
// The plan has the notes: a word for each bucket of the whole range, the first leaf that begins in it, or 0, then 16
// bits for each leaf. Later what is summed, a word each: of every tile, then of their groups, level by level, and the
// total; in place of these then the nodes, and who owns which block.
#pragma once

#include "core/families/packed/directory.hpp"
#include "core/families/packed/pack.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

inline constexpr u32 plan_tile = 32;       // blocks, or leaves, that a thread sums up
inline constexpr u32 plan_group = 64;      // sums that a thread adds up
inline constexpr u32 most_buckets = 4096;  // of a node
// Of a node at least: so many that no skew makes the directory deeper than its view has room for.
inline constexpr u32 least_buckets_asked = 16;
// Leaves that are listed where a block cannot part them: as many as a few probes find; and so many more where two nodes
// one above the other left more than a quarter of theirs together. So skew within skew costs little more than binary
// search.
inline constexpr u32 listed_at_once = 64, most_listed = 4096;

template <class Config, class Key>
class packed_builder {
 public:
  PIVOTSCOPE_FN packed_builder(Config config, const build_view& build)
      : config_(config), build_(build), view_(build.as<packed_view>()) {}

  PIVOTSCOPE_FN const packed_view& view() const { return view_; }
  PIVOTSCOPE_FN u32 entries() const { return leaf_entries(config_.value); }
  PIVOTSCOPE_FN Key offset(u64 rank) const { return build_.template key<Key>(rank) - static_cast<Key>(view_.least); }
  // Of a leaf; behind the last one the greatest key's.
  PIVOTSCOPE_FN Key first_offset(u64 leaf) const {
    return leaf < view_.leaves ? offset(leaf * entries()) : static_cast<Key>(view_.span);
  }
  // Is what is looked for in a leaf perhaps further from an entry than its bits tell?
  PIVOTSCOPE_FN bool escapes(u64 leaf) const {
    const u32 kept = pack<Key>::kept(view_.row_bits);
    if (kept >= pack<Key>::bits) return false;
    const u64 far = u64{1} << (kept - 1), wide = first_offset(leaf + 1) - first_offset(leaf);
    return wide >= far || wide + 2 * view_.slack >= far;
  }

  PIVOTSCOPE_FN void put_pack(u64 number) const {
    const u64 leaf = number / leaf_packs(config_.value);
    pack<Key> made{};
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < pack_entries; ++i) {
      const u64 rank = number * pack_entries + i < view_.keys ? number * pack_entries + i : view_.keys - 1;
      made.put(i, offset(rank), build_.sorted_row(rank), view_.row_bits);
    }
    if (escapes(leaf)) made.words[3] |= pack<Key>::escaped_bit;
    store(packed_region::leaves, number, made);
  }

  // --- Blocks ---
  struct node_above {
    u64 leaves;
    bool left_together;
  };
  // A block for the leaves (before, end], which begin in its bucket; fraction(leaf) is where the first key of one lies
  // in it, part(leaf) the 16 bits of that; `above` what the node above it is. Is it a node, or a list?
  template <class Part, class Fraction>
  PIVOTSCOPE_FN bool fill_block(u32 number, const node_above& above, u64 before, u64 end, Part&& part,
                                Fraction&& fraction) const {
    prefix_block block{};
    const u64 count = end - before;
    const u32 words = block_words(config_.value);
    const bool few = count <= block_separators(config_.value), together = count * 4 > above.leaves;
    if ((view_.marks_first || !few) && mark_cells(block, before, end, part)) {
      block.words[0] = prefix_block::header(block_kind::marks, before);
    } else if (few && !are_crowded(before, end, part, fraction)) {
      block = {};
      block.words[0] = prefix_block::header(block_kind::plain, before);
      PIVOTSCOPE_UNROLL
      for (u32 w = 1; w < words; ++w) {
        u32 word = 0;
        PIVOTSCOPE_UNROLL
        for (u32 b = 0; b < 4; ++b) {
          const u64 separator = 4 * (w - 1) + b;
          word |= (separator < count ? digit_of(part(before + 1 + separator)) : 255u) << (8 * b);
        }
        block.words[w] = word;
      }
    } else if (const Key low = fraction(before + 1), high = fraction(end); low == high) {
      block = {};
      block.words[0] = prefix_block::header(block_kind::run, before);
      block.words[1] = static_cast<u32>(low), block.words[2] = static_cast<u32>(u64{low} >> 32);
      block.words[3] = static_cast<u32>(count);
    } else if (count <= listed_at_once || (together && above.left_together && count <= most_listed)) {
      block = {};
      block.words[0] = prefix_block::header(block_kind::list, before);
      block.words[2] = static_cast<u32>(count);
      store_block(number, block);
      return true;
    } else {
      constexpr u32 cut = cut_off_low<Key>;
      u64 asked = count / 6 + 1;
      asked = asked < least_buckets_asked ? least_buckets_asked : asked > most_buckets ? most_buckets : asked;
      const Key span = high - static_cast<Key>(low >> cut << cut);
      u32 shift = 0;
      while ((span >> shift) >= asked) ++shift;
      block = {};
      block.words[0] = prefix_block::header(block_kind::node, before);
      block.words[1] = static_cast<u32>(count);  // until its blocks have a place
      block.words[2] = static_cast<u32>(low >> cut);
      // One bucket more than leaves begin in: there a key beyond them all meets no separator, and so is in no doubt.
      block.words[3] = (together ? 1u << 31 : 0u) | shift << 16 | (static_cast<u32>(span >> shift) + 2);
      store_block(number, block);
      return true;
    }
    store_block(number, block);
    return false;
  }

  // A mark for each of these leaves; false: they are too many, or two of them begin in one cell.
  template <class Part>
  PIVOTSCOPE_FN bool mark_cells(prefix_block& block, u64 before, u64 end, Part&& part) const {
    const u32 words = block_words(config_.value);
    if (end - before > marked_leaves(config_.value)) return false;
    u32 last = ~0u;
    for (u64 leaf = before + 1; leaf <= end; ++leaf) {
      const u32 quarter = quarter_of(part(leaf), words);
      if (quarter / quarters == last) return false;
      block.mark(static_cast<u32>(leaf - before - 1), quarter, words);
      last = quarter / quarters;
    }
    return true;
  }

  // Do three leaves or more begin with one digit, and not with one key? A lookup would go back from one to the other.
  template <class Part, class Fraction>
  PIVOTSCOPE_FN static bool are_crowded(u64 before, u64 end, Part&& part, Fraction&& fraction) {
    for (u64 first = before + 1, leaf = first; leaf <= end; ++leaf) {
      if (digit_of(part(leaf)) != digit_of(part(first))) first = leaf;
      if (leaf - first >= 2 && fraction(leaf) != fraction(first)) return true;
    }
    return false;
  }

  // The first leaf from `from` on, before `end`, that begins in bucket `bucket` or beyond; place(leaf) is its bucket.
  template <class Place>
  PIVOTSCOPE_FN static u64 first_in(u64 from, u64 end, u32 bucket, Place&& place) {
    while (from < end) {
      const u64 middle = from + (end - from) / 2;
      if (place(middle) < bucket)
        from = middle + 1;
      else
        end = middle;
    }
    return from;
  }

  // --- The plan ---
  PIVOTSCOPE_FN u64 plan(u64 i) const { return static_cast<const u64*>(build_.regions[3])[i]; }
  PIVOTSCOPE_FN void set_plan(u64 i, u64 value) const { build_.store(packed_region::plan, i, value); }
  // Notes of where leaves begin, but for the first one, which begins where the range does.
  PIVOTSCOPE_FN void note(u64 leaf) const {
    if (leaf == 0) return;
    const auto here = root_place(view_, first_offset(leaf)), last = root_place(view_, first_offset(leaf - 1));
    if (leaf == 1 || here.bucket != last.bucket) set_plan(here.bucket, leaf);
    build_.store(packed_region::plan, view_.blocks * u64{4} + leaf, static_cast<u16>(part_of(here.fraction)));
  }
  PIVOTSCOPE_FN u32 noted_part(u64 leaf) const {
    return static_cast<const u16*>(build_.regions[3])[view_.blocks * u64{4} + leaf];
  }

  PIVOTSCOPE_FN prefix_block block(u32 number) const {
    prefix_block here{};
    const u32* const from = static_cast<const u32*>(build_.regions[1]) + u64{number} * block_words(config_.value);
    for (u32 w = 0; w < block_words(config_.value); ++w) here.words[w] = from[w];
    return here;
  }
  PIVOTSCOPE_FN void store_block(u32 number, const prefix_block& made) const {
    const u32 quads = config_.value.block / 16;
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < quads; ++i) {
      build_.store(packed_region::blocks, u64{number} * quads + i,
                   quad{{made.words[4 * i], made.words[4 * i + 1], made.words[4 * i + 2], made.words[4 * i + 3]}});
    }
  }
  // f(block, its number) for the nodes of a tile of the level, or for its lists.
  template <class F>
  PIVOTSCOPE_FN void each_node(u64 tile, F&& f) const {
    const u64 begin = view_.level_begin + tile * plan_tile;
    for (u64 number = begin; number < begin + plan_tile && number < view_.level_end; ++number) {
      const prefix_block here = block(static_cast<u32>(number));
      if (here.kind() == (view_.places_lists ? block_kind::list : block_kind::node)) f(here, static_cast<u32>(number));
    }
  }
  // The cells of a group of sums.
  template <class F>
  PIVOTSCOPE_FN void each_sum(u64 group, F&& f) const {
    const u64 begin = group * plan_group;
    for (u64 i = begin; i < begin + plan_group && i < view_.sums; ++i) f(view_.sums_begin + i);
  }
  // What it is to be given: blocks, or places of a list.
  PIVOTSCOPE_FN u32 room_of(const prefix_block& block) const {
    return view_.places_lists ? block.listed() : block.buckets();
  }
  template <class F>
  PIVOTSCOPE_FN void each_escaping(u64 tile, F&& f) const {
    for (u64 leaf = tile * plan_tile; leaf < (tile + 1) * plan_tile && leaf < view_.leaves; ++leaf) {
      if (escapes(leaf)) f(leaf);
    }
  }
  // Where an offset lies in the bucket of a block that is on its way down.
  PIVOTSCOPE_FN Key fraction_in(u32 wanted, Key offset) const {
    bucket_place<Key> at = root_place(view_, offset);
    for (u32 number = at.bucket; number != wanted;) {
      const prefix_block here = block(number);
      at = place_in(here.low<Key>(), here.bucket_shift(), here.buckets(), at.fraction);
      number = here.first_block() + at.bucket;
    }
    return at.fraction;
  }

  PIVOTSCOPE_FN void put_escape(u64 number, u64 leaf) const {
    const u64 first = number * (entries() + 1);
    for (u32 e = 0; e < entries(); ++e) {
      const u64 rank = leaf * entries() + e < view_.keys ? leaf * entries() + e : view_.keys - 1;
      build_.store(packed_region::escapes, first + e,
                   make_entry(build_.template key<Key>(rank), build_.sorted_row(rank)));
    }
    build_.store(packed_region::escapes, first + entries(),
                 make_entry(static_cast<Key>(view_.least) + first_offset(leaf + 1), not_found));
    pack<Key> made{};
    made.words[0] = static_cast<Key>(number), made.words[3] = pack<Key>::escaped_bit;
    store(packed_region::leaves, leaf * leaf_packs(config_.value), made);
  }

 private:
  PIVOTSCOPE_FN void store(region_id region, u64 number, const pack<Key>& made) const {
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < pack<Key>::quads; ++i) build_.store(region, number * pack<Key>::quads + i, quad_of(made, i));
  }

  Config config_;
  const build_view& build_;
  const packed_view& view_;
};

struct packed_build {
  struct clear_starts {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& build, u64 i) {
      packed_builder<Config, Key>(config, build).set_plan(i, 0);
    }
  };
  struct pack_leaves {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      on.put_pack(i);
      if (i % leaf_packs(config.value) != 0) return false;
      on.note(i / leaf_packs(config.value));
      return on.escapes(i / leaf_packs(config.value));
    }
  };
  struct fill_blocks {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      const u64 leaves = on.view().leaves;
      const auto place = [&](u64 leaf) { return root_place(on.view(), on.first_offset(leaf)); };
      const auto bucket = [&](u64 leaf) { return place(leaf).bucket; };
      const u32 number = static_cast<u32>(i), next = number + 1;
      const u64 noted = on.plan(number), first_behind = next < on.view().blocks ? on.plan(next) : leaves;
      // Where none begins in the next bucket: in which one the next does is not noted.
      const u64 end = first_behind != 0 ? first_behind : on.first_in(noted == 0 ? 1 : noted, leaves, next, bucket);
      return on.fill_block(
          number, {~u64{0} / 4, false}, (noted == 0 ? end : noted) - 1, end - 1,
          [&](u64 leaf) { return on.noted_part(leaf); }, [&](u64 leaf) { return place(leaf).fraction; });
    }
  };

  struct sum_nodes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      u64 sum = 0;  // what they are to be given, above how many they are
      on.each_node(i, [&](const prefix_block& block, u32) { sum += u64{on.room_of(block)} << 32 | 1; });
      on.set_plan(i, sum);
    }
  };
  struct sum_escapes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      u64 sum = 0;
      on.each_escaping(i, [&](u64) { ++sum; });
      on.set_plan(i, sum);
    }
  };
  // A group a thread: its sum, above.
  struct sum_groups {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      u64 sum = 0;
      on.each_sum(i, [&](u64 cell) { sum += on.plan(cell); });
      on.set_plan(on.view().sums_above + i, sum);
    }
  };
  // A group a thread: in place of each sum what those before it come to; behind the one group that has none above it,
  // the total.
  struct scan_sums {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      const packed_view& view = on.view();
      const bool top = view.sums <= plan_group;
      u64 sum = top ? 0 : on.plan(view.sums_above + i);
      on.each_sum(i, [&](u64 cell) {
        const u64 here = on.plan(cell);
        on.set_plan(cell, sum);
        sum += here;
      });
      if (top) on.set_plan(view.sums_begin + view.sums, sum);
    }
  };
  struct place_nodes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      const packed_view& view = on.view();
      u64 node = on.plan(i) & 0xFFFFFFFFu, child = on.plan(i) >> 32;
      const u64 first = view.places_lists ? 0 : view.level_end;
      on.each_node(i, [&](prefix_block block, u32 number) {
        on.set_plan(view.plan_nodes + node, u64{block.words[1]} << 32 | number);
        block.words[1] = static_cast<u32>(first + child);
        on.store_block(number, block);
        for (u32 b = 0; b < on.room_of(block); ++b) on.set_plan(view.plan_owners + child + b, node);
        ++node, child += on.room_of(block);
      });
    }
  };
  struct fill_children {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      const packed_view& view = on.view();
      const u64 node = on.plan(view.plan_nodes + on.plan(view.plan_owners + i));
      const u32 parent = static_cast<u32>(node), number = static_cast<u32>(view.level_end + i);
      const prefix_block above = on.block(parent);
      const u32 bucket = number - above.first_block();
      const auto place = [&](u64 leaf) {
        const Key fraction = on.fraction_in(parent, on.first_offset(leaf));
        return place_in(above.low<Key>(), above.bucket_shift(), above.buckets(), fraction);
      };
      const auto bucket_of = [&](u64 leaf) { return place(leaf).bucket; };
      const u64 begin = u64{above.first_leaf()} + 1, behind = begin + (node >> 32);
      const u64 first = on.first_in(begin, behind, bucket, bucket_of);
      const u64 end = on.first_in(first, behind, bucket + 1, bucket_of);
      const auto fraction = [&](u64 leaf) { return place(leaf).fraction; };
      return on.fill_block(
          number, {node >> 32, above.left_together()}, first - 1, end - 1,
          [&](u64 leaf) { return part_of(fraction(leaf)); }, fraction);
    }
  };
  struct fill_lists {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      const packed_view& view = on.view();
      const u32 number = static_cast<u32>(on.plan(view.plan_nodes + on.plan(view.plan_owners + i)));
      const prefix_block block = on.block(number);
      const u64 leaf = u64{block.first_leaf()} + 1 + (i - block.first_place());
      build.store(packed_region::lists, i, on.fraction_in(number, on.first_offset(leaf)));
    }
  };
  struct place_escapes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& build, u64 i) {
      const packed_builder<Config, Key> on(config, build);
      u64 number = on.plan(i);
      on.each_escaping(i, [&](u64 leaf) { on.put_escape(number++, leaf); });
    }
  };
};

}  // namespace pivotscope
