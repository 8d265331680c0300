// Latch coupling, for comparison (gpu-btree, Section 5.1: the baseline): a write latches each node on its way before it lets
// go of the node above, so it needs no links, and never finds that a node was split meanwhile. All writes meet in the root.
//
//   root latched   | node latched, root let go | leaf latched, node let go if the leaf has room
//
// Invariant: who has a node's latch, and came to it by its parent's, has its whole range: no key goes right from there.
// Readers latch nothing here either: they go by the links.
#pragma once

#include "core/families/btree/writes.hpp"

namespace pivotscope {

struct coupled_writes : btree_writes {
  // Gives `key` the row id. Returns full, and changes no entry, if there is no node left for a split. A full node on the way is
  // split under its own latch and its parent's, which had room or would have been split; then the insert begins again.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_coupled(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                                 Key key, u32 row) {
    for (;;) {
      const write_done done = insert_or_split(config, lanes, memory, tree, key, row);
      if (done != write_done::not_done) return done;
    }
  }
  // Removes `key`. Returns absent if it is not there.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase_coupled(Config config, Lanes& lanes, Memory& memory, Key key) {
    u32 node = 0, level = 0;
    memory.step(level);
    inner_cells::take_latch<Key>(config, lanes, memory, node);
    for (;;) {
      const auto way = way_beside_writers(config, lanes, memory, node, key, false);
      const u32 child = child_word::number(way.child);
      memory.step(++level);
      if (child_word::is_leaf(way.child)) {
        leaf_cells::take_latch<Key>(config, lanes, memory, child);
        inner_cells::unlatch<Key>(config, lanes, memory, node);
        const auto slots = erase_from_leaf(config, lanes, memory, child, key);
        leaf_cells::unlatch<Key>(config, lanes, memory, child);
        return slots.key == no_cell ? write_done::absent : write_done::erased;
      }
      inner_cells::take_latch<Key>(config, lanes, memory, child);
      inner_cells::unlatch<Key>(config, lanes, memory, node);
      node = child;
    }
  }

 private:
  // Inserts, or splits the first full inner node on the way and returns not_done.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_or_split(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                                  Key key, u32 row, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    u32 node = 0, parent = 0, slot = 0, level = 0;
    memory.step(level);
    memory.hold("entry", key, row);
    inner_cells::take_latch<Key>(config, lanes, memory, node);
    for (;;) {
      const auto way = way_beside_writers(config, lanes, memory, node, key, false);
      if (way.full) {
        const splitting split = level == 0
                                    ? halve_root<Key>(config, lanes, memory, tree)
                                    : halve_inner(config, lanes, memory, tree, node, way.end, parent, slot, level, key);
        if (level > 0) inner_cells::unlatch<Key>(config, lanes, memory, parent);
        memory.step(level);
        inner_cells::unlatch<Key>(config, lanes, memory, node);
        return split == splitting::no_room ? write_done::full : write_done::not_done;
      }
      if (level > 0) inner_cells::unlatch<Key>(config, lanes, memory, parent);
      parent = node, slot = way.slot, node = child_word::number(way.child), ++level;
      memory.step(level);
      memory.hold("entry", key, row);
      if (child_word::is_leaf(way.child)) break;
      inner_cells::take_latch<Key>(config, lanes, memory, node);
    }
    leaf_cells::take_latch<Key>(config, lanes, memory, node);
    const auto slots = slot_in_leaf(config, lanes, memory, node, key);
    memory.watch("key", key, "node", node, "slots.key", slots.key, "slots.empty", slots.empty);
    write_done done = put_into_leaf(config, lanes, memory, node, slots, key, row);
    const bool had_room = done != write_done::not_done;
    if (!had_room) {
      const splitting split = split_leaf(config, lanes, memory, tree, node, slots.end, parent, slot, level, key, row);
      done = split == splitting::done ? write_done::added : write_done::full;
    }
    inner_cells::unlatch<Key>(config, lanes, memory, parent);
    if (!had_room) memory.step(level);
    leaf_cells::unlatch<Key>(config, lanes, memory, node);
    return done;
  }
};

}  // namespace pivotscope
