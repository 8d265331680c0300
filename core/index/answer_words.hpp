// The answers of lookups, in words that all families share.
#pragma once

#include <string>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// Returns the answer of a traced operation: "9 is in the index: row id 6, in slot 2 of the entries." "8 is not in the
// index." "3 entries from 4 to 12; ..." "After 9 comes 10: row id 2, in slot 7 of the entries." "Nothing comes after
// 17: no key is greater." Of a write it is the outcome: "9 is inserted: row id 14, in a cell that was empty."
std::string answer_words(const lookup_trace& trace);

// Returns what a step of a write changed, word by word: "The row id of slot 3 was none, and
// becomes 14." Empty: nothing.
std::string changes_words(const lookup_trace& trace, const trace_step& step);

}  // namespace pivotscope
