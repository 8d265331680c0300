#include "viz/pivot_levels.hpp"

#include <algorithm>

#include "core/index/ordered/mapping.hpp"

namespace pivotscope::viz {

index_config untrimmed(index_config config) {
  config.pivots = 0;
  return config;
}

std::optional<pivot_levels> pivot_levels_of(const index_config& config, u64 keys) {
  if (config.order != order_kind::pivot_buffer || keys == 0) return std::nullopt;
  const index_shape shape = make_shape(config, keys), whole = make_shape(untrimmed(config), keys);
  if (whole.levels < 2) return std::nullopt;
  pivot_levels levels;
  for (u32 level = 0; level + 1 < whole.levels; ++level)
    levels.slots.push_back(whole.level_first[level + 1] - whole.level_first[level]);
  levels.kept = shape.levels - 1;
  levels.kept_bytes = shape.pivot_slots * key_bytes(config);
  levels.whole_bytes = whole.pivot_slots * key_bytes(config);
  levels.leaf_entries = shape.leaf_entries;
  levels.leaf_bytes = shape.leaf_entries * entry_bytes(config);
  return levels;
}

index_config keep_levels(index_config config, u32 kept, u32 whole) {
  config.pivots = kept >= whole ? 0 : std::max(kept, 1u);
  return config;
}

std::vector<tree_node> trimmed_nodes(const index_config& config, const index_shape& shape) {
  std::vector<tree_node> nodes;
  const auto levels = pivot_levels_of(config, shape.keys);
  if (!levels || levels->kept == levels->whole()) return nodes;
  const index_config all = untrimmed(config);
  const index_shape whole_shape = make_shape(all, shape.keys);
  const tree_model whole = make_tree(all, whole_shape);
  // The last leaf partition is drawn whole, though it may have fewer entries: both trees are spread over their slots.
  const u64 whole_slots = ceil_div(shape.keys, whole_shape.leaf_entries) * whole_shape.leaf_entries;
  const u64 slots = ceil_div(shape.keys, shape.leaf_entries) * shape.leaf_entries;
  const double scale = static_cast<double>(whole_slots) / static_cast<double>(slots);
  int skipped = 0;
  for (const tree_node& node : whole.nodes) {
    if (node.level < levels->kept) ++skipped;
    if (node.level < levels->kept || node.array != ordered_region::pivots) continue;
    nodes.push_back(node);
    nodes.back().middle *= scale;
    nodes.back().parent = node.parent < skipped ? -1 : node.parent - skipped;
  }
  return nodes;
}

}  // namespace pivotscope::viz
