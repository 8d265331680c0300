// An update of an index of nodes: a batch of writes, done by a thread a bucket, and once more where the pool ran empty.
#pragma once

#include "core/families/cgrx_nodes/node.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

// Does the writes of a batch in the regions that there are, and returns the state that the index then has.
outcome<state_bytes> update_nodes(executor& on, const cgrx_nodes_config& config, const cgrx_nodes_view& from,
                                  const write_batch& writes);

}  // namespace pivotscope
