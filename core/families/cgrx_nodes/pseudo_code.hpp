// The operations of an index of nodes in a few lines each.
#pragma once

#include "core/families/cgrx_nodes/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code cgrx_nodes_pseudo_code(const cgrx_nodes_config& config, operation kind);

}  // namespace pivotscope
