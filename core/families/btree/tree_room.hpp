// How many nodes a tree has memory for, and how it gets more.
#pragma once

#include "core/families/btree/passes.hpp"
#include "core/index/executor.hpp"

namespace pivotscope {

// Returns a tree of so many keys, as it is built, with memory for its nodes and for a few more, so that a small batch of
// inserts need not copy it.
btree_view tree_over(const btree_config& c, u64 keys);

// Returns how many cells a block keeps in its scratch: those of whole inner nodes.
u32 cells_to_pin(const btree_config& c, const btree_view& tree);

std::vector<index_region> tree_regions(const btree_config& c, const btree_view& tree);

// Makes room for so many nodes more than there is memory for: by an eighth at least, so that many small batches do not
// enlarge it one by one, and no further than nodes have numbers. Zero leaves it as it is.
status add_node_room(executor& on, const btree_config& c, btree_view& tree, u64 leaves, u64 inner);

}  // namespace pivotscope
