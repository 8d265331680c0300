// Writes of trees that keep duplicates: where a leaf is split so that a key's entries stay together, and runs of leaves of one
// key, which begin, get longer and are emptied here (docs/btree.md, "Duplicates").
#pragma once

#include "core/families/btree/leaf_writes.hpp"

namespace pivotscope {

struct run_writes : leaf_writes {
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

 private:
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

  template <class Memory>
  PIVOTSCOPE_FN static u32 count_more(Memory& memory, u32 more) {
    return memory.template fetch_add<u32>(btree_region::pool, pool_more, sizeof(u32), 0, more);
  }
};

}  // namespace pivotscope
