// The orders' operations in a few lines, as their knobs have them.
#pragma once

#include "core/families/ordered/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code ordered_pseudo_code(const ordered_config& config, operation kind);

}  // namespace pivotscope
