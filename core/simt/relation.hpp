// What a search learns of a cell that it meets.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// How what is looked for lies to what stands in the cell.
enum class relation : u8 {
  less,
  equal,
  greater,
  other,  // not equal, and on which side says nothing: there is no order
  tag,    // a few bits of the key agree: it may be here
  hit,    // of a ray, or of whatever has no keys
  miss,
};

}  // namespace pivotscope
