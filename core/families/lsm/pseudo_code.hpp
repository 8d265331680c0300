// The operations of `lsm` in a few lines.
#pragma once

#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code lsm_pseudo_code(operation kind);

}  // namespace pivotscope
