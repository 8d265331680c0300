#include <fmt/format.h>

#include "core/trace/trace.hpp"

namespace pivotscope {

outcome<lookup_trace> trace_of(const stored_index& index, const looked_for& what) {
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

looked_for looked_for_in(const lookup_trace& trace) {
  if (trace.write) return looked_for::to_write(trace.write->kind, trace.key);
  if (trace.successor) return looked_for::after(trace.key);
  return trace.range ? looked_for(trace.key, trace.range->high) : looked_for(trace.key);
}

std::string to_text(const looked_for& what) {
  if (what.write) return fmt::format("{}{}", *what.write == operation::insert ? '+' : '-', what.low);
  if (what.successor) return fmt::format(">{}", what.low);
  return what.high ? fmt::format("{}..{}", what.low, *what.high) : std::to_string(what.low);
}

}  // namespace pivotscope
