// The operations of an RX index in a few lines each.
#pragma once

#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code rx_pseudo_code(operation kind);

}  // namespace pivotscope
