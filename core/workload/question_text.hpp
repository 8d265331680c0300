// Questions as text: in the key field, in lists, in a scenario.
#pragma once

#include <string>

#include "core/common/question.hpp"

namespace pivotscope {

// Returns "9", "9..12", ">9", "+9" or "-9", as the window's key field takes it.
std::string to_text(const question& asked);
// Returns the same for an item of a list, where a lookup has a sign too: "?9".
std::string to_list_item(const question& asked);

}  // namespace pivotscope
