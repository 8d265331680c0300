// Words that several orders share when they tell of a step.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/trace/trace.hpp"

namespace pivotscope {

// "slot 5", "slots 4 to 5"
inline std::string slots_words(const trace_step& step) {
  const u64 first = step.compared.front().slot, last = step.compared.back().slot;
  return first == last ? fmt::format("slot {}", first) : fmt::format("slots {} to {}", first, last);
}

inline u64 count_smaller(const trace_step& step) {
  return static_cast<u64>(std::count_if(step.compared.begin(), step.compared.end(),
                                        [](const comparison& c) { return c.rank != no_rank && c.order > 0; }));
}

inline const char* direction(u64 smaller, u32 fanout) {
  return smaller == 0 ? "left" : smaller + 1 == fanout ? "right" : "to the middle";
}

}  // namespace pivotscope
