// What an index can be asked. A family says which of them it has (core/index/operations.hpp).
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

enum class operation : u8 {
  find,       // a key's row id
  range,      // how many entries lie within [low, high], and the sum of their row ids
  successor,  // of a key: the least greater key that is there, and a row id of it
  insert,     // gives a key a row id
  erase,      // removes all entries of a key
};
PIVOTSCOPE_FN constexpr bool is_write(operation kind) { return kind == operation::insert || kind == operation::erase; }

}  // namespace pivotscope
