// What a search learns about a cell that it reads.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// How the searched key compares with the content of the cell.
enum class relation : u8 {
  less,
  equal,
  greater,
  other,  // not equal, in a family without an order
  tag,    // a few bits of the key agree: the key may be here
  hit,    // of a ray, or of whatever has no keys
  miss,
};

}  // namespace pivotscope
