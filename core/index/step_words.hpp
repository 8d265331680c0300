// Words for where a step of a search is and what it leaves, which families share. A family adds its own in tell().
#pragma once

#include <string>
#include <string_view>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

std::string slots_read_words(const trace_step& step);  // of the main region: "slot 3", "slots 32 to 63", "no entries"
std::string count_left_words(const trace_step& step);  // "7 left"

std::string held_words(const held_thing& held);  // "entry 24, row 14", "leaf 103", "found so far 12"

std::string_view relation_name(relation met);  // "less", "other"
const char* relation_sign(relation met);       // "<", "\u2260"

}  // namespace pivotscope
