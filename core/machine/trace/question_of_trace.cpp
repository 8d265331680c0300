#include <fmt/format.h>

#include "core/machine/trace/trace.hpp"

namespace pivotscope {

outcome<lookup_trace> trace_of(const stored_index& index, const question& what) {
  switch (what.kind()) {
    case operation::find:
      break;
    case operation::range:
      return trace_range(index, what.low, *what.high);
    case operation::successor:
      return trace_successor(index, what.low);
    case operation::insert:
    case operation::erase:
      return trace_write(index, what.kind(), what.low);
  }
  return trace_lookup(index, what.low);
}

question question_of(const lookup_trace& trace) {
  if (trace.write) return question::to_write(trace.write->kind, trace.key);
  if (trace.successor) return question::after(trace.key);
  return trace.range ? question(trace.key, trace.range->high) : question(trace.key);
}

std::string to_text(const question& what) {
  if (what.write) return fmt::format("{}{}", *what.write == operation::insert ? '+' : '-', what.low);
  if (what.successor) return fmt::format(">{}", what.low);
  return what.high ? fmt::format("{}..{}", what.low, *what.high) : std::to_string(what.low);
}

}  // namespace pivotscope
