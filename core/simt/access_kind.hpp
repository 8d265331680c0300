// The kinds of access that an instruction makes to memory.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

enum class access_kind : u8 {
  load,
  store,
  swap,  // compare-and-swap
  add,
  exchange,
  set_bits,  // an atomic or
};

}  // namespace pivotscope
