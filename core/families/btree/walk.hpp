// How searches and writes go down a tree, and what they see of a node.
//
// Nobody waits to read. Beside writers a reader relies on this alone:
// - A pair of an inner node leads to a node whose keys begin at the pair's key, or before it. So the last pair that is
//   not above the searched key leads to the key's node, or to one left of it.
// - A node's keys end at its high key. From a node that the searched key is not below, the link leads on.
// - A pair of a leaf stays in its cell until it is erased, or until a split has moved it and the new high key is there. So
//   who does not see it, and then sees that the high key is still above it, knows that it was not there.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/btree/node.hpp"
#include "core/families/btree/passes.hpp"
#include "core/simt/looked_ahead.hpp"

namespace pivotscope {

// What an inner node has for a key.
template <class Key>
struct way_down {
  node_end<Key> end;
  u32 child;  // none where the node has to be read again
  u32 slot;   // of the pair that leads to it
  bool full;  // no cell is free
};

// The link in the lanes' shares of a node whose cells are one word each: the last lane has it, so that it needs no load of
// its own.
template <class Key>
struct link_in_share {
  Key high = greatest_key<Key>();
  u32 word = node_link_word::none;

  template <class Config>
  PIVOTSCOPE_FN void note(Config config, u32 lane, const node_share<Key>& share) {
    const u32 last = cells_a_lane(config.value) - 1;
    if (lane == config.value.lanes - 1) high = share.keys[last], word = share.rows[last];
  }
  template <class Config, class Lanes>
  PIVOTSCOPE_FN node_end<Key> told(Config config, Lanes& lanes) const {
    const u32 lane = config.value.lanes - 1;
    return {lanes.from(lane, high), node_link_word::unlatched(lanes.from(lane, word))};
  }
};

struct btree_walk {
  // What a lane sees of an inner node that nobody writes, as one number: its last pair that is not above the key. The least
  // number of all lanes is that of the node's last such pair, since the slot, counted from the node's end, comes first in it;
  // with AoS the pair's child is behind it. A level's first separator is 0, so there is always one.
  struct seen_pair {
    PIVOTSCOPE_FN static constexpr u32 child_bits(const btree_config& c) {
      u32 bits = 32;
      for (u32 slots = 1; slots < c.node; slots *= 2) --bits;
      return bits;
    }
    PIVOTSCOPE_FN static constexpr u32 of(const btree_config& c, u32 slot, u32 child) {
      const u32 bits = child_bits(c);
      return (node_slots(c) - 1 - slot) << bits | (child & ((1u << bits) - 1));
    }
    PIVOTSCOPE_FN static constexpr u32 slot(const btree_config& c, u32 seen) {
      return node_slots(c) - 1 - (seen >> child_bits(c));
    }
    PIVOTSCOPE_FN static constexpr u32 child(const btree_config& c, u32 seen) {
      return seen & ((1u << child_bits(c)) - 1);
    }
  };
  // No separator is the greatest key, which empty cells have; and a node's high key is above all keys that come to it.
  template <class Config, class Memory, class Key, class Share>
  PIVOTSCOPE_FN static u32 last_pair(Config config, Memory& memory, u32 node, u32 lane, Key key, const Share& share) {
    const u32 each = cells_a_lane(config.value);
    const Key bound = key < greatest_key<Key>() ? key : static_cast<Key>(key - 1);
    u32 pairs = 0, child = 0;
    if (compared_keys seen; config.value.scratch == 0 && compare_share(config, memory, node, lane, bound, seen)) {
      pairs = seen.less + seen.equal;
      if (pairs == 0) return no_cell;
      child = inner_cells::load_value<Key>(config, memory, first_cell(config, node) + lane * each + pairs - 1);
      return seen_pair::of(config.value, lane * each + pairs - 1, child);
    }
    const auto got = share();
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < each; ++i) {
      const u32 slot = lane * each + i;
      if (slot >= node_slots(config.value)) continue;
      saw_separator(config, memory, node, slot, got.keys[i]);
      if (got.keys[i] <= bound) pairs = i + 1, child = got.rows[i];
    }
    return pairs == 0 ? no_cell : seen_pair::of(config.value, lane * each + pairs - 1, child);
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static auto load_inner(Config config, Memory& memory, u32 node, u32 lane,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return inner_cells::load<Key>(config, memory, node, lane, true);
  }
  // The same for a batch of reads: a node that a block has in its scratch comes from there.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static auto load_inner(Config config, Memory& memory, const btree_view& tree, u32 node, u32 lane,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u64 first = first_cell(config, node);
    if (config.value.scratch == 0 || first >= tree.pinned) return load_inner<Key>(config, memory, node, lane);
    node_share<Key> got{};
    memory.template each_of_scratch<entry_cell<Key>>(
        static_cast<u32>(first), share_node(config.value.lanes, node_cells(config.value)), lane,
        [&](u32 i, const entry_cell<Key>& cell) { got.keys[i] = cell.key, got.rows[i] = cell.row; });
    return got;
  }
  // The same on the way down beside writers. `may_be_old`: nothing that was seen has sent this operation back yet. The
  // node may come from L1, as it was before others wrote it: any mix of old and new pairs leads on. Who was sent back
  // reads what is there now, or would be sent back again.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static auto load_on_the_way(Config config, Memory& memory, u32 node, u32 lane, bool may_be_old,
                                            typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (config.value.l1 == l1_use::inner && may_be_old) return inner_cells::load_old<Key>(config, memory, node, lane);
    return load_inner<Key>(config, memory, node, lane);
  }
  // Returns the number of the child that was seen; with SoA it is loaded now.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static u32 child_seen(Config config, Memory& memory, u32 node, u32 seen,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (config.value.layout == cell_layout::aos) return seen_pair::child(config.value, seen);
    const u64 cell = first_cell(config, node) + seen_pair::slot(config.value, seen);
    return child_word::number(inner_cells::load_value<Key>(config, memory, cell));
  }

  // Links that an operation goes by from the leaf at which its batch has seen its key. With more of them it looks for the
  // leaf from the root: a batch of many times a tree's keys makes hundreds of leaves of one.
  static constexpr u32 most_links = 3;
  template <class Lanes>
  PIVOTSCOPE_FN static bool looked_ahead(const Lanes& lanes) {
    return begins_at(lanes) != begins_nowhere;
  }

  // Finds the leaf of a key, or, beside writers, one left of it. Returns its number. `from_root`: also in a batch that has
  // looked ahead.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static u32 seek_leaf(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                     u32& level, typename Memory::place place = {}) {
    return seek_leaf(config, lanes, memory, view, key, false, level, place);
  }
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static u32 seek_leaf(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                     bool from_root, u32& level, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    u32 node = 0;
    level = 0;
    if constexpr (Memory::others_write) {
      if (!from_root && looked_ahead(lanes)) {
        level = view.as<btree_view>().levels;
        return begins_at(lanes);
      }
      if (has_own_leaf(config, key)) {
        level = view.as<btree_view>().levels;
        return greatest_leaf(view.as<btree_view>());
      }
      bool may_be_old = true;
      for (;;) {
        memory.step(level);
        const auto way = way_beside_writers(config, lanes, memory, node, key, may_be_old);
        if (way.end.goes_right(key)) {
          node = way.end.link;
          continue;
        }
        if (way.child == child_word::none) {
          may_be_old = false;
          continue;
        }
        ++level;
        if (child_word::is_leaf(way.child)) return child_word::number(way.child);
        node = way.child;
      }
    } else {
      const u32 levels = view.as<btree_view>().levels;
      for (; level < levels; ++level) {
        memory.step(level);
        const u32 seen = lanes.min([&](u32 lane) {
          return last_pair(config, memory, node, lane, key,
                           [&] { return load_inner<Key>(config, memory, view.as<btree_view>(), node, lane); });
        });
        const u32 child = child_seen<Key>(config, memory, node, seen);
        memory.watch("key", key, "node", node, "child", child);
        node = child;
      }
      // All groups of a warp go down together, also where one of them has nothing to look for there.
      return has_own_leaf(config, key) ? greatest_leaf(view.as<btree_view>()) : node;
    }
  }

  // Finds where a node ends that others may write, and its last pair that is not above the key.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static way_down<Key> way_beside_writers(Config config, Lanes& lanes, Memory& memory, u32 node, Key key,
                                                        bool may_be_old, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    const u32 each = cells_a_lane(config.value), slots = node_slots(config.value);
    way_down<Key> way{{}, child_word::none, 0, false};
    const bool one_word = in_one_word(config.value);
    if (!one_word) way.end = inner_cells::end_of<Key>(config, lanes, memory, node);
    link_in_share<Key> link;
    u32 child_of_lane = child_word::none, last_taken = 0;
    const u32 from_end = lanes.min([&](u32 lane) {
      const auto got = load_on_the_way<Key>(config, memory, node, lane, may_be_old);
      link.note(config, lane, got);
      u32 best = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 slot = lane * each + i;
        if (slot >= slots || got.keys[i] == greatest_key<Key>()) continue;
        saw_separator(config, memory, node, slot, got.keys[i]);
        if (slot == slots - 1) last_taken = 1;
        if (got.keys[i] <= key) best = slots - 1 - slot, child_of_lane = got.rows[i];
      }
      return best;
    });
    way.full = lanes.from((slots - 1) / each, last_taken) != 0;
    if (one_word) way.end = link.told(config, lanes);
    if (from_end == no_cell) return way;  // its first pair is being changed
    const u32 slot = way.slot = slots - 1 - from_end;
    if (one_word) {
      way.child = lanes.from(slot / each, child_of_lane);
    } else {
      // A key and a child that are loaded one after the other belong together if the key is the same before and after.
      way.child = lanes.once([&] {
        const u64 cell = first_cell(config, node) + slot;
        const Key first = inner_cells::load_key<Key>(config, memory, cell);
        const u32 child = inner_cells::load_value<Key>(config, memory, cell);
        const bool same = inner_cells::load_key<Key>(config, memory, cell) == first;
        return same && first <= key ? child : child_word::none;
      });
    }
    memory.watch("key", key, "node", node, "slot", slot, "way.child", child_word::number(way.child), "way.full",
                 way.full);
    return way;
  }

  // Returns the row id that a lane's share of a leaf has for a key, or not_found. Pairs lie as they came.
  template <class Config, class Memory, class Key, class Share>
  PIVOTSCOPE_FN static u32 row_in_share(Config config, Memory& memory, u32 leaf, u32 lane, Key key,
                                        const Share& share) {
    const u32 each = cells_a_lane(config.value);
    auto got = share();
    u32 row = not_found;
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < each; ++i) {
      const u32 slot = lane * each + i;
      if (slot >= node_slots(config.value)) continue;
      const u64 cell = first_cell(config, leaf) + slot;
      leaf_cells::complete(config, memory, cell, got.keys[i], got.rows[i], key);
      memory.saw(btree_region::entries, cell, got.keys[i]);
      if (got.keys[i] == key && is_live_row(got.rows[i]))
        row = least(row, leaf_cells::row_of_key<Key>(config, memory, cell, key, got.rows[i]));
    }
    memory.watch_lane(lane, "row", watched_row{row});
    return row;
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static auto load_leaf(Config config, Memory& memory, u32 leaf, u32 lane,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return leaf_cells::load<Key>(config, memory, leaf, lane, true);
  }
  // Loads the pairs of a leaf, and then where it ends: beside writers that is no older than the pairs, so those at and above
  // the high key are another leaf's. `live`: false in a thread without a lookup.
  template <class Key, class Config, class Lanes, class Memory, class Shares>
  PIVOTSCOPE_FN static node_end<Key> look_at_leaf(Config config, Lanes& lanes, Memory& memory, u32 leaf, bool live,
                                                  Shares& shares, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    const u32 each = cells_a_lane(config.value);
    lanes.each_lane([&](u32 lane) {
      if (!live) return;
      auto got = load_leaf<Key>(config, memory, leaf, lane);
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 slot = lane * each + i;
        if (slot >= node_slots(config.value)) {
          got.rows[i] = not_found;
          continue;
        }
        const u64 cell = first_cell(config, leaf) + slot;
        leaf_cells::load_row(config, memory, cell, got.keys[i], got.rows[i]);
        memory.saw(btree_region::entries, cell, got.keys[i]);
        if (is_live_row(got.rows[i]))
          got.rows[i] = leaf_cells::row_of_key<Key>(config, memory, cell, got.keys[i], got.rows[i]);
      }
      shares[lane] = got;
    });
    if (!live) return node_end<Key>{greatest_key<Key>(), node_link_word::none};
    if constexpr (Memory::others_write) {
      // The lane that looks where the leaf ends does so once all lanes have their pairs.
      order_stores(config, memory);
      lanes.meet();
    }
    return leaf_cells::end_of<Key>(config, lanes, memory, leaf);
  }

  // A lane's share of a node: on a GPU loaded now, so that the loads of all lookups are under way at once; on a host where it
  // is looked at.
  template <class Wave, class Load>
  PIVOTSCOPE_FN static auto load_when_needed(const Wave&, const Load& load) {
    if constexpr (Wave::marks_are_bits) {
      return load;
    } else {
      return loaded_share{load()};
    }
  }
  template <class Share>
  struct loaded_share {
    Share share;
    PIVOTSCOPE_FN const Share& operator()() const { return share; }
  };
  template <class Share>
  loaded_share(Share) -> loaded_share<Share>;

  // Returns the least of the keys f(lane).
  template <class Key, class Lanes, class F>
  PIVOTSCOPE_FN static Key least_of(Lanes& lanes, F&& f) {
    if constexpr (sizeof(Key) == sizeof(u32)) {
      return lanes.min(f);
    } else {
      const u32 high = lanes.min([&](u32 lane) { return static_cast<u32>(f(lane) >> 32); });
      const u32 low = lanes.min([&](u32 lane) {
        const Key own = f(lane);
        return static_cast<u32>(own >> 32) == high ? static_cast<u32>(own) : ~0u;
      });
      return static_cast<Key>(high) << 32 | low;
    }
  }
  PIVOTSCOPE_FN static u32 ones(u32 bits) {
    u32 count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
  }

 private:
  // For the trace. An empty cell has no separator, and a level's first one is no key: all keys are at or above it.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void saw_separator(Config config, Memory& memory, u32 node, u32 slot, Key key,
                                          typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (key == greatest_key<Key>() || (slot == 0 && key == Key{})) return;
    memory.saw(btree_region::inner, first_cell(config, node) + slot, key);
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool compare_share(Config config, Memory& memory, u32 node, u32 lane, Key key,
                                          compared_keys& seen) {
    const u64 first = first_cell(config, node);
    const node_run run = share_node(config.value.lanes, node_cells(config.value));
    if (config.value.layout == cell_layout::aos)
      return memory.template compare_run<entry_cell<Key>>(btree_region::inner, first, run, lane, key, seen);
    return memory.template compare_run<Key>(btree_region::inner, first, run, lane, key, seen);
  }
};

}  // namespace pivotscope
