// The operations, in lists and by name.
#pragma once

#include <array>
#include <string_view>

#include "core/common/answers.hpp"
#include "core/common/operation.hpp"

namespace pivotscope {

inline constexpr std::array all_operations = {operation::find, operation::range, operation::successor,
                                              operation::insert, operation::erase};
inline constexpr std::array read_operations = {operation::find, operation::range, operation::successor};

std::string_view operation_verb(operation kind);    // "find": as it stands in a script's text
std::string_view operation_noun(operation kind);    // "lookups", "ranges", "successors", "inserts", "erases"
std::string_view write_done_name(write_done done);  // "added", "revived", ...

}  // namespace pivotscope
