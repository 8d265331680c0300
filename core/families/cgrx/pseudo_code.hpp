// The operations of a cgRX index in a few lines each.
#pragma once

#include "core/families/cgrx/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code cgrx_pseudo_code(const cgrx_config& config, operation kind);

}  // namespace pivotscope
