// The levels of a pivot buffer (O5; lightweight, Section 4.5 and Figure 13): which of them are stored, what trimming
// the others saves, and the leaf partitions that it leaves. Pure.
#pragma once

#include <optional>
#include <vector>

#include "viz/tree_model.hpp"

namespace pivotscope::viz {

struct pivot_levels {
  std::vector<u64> slots;  // of every level of the whole buffer, from the root
  u32 kept = 0;            // levels that are stored: the first ones
  u64 kept_bytes = 0, whole_bytes = 0;
  u64 leaf_entries = 0, leaf_bytes = 0;  // of a leaf partition: keys, and row ids where they lie beside them

  u32 whole() const { return static_cast<u32>(slots.size()); }
  u64 saved_bytes() const { return whole_bytes - kept_bytes; }
};

// Nothing where there is no level to trim: another order, or so few keys that there is one leaf.
std::optional<pivot_levels> pivot_levels_of(const index_config& config, u64 keys);
// The config that stores the first `kept` of `whole` levels.
index_config keep_levels(index_config config, u32 kept, u32 whole);

// A pivot buffer's config with all its levels.
index_config untrimmed(index_config config);
// The nodes that trimming left out, level by level; slots count in the whole buffer, levels and places across the tree
// as in make_tree() of the trimmed one. A node's parent is another of them, or -1.
std::vector<tree_node> trimmed_nodes(const index_config& config, const index_shape& shape);

}  // namespace pivotscope::viz
