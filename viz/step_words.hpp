// Where a step of a search is and what it leaves, in the words of the index: levels of a tree, windows of a table, a run of
// entries. Views ask here and know no family. Pure.
#pragma once

#include <optional>
#include <string>

#include "core/index/lookup_trace.hpp"
#include "core/index/model.hpp"

namespace pivotscope::viz {

// Has the search levels, so that the level of a cell says something? Else all its cells are of one.
bool has_levels(const index_model& model);
// The window that a step reads, of a model that has windows.
std::optional<u64> window_of(const index_model& model, const trace_step& step);

// "level 2"; "home window 12", then "window 13"; "slots 32 to 63".
std::string place_words(const index_model& model, const lookup_trace& trace, u32 step);
// Of a row of nodes: "level 2", "windows", "runs".
std::string level_name(const index_model& model, u32 level);
// "7 left"; of a window why the search goes on, or ends: "full", "has room", "found".
std::string left_words(const index_model& model, const lookup_trace& trace, u32 step);

}  // namespace pivotscope::viz
