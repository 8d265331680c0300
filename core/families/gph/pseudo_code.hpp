// GPH's operations in a few lines, as its knobs have them.
#pragma once

#include "core/families/gph/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code gph_pseudo_code(const gph_config& config, operation kind);

}  // namespace pivotscope
