// How a trace tells where a search of the sorted array goes next, and how its build is told.
#pragma once

#include <fmt/format.h>

#include "core/families/ordered/terms_seen.hpp"
#include "core/families/ordered/words_of_step.hpp"

namespace pivotscope {

struct ascending_words {
  static constexpr const char* short_name = "AO";
  static constexpr const char* sentence = "Ascending: the sorted array itself, with nothing beside it.";

  static const char* caution(const ordered_config& c) {
    return c.fanout == 2 ? nullptr
                         : "in ascending order the K - 1 keys of a step lie far apart, so every one costs a memory "
                           "access of its own: on a GPU slower than binary search, kept to show why";
  }
  static std::string start(const lookup_trace& trace, const index_shape& shape) {
    return fmt::format("Begin at the last slot, {}. The longest step is {}, the greatest power of {} up to n.",
                       trace.keys - 1, shape.longest_step, ordered_config::of(trace.config).fanout);
  }
  static std::string next(const lookup_trace& trace, const index_shape& shape, std::size_t i) {
    u64 step = shape.longest_step;
    for (u32 level = 0; level < trace.steps[i + 1].level; ++level) step /= ordered_config::of(trace.config).fanout;
    return step_back_words(trace, i, shape.keys - 1, step);
  }

  static void build_entry(const slot_told& t, build_step& step) {
    step.terms.push_back({"rank", "slot", std::to_string(t.slot), t.rank,
                          "The key's place in sorted order: this is the one that the thread fetches."});
    step.words =
        fmt::format("A copy: the array is the sorted keys, so slot {} gets the key of rank {}.", t.slot, t.rank);
  }
  static void build_pivot(const slot_told&, build_step&) {}
};

}  // namespace pivotscope
