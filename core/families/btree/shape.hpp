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

// The levels of a tree as it is built, from the root down. The root is always an inner node.
struct btree_shape {
  u64 keys = 0;
  u32 levels = 0;  // of inner nodes
  u32 leaves = 0;
  u32 nodes[btree_most_levels] = {};  // of each inner level
  u32 each[btree_most_levels] = {};   // children of a node of it, at least
  u32 keys_each = 0;                  // keys of a leaf, at least

  static btree_shape over(const btree_config& c, u64 keys) {
    btree_shape shape{.keys = keys, .leaves = static_cast<u32>(leaves_for(c, keys))};
    shape.keys_each = static_cast<u32>(keys / shape.leaves);
    for (u64 n = shape.leaves; n > 1 || shape.levels == 0; n = ceil_div<u64>(n, pairs_a_node(c))) ++shape.levels;
    u32 below = shape.leaves;
    for (u32 level = shape.levels; level-- > 0;) {
      shape.nodes[level] = ceil_div(below, pairs_a_node(c));
      shape.each[level] = below / shape.nodes[level];
      below = shape.nodes[level];
    }
    return shape;
  }
  PIVOTSCOPE_FN constexpr u32 inner() const { return first(levels); }
  // Returns the number of the level's first node: levels lie one after another.
  PIVOTSCOPE_FN constexpr u32 first(u32 level) const {
    u32 before = 0;
    for (u32 l = 0; l < level; ++l) before += nodes[l];
    return before;
  }
  // Returns the rank of the first key of leaf `i`; of the leaf behind the last one, the number of keys.
  PIVOTSCOPE_FN constexpr u64 first_key(u32 i) const { return first_of(keys, leaves, keys_each, i); }
  // Returns the leaf of the key of a rank.
  PIVOTSCOPE_FN constexpr u32 leaf_of(u32 rank) const {
    const u32 fewer = static_cast<u32>(u64{leaves} * (u64{keys_each} + 1) - keys);
    const u32 in_fewer = fewer * keys_each;
    return rank < in_fewer ? rank / keys_each : fewer + (rank - in_fewer) / (keys_each + 1);
  }
  // Returns which node of the level below is the first child of node `i` of a level; or their end.
  PIVOTSCOPE_FN constexpr u32 first_child(u32 level, u32 i) const {
    const u32 below = level + 1 == levels ? leaves : nodes[level + 1];
    return static_cast<u32>(first_of(below, nodes[level], each[level], i));
  }
  // Returns the first leaf below node `i` of a level; level `levels` is that of the leaves.
  PIVOTSCOPE_FN constexpr u32 first_leaf(u32 level, u32 i) const {
    for (; level < levels; ++level) i = first_child(level, i);
    return i;
  }

 private:
  // The first node that gets one more comes behind those that do not.
  PIVOTSCOPE_FN static constexpr u64 first_of(u64 of, u32 nodes, u32 each, u32 i) {
    const u64 fewer = u64{nodes} * (u64{each} + 1) - of;
    return u64{each} * i + (i > fewer ? i - fewer : 0);
  }
};

}  // namespace pivotscope
