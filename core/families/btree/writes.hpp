// How a tree is changed, by thousands of groups at once (gpu-btree, Section 4).
#pragma once

#include "core/families/btree/splits.hpp"

namespace pivotscope {

struct btree_writes : btree_splits {
  // An insert that latches a node when it has to be changed, and not before.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_latching_late(Config config, Lanes& lanes, Memory& memory,
                                                       const btree_view& tree, Key key, u32 row) {
    if (looked_ahead(lanes)) {
      const write_done done = insert_from_leaf(config, lanes, memory, begins_at(lanes), tree.levels, key, row);
      if (done != write_done::not_done) return done;
    }
    u32 node = 0, parent = 0, level = 0;
    bool may_be_old = true;
    rounds_without_fences rounds;
    for (;;) {
      if (rounds.too_many(config)) return write_done::not_done;
      memory.step(level);
      memory.hold("entry", key, row);
      const auto way = way_beside_writers(config, lanes, memory, node, key, may_be_old);
      if (way.end.goes_right(key)) {
        node = way.end.link;
        continue;
      }
      if (way.full) {
        // Once more from the root, whoever splits it.
        const splitting split = node == 0 ? split_root<Key>(config, lanes, memory, tree)
                                          : split_inner(config, lanes, memory, tree, node, parent, level, key);
        if (split == splitting::no_room) return write_done::full;
        node = parent = level = 0;
        may_be_old = false;
        continue;
      }
      if (way.child == child_word::none) {
        may_be_old = false;
        continue;
      }
      parent = node, node = child_word::number(way.child), ++level;
      if (!child_word::is_leaf(way.child)) continue;

      memory.step(level);
      memory.hold("entry", key, row);
      const write_done done = insert_into_leaf(config, lanes, memory, tree, node, parent, level, key, row);
      if (done != write_done::not_done) return done;
      node = parent = level = 0;
      may_be_old = false;
    }
  }

  // An erase that latches its leaf alone.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase_latching_late(Config config, Lanes& lanes, Memory& memory,
                                                      const state_view& view, Key key) {
    for (bool from_root = !looked_ahead(lanes);; from_root = true) {
      u32 level;
      u32 leaf = seek_leaf(config, lanes, memory, view, key, from_root, level);
      for (u32 links = 0; from_root || links <= most_links; ++links) {
        memory.step(level);
        while (!leaf_cells::try_latch<Key>(config, lanes, memory, leaf)) continue;
        // It may have been split since it was found.
        const auto slots = erase_from_leaf(config, lanes, memory, leaf, key);
        leaf_cells::unlatch<Key>(config, lanes, memory, leaf, slots.end);
        if (!slots.end.goes_right(key)) return slots.key == no_cell ? write_done::absent : write_done::erased;
        leaf = slots.end.link;
      }
    }
  }

  // The greatest key, where it has a leaf of its own.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_greatest(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                                  Key key, u32 row) {
    const u32 leaf = greatest_leaf(tree);
    for (;;) {
      memory.step(tree.levels);
      memory.hold("entry", key, row);
      const write_done done = insert_into_leaf(config, lanes, memory, tree, leaf, 0u, tree.levels, key, row);
      if (done != write_done::not_done) return done;
    }
  }

 protected:
  // Puts an entry into its leaf. Returns not_done if it has to be looked for once more from the root.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_into_leaf(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                                   u32 leaf, u32 parent, u32 leaf_level, Key key, u32 row,
                                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (!leaf_cells::take_latch<Key>(config, lanes, memory, leaf)) return write_done::not_done;
    const auto slots = slot_in_leaf(config, lanes, memory, leaf, key);
    const bool goes_right = !has_key(config, slots.end, key);
    memory.watch("key", key, "leaf", leaf, "slots.key", slots.key, "slots.empty", slots.empty);
    const write_done put =
        goes_right ? write_done::not_done : put_into_leaf(config, lanes, memory, leaf, slots, key, row);
    if (goes_right || put != write_done::not_done) {
      leaf_cells::unlatch<Key>(config, lanes, memory, leaf, slots.end);
      return put;
    }
    splitting split = splitting::again;
    // Erases leave a run as it is: its first leaf may be full of another key since.
    const bool of_run = has_own_leaf(config, key) || (slots.end.run_goes_on() && key == slots.end.high);
    if (keeps_all(config.value) && !slots.others && of_run) {
      split = lengthen_run(config, lanes, memory, tree, leaf, slots.end, leaf_level, key, row);
      memory.step(leaf_level);
      leaf_cells::unlatch<Key>(config, lanes, memory, leaf);
      return split == splitting::done ? write_done::added : write_done::full;
    }
    memory.step(leaf_level - 1);
    const u32 slot = latch_parent(config, lanes, memory, parent, leaf | child_word::leaf, key);
    if (slot != no_cell) {
      split = split_leaf(config, lanes, memory, tree, leaf, slots.end, parent, slot, leaf_level, key, row);
      inner_cells::unlatch<Key>(config, lanes, memory, parent);
    }
    memory.step(leaf_level);
    leaf_cells::unlatch<Key>(config, lanes, memory, leaf);
    return split == splitting::done      ? write_done::added
           : split == splitting::no_room ? write_done::full
                                         : write_done::not_done;
  }
};

}  // namespace pivotscope
