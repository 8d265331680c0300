// What a family's code comes to on the trace machine: a warp's lookups over memory that writes down every access.
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

// Null: the family lacks the operation.
struct trace_code {
  // The lookups of a warp, at most 32, in step: each trace.key, into trace.steps and trace.row. With the lines of the
  // source that ran, and the values there, or without, which is faster. Problem: the index could not be read.
  status (*find)(const stored_index&, std::span<lookup_trace> warp, bool with_source) = nullptr;
  // trace.key to trace.range->high, into trace.steps and trace.range->answer.
  status (*range)(const stored_index&, lookup_trace& trace) = nullptr;
  // What comes after trace.key, into trace.steps and trace.successor.
  status (*successor)(const stored_index&, lookup_trace& trace) = nullptr;
  // trace.write of trace.key, into trace.steps and trace.write->done. Null: the family does not change.
  status (*write)(const stored_index&, lookup_trace& trace) = nullptr;
  // One operation of a batch over memory that others share (core/machine/interleaved). Null: the family does not
  // change.
  write_done (*interleaved)(const index_config&, interleaved_memory&, const build_view&, const question&,
                            script_answer& answer) = nullptr;
};

}  // namespace pivotscope
