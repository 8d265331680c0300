// Words for the steps of a write of `cgrx_nodes` (traced_write.hpp).
#pragma once

#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_node_write(lookup_trace& trace, const cgrx_nodes_config& config, const cgrx_nodes_view& view,
                     const cgrx_nodes_model& model);

}  // namespace pivotscope
