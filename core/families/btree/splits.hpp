// Splits of leaves, of inner nodes and of the root, in their stages: halved, linked, emptied, and the parent told.
#pragma once

#include "core/families/btree/runs.hpp"

namespace pivotscope {

struct btree_splits : run_writes {
 protected:
  // `again`: the write has to begin once more from the root.
  // Latches the parent of a node that this group has latched, and makes sure that it is its parent, and has room. Returns
  // the slot of the node's pair; no_cell, and no latch, if it is not so.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static u32 latch_parent(Config config, Lanes& lanes, Memory& memory, u32 parent, u32 child, Key key,
                                        typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    inner_cells::latch<Key>(config, lanes, memory, parent);
    const bool goes_right = inner_cells::end_of<Key>(config, lanes, memory, parent).goes_right(key);
    const u32 each = cells_a_lane(config.value), slots = node_slots(config.value);
    const u32 slot = lanes.min([&](u32 lane) {
      auto got = load_inner<Key>(config, memory, parent, lane);
      u32 own = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_node = lane * each + i;
        if (in_node >= slots || got.keys[i] == greatest_key<Key>()) continue;
        if (in_node == slots - 1) return u32{0};  // full: no pair is found
        const u64 cell = first_cell(config, parent) + in_node;
        const u32 its_child =
            in_one_word(config.value) ? got.rows[i] : inner_cells::load_value<Key>(config, memory, cell);
        if (its_child == child) own = in_node + 1;
      }
      return own;
    });
    if (!goes_right && slot != no_cell && slot != 0) return slot - 1;
    inner_cells::unlatch<Key>(config, lanes, memory, parent);
    return no_cell;
  }

  // Puts a pair behind a slot of an inner node that this group has latched, and that has room. The pairs behind it move up,
  // from the last one: first all children, then the separators, so that at no time a separator is beside a child of greater
  // keys.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static void add_pair(Config config, Lanes& lanes, Memory& memory, u32 node, u32 slot, Key key,
                                     u32 child, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    lanes.once([&] {
      const u64 first = first_cell(config, node);
      u32 end = slot + 1;  // of the pairs
      while (inner_cells::load_key<Key>(config, memory, first + end) != greatest_key<Key>()) ++end;
      if (in_one_word(config.value)) {
        for (u32 i = end; i > slot + 1; --i)
          inner_cells::put_pair(config, memory, first + i, inner_cells::load_key<Key>(config, memory, first + i - 1),
                                inner_cells::load_value<Key>(config, memory, first + i - 1));
        inner_cells::put_pair(config, memory, first + slot + 1, key, child);
        return true;
      }
      for (u32 i = end; i > slot + 1; --i)
        inner_cells::store_value<Key>(config, memory, first + i,
                                      inner_cells::load_value<Key>(config, memory, first + i - 1));
      inner_cells::store_value<Key>(config, memory, first + slot + 1, child);
      order_stores(config, memory);
      for (u32 i = end; i > slot + 1; --i)
        inner_cells::store_key(config, memory, first + i, inner_cells::load_key<Key>(config, memory, first + i - 1));
      inner_cells::store_key(config, memory, first + slot + 1, key);
      return true;
    });
  }

  // Splits a full leaf, and puts the entry into the half that is its own. This group has latched the leaf and its parent,
  // which has room, and the leaf's pair in `slot`. A step of a trace is a stage of it (words.cpp).
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static splitting split_leaf(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                            u32 leaf, const node_end<Key>& end, u32 parent, u32 slot, u32 leaf_level,
                                            Key key, u32 row, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.step(leaf_level);
    const u32 sibling = take_nodes(lanes, memory, pool_leaves, 1);
    if (sibling >= tree.leaf_room) return splitting::no_room;
    const u32 each = cells_a_lane(config.value), slots = node_slots(config.value);
    const u64 first = first_cell(config, leaf), to = first_cell(config, sibling);
    // The place of a lane's pairs in the order of keys: pairs lie as they came.
    auto shares = lanes.each(node_share<Key>{});
    auto ranks = lanes.each(slot_ranks{});
    lanes.each_lane([&](u32 lane) {
      auto got = load_leaf<Key>(config, memory, leaf, lane);
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_node = lane * each + i;
        if (in_node < slots) leaf_cells::load_row(config, memory, first + in_node, got.keys[i], got.rows[i]);
        ranks[lane].of[i] = 0;
      }
      shares[lane] = got;
    });
    PIVOTSCOPE_UNROLL
    for (u32 k = 0; k < each; ++k) {
      auto keys = lanes.each(Key{});
      lanes.each_lane([&](u32 lane) { keys[lane] = shares[lane].keys[k]; });
      for (u32 from = 0; from < lanes.size(); ++from) {
        const Key other = lanes.told_by(keys, from);
        if (from * each + k >= slots) continue;
        lanes.each_lane([&](u32 lane) {
          PIVOTSCOPE_UNROLL
          for (u32 i = 0; i < each; ++i) ranks[lane].of[i] += other < shares[lane].keys[i];
        });
      }
    }
    const split_place<Key> at_key = keeps_all(config.value) ? between_keys(config, lanes, shares, ranks, key)
                                                            : split_place<Key>{kept_by_split(config.value)};
    const u32 kept = at_key.kept;
    // Calls f(slot, key, row id, place in the sibling) for each pair of a lane that moves.
    const auto each_moved = [&](u32 lane, auto&& f) {
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_node = lane * each + i, rank = ranks[lane].of[i];
        if (rank >= kept && in_node < slots)
          f(in_node, shares[lane].keys[i], shares[lane].rows[i],
            keeps_all(config.value) ? ones(at_key.moved & ((1u << in_node) - 1)) : rank - kept);
      }
    };
    const Key separator = keeps_all(config.value) ? at_key.separator : least_of<Key>(lanes, [&](u32 lane) {
      Key own = greatest_key<Key>();
      each_moved(lane, [&](u32, Key its_key, u32, u32) { own = its_key < own ? its_key : own; });
      return own;
    });
    const u32 freed = lanes.min([&](u32 lane) {
      u32 own = no_cell;
      each_moved(lane, [&](u32 in_node, Key, u32, u32) { own = least(own, in_node); });
      return own;
    });
    const bool moves_on = at_key.begins_run || key >= separator;
    memory.watch("key", key, "leaf", leaf, "sibling", sibling, "separator", separator, "parent", parent,
                 "at_key.begins_run", at_key.begins_run);

    // The sibling, which nobody sees yet.
    lanes.each_lane([&](u32 lane) {
      each_moved(lane, [&](u32, Key its_key, u32 its_row, u32 place) {
        leaf_cells::put_entry(config, memory, to + place, its_key, its_row);
      });
    });
    lanes.once([&] {
      if (moves_on) leaf_cells::put_entry(config, memory, to + slots - kept, key, row);
      leaf_cells::set_end(config, memory, sibling, end, 0u);
      return true;
    });
    order_stores(config, memory);
    lanes.meet();
    // From here on it is there: half split, until the parent knows.
    memory.step(leaf_level);
    lanes.once([&] {
      const node_end<Key> now =
          at_key.begins_run ? node_end<Key>{key, sibling | node_link_word::run} : node_end<Key>{separator, sibling};
      leaf_cells::set_end(config, memory, leaf, now, node_link_word::latched);
      return true;
    });
    order_stores(config, memory);
    lanes.meet();
    // Only now do pairs leave: who misses one here sees the new high key.
    memory.step(leaf_level);
    lanes.each_lane([&](u32 lane) {
      each_moved(lane, [&](u32 in_node, Key, u32, u32) {
        if (in_node == freed && !moves_on) {
          if (!in_one_word(config.value)) {
            leaf_cells::store_value<Key>(config, memory, first + in_node, not_found);
            order_stores(config, memory);
          }
          leaf_cells::put_entry(config, memory, first + in_node, key, row);
        } else {
          leaf_cells::empty<Key>(config, memory, first + in_node);
        }
      });
    });
    memory.step(leaf_level - 1);
    // What follows the new run's key may be where the next leaf begins already; behind another run it is not.
    if (!at_key.begins_run || separator != end.high || end.run_goes_on())
      add_pair(config, lanes, memory, parent, slot, separator, sibling | child_word::leaf);
    return splitting::done;
  }

  // Splits a full inner node on the way of a key.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static splitting split_inner(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                             u32 node, u32 parent, u32 node_level, Key key,
                                             typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (!inner_cells::take_latch<Key>(config, lanes, memory, node)) return splitting::again;
    const node_end<Key> end = inner_cells::end_of<Key>(config, lanes, memory, node);
    const bool still = !end.goes_right(key) && is_full<Key>(config, lanes, memory, node);
    if (still) memory.step(node_level - 1);
    const u32 slot = still ? latch_parent(config, lanes, memory, parent, node, key) : no_cell;
    splitting split = splitting::again;
    if (slot != no_cell) {
      split = halve_inner(config, lanes, memory, tree, node, end, parent, slot, node_level, key);
      inner_cells::unlatch<Key>(config, lanes, memory, parent);
      memory.step(node_level);
    }
    inner_cells::unlatch<Key>(config, lanes, memory, node);
    return split;
  }

  // The same with the node and its parent latched, which has room, and the node's pair in `slot`. The stages are those of a
  // leaf's split.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static splitting halve_inner(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                             u32 node, const node_end<Key>& end, u32 parent, u32 slot, u32 node_level,
                                             Key key, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.step(node_level);
    const u32 sibling = take_nodes(lanes, memory, pool_inner, 1);
    if (sibling >= tree.inner_room) return splitting::no_room;
    const Key separator = separator_of<Key>(config, lanes, memory, node);
    memory.watch("key", key, "node", node, "sibling", sibling, "separator", separator, "parent", parent);
    const u64 first = first_cell(config, node), to = first_cell(config, sibling);
    const u32 kept = kept_by_split(config.value), slots = node_slots(config.value);
    lanes.once([&] {
      for (u32 i = kept; i < slots; ++i) copy_pair<Key>(config, memory, first + i, to + i - kept);
      inner_cells::set_end(config, memory, sibling, end, 0u);
      order_stores(config, memory);
      return true;
    });
    memory.step(node_level);
    lanes.once([&] {
      inner_cells::set_end(config, memory, node, node_end<Key>{separator, sibling}, node_link_word::latched);
      order_stores(config, memory);
      return true;
    });
    memory.step(node_level);
    lanes.once([&] {
      for (u32 i = kept; i < slots; ++i) inner_cells::empty<Key>(config, memory, first + i);
      return true;
    });
    memory.step(node_level - 1);
    add_pair(config, lanes, memory, parent, slot, separator, sibling);
    return splitting::done;
  }

  // Splits the root in place, if it is full: its pairs go to two new nodes, and it leads to them.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static splitting split_root(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                            typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (!inner_cells::take_latch<Key>(config, lanes, memory, 0)) return splitting::again;
    const bool still = is_full<Key>(config, lanes, memory, 0);
    const splitting split = still ? halve_root<Key>(config, lanes, memory, tree) : splitting::again;
    if (still) memory.step(0);
    inner_cells::unlatch<Key>(config, lanes, memory, 0);
    return split;
  }

  // The same with the root latched, and full.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static splitting halve_root(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                            typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.step(0);
    const u32 left = take_nodes(lanes, memory, pool_inner, 2), right = left + 1;
    if (right >= tree.inner_room) return splitting::no_room;
    const Key separator = separator_of<Key>(config, lanes, memory, 0);
    memory.watch("left", left, "right", right, "separator", separator);
    const u32 kept = kept_by_split(config.value), slots = node_slots(config.value);
    lanes.once([&] {
      for (u32 i = 0; i < slots; ++i)
        copy_pair<Key>(config, memory, i,
                       i < kept ? first_cell(config, left) + i : first_cell(config, right) + i - kept);
      inner_cells::set_end(config, memory, left, node_end<Key>{separator, right}, 0u);
      inner_cells::set_end(config, memory, right, node_end<Key>{greatest_key<Key>(), node_link_word::none}, 0u);
      order_stores(config, memory);
      return true;
    });
    memory.step(0);
    lanes.once([&] {
      inner_cells::store_value<Key>(config, memory, 0, left);
      // No separator may be seen beside a child of greater keys, as the right one is for all but its own.
      if (!in_one_word(config.value)) {
        inner_cells::store_key(config, memory, 1, greatest_key<Key>());
        order_stores(config, memory);
      }
      inner_cells::put_pair(config, memory, 1, separator, right);
      for (u32 i = 2; i < slots; ++i) inner_cells::empty<Key>(config, memory, i);
      memory.template fetch_add<u32>(btree_region::pool, pool_levels, sizeof(u32), 0, 1u);
      return true;
    });
    return splitting::done;
  }

 private:
  struct slot_ranks {
    u32 of[most_cells_a_lane];
  };

  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static bool is_full(Config config, Lanes& lanes, Memory& memory, u32 node,
                                    typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u64 last = first_cell(config, node) + node_slots(config.value) - 1;
    return lanes.once([&] { return inner_cells::load_key<Key>(config, memory, last) != greatest_key<Key>(); });
  }

  // The separator between what stays in an inner node and what moves.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static Key separator_of(Config config, Lanes& lanes, Memory& memory, u32 node,
                                        typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u64 cell = first_cell(config, node) + kept_by_split(config.value);
    return lanes.once([&] { return inner_cells::load_key<Key>(config, memory, cell); });
  }

  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void copy_pair(Config config, Memory& memory, u64 from, u64 to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    inner_cells::put_pair(config, memory, to, inner_cells::load_key<Key>(config, memory, from),
                          inner_cells::load_value<Key>(config, memory, from));
  }
};

}  // namespace pivotscope
