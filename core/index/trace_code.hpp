// trace_code: a family compiled for the trace and the interleaved machine, as a table with one function per operation.
#pragma once

#include <span>

#include "core/common/answers.hpp"
#include "core/common/outcome.hpp"
#include "core/common/question.hpp"
#include "core/machine/interleaved/interleaved_source.hpp"

namespace pivotscope {

class stored_index;
struct build_view;

struct lookup_trace;

// A function is null if the family lacks the operation.
struct trace_code {
  // Traces the lookups of a warp, at most 32, in step: each trace.key, into trace.steps and trace.row.
  // `with_source`: with the source lines that ran and the values there; without them it is faster. Problem:
  // the index could not be read.
  status (*find)(const stored_index&, std::span<lookup_trace> warp, bool with_source) = nullptr;
  // Traces the range trace.key to trace.range->high, into trace.steps and trace.range->answer.
  status (*range)(const stored_index&, lookup_trace& trace) = nullptr;
  // Traces the next key after trace.key, or with takes_itself(trace.asked) from it on, into trace.steps and
  // trace.successor.
  status (*next_key)(const stored_index&, lookup_trace& trace) = nullptr;
  // Traces trace.write of trace.key, into trace.steps and trace.write->done. Null: no write has a path of its own
  // (family::steps_writes()).
  status (*write)(const stored_index&, lookup_trace& trace) = nullptr;
  // Does one operation over memory that others share (core/machine/interleaved). Null: none changes it by
  // itself.
  write_done (*interleaved)(const index_config&, interleaved_memory&, const build_view&, const question&,
                            script_answer& answer) = nullptr;
};

}  // namespace pivotscope
