#include "core/families/ordered/pivot_levels.hpp"

#include <algorithm>

#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/tree_nodes.hpp"

namespace pivotscope {
namespace {

// A pivot buffer's config with all its levels.
ordered_config untrimmed(ordered_config config) {
  config.pivots = 0;
  return config;
}

}  // namespace

std::optional<stored_levels> pivot_levels_of(const ordered_config& config, const index_shape& shape) {
  if (config.order != order_kind::pivot_buffer || shape.keys == 0) return std::nullopt;
  const index_shape whole = make_shape(untrimmed(config), shape.keys);
  if (whole.levels < 2) return std::nullopt;
  stored_levels levels;
  levels.name = "pivot level";
  levels.meaning =
      "The pivot buffer holds the keys that the search compares with before it comes to the entries. Levels that are "
      "not stored make it smaller and the leaf partitions larger (O5).";
  levels.knob = "pivots";
  levels.region = ordered_region::pivots;
  for (u32 level = 0; level + 1 < whole.levels; ++level)
    levels.cells.push_back(whole.level_first[level + 1] - whole.level_first[level]);
  levels.kept = shape.levels - 1;
  levels.kept_bytes = shape.pivot_slots * key_bytes(config.keys);
  levels.whole_bytes = whole.pivot_slots * key_bytes(config.keys);
  levels.leaf_entries = shape.leaf_entries;
  levels.leaf_bytes = shape.leaf_entries * entry_bytes(config);
  return levels;
}

ordered_config keep_pivot_levels(ordered_config config, u32 kept, u32 whole) {
  config.pivots = kept >= whole ? 0 : std::max(kept, 1u);
  return config;
}

std::vector<missing_node> trimmed_nodes(const ordered_config& config, const index_shape& shape) {
  std::vector<missing_node> missing;
  const auto levels = pivot_levels_of(config, shape);
  if (!levels || levels->kept == levels->whole()) return missing;
  const ordered_config all = untrimmed(config);
  const index_shape whole_shape = make_shape(all, shape.keys);
  // The last leaf partition is drawn whole, though it may have fewer entries: both trees are spread over their slots.
  const u64 whole_slots = ceil_div(shape.keys, whole_shape.leaf_entries) * whole_shape.leaf_entries;
  const u64 slots = ceil_div(shape.keys, shape.leaf_entries) * shape.leaf_entries;
  const double scale = static_cast<double>(whole_slots) / static_cast<double>(slots);
  int skipped = 0;
  for (const tree_node& node : make_nodes(all, whole_shape)) {
    if (node.level < levels->kept) ++skipped;
    if (node.level < levels->kept || node.region != ordered_region::pivots) continue;
    missing_node& out = missing.emplace_back(missing_node{node, {}});
    out.node.middle *= scale;
    out.node.parent = node.parent < skipped ? -1 : node.parent - skipped;
    for (u32 i = 0; i < node.cells; ++i) out.ranks.push_back(pivot_rank(all, whole_shape, node.first + i));
  }
  return missing;
}

}  // namespace pivotscope
