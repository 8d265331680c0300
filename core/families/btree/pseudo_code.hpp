// The pseudo code of the operations of `btree`.
#pragma once

#include "core/families/btree/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code btree_pseudo_code(const btree_config& config, operation kind);

}  // namespace pivotscope
