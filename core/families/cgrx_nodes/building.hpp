// The build of an index of nodes, stage by stage, and its rebuild.
#pragma once

#include "core/families/cgrx_nodes/node.hpp"
#include "core/index/executor.hpp"

namespace pivotscope {

// Returns how many nodes there is memory for, of an index over some keys as it is built.
u32 nodes_with_room(u32 buckets);

// Builds the index on a machine, and returns its cgrx_nodes_view.
outcome<state_bytes> build_nodes(executor& on, const cgrx_nodes_config& config);
// Builds it anew from the entries that it holds.
outcome<state_bytes> rebuild_nodes(executor& on, const cgrx_nodes_config& config, const cgrx_nodes_view& from);

}  // namespace pivotscope
