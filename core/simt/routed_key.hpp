// A lookup's key that goes to the block that has its part, and its place in the batch (batch/routed.hpp).
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

template <class Key>
struct routed_key {
  Key key;
  u32 place;
};

}  // namespace pivotscope
