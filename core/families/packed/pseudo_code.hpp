// PACKED's operations in a few lines, as its knobs have them.
#pragma once

#include "core/families/packed/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code packed_pseudo_code(const packed_config& config, operation kind);

}  // namespace pivotscope
