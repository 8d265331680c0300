#include "core/machine/trace/trace.hpp"

namespace pivotscope {

outcome<lookup_trace> trace_of(const stored_index& index, const question& what) {
  switch (what.kind) {
    case operation::find:
      break;
    case operation::range:
      return trace_range(index, what.key, what.high);
    case operation::successor:
      return trace_successor(index, what.key);
    case operation::insert:
    case operation::erase:
      return trace_write(index, what.kind, what.key);
  }
  return trace_lookup(index, what.key);
}

question question_of(const lookup_trace& trace) {
  if (trace.write) return {trace.write->kind, trace.key};
  if (trace.successor) return {operation::successor, trace.key};
  return trace.range ? question(operation::range, trace.key, trace.range->high) : question(trace.key);
}

}  // namespace pivotscope
