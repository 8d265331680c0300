// Numbers in a trace's sentences as the window writes them everywhere: counts and places in groups of three digits,
// keys and row ids as they are typed. Pure.
#pragma once

#include <string>
#include <string_view>

#include "core/index/lookup_trace.hpp"

namespace pivotscope::viz {

// What a number is follows from the words beside it: "slot 848297", "517134 of 1048576 keys".
std::string with_grouped_numbers(std::string_view sentence);
// All of a trace's.
void group_numbers(lookup_trace& trace);

}  // namespace pivotscope::viz
