// combined_update: does a batch of writes as a whole (combined.hpp), pass after pass.
#pragma once

#include "core/families/btree/passes.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

// Returns the state of the changed tree. The passes change the regions that the executor has.
outcome<state_bytes> combined_update(executor& on, const btree_config& config, const btree_view& tree,
                                     const write_batch& writes);

}  // namespace pivotscope
