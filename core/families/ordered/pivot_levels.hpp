// The levels of a pivot buffer (O5; lightweight, Section 4.5 and Figure 13): which of them are stored, what trimming
// the others saves, and the leaf partitions that it leaves. Pure.
#pragma once

#include <optional>
#include <vector>

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

// Nothing where there is no level to trim: another order, or so few keys that there is one leaf.
std::optional<stored_levels> pivot_levels_of(const ordered_config& config, const index_shape& shape);
// The config that stores the first `kept` of `whole` levels.
ordered_config keep_pivot_levels(ordered_config config, u32 kept, u32 whole);
// The nodes that trimming left out, level by level; cells count in the whole buffer, levels and places across the tree
// as in make_nodes() of the trimmed one.
std::vector<missing_node> trimmed_nodes(const ordered_config& config, const index_shape& shape);

}  // namespace pivotscope
