// The source lines that the steps of a trace ran, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// Returns the line without its indentation; empty if its file is none of the program's.
std::string_view text_of(const source_line& line);

// "11", "yes", "not_found".
std::string value_text(const watched_value& watched);

// Returns lines of text about a step: for each file the lines that ran, with `>` before the main
// one, and then the values.
std::string source_words(const trace_step& step);

// Adds "source" and "watched" to each of the steps that to_json() made (docs/json.md).
void add_source(nlohmann::json& json, const lookup_trace& trace);

}  // namespace pivotscope
