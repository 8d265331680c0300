// What an index can be asked. A family says which of them it has (core/index/operations.hpp).
#pragma once

#include <array>
#include <string_view>

#include "core/common/portable.hpp"

namespace pivotscope {

enum class operation : u8 {
  find,       // a key's row id
  range,      // how many entries lie within [low, high], and the sum of their row ids
  successor,  // of a key: the least greater key that is there, and a row id of it
};
inline constexpr std::array all_operations = {operation::find, operation::range, operation::successor};

std::string_view operation_noun(operation kind);  // "lookups", "ranges", "successors"

}  // namespace pivotscope
