// What a build kernel is handed.
#pragma once

#include "core/index/ordered/shape.hpp"

namespace pivotscope {

// Keys and row ids in sorted order, and where the index goes.
struct build_view {
  const void* keys = nullptr;
  const u32* rows = nullptr;
  void* entries = nullptr;
  u32* entry_rows = nullptr;  // SoA only
  void* pivots = nullptr;     // orders that have one
  index_shape shape;
};

}  // namespace pivotscope
