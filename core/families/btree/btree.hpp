// btree: a B-link tree that thousands of groups search and change at once (gpu-btree). The lanes of a group read a node
// together. The code here runs on all machines.
//
//   inner   node 0, the root   |   0 n1 |  40 n2 |  -  |  end |                      pairs: a separator, a child
//                                   /         \                                     the last cell is the link:
//           n1 |  0 l0 | 17 l1 | - | 40 n2 | -> n2 | 40 l2 | 58 l3 | - | end |       {high key, right sibling, latch}
//                  |       \                          \       \                   .
//   leaves  l0 | 3 8 5 | 17 -> | l1 | 17 30 - | 40 -> | l2 | 40 51 - | 58 -> | l3 | 70 58 - | end |
//
//   region     cells
//   entries    of the leaves: AoS {key, row id}, 8 bytes, or 16 with 64-bit keys; SoA: keys. A node of 16 cells of 8 bytes
//              is 128 bytes: 15 pairs and the link
//   inner      of the inner nodes: {separator, child} in the same way
//   pool       counters: leaves and inner nodes in use, and the inner levels; with duplicates, what erases removed beyond
//              one entry each
//   rows, children    SoA only
//
// Invariants
// - A node's keys are at least its separator in the level above, and below its high key, which is the separator of its right
//   sibling. The last node of a level has no high key: its link is none. So each level is a list of all keys.
// - Inner pairs ascend. A leaf's pairs lie as they came: none moves while somebody reads. An empty cell has the greatest
//   key, and in a leaf the row id not_found. No separator is the greatest key (kept_by_split()),
//   and the first one of a level is 0.
// - A key has one entry. Every key value and every row id below the reserved three is legal.
// - With duplicates it has several, all in the leaf to which separators lead, or in the run that begins there: where a bit
//   of a link says so, the next leaf has the leaf's high key, too, as the leaf itself may. The last leaf that separators
//   lead to links to the greatest key's (docs/btree.md).
// - The root is inner node 0, always, and never a leaf. A tree of no keys has one empty leaf.
// - A node is written by who has its latch, a bit of its link. Latches are taken from below to above, so nobody waits in
//   a circle. Who has an inner node's latch finds a separator in it for each node of the level below that is its own.
// - Between batches no latch is held and no node half split.
//
// Operations                                                                        nodes read, of 15 pairs, 2^26 keys
//   find       a node a level, and the leaf: all lanes compare                        7 or 8
//   range      the leaf of the low end, then along the links
//   next_key   the same; deletes leave leaves without pairs, so it may be several
//   insert     down to the leaf, splitting each full inner node on the way; the leaf latched, the pair put into an empty
//              cell. A full leaf is split first: half of its pairs go to a new right sibling, which its link then leads to,
//              and the parent, latched, gets a separator. A full parent: once more from the root
//   erase      the leaf latched, and the pair's cell emptied. Nodes are not merged
//   combined   (a knob) a batch of inserts and erases is sorted and done as a whole, without latches (combined.hpp)
//   build      from sorted keys, `fill` of a hundred pairs a node
//   growth     the pool of nodes gets longer before a batch that may need more. No node moves
//   clean-up   is a rebuild: the tree as if built from its entries
#pragma once

#include "core/families/btree/combined.hpp"
#include "core/families/btree/coupled.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct btree : coupled_writes, btree_passes, combined_passes {
  using config = btree_config;
  struct by_group {};  // a group's lookups are one wave (simt/wave.hpp)
  static constexpr region_id entries = btree_region::entries;

  PIVOTSCOPE_FN static constexpr u32 lanes(const btree_config& c) { return c.lanes; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const btree_config& c) { return c.scratch; }
  PIVOTSCOPE_FN static u32 pinned_keys(const state_view& view) { return view.as<btree_view>().pinned; }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static entry_cell<Key> pinned_key(Config, Memory& memory, const index_view&, u32 i) {
    return memory.template load<entry_cell<Key>>(btree_region::inner, i);
  }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    if constexpr (Wave::memory_type::others_write) {
      return find_beside_writers(config, wave, view);
    } else {
      return find_level_by_level(config, wave, view);
    }
  }

  // Whether a batch first looks for where its operations begin, while nobody writes: at their keys' leaves, as they are
  // before the batch. Others may split these meanwhile; then the links lead on, as from any node left of a key's.
  PIVOTSCOPE_FN static constexpr bool looks_ahead(const btree_config& c) {
    return c.look == look_use::ahead && c.batch == write_batches::latched && c.latches == latch_use::changed;
  }
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto look_ahead(Config config, Wave& wave, const state_view& view) {
    return leaves_level_by_level(config, wave, view);
  }

  // Gives `key` the row id; with duplicates, adds an entry. Returns full, and changes no entry, if no node is left for a
  // split.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                         u32 row) {
    if (config.value.latches == latch_use::coupled)
      return insert_coupled(config, lanes, memory, view.as<btree_view>(), key, row);
    if (has_own_leaf(config, key)) return insert_greatest(config, lanes, memory, view.as<btree_view>(), key, row);
    return insert_latching_late(config, lanes, memory, view.as<btree_view>(), key, row);
  }
  // Removes `key`, all of its entries. Returns absent if it is not there.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key) {
    if (config.value.latches == latch_use::coupled) return erase_coupled(config, lanes, memory, key);
    if (keeps_all(config.value)) return erase_run(config, lanes, memory, view, key);
    return erase_latching_late(config, lanes, memory, view, key);
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id) for each, from `place` on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    const u32 each = cells_a_lane(config.value);
    range_answer answer{};
    u32 level;
    u32 leaf = seek_leaf(config, lanes, memory, view, low, level);
    bool done = low > high;
    while (!lanes.all_done(done)) {
      if (!done) memory.scan_step(level, false);
      auto shares = lanes.each(node_share<Key>{});
      const node_end<Key> end = look_at_leaf<Key>(config, lanes, memory, leaf, !done, shares);
      // Bit i: cell i is in the range. So each lane knows where its own row ids go.
      u32 inside = lanes.sum([&](u32 lane) {
        u32 bits = 0;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < each; ++i) {
          const Key key = shares[lane].keys[i];
          if (!done && is_live_row(shares[lane].rows[i]) && low <= key && key <= high && has_key(config, end, key))
            bits |= 1u << (lane * each + i);
        }
        return bits;
      });
      if constexpr (Memory::others_write) {
        if (!keeps_all(config.value)) inside &= ~seen_twice<Key>(config, lanes, shares, inside);
      }
      answer.row_sum += lanes.sum([&](u32 lane) {
        u64 sum = 0;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < each; ++i) {
          const u32 slot = lane * each + i;
          if ((inside >> slot & 1) == 0) continue;
          output.row(place + answer.count + ones(inside & ((1u << slot) - 1)), shares[lane].rows[i]);
          sum += shares[lane].rows[i];
        }
        return sum;
      });
      answer.count += ones(inside);
      if (!done) {
        memory.hold("found so far", answer.count);
        memory.watch("low", low, "high", high, "leaf", leaf, "ones(inside)", ones(inside), "answer.count", answer.count,
                     "answer.row_sum", answer.row_sum);
        done = !end.goes_right(high);
        // What is below is counted. The next leaf may have it too: of two words the high key may be older than the link.
        if (low < end.high) low = end.high;
        leaf = next_node(config, end);
      }
    }
    return answer;
  }

  // Returns the least key greater than `key`, or with `itself` the least that is not smaller, and a row id of it.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static successor_answer next_key(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                                                 Key key, bool itself) {
    const u32 each = cells_a_lane(config.value);
    const Key low = itself ? key : key_after(key);
    bool done = !itself && low == key;  // no key follows the greatest value
    successor_answer answer{};
    u32 level;
    u32 leaf = seek_leaf(config, lanes, memory, view, low, level);
    while (!lanes.all_done(done)) {
      if (!done) memory.scan_step(level, false);
      auto shares = lanes.each(node_share<Key>{});
      const node_end<Key> end = look_at_leaf<Key>(config, lanes, memory, leaf, !done, shares);
      const auto is_candidate = [&](u32 lane, u32 i) {
        const Key its_key = shares[lane].keys[i];
        return !done && is_live_row(shares[lane].rows[i]) && its_key >= low && has_key(config, end, its_key);
      };
      const Key least_key = least_of<Key>(lanes, [&](u32 lane) {
        Key own = greatest_key<Key>();
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < each; ++i)
          if (is_candidate(lane, i) && shares[lane].keys[i] < own) own = shares[lane].keys[i];
        return own;
      });
      const u32 row = lanes.min([&](u32 lane) {
        u32 own = not_found;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < each; ++i)
          if (is_candidate(lane, i) && shares[lane].keys[i] == least_key) own = shares[lane].rows[i];
        return own;
      });
      if (!done) {
        if (row != not_found) answer = {least_key, row};
        memory.watch("key", key, "low", low, "leaf", leaf, "answer.key", answer.key, "answer.row",
                     watched_row{answer.row});
        done = row != not_found || end.link == node_link_word::none;
        leaf = next_node(config, end);
      }
    }
    return answer;
  }

  // Of the pairs in cells `of`, those whose key a cell before them has, too. Beside writers a key that is erased and inserted
  // again may be seen in the cell that it had and in the one that it has.
  template <class Key, class Config, class Lanes, class Shares>
  PIVOTSCOPE_FN static u32 seen_twice(Config config, Lanes& lanes, Shares& shares, u32 of) {
    const u32 each = cells_a_lane(config.value);
    auto own = lanes.each(u32{0});
    PIVOTSCOPE_UNROLL
    for (u32 k = 0; k < each; ++k) {
      auto keys = lanes.each(Key{});
      lanes.each_lane([&](u32 lane) { keys[lane] = shares[lane].keys[k]; });
      for (u32 from = 0; from < lanes.size(); ++from) {
        const Key other = lanes.told_by(keys, from);
        const u32 before = from * each + k;
        if ((of >> before & 1) == 0) continue;
        lanes.each_lane([&](u32 lane) {
          PIVOTSCOPE_UNROLL
          for (u32 i = 0; i < each; ++i)
            if (lane * each + i > before && shares[lane].keys[i] == other) own[lane] |= 1u << (lane * each + i);
        });
      }
    }
    return lanes.sum([&](u32 lane) { return own[lane]; });
  }

 private:
  // Returns the leaf of each lookup's key, to the lookup's owner.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto leaves_level_by_level(Config config, Wave& wave, const state_view& view) {
    using Key = typename Wave::key;
    auto& memory = wave.memory;
    const btree_view& tree = view.as<btree_view>();
    const u32 levels = tree.levels;
    auto node = wave.all(0u);
    auto child = wave.to_keep(0u);
    for (u32 level = 0; level < levels; ++level) {
      if (level > 0) node = wave.told_by(child, [](u32 next) { return next; });
      const auto seen = wave.least_seen(
          false, false, [&](u32) { memory.step(level); },
          [&](u32 i, u32 lane) {
            return load_when_needed(wave,
                                    [&, i, lane] { return load_inner<Key>(config, memory, tree, node[i], lane); });
          },
          [&](u32 i, u32 lane, const auto& share) {
            return seen_and_noted{last_pair(config, memory, node[i], lane, wave.keys[i], share), false};
          },
          [](const auto&, u32 number) { return number; },
          [&](u32 i, u32 number) {
            memory.watch("wave.keys[i]", wave.keys[i], "node[i]", node[i], "seen_pair::slot(number)",
                         seen_pair::slot(config.value, number));
          });
      child = wave.of_owners([&](u32 i, Key key) {
        u32 next = child_seen<Key>(config, memory, node[i], seen.least[i]);
        if (level + 1 == levels && has_own_leaf(config, key)) next = greatest_leaf(tree);
        if (level + 1 < levels)
          inner_cells::will_read<Key>(config, memory, next);
        else
          leaf_cells::will_read<Key>(config, memory, next);
        return next;
      });
    }
    return child;
  }
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find_level_by_level(Config config, Wave& wave, const state_view& view) {
    using Key = typename Wave::key;
    auto& memory = wave.memory;
    const u32 levels = view.as<btree_view>().levels;
    const auto node = wave.told_by(leaves_level_by_level(config, wave, view), [](u32 leaf) { return leaf; });
    return wave
        .least_seen(
            false, false, [&](u32) { memory.step(levels); },
            [&](u32 i, u32 lane) {
              return load_when_needed(wave, [&, i, lane] { return load_leaf<Key>(config, memory, node[i], lane); });
            },
            [&](u32 i, u32 lane, const auto& share) {
              return seen_and_noted{row_in_share(config, memory, node[i], lane, wave.keys[i], share), false};
            },
            [](const auto&, u32 row) { return row; },
            [&](u32 i, u32 row) {
              memory.watch("wave.keys[i]", wave.keys[i], "node[i]", node[i], "row", watched_row{row});
            })
        .least;
  }
  // A wave of one.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find_beside_writers(Config config, Wave& wave, const state_view& view) {
    using Key = typename Wave::key;
    auto& memory = wave.memory;
    auto rows = wave.all(not_found);
    for (bool from_root = !looked_ahead(wave.lanes);; from_root = true) {
      u32 level;
      u32 leaf = seek_leaf(config, wave.lanes, memory, view, wave.keys[0], from_root, level);
      for (u32 links = 0; from_root || links <= most_links; ++links) {
        memory.step(level);
        rows[0] = wave.lanes.min([&](u32 lane) {
          return row_in_share(config, memory, leaf, lane, wave.keys[0],
                              [&] { return load_leaf<Key>(config, memory, leaf, lane); });
        });
        if (rows[0] == not_found)
          order_stores(config, memory);  // the end that counts is one that was there after the pairs
        const node_end<Key> end = leaf_cells::end_of<Key>(config, wave.lanes, memory, leaf);
        if (!goes_on(config, end, wave.keys[0])) return rows;
        if (keeps_all(config.value) && rows[0] != not_found && has_key(config, end, wave.keys[0])) return rows;
        leaf = next_node(config, end);
      }
    }
  }
};

}  // namespace pivotscope
