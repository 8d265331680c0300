// cgrx_nodes: the coarse-granular index of triangles and rays that can be updated (the paper cgrx, Section 4). As in
// CGRX the keys are sorted and cut into buckets, and rays find the triangle of a key's bucket. Here a bucket is a chain
// of nodes. The code here runs on all machines.
//
//   nodes of 4   2 3 5 . | 8 10 12 17 | 19 22 . .      three buckets were built: of 2 and 5, of 8 and 17, of 19 and 22
//   greatest     5         17           -              of each node; - no end
//   next         .         .            .
//
//   insert 13: node 1 is full, so it is split
//
//   node         0         1          2           3    node 3 is linked: taken from the pool
//   entries      2 3 5 . | 8 10 . . | 19 22 . . | 12 13 17 .
//   greatest     5         10         -           17
//   next         .         3          .           .
//
//   region       cells
//   entries      {key, row id}, 8 or 16 bytes; `node` cells a node: first representative nodes, then linked ones
//   triangles    {x, y, z, primitive index and flip}, 16 bytes, in Morton order                  core/rays/triangle.hpp
//   boxes        the extents of a group of boxes or triangles, 24 bytes                     core/rays/bounding_tree.hpp
//   heads        {greatest key, next node, size} of each node, 16 bytes                                        node.hpp
//   bounds       the greatest key of each bucket
//   pool         counters: nodes that a batch takes and frees, entries that come and go
//
// Invariants
// - The scene is that of the build. Bucket b has the keys above bound b - 1 and up to bound b, which is the key of the
//   place where its triangle is; rays lead there. The last bucket has no end: it gets all keys above the greatest one
//   of the build, which are in no scene. Of buckets with one bound the first is the one that lookups come to.
// - Entries with the key of bound b - 1 may lie in bucket b too, as the build cuts buckets anywhere. Then the bucket
//   that lookups of that key come to has some as well.
// - A chain ascends: node by node, and in a node. No key of a node is above its greatest one, and none of what follows
//   is below it. The greatest key of the last node is the bucket's bound.
// - If a chain has a key, the first node whose greatest key is not smaller has it. So a find reads one node.
// - Behind a node's size its cells are empty. No linked node of a chain is.
// - Representative nodes are the first of their chains, always. A linked node is in one chain, or free.
//
// Operations
//   find       one to five rays, the heads of a chain up to the first node whose greatest key is not smaller, then that
//              node: by halves, or entry by entry. A hit returns the row id of some entry of its key.
//   range      the lower bound of the low end, then the entries from there on, node by node, bucket by bucket.
//   next_key   the lower bound of the key, or of the key after it; the first entry from there on. Empty buckets between
//              are passed one by one.
//   build      entries, half a node each; the scene; heads and bounds; empty cells.
//   update     sorts the batch; a thread a bucket does its part of it (chain_writes.hpp): O(buckets log batch), and
//              half of each node is moved that gets writes. If the pool runs empty, it grows, and those buckets go on.
//              A bucket that gets much is one thread's, however much it is: above the greatest key of the build the
//              last one.
//   rebuild    gathers the entries, sorts them, and builds: buckets are even again, and the scene is of what is there.
//   bytes      16 a key of the build (with 64-bit keys 32), and for each half node of keys 16 of its head, 4 or 8 of
//              its bound, and 16 + 24 / (wide - 1) of its triangle; chains are beside that.
#pragma once

#include "core/bucket_scene/find_buckets.hpp"
#include "core/common/answers.hpp"
#include "core/families/cgrx_nodes/chain_writes.hpp"
#include "core/families/cgrx_nodes/passes.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct cgrx_nodes : node_passes {
  using config = cgrx_nodes_config;
  struct by_batch {};  // a batch of writes is done as a whole
  using state = cgrx_nodes_view;
  static constexpr region_id entries = node_region::entries, heads = node_region::heads;
  static constexpr scene_regions scene = node_region::scene;

  static constexpr u32 build_at_once = 4;  // entries that a GPU's thread builds

  PIVOTSCOPE_FN static constexpr u32 lanes(const cgrx_nodes_config&) { return 1; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const cgrx_nodes_config&) { return 0; }

  // Returns row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    using key_type = typename Wave::key;
    const cgrx_nodes_view& here = view.as<cgrx_nodes_view>();
    auto found = wave.all(not_found);
    const auto at = lower_bound(config, wave, here);
    wave.each([&](u32 i) {
      if (at[i].slot >= at[i].end) return;  // the node ends before the key
      wave.memory.step(here.level_of(at[i].node));
      const auto entry = node_cells<key_type>::load_entry(wave.memory, at[i].slot);
      wave.memory.saw(entries, at[i].slot, entry.key);
      if (entry.key == wave.keys[i]) found[i] = entry.row;
      wave.memory.watch("wave.keys[i]", wave.keys[i], "at[i].slot", at[i].slot, "entry.key", entry.key, "found[i]",
                        watched_row{found[i]});
    });
    return found;
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id) for each, from `place`
  // on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    const cgrx_nodes_view& here = view.as<cgrx_nodes_view>();
    range_answer answer{};
    if (low > high) return answer;
    auto one = wave_of(lanes, memory, low);
    chain_place at = lower_bound(config, one, here)[0];
    for (bool going = true; going;) {
      if (!begin_scan<Key>(config, memory, here, at)) break;
      for (u32 i = 0; i < bucket_read_at_once && going && at.slot < at.end; ++i) {
        const auto entry = node_cells<Key>::load_entry(memory, at.slot);
        memory.saw(entries, at.slot, entry.key);
        going = entry.key <= high;
        if (!going) break;
        output.row(place + answer.count, entry.row);
        answer.row_sum += entry.row;
        ++answer.count, ++at.slot;
      }
      memory.watch("low", low, "high", high, "at.slot", at.slot, "answer.count", answer.count, "answer.row_sum",
                   answer.row_sum);
    }
    return answer;
  }

  // Returns the least key greater than `key`, or with `itself` the least that is not smaller, and a row id of it.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static successor_answer next_key(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                                                 Key key, bool itself) {
    const cgrx_nodes_view& here = view.as<cgrx_nodes_view>();
    const Key low = itself ? key : key_after(key);
    auto one = wave_of(lanes, memory, low);
    chain_place at = lower_bound(config, one, here)[0];
    successor_answer answer{};
    while (begin_scan<Key>(config, memory, here, at)) {
      if (at.slot == at.end) continue;  // an empty node
      const auto entry = node_cells<Key>::load_entry(memory, at.slot);
      memory.saw(entries, at.slot, entry.key);
      // No key follows the greatest value. The search was for that value then, and it is no answer.
      if (itself || low != key) answer = {entry.key, entry.row};
      memory.watch("key", key, "low", low, "at.slot", at.slot, "answer.key", answer.key, "answer.row",
                   watched_row{answer.row});
      break;
    }
    return answer;
  }

  struct write_chains : write_chains_pass {};

 private:
  // A place in a chain, between the first cell of its node that counts and the end of its entries.
  struct chain_place : place_in_bucket {
    u32 bucket = 0, node = 0, next = next_node::none;
  };

  // Reads the head of a node, and puts the place at its first entry.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void enter_node(Config config, Memory& memory, chain_place& at) {
    const auto head = memory.template load<node_head<Key>>(heads, at.node);
    memory.met(heads, at.node, relation::hit);
    at.slot = u64{at.node} * config.value.node, at.end = at.slot + head.size, at.next = head.next;
  }

  // Begins a step that reads entries: those that are left of the node, or those of the node that follows it in the
  // order of keys. Returns false where none follows.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static bool begin_scan(Config config, Memory& memory, const cgrx_nodes_view& here, chain_place& at) {
    const bool has_more = at.slot < at.end;
    if (!has_more && at.next == next_node::none) {
      if (at.bucket + 1 >= here.buckets) return false;
      at.next = ++at.bucket;
    }
    if (!has_more) at.node = at.next;
    memory.scan_step(here.level_of(at.node), false);
    if (!has_more) enter_node<Key>(config, memory, at);
    return true;
  }

  // Returns where the first entry lies that is not smaller than each key of the wave, and the end of its node.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto lower_bound(Config config, Wave& wave, const cgrx_nodes_view& here) {
    using key_type = typename Wave::key;
    auto at = wave.told_by(node_places(config, wave, here), [](const chain_place& place) { return place; });
    const auto level_of = [&](u64 slot) { return here.level_of(static_cast<u32>(slot / config.value.node)); };
    if (config.value.search == bucket_search::binary)
      search_by_halves(node_cells<key_type>(), wave, first_step_of_bucket(config.value.node), at, level_of);
    else
      search_one_by_one(node_cells<key_type>(), wave, at, level_of);
    return at;
  }

  // Returns for each key of the wave the first node of its bucket's chain whose greatest key is not smaller.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto node_places(Config config, Wave& wave, const cgrx_nodes_view& here) {
    using key_type = typename Wave::key;
    const auto buckets = buckets_of(config, wave, scene, here, here.buckets - 1);
    auto places = wave.to_keep(chain_place{});
    wave.again(
        wave.of_owners([](u32, key_type) { return true; }),
        [&](u32 i, key_type) {
          chain_place at;
          at.bucket = buckets[i], at.node = buckets[i];
          return at;
        },
        [&](key_type key, chain_place& at, bool) {
          wave.memory.step(here.level_of(at.node));
          const auto head = wave.memory.template load<node_head<key_type>>(heads, at.node);
          const bool goes_on = head.greatest < key;
          wave.memory.met(heads, at.node, goes_on ? relation::miss : relation::hit);
          wave.memory.watch("key", key, "at.node", at.node, "head.greatest", head.greatest, "head.next", head.next,
                            "head.size", head.size);
          if (goes_on) {
            at.node = head.next;
            return true;
          }
          at.slot = u64{at.node} * config.value.node, at.end = at.slot + head.size, at.next = head.next;
          return false;
        },
        [&](u32 i, const chain_place& at) { places[i] = at; });
    return places;
  }
};

}  // namespace pivotscope
