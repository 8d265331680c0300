// The source that a trace's steps ran, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// The line without its indentation; empty when its file is none of the program's.
std::string_view text_of(const source_line& line);

// "11", "yes", "not_found".
std::string value_text(const watched_value& watched);

// Lines of text about a step: file by file the lines that ran, `>` before the main one, then the values.
std::string source_words(const trace_step& step);

// "source" and "watched" for each of the steps that to_json() made (docs/json.md).
void add_source(nlohmann::json& json, const lookup_trace& trace);

}  // namespace pivotscope
