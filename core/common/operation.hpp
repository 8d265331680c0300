// The operations of an index. A family says which of them it has (core/index/operations.hpp).
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

enum class operation : u8 {
  find,       // returns a row id of a key
  range,      // counts the entries within [low, high], and sums their row ids
  successor,  // returns the least key that is greater than a key, with a row id of it
  insert,     // gives a key a row id
  erase,      // removes all entries of a key
};
PIVOTSCOPE_FN constexpr bool is_write(operation kind) { return kind == operation::insert || kind == operation::erase; }

}  // namespace pivotscope
