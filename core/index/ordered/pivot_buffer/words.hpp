// How a trace tells where a search through a pivot buffer goes next.
#pragma once

#include <fmt/format.h>

#include "core/index/ordered/words_of_step.hpp"

namespace pivotscope {

struct pivot_buffer_words {
  static constexpr const char* short_name = "AO+PB";
  static constexpr const char* sentence =
      "Ascending with a pivot buffer: the sorted array, and above it the keys that the search compares with, level by "
      "level.";

  static const char* caution(const ordered_config&) { return nullptr; }
  static std::string start(const lookup_trace& trace, const index_shape& shape) {
    if (shape.levels == 1) return "So few keys need no pivots: read the only leaf.";
    return fmt::format("Begin at the root of the pivots: {}.", slots_words(trace.steps.front()));
  }
  static std::string next(const lookup_trace& trace, const index_shape& shape, std::size_t i) {
    const trace_step& from = trace.steps[i];
    const trace_step& to = trace.steps[i + 1];
    const bool leaf = to.level + 1 == shape.levels;
    if (leaf && from.level == to.level) return in_partition(trace, shape, i);
    const u64 smaller = count_smaller(from);
    const std::string where = to.compared.empty() ? "a partition shorter than the first step"
                              : leaf              ? "the leaf in entry " + slots_words(to)
                                                  : "pivot " + slots_words(to);
    return fmt::format("Go {}, to child {} of {}: {}.", direction(smaller, ordered_config::of(trace.config).fanout),
                       smaller, ordered_config::of(trace.config).fanout, where);
  }
  // A trimmed buffer's partition is searched with steps that shrink.
  static std::string in_partition(const lookup_trace& trace, const index_shape& shape, std::size_t i) {
    std::size_t first = 0;  // the partition's first step
    while (trace.steps[first].level + 1 < shape.levels) ++first;
    u64 step = shape.longest_step;
    for (std::size_t s = first; s <= i; ++s) step /= ordered_config::of(trace.config).fanout;
    u64 base = 0;  // its begin: where the path through the pivots leads
    for (std::size_t s = 0; s < first; ++s)
      base = base * ordered_config::of(trace.config).fanout + count_smaller(trace.steps[s]);
    base *= shape.leaf_entries;
    return step_back_words(trace, i, std::min(base + shape.leaf_entries, shape.keys) - 1, step);
  }
};

}  // namespace pivotscope
