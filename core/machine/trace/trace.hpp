// The trace machine: runs one lookup, one write, or the 32 lookups of a warp, and records every step. The window steps
// through the record, `pivotscope trace` prints it, and the traffic model counts sectors in it (core/traffic).
//
// How it runs a family's source. core/families/NAME/host.cpp compiles the family's struct into trace_code, a table with
// one function per operation (trace_code_of.hpp). In it, simt/host.hpp has a source and a recorder of this machine's
// own:
//
//   lanes     a loop over the lanes of a lookup, as on cpu; the recorder is told which lane runs
//   wave      the lookups of a warp in step, at most 32
//   memory    fetched_source: bytes of an index of any machine, fetched as the search reads them. A write goes to a
//             layer over them (overlaid_source), so the index does not change.
//   recorder  trace_recorder: keeps every access (region, cell, bytes, lane), every comparison, the lines of the source
//             that ran and the values there, step by step (core/index/lookup_trace.hpp)
//
// Afterwards the family puts the steps into words (family::tell()).
//
// What it shares. With every machine: the family's source. With cpu and interleaved: the lanes and the memory of
// simt/host.hpp. With cuda: simt/run.hpp, which splits a node into loads, so the loads in a trace are those of the GPU.
//
// What it cannot do. It takes no times. It runs one operation alone: several that meet are for the interleaved machine
// (core/machine/interleaved). It has no block: a trace shows no tile and no sorting, and a pinned key is read from the
// cell that a block would have copied. A path that is longer than 16,384 steps, or that compares more than 2^21 keys,
// is refused. The traces of a warp have no words and no lines of the source.
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

// Runs the lookups of a warp, at most 32, in step with one another. Returns the traces that trace_lookup() makes of
// each, without words and lines of the source.
outcome<std::vector<lookup_trace>> trace_warp(const stored_index& index, std::span<const u64> keys);

// Runs one lookup over an index of any machine. Slots on a GPU are fetched as they are read.
outcome<lookup_trace> trace_lookup(const stored_index& index, u64 key);

// The same for the range lookup [low, high] (lightweight, Section 3.2). The scan of a run of slots is one step.
outcome<lookup_trace> trace_range(const stored_index& index, u64 low, u64 high);

// The same for the next key: with `kind` successor the least key greater than `key`, with lower_bound the least that is
// not smaller; and a row id of it.
outcome<lookup_trace> trace_next(const stored_index& index, operation kind, u64 key);

// The same for the matches of a key: as a range from the key to itself, or as its lookup where a key has one entry at
// most.
outcome<lookup_trace> trace_matches(const stored_index& index, u64 key);

// The same for an insert or an erase of a key. The index does not change. An insert gives the next row id.
outcome<lookup_trace> trace_write(const stored_index& index, operation kind, u64 key);

// Traces what a question asks.
outcome<lookup_trace> trace_of(const stored_index& index, const question& what);
question question_of(const lookup_trace& trace);

void to_json(nlohmann::json& json, const lookup_trace& trace);
// Returns what `pivotscope trace` prints; `with_source`: with the lines of the source that each step ran.
std::string to_text(const lookup_trace& trace, bool with_source = false);

}  // namespace pivotscope
