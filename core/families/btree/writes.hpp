// How a tree is changed, by thousands of groups at once (gpu-btree, Section 4).
#pragma once

#include "core/families/btree/walk.hpp"

namespace pivotscope {

struct btree_writes : btree_walk {
  // Four cells a lane: two loads of 16 bytes where a cell has 8.
  PIVOTSCOPE_FN static constexpr btree_config for_writes(btree_config c) {
    const u32 fewest = fewest_lanes(c.node), usual = c.node / 4;
    c.lanes = usual > fewest ? usual : fewest;
    c.scratch = 0;  // has copies, which writes would not change
    return c;
  }

  // An insert that latches a node when it has to be changed, and not before.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_latching_late(Config config, Lanes& lanes, Memory& memory,
                                                       const btree_view& tree, Key key, u32 row) {
    if (const u32 leaf = begins_at(lanes); leaf != begins_nowhere) {
      const write_done done = insert_from_leaf(config, lanes, memory, leaf, tree.levels, key, row);
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
    u32 level;
    u32 leaf = seek_leaf(config, lanes, memory, view, key, level);
    memory.step(level);
    for (;;) {
      if (!leaf_cells::try_latch<Key>(config, lanes, memory, leaf)) continue;
      // It may have been split since it was found.
      const auto slots = erase_from_leaf(config, lanes, memory, leaf, key);
      leaf_cells::unlatch<Key>(config, lanes, memory, leaf, slots.end);
      if (!slots.end.goes_right(key)) return slots.key == no_cell ? write_done::absent : write_done::erased;
      leaf = slots.end.link;
      memory.step(level);
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
  // Removes all entries of a key, leaf by leaf of its run. Each is latched by itself.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase_run(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                                            Key key) {
    u32 level, removed = 0;
    u32 leaf = seek_leaf(config, lanes, memory, view, key, level);
    memory.step(level);
    for (;;) {
      if (!leaf_cells::try_latch<Key>(config, lanes, memory, leaf)) continue;
      const auto erased = erase_all_from_leaf(config, lanes, memory, leaf, key);
      leaf_cells::unlatch<Key>(config, lanes, memory, leaf, erased.end);
      removed += erased.entries;
      if (!erased.end.goes_right(key)) break;
      leaf = next_node(config, erased.end);
      memory.step(level);
    }
    if (removed > 1) lanes.once([&] { return count_more(memory, removed - 1); });
    return removed == 0 ? write_done::absent : write_done::erased;
  }

 protected:
  enum class splitting : u8 { done, again, no_room };

  // Where a leaf ends; where a key is in it, and an empty cell: no_cell where there is none.
  template <class Key>
  struct leaf_slots {
    node_end<Key> end;
    u32 key, empty;
    bool others;  // with duplicates: whether another key is in it
  };
  // In a leaf that this group has latched.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static leaf_slots<Key> slot_in_leaf(Config config, Lanes& lanes, Memory& memory, u32 leaf, Key key,
                                                    typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 each = cells_a_lane(config.value), slots = node_slots(config.value);
    const bool one_word = in_one_word(config.value);
    const bool keeps_all_entries = keeps_all(config.value);
    link_in_share<Key> link;
    u32 others = 0;
    // The key's slot, else an empty one, behind all of them; with duplicates an empty one in any case.
    const u32 best = lanes.min([&](u32 lane) {
      auto got = load_leaf<Key>(config, memory, leaf, lane);
      link.note(config, lane, got);
      u32 own = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 slot = lane * each + i;
        if (slot >= slots) continue;
        const u64 cell = first_cell(config, leaf) + slot;
        leaf_cells::complete(config, memory, cell, got.keys[i], got.rows[i], key);
        memory.saw(btree_region::entries, cell, got.keys[i]);
        const bool is_empty = got.rows[i] == not_found;
        if (keeps_all_entries && !is_empty && got.keys[i] != key) others = 1;
        if (is_empty || (!keeps_all_entries && got.keys[i] == key)) own = least(own, is_empty ? slots + slot : slot);
      }
      return own;
    });
    const bool has_others = keeps_all_entries && lanes.sum([&](u32) { return others; }) != 0;
    return {one_word ? link.told(config, lanes) : leaf_cells::end_of<Key>(config, lanes, memory, leaf),
            best < slots ? best : no_cell, best < slots || best == no_cell ? no_cell : best - slots, has_others};
  }

  // Puts an entry into a leaf that this group has latched: to the key's place or an empty cell. Returns not_done, and
  // does nothing, if there is neither.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done put_into_leaf(Config config, Lanes& lanes, Memory& memory, u32 leaf,
                                                const leaf_slots<Key>& slots, Key key, u32 row,
                                                typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (slots.key != no_cell) {
      lanes.once([&] {
        leaf_cells::store_value<Key>(config, memory, first_cell(config, leaf) + slots.key, row);
        return true;
      });
      return write_done::replaced;
    }
    if (slots.empty == no_cell) return write_done::not_done;
    lanes.once([&] {
      leaf_cells::put_entry(config, memory, first_cell(config, leaf) + slots.empty, key, row);
      return true;
    });
    return write_done::added;
  }
  // Empties the key's cell of a leaf that this group has latched, if the key is the leaf's and there. Returns what was found.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static leaf_slots<Key> erase_from_leaf(Config config, Lanes& lanes, Memory& memory, u32 leaf, Key key,
                                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const auto slots = slot_in_leaf(config, lanes, memory, leaf, key);
    const u32 slot = slots.end.goes_right(key) ? no_cell : slots.key;
    memory.watch("key", key, "leaf", leaf, "slot", slot);
    if (slot != no_cell)
      lanes.once([&] {
        leaf_cells::empty<Key>(config, memory, first_cell(config, leaf) + slot);
        return true;
      });
    return slots;
  }

  // With duplicates. Where a leaf ends, and how many entries of a key were in it.
  template <class Key>
  struct leaf_erased {
    node_end<Key> end;
    u32 entries;
  };
  // Empties all cells of a key in a leaf that this group has latched.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static leaf_erased<Key> erase_all_from_leaf(Config config, Lanes& lanes, Memory& memory, u32 leaf,
                                                            Key key, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 each = cells_a_lane(config.value), slots = node_slots(config.value);
    const node_end<Key> end = leaf_cells::end_of<Key>(config, lanes, memory, leaf);
    const u32 entries = lanes.sum([&](u32 lane) {
      auto got = load_leaf<Key>(config, memory, leaf, lane);
      u32 own = 0;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 slot = lane * each + i;
        if (slot >= slots) continue;
        const u64 cell = first_cell(config, leaf) + slot;
        leaf_cells::complete(config, memory, cell, got.keys[i], got.rows[i], key);
        memory.saw(btree_region::entries, cell, got.keys[i]);
        if (got.keys[i] != key || !is_live_row(got.rows[i])) continue;
        leaf_cells::empty<Key>(config, memory, cell);
        ++own;
      }
      return own;
    });
    memory.watch("key", key, "leaf", leaf, "entries", entries);
    return {end, entries};
  }

  // Puts an entry into a leaf with room that links lead to from here. Returns not_done if it has to be looked for from the
  // root: its leaf is full, or another group has its latch.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_from_leaf(Config config, Lanes& lanes, Memory& memory, u32 leaf,
                                                   u32 leaf_level, Key key, u32 row, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    for (;;) {
      memory.step(leaf_level);
      if (!leaf_cells::take_latch<Key>(config, lanes, memory, leaf)) return write_done::not_done;
      const auto slots = slot_in_leaf(config, lanes, memory, leaf, key);
      const bool goes_right = !has_key(config, slots.end, key);
      memory.watch("key", key, "leaf", leaf, "slots.key", slots.key, "slots.empty", slots.empty);
      const write_done put =
          goes_right ? write_done::not_done : put_into_leaf(config, lanes, memory, leaf, slots, key, row);
      leaf_cells::unlatch<Key>(config, lanes, memory, leaf, slots.end);
      if (!goes_right) return put;
      leaf = next_node(config, slots.end);
    }
  }

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

  // --- Splits. `again`: the write has to begin once more from the root ---

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

  // A full leaf of nothing but a key, whose run goes on, or of the greatest one: the entry goes to the next leaf, if that
  // has room, else to a new one between the two. This group has latched the leaf.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static splitting lengthen_run(Config config, Lanes& lanes, Memory& memory, const btree_view& tree,
                                              u32 leaf, const node_end<Key>& end, u32 leaf_level, Key key, u32 row,
                                              typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.step(leaf_level);
    const u32 next = next_node(config, end);
    if (next != node_link_word::none) {
      // Latches are taken from left to right, and from below to above.
      leaf_cells::latch<Key>(config, lanes, memory, next);
      const auto slots = slot_in_leaf(config, lanes, memory, next, key);
      const write_done put = put_into_leaf(config, lanes, memory, next, slots, key, row);
      memory.watch("next", next, "slots.empty", slots.empty);
      leaf_cells::unlatch<Key>(config, lanes, memory, next, slots.end);
      if (put != write_done::not_done) return splitting::done;
      memory.step(leaf_level);
    }
    const u32 sibling = take_nodes(lanes, memory, pool_leaves, 1);
    if (sibling >= tree.leaf_room) return splitting::no_room;
    memory.watch("key", key, "leaf", leaf, "sibling", sibling);
    lanes.once([&] {
      leaf_cells::put_entry(config, memory, first_cell(config, sibling), key, row);
      leaf_cells::set_end(config, memory, sibling, end, 0u);
      order_stores(config, memory);
      return true;
    });
    memory.step(leaf_level);
    lanes.once([&] {
      leaf_cells::set_end(config, memory, leaf, node_end<Key>{key, sibling | node_link_word::run},
                          node_link_word::latched);
      order_stores(config, memory);
      return true;
    });
    return splitting::done;
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

  // Where a full leaf with duplicates is split: between two keys, so that a key's entries stay together; else a run begins.
  template <class Key>
  struct split_place {
    u32 kept;         // pairs that stay, those of the least keys
    u32 moved = 0;    // the others, by their slots
    Key separator{};  // of what moves. Of a run that begins, the key behind the run's
    bool begins_run = false;
  };
  // As near to the middle as keys allow. The lighter side gets the keys between the two: a side of nothing but a key would
  // else be split again by each of them.
  template <class Config, class Lanes, class Shares, class Ranks, class Key>
  PIVOTSCOPE_FN static split_place<Key> between_keys(Config config, Lanes& lanes, Shares& shares, Ranks& ranks,
                                                     Key key) {
    const u32 each = cells_a_lane(config.value), slots = node_slots(config.value), half = kept_by_split(config.value);
    // Calls f(slot, key, how many keys are less) for each pair of a lane.
    const auto each_pair = [&](u32 lane, auto&& f) {
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i)
        if (lane * each + i < slots) f(lane * each + i, shares[lane].keys[i], ranks[lane].of[i]);
    };
    constexpr u32 distance = 8;  // its bits, above the rank's
    const u32 nearest = lanes.min([&](u32 lane) {
      u32 own = no_cell;
      each_pair(lane, [&](u32, Key, u32 rank) {
        if (rank > 0) own = least(own, (rank > half ? rank - half : half - rank) << distance | rank);
      });
      return own;
    });
    const Key least_key = least_of<Key>(lanes, [&](u32 lane) {
      Key own = greatest_key<Key>();
      each_pair(lane, [&](u32, Key its_key, u32) { own = its_key < own ? its_key : own; });
      return own;
    });
    const bool has_others = nearest != no_cell;
    const u32 kept = has_others ? nearest & ((1u << distance) - 1) : key < least_key ? 0 : slots;
    const Key least_moved = least_of<Key>(lanes, [&](u32 lane) {
      Key own = greatest_key<Key>();
      each_pair(lane, [&](u32, Key its_key, u32 rank) { own = rank >= kept && its_key < own ? its_key : own; });
      return own;
    });
    const Key greatest_kept = static_cast<Key>(~least_of<Key>(lanes, [&](u32 lane) {
      Key own = greatest_key<Key>();
      each_pair(lane, [&](u32, Key its_key, u32 rank) {
        const Key turned = static_cast<Key>(~its_key);
        own = rank < kept && turned < own ? turned : own;
      });
      return own;
    }));
    const u32 moved = lanes.sum([&](u32 lane) {
      u32 own = 0;
      each_pair(lane, [&](u32 slot, Key, u32 rank) { own |= rank >= kept ? 1u << slot : 0u; });
      return own;
    });
    return {kept, moved, kept * 2 > slots ? key_after(greatest_kept) : least_moved, !has_others && key == least_key};
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
  template <class Memory>
  PIVOTSCOPE_FN static u32 count_more(Memory& memory, u32 more) {
    return memory.template fetch_add<u32>(btree_region::pool, pool_more, sizeof(u32), 0, more);
  }
  // Takes new nodes. Returns the number of the first one.
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static u32 take_nodes(Lanes& lanes, Memory& memory, u32 which, u32 count,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return lanes.once([&] { return memory.template fetch_add<u32>(btree_region::pool, which, sizeof(u32), 0, count); });
  }
};

}  // namespace pivotscope
