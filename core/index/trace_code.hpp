// What a family's code comes to on the trace machine: one lookup over memory that writes down every access.
#pragma once

#include "core/common/outcome.hpp"

namespace pivotscope {

class stored_index;
struct lookup_trace;

struct trace_code {
  // trace.key, into trace.steps and trace.row. Problem: the index could not be read.
  status (*find)(const stored_index&, lookup_trace& trace);
  // trace.key to trace.range->high, into trace.steps and trace.range->answer.
  status (*range)(const stored_index&, lookup_trace& trace);
};

}  // namespace pivotscope
