// SA's operations in a few lines.
#pragma once

#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code merged_pseudo_code(operation kind);

}  // namespace pivotscope
