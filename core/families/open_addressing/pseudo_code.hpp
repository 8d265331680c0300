// HT+OA's operations in a few lines, as its knobs have them.
#pragma once

#include "core/families/open_addressing/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code table_pseudo_code(const open_addressing_config& config, operation kind);

}  // namespace pivotscope
