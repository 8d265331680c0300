// Words that several orders share when they tell of a step.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// "slot 5", "slots 4 to 5"
inline std::string slots_words(const trace_step& step) {
  const u64 first = step.compared.front().slot, last = step.compared.back().slot;
  return first == last ? fmt::format("slot {}", first) : fmt::format("slots {} to {}", first, last);
}

// A search with steps that shrink: where step i + 1 goes from where the search stands after step i, which is the least
// slot whose key was seen not to be smaller, or `last` when there was none. step 0: the steps are used up.
inline std::string step_back_words(const lookup_trace& trace, std::size_t i, u64 last, u64 step) {
  u64 at = last;
  for (std::size_t s = 0; s <= i; ++s) {
    for (const comparison& c : trace.steps[s].compared) {
      if (c.array == ordered_region::entries && c.met != relation::greater) at = std::min(at, c.slot);
    }
  }
  if (step == 0) return fmt::format("The steps are used up: read the entry arrived at, slot {}.", at);
  const std::vector<comparison>& to = trace.steps[i + 1].compared;
  const std::string shrink = ordered_config::of(trace.config).fanout == 2 ? fmt::format("Halve the step to {}", step)
                                                                          : fmt::format("Cut the step to {}", step);
  if (to.empty()) return fmt::format("{}: back from slot {} it would leave the array.", shrink, at);
  return fmt::format(
      "{}: from slot {} back to {}{}.", shrink, at, to.size() == 1 ? "slot " : "the slots from ",
      to.size() == 1 ? std::to_string(to.front().slot) : fmt::format("{} to {}", to.front().slot, to.back().slot));
}

inline u64 count_smaller(const trace_step& step) {
  return static_cast<u64>(std::count_if(step.compared.begin(), step.compared.end(), [](const comparison& c) {
    return c.rank != no_rank && c.met == relation::greater;
  }));
}

inline const char* direction(u64 smaller, u32 fanout) {
  return smaller == 0 ? "left" : smaller + 1 == fanout ? "right" : "to the middle";
}

}  // namespace pivotscope
