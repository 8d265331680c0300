// How many nodes a tree of n keys is built of, and which of them holds what. Pairs are shared out evenly: the nodes of a
// level hold as many, or one more, the later ones.
#pragma once

#include "core/families/btree/config.hpp"

namespace pivotscope {

inline constexpr u32 btree_most_levels = 32;

PIVOTSCOPE_FN constexpr u32 pairs_a_node(const btree_config& c) {
  const u32 pairs = (node_slots(c) * c.fill + 50) / 100;
  return pairs < 2 ? 2 : pairs;
}
// An empty tree has a leaf.
PIVOTSCOPE_FN constexpr u64 leaves_for(const btree_config& c, u64 keys) {
  return keys == 0 ? 1 : ceil_div<u64>(keys, pairs_a_node(c));
}

// With duplicates: those of so many entries of the greatest key, one at least.
PIVOTSCOPE_FN constexpr u32 greatest_leaves(const btree_config& c, u64 entries) {
  return entries == 0 ? 1 : static_cast<u32>(ceil_div<u64>(entries, pairs_a_node(c)));
}

// Divides by a small number that is known when a tree is built: a multiplication and a shift.
//
//   shift = 31 + l, where by <= 2^l < 2 by;   factor = ceil(2^shift / by) < 2^32;   n / by = n factor >> shift, n < 2^31
//
// For factor by = 2^shift + e, e < by <= 2^l. So n factor / 2^shift is n / by and n e / (2^shift by) more. As n e < 2^31 2^l
// = 2^shift, that is less than 1 / by, and comes to no whole number.
struct small_divisor {
  u32 factor = 0, shift = 0;

  static constexpr small_divisor of(u32 by) {
    u32 shift = 31;
    while (u64{1} << (shift - 31) < by) ++shift;
    return {static_cast<u32>(ceil_div<u64>(u64{1} << shift, by)), shift};
  }
  PIVOTSCOPE_FN constexpr u32 divide(u32 n) const { return static_cast<u32>(u64{n} * factor >> shift); }
};

// Where a key is: its leaf, its cell there, and how many keys the leaf has.
struct leaf_place {
  u32 leaf, slot, keys;
};

// The levels of a tree as it is built, from the root down. The root is always an inner node. Of at most 2^30 keys, so that
// every number here has 31 bits.
struct btree_shape {
  u64 keys = 0;
  u32 levels = 0;  // of inner nodes
  u32 leaves = 0;
  u32 begin[btree_most_levels + 1] = {};     // of each inner level, and behind the last: the number of its first node
  u8 each[btree_most_levels] = {};           // children of a node of it, at least
  u8 keys_each = 0;                          // keys of a leaf, at least
  u32 fewer = 0;                             // leaves that have so many
  small_divisor by_each = {}, by_more = {};  // by keys_each, and by one more

  static btree_shape over(const btree_config& c, u64 keys) {
    btree_shape shape{.keys = keys, .leaves = static_cast<u32>(leaves_for(c, keys))};
    shape.keys_each = static_cast<u8>(keys / shape.leaves);
    shape.fewer = static_cast<u32>(fewer_of(keys, shape.leaves, shape.keys_each));
    if (keys > 0) shape.by_each = small_divisor::of(shape.keys_each);
    shape.by_more = small_divisor::of(shape.keys_each + 1u);
    for (u64 n = shape.leaves; n > 1 || shape.levels == 0; n = ceil_div<u64>(n, pairs_a_node(c))) ++shape.levels;
    u32 nodes[btree_most_levels] = {}, below = shape.leaves;
    for (u32 level = shape.levels; level-- > 0;) {
      nodes[level] = ceil_div(below, pairs_a_node(c));
      shape.each[level] = static_cast<u8>(below / nodes[level]);
      below = nodes[level];
    }
    for (u32 level = 0; level < shape.levels; ++level) shape.begin[level + 1] = shape.begin[level] + nodes[level];
    return shape;
  }
  PIVOTSCOPE_FN constexpr u32 inner() const { return begin[levels]; }
  // Returns the number of the level's first node: levels lie one after another.
  PIVOTSCOPE_FN constexpr u32 first(u32 level) const { return begin[level]; }
  PIVOTSCOPE_FN constexpr u32 nodes(u32 level) const { return begin[level + 1] - begin[level]; }
  // Returns the level of an inner node. Most are on the last.
  PIVOTSCOPE_FN constexpr u32 level_of(u32 number) const {
    u32 level = levels - 1;
    while (number < begin[level]) --level;
    return level;
  }
  // Returns the rank of the first key of leaf `i`; of the leaf behind the last one, the number of keys.
  PIVOTSCOPE_FN constexpr u32 first_key(u32 i) const { return first_of(fewer, keys_each, i); }
  // Returns where the key of a rank is.
  PIVOTSCOPE_FN constexpr leaf_place place_of(u32 rank) const {
    const u32 in_fewer = fewer * keys_each;
    if (rank < in_fewer) {
      const u32 leaf = by_each.divide(rank);
      return {leaf, rank - leaf * keys_each, keys_each};
    }
    const u32 leaf = by_more.divide(rank - in_fewer);
    return {fewer + leaf, rank - in_fewer - leaf * (keys_each + 1u), keys_each + 1u};
  }
  // Returns which node of the level below is the first child of node `i` of a level; or their end.
  PIVOTSCOPE_FN constexpr u32 first_child(u32 level, u32 i) const {
    const u32 below = level + 1 == levels ? leaves : nodes(level + 1);
    return first_of(fewer_of(below, nodes(level), each[level]), each[level], i);
  }
  // Returns the first leaf below node `i` of a level; level `levels` is that of the leaves.
  PIVOTSCOPE_FN constexpr u32 first_leaf(u32 level, u32 i) const {
    for (; level < levels; ++level) i = first_child(level, i);
    return i;
  }

 private:
  // The first node that gets one more comes behind those that do not: behind so many.
  template <class Number>
  PIVOTSCOPE_FN static constexpr Number fewer_of(Number of, u32 nodes, u32 each) {
    return Number{nodes} * (each + 1u) - of;
  }
  PIVOTSCOPE_FN static constexpr u32 first_of(u32 fewer, u32 each, u32 i) {
    return each * i + (i > fewer ? i - fewer : 0);
  }
};

}  // namespace pivotscope
