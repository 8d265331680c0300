// How a trace tells where a search of the sorted array goes next.
#pragma once

#include <fmt/format.h>

#include "core/order/words_of_step.hpp"

namespace pivotscope {

struct ascending_words {
  static constexpr const char* short_name = "AO";
  static constexpr const char* sentence = "Ascending: the sorted array itself, with nothing beside it.";

  static std::string start(const lookup_trace& trace, const index_shape& shape) {
    return fmt::format("Begin at the last slot, {}. The longest step is {}, the greatest power of two up to n.",
                       trace.keys - 1, 1ull << (shape.levels - 1));
  }
  // The search stands at the last slot whose key was seen not to be smaller, and steps back from there.
  static std::string next(const lookup_trace& trace, const index_shape& shape, std::size_t i) {
    u64 offset = trace.keys - 1;
    for (std::size_t s = 0; s <= i; ++s) {
      for (const comparison& c : trace.steps[s].compared) {
        if (c.order <= 0) offset = c.slot;
      }
    }
    const trace_step& to = trace.steps[i + 1];
    if (to.level == shape.levels)
      return fmt::format("The steps are used up: read the entry arrived at, slot {}.", offset);
    const u64 step = 1ull << (shape.levels - 1 - to.level);
    if (to.compared.empty())
      return fmt::format("Halve the step to {}: back from slot {} it would leave the array.", step, offset);
    return fmt::format("Halve the step to {}: from slot {} back to slot {}.", step, offset, to.compared.front().slot);
  }
  static std::string equal(u64 key) {
    return fmt::format("{} is equal to {}: keep it, and see if there is an earlier one.", key, key);
  }
};

}  // namespace pivotscope
