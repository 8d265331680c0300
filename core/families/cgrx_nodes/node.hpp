// How the nodes of `cgrx_nodes` lie in memory, and what the family's state says of them.
//
//   node       0       1       2       3       4       5
//   entries   |. . . .|. . . .|. . . .|. . . .|. . . .|. . . .|     {key, row id}
//   heads     |   .   |   .   |   .   |   .   |   .   |   .   |     {greatest key, next, size}
//              representative nodes:   linked nodes: taken from the pool
//              node b is the first     one after another, or used again
//              of bucket b
//
// Both regions are slabs that are allocated whole: the representative nodes, then the linked ones. They grow at the
// end.
#pragma once

#include "core/bucket_scene/scene.hpp"
#include "core/families/cgrx_nodes/config.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

namespace node_region {
inline constexpr region_id entries{0};
inline constexpr scene_regions scene{region_id{1}, region_id{2}};
inline constexpr region_id heads{3};
inline constexpr region_id bounds{4};  // the greatest key of each bucket; of the last one the greatest that there is
inline constexpr region_id pool{5};
}  // namespace node_region

// In place of a node's number: nothing follows in the chain; the node is in no chain.
struct next_node {
  static constexpr u32 none = ~0u, free = ~0u - 1;
};

// `greatest`: no key of the node is above it, and none of the nodes that follow is below it.
template <class Key>
struct node_head;
template <>
struct alignas(16) node_head<u32> {
  u32 greatest, next, size, padding;
};
template <>
struct alignas(16) node_head<u64> {
  u64 greatest;
  u32 next, size;
};
PIVOTSCOPE_FN constexpr node_head<u32> make_head(u32 greatest, u32 next, u32 size) { return {greatest, next, size, 0}; }
PIVOTSCOPE_FN constexpr node_head<u64> make_head(u64 greatest, u32 next, u32 size) { return {greatest, next, size}; }

// The cells of the region `pool`: counters of a batch. They count what is not as with most writes, modulo 2^32.
inline constexpr u32 pool_taken = 0;          // nodes that were asked for
inline constexpr u32 pool_freed = 1;          // nodes that left their chains
inline constexpr u32 pool_left = 2;           // writes that wait for a node
inline constexpr u32 pool_cancelled = 3;      // inserts of keys that the batch erases
inline constexpr u32 pool_erased_beside = 4;  // entries that erases took, beyond one each
inline constexpr u32 pool_counters = 5;

// A batch of writes, as its passes see it.
struct node_batch {
  u32 writes = 0, erases = 0, first_row = 0;
  u32 free = 0;        // nodes in the array of free ones
  bool again = false;  // true: some buckets found no node left before, and go on
};

struct cgrx_nodes_view : bucket_scene {
  u64 entries = 0;
  u32 nodes = 1;             // in use or free; the next one that was never used has this number
  u32 room = 1;              // nodes that there is memory for
  u32 free = 0;              // linked nodes that are in no chain
  bool changed = false;      // since it was built
  bool from_arrays = false;  // of a pass that builds: whether the sorted keys lie in arrays
  u64 first_cell = 0;        // of a pass that empties cells
  node_batch batch = {};

  PIVOTSCOPE_FN bool is_linked(u32 node) const { return node >= buckets; }
  // The level of the trace on which a node is read.
  PIVOTSCOPE_FN u32 level_of(u32 node) const { return tree.levels + 1 + u32{is_linked(node)}; }
};

// Loads entries. `slot`: cell of the region.
template <class Key>
struct node_cells {
  static constexpr region_id entries = node_region::entries;

  template <class Memory>
  PIVOTSCOPE_FN static Key load_key(Memory& memory, u64 slot) {
    return memory.template load_part<Key>(entries, slot, sizeof(entry_cell<Key>), 0);
  }
  template <class Memory>
  PIVOTSCOPE_FN static entry_cell<Key> load_entry(Memory& memory, u64 slot) {
    return memory.template load<entry_cell<Key>>(entries, slot);
  }
};

}  // namespace pivotscope
