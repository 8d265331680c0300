// What writes do in a leaf that they have latched, and with a leaf that has room.
#pragma once

#include "core/families/btree/walk.hpp"

namespace pivotscope {

struct leaf_writes : btree_walk {
  // Four cells a lane: two loads of 16 bytes where a cell has 8.
  PIVOTSCOPE_FN static constexpr btree_config for_writes(btree_config c) {
    const u32 fewest = fewest_lanes(c.node), usual = c.node / 4;
    c.lanes = usual > fewest ? usual : fewest;
    c.scratch = 0;  // has copies, which writes would not change
    return c;
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

  // Puts an entry into a leaf with room that links lead to from here. Returns not_done if it has to be looked for from the
  // root: its leaf is full, or another group has its latch, or there are too many links.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_from_leaf(Config config, Lanes& lanes, Memory& memory, u32 leaf,
                                                   u32 leaf_level, Key key, u32 row, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    for (u32 links = 0; links <= most_links; ++links) {
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
    return write_done::not_done;
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
