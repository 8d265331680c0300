// How a trace tells where a search through a pivot buffer goes next.
#pragma once

#include <fmt/format.h>

#include "core/order/words_of_step.hpp"

namespace pivotscope {

struct pivot_buffer_words {
  static constexpr const char* short_name = "AO+PB";
  static constexpr const char* sentence =
      "Ascending with a pivot buffer: the sorted array, and above it the keys that the search compares with, level by "
      "level.";

  static std::string start(const lookup_trace& trace, const index_shape& shape) {
    if (shape.levels == 1) return "So few keys need no pivots: read the only leaf.";
    return fmt::format("Begin at the root of the pivots: {}.", slots_words(trace.steps.front()));
  }
  static std::string next(const lookup_trace& trace, const index_shape& shape, std::size_t i) {
    const u64 smaller = count_smaller(trace.steps[i]);
    const trace_step& to = trace.steps[i + 1];
    const bool leaf = to.level + 1 == shape.levels;
    return fmt::format("Go {}, to child {} of {}: {}{}.", direction(smaller, trace.config.fanout), smaller,
                       trace.config.fanout, leaf ? "the leaf in entry " : "pivot ", slots_words(to));
  }
  static std::string equal(u64 key) {
    return fmt::format("{} is equal to the pivot {}, which is the last key to its left: go there.", key, key);
  }
};

}  // namespace pivotscope
