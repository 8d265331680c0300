#include "core/machine/trace/trace.hpp"

namespace pivotscope {

outcome<lookup_trace> trace_of(const stored_index& index, const question& what) {
  switch (answer_of(what.kind)) {
    case answer_kind::row:
      break;
    case answer_kind::sum:
      return what.kind == operation::range ? trace_range(index, what.key, what.high) : trace_matches(index, what.key);
    case answer_kind::next:
      return trace_next(index, what.kind, what.key);
    case answer_kind::done:
      return trace_write(index, what.kind, what.key);
  }
  return trace_lookup(index, what.key);
}

question question_of(const lookup_trace& trace) {
  return {trace.asked, trace.key, trace.asked == operation::range ? trace.range->high : 0};
}

}  // namespace pivotscope
