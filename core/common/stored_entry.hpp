// stored_entry: an entry that an index holds.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

struct stored_entry {
  u64 key = 0;
  u32 row = 0;
  bool operator==(const stored_entry&) const = default;
  bool operator<(const stored_entry& other) const { return key != other.key ? key < other.key : row < other.row; }
};

}  // namespace pivotscope
