// A lookup as a list of steps. They come from the algorithm itself, run over memory that writes down every access
// (simt/host.hpp); the family tells of them in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/common/question.hpp"
#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/workload/operation_table.hpp"

namespace pivotscope {

// Runs the lookups of a warp, at most 32, on the trace machine in step with one another, as a warp does: the traces that
// trace_lookup() makes of each, but without words and lines of the source.
outcome<std::vector<lookup_trace>> trace_warp(const stored_index& index, std::span<const u64> keys);

// Runs one lookup on the trace machine over an index of any machine; a GPU's slots are fetched as they are read.
outcome<lookup_trace> trace_lookup(const stored_index& index, u64 key);

// The same for the range lookup [low, high] (lightweight, Section 3.2). A scan of a run of slots is one step.
outcome<lookup_trace> trace_range(const stored_index& index, u64 low, u64 high);

// The lookup of what comes after `key`: the least greater key, and a row id of it.
outcome<lookup_trace> trace_successor(const stored_index& index, u64 key);

// The insert or the erase of a key, by an index that stays as it is. An insert gives the next row id.
outcome<lookup_trace> trace_write(const stored_index& index, operation kind, u64 key);

// Traces what a question asks.
outcome<lookup_trace> trace_of(const stored_index& index, const question& what);
question question_of(const lookup_trace& trace);

void to_json(nlohmann::json& json, const lookup_trace& trace);
// What `pivotscope trace` prints; with the lines of the source that each step ran, when wanted.
std::string to_text(const lookup_trace& trace, bool with_source = false);

}  // namespace pivotscope
