// Words that hash tables of row_cells have in common, on what a step met in a window or a slab, and on what it wrote.
#pragma once

#include <string>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// What a step met: each cell as it last looked.
struct cells_seen {
  const comparison* key = nullptr;  // a cell that has the key: a live one if there is one, else an erased one
  const comparison* end = nullptr;  // the first empty one
  u64 live = 0, erased = 0, with_key = 0;
};
cells_seen seen_in(const lookup_trace& trace, const trace_step& step);

std::string none_is_the_key(const lookup_trace& trace, const cells_seen& seen);  // without a full stop
std::string erased_passed_words(const cells_seen& seen);                         // "; an erased one is passed over"
std::string found_words(const lookup_trace& trace, const comparison& at);
// `passed`: what the step passed before the empty cell.
std::string ends_at_empty_words(const lookup_trace& trace, const std::string& passed, u64 cell);

// How an entry comes into a cell that is no single word.
inline constexpr const char* claimed_and_stored =
    "the row id is claimed by a compare-and-swap, the key stored, and after a fence the row id, so that who sees it "
    "sees the key";
std::string added_words(const lookup_trace& trace, const std::string& passed, u64 cell, const std::string& how);
// Of a write that revived or replaced an entry, or erased one whose cell keeps its key.
std::string changed_words(const lookup_trace& trace, u64 cell);

// Returns the key's hash, which the trace begins with.
std::string hash_words(const lookup_trace& trace);
// Returns the answer, and how many nodes were looked at. `node`: "window".
std::string verdict_words(const lookup_trace& trace, const char* node);

}  // namespace pivotscope
