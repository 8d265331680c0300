// The passes that build a tree, and those that make room in one.
#pragma once

#include "core/families/btree/node.hpp"
#include "core/families/btree/shape.hpp"
#include "core/index/entry_cell.hpp"
#include "core/index/keep_pass.hpp"

namespace pivotscope {

// The cells of the region `pool`: counters.
inline constexpr u32 pool_leaves = 0, pool_inner = 1;  // nodes in use: the number of the next one
inline constexpr u32 pool_levels = 2;                  // of inner nodes
inline constexpr u32 pool_more = 3;                    // with duplicates: entries that erases removed beyond one each
PIVOTSCOPE_FN constexpr u32 pool_counters(const btree_config& c) { return keeps_all(c) ? 4 : 3; }

// Of the passes of a batch that is done as a whole (combined.hpp).
struct combined_batch {
  u32 items = 0;                  // writes, or new pairs
  u32 erases = 0, first_row = 0;  // of the writes
  u32 level = 0;                  // of the nodes that get new pairs; levels of inner nodes come first
  u32 list = 0;                   // which of the two lists holds them
  u32 pairs_a_node = 0;           // of nodes that are split, at most
  u32 looks = 0;                  // where the looks at leaves begin (leaf_look)
};

struct btree_view {
  u64 live = 0;                       // entries
  u32 levels = 1;                     // of inner nodes
  u32 leaves = 1, inner = 1;          // nodes in use
  u32 leaf_room = 1, inner_room = 1;  // nodes that there is memory for
  u32 pinned = 0;                     // cells of inner nodes, from the root on, that lie in a block's scratch
  u32 more = 0;                       // what the counter `pool_more` was at, after the last batch
  btree_shape shape = {};             // of a pass that builds
  u64 first_new = 0;         // of a pass that empties nodes: the first cell; of one that splits: the first node
  u64 items = 0;             // of a pass by tiles
  bool from_arrays = false;  // whether the sorted keys lie in arrays
  combined_batch batch = {};
};

// With duplicates the greatest key has a leaf of its own, behind those that were built: no separator can lead there, as
// empty cells have the greatest key.
template <class Config, class Key>
PIVOTSCOPE_FN bool has_own_leaf(Config config, Key key) {
  return keeps_all(config.value) && key == greatest_key<Key>();
}
PIVOTSCOPE_FN u32 greatest_leaf(const btree_view& tree) { return tree.shape.leaves; }

inline constexpr array_id sorted_keys{2}, sorted_rows{3};

struct btree_passes {
  static constexpr u32 kept_items = keep_items, kept_tile = keep_tile;

  // Brings to the arrays, in their order, the entries that an item has: next(i, key, row id) returns whether it has one.
  template <class Source>
  struct entries_of {
    PIVOTSCOPE_FN static u64 items(const build_view& view) { return view.as<btree_view>().items; }
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool wants(Config config, const build_view& view, u64 i) {
      Key key;
      u32 row;
      return Source::template next<Key>(config, view, i, key, row);
    }
    template <class Key, class Config>
    PIVOTSCOPE_FN static void keep(Config config, const build_view& view, u64 i, u64 to) {
      Source::template next<Key>(config, view, i, view.template array<Key>(sorted_keys)[to],
                                 view.template array<u32>(sorted_rows)[to]);
    }
  };
  template <class Source>
  using kept = keep_pass<entries_of<Source>>;
  struct live_entries {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool next(Config config, const build_view& view, u64 i, Key& key, u32& row) {
      if (i % node_cells(config.value) == node_slots(config.value)) return false;
      const auto entry = leaf_cells::template entry_in<Key>(config, view, i);
      key = entry.key, row = entry.row;
      return is_live_row(row);
    }
  };
  // Of leaves that were built of keys of which some are equal.
  struct unique_keys {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool next(Config config, const build_view& view, u64 i, Key& key, u32& row) {
      if (!live_entries::next<Key>(config, view, i, key, row)) return false;
      if (i == 0) return true;
      const btree_shape& shape = view.as<btree_view>().shape;
      const u32 leaf = static_cast<u32>(i / node_cells(config.value));
      const u64 before = i % node_cells(config.value) > 0
                             ? i - 1
                             : first_cell(config, leaf - 1) + (shape.first_key(leaf) - shape.first_key(leaf - 1)) - 1;
      return leaf_cells::template entry_in<Key>(config, view, before).key != key;
    }
  };
  struct keep_unique : kept<unique_keys> {};
  struct keep_live : kept<live_entries> {};

  // Whether key i is the greatest one there can be.
  struct count_greatest {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool at(Config, const build_view& view, u64 i) {
      return sorted<Key>(view, i) == greatest_key<Key>();
    }
  };

  // Key i. Counts the keys that are like the one before.
  struct build_leaves {
    static constexpr bool counts_repeats = true;
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool at(Config config, const build_view& view, u64 i) {
      const Key key = sorted<Key>(view, i);
      at_key(config, view, static_cast<u32>(i), key, row_of(view, i));
      return i > 0 && sorted<Key>(view, i - 1) == key;
    }
    // A leaf's first key is the high key of the leaf before. The cells that a leaf leaves empty are shared out among its
    // keys.
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at_key(Config config, const build_view& view, u32 rank, Key key, u32 row) {
      const btree_shape& shape = view.as<btree_view>().shape;
      const auto [leaf, slot, pairs] = shape.place_of(rank);
      const u64 first = first_cell(config, leaf);
      leaf_cells::put(config, view, first + slot, key, row);
      if (slot == 0 && leaf > 0) leaf_cells::put(config, view, first - 1, key, leaf);
      const u32 slots = node_slots(config.value), to_end = leaf + 1 == shape.leaves ? slots + 1 : slots;
      for (u32 other = slot + pairs; other < to_end; other += pairs)
        leave_empty<Key, leaf_cells>(config, view, first + other, other);
    }
  };
  // With duplicates. Leaf i, behind the others: a run that goes on in the next leaf; and the last one leads to the greatest
  // key's.
  struct link_runs {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const btree_shape& shape = view.as<btree_view>().shape;
      const u32 leaf = static_cast<u32>(i), next = leaf + 1;
      const u64 first = first_cell(config, leaf), end = first + node_slots(config.value);
      if (next == shape.leaves) return leaf_cells::put(config, view, end, greatest_key<Key>(), next);
      const Key high = leaf_cells::template entry_in<Key>(config, view, end).key;
      const u64 last = first + (shape.first_key(next) - shape.first_key(leaf)) - 1;
      if (leaf_cells::template entry_in<Key>(config, view, last).key == high)
        leaf_cells::put(config, view, end, high, next | node_link_word::run);
    }
  };
  // Entry i of the greatest key, in the leaves behind those of all others. They are a run.
  struct build_greatest {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const btree_view& tree = view.as<btree_view>();
      const btree_shape& shape = tree.shape;
      const u32 each = static_cast<u32>(ceil_div<u64>(tree.live - shape.keys, tree.leaves - shape.leaves));
      const u32 leaf = shape.leaves + static_cast<u32>(i / each);
      const u32 slot = static_cast<u32>(i % each);
      const u64 first = first_cell(config, leaf);
      leaf_cells::put(config, view, first + slot, greatest_key<Key>(), row_of(view, shape.keys + i));
      if (slot == 0 && i > 0) leaf_cells::put(config, view, first - 1, greatest_key<Key>(), leaf | node_link_word::run);
    }
  };
  // Cell i of the inner nodes.
  struct build_inner {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const btree_view& tree = view.as<btree_view>();
      const btree_shape& shape = tree.shape;
      const u32 cells = node_cells(config.value), slot = static_cast<u32>(i % cells);
      const u32 number = static_cast<u32>(i / cells), end_slot = node_slots(config.value);
      if (number >= shape.inner()) return leave_empty<Key, inner_cells>(config, view, i, slot);
      const u32 level = shape.level_of(number), node = number - shape.first(level);
      // What the cell leads to, a node of `at_level`: a sibling or a child, which may be a leaf.
      const bool link = slot == end_slot;
      const u32 at_level = link ? level : level + 1, child = shape.first_child(level, node) + slot;
      const u32 to = link ? node + 1 : child;
      const bool leads = link ? to < shape.nodes(level) : child < shape.first_child(level, node + 1);
      // All cells load, so that the loads of a thread's items are under way together.
      const u32 leaf = leads && to > 0 ? shape.first_leaf(at_level, to) : 0;
      const auto least = least_key<Key>(config, view, leaf);
      // Behind a run of the key before the greatest one there is nothing to lead to.
      if (!leads || (keeps_all(config.value) && !link && to > 0 && least == greatest_key<Key>()))
        return leave_empty<Key, inner_cells>(config, view, i, slot);
      const u32 word = link                       ? number + 1
                       : at_level == shape.levels ? to | child_word::leaf
                                                  : shape.first(at_level) + to;
      inner_cells::put(config, view, i, to == 0 ? Key{} : least, word);
    }

   private:
    // The least key that a leaf may have.
    template <class Key, class Config>
    PIVOTSCOPE_FN static Key least_key(Config config, const build_view& view, u32 leaf) {
      const u64 first = first_cell(config, leaf);
      if (!keeps_all(config.value)) return leaf_cells::template entry_in<Key>(config, view, first).key;
      if (leaf == 0) return Key{};
      // A run's key leads to where the run begins, and what is above it to the last of the run's leaves.
      const auto end = leaf_cells::template entry_in<Key>(config, view, first - 1);
      return (end.row & node_link_word::run) != 0 ? key_after(end.key) : end.key;
    }
  };
  // Cells of nodes that nobody uses yet, from the first new one on.
  struct empty_leaves {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const u64 cell = view.as<btree_view>().first_new + i;
      leave_empty<Key, leaf_cells>(config, view, cell, static_cast<u32>(cell % node_cells(config.value)));
    }
  };
  struct empty_inner {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const u64 cell = view.as<btree_view>().first_new + i;
      leave_empty<Key, inner_cells>(config, view, cell, static_cast<u32>(cell % node_cells(config.value)));
    }
  };
  struct set_counters {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const btree_view& tree = view.as<btree_view>();
      view.store(btree_region::pool, i,
                 i == pool_leaves  ? tree.leaves
                 : i == pool_inner ? tree.inner
                 : i == pool_more  ? tree.more
                                   : tree.levels);
    }
  };

 private:
  template <class Key, class Cells, class Config>
  PIVOTSCOPE_FN static void leave_empty(Config config, const build_view& view, u64 cell, u32 slot) {
    Cells::put(config, view, cell, greatest_key<Key>(),
               slot == node_slots(config.value) ? node_link_word::none : not_found);
  }
  template <class Key>
  PIVOTSCOPE_FN static Key sorted(const build_view& view, u64 rank) {
    if (view.as<btree_view>().from_arrays) return view.template array<Key>(sorted_keys)[rank];
    return view.template key<Key>(rank);
  }
  PIVOTSCOPE_FN static u32 row_of(const build_view& view, u64 rank) {
    if (view.as<btree_view>().from_arrays) return view.template array<u32>(sorted_rows)[rank];
    return view.sorted_row(rank);
  }
};

}  // namespace pivotscope
