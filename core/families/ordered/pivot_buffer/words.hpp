// How a trace tells where a search through a pivot buffer goes next, and how its build is told.
#pragma once

#include <fmt/format.h>

#include "core/families/ordered/terms_seen.hpp"
#include "core/families/ordered/words_of_step.hpp"

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

  static void build_entry(const slot_told& t, build_step& step) {
    if (t.rank == no_rank) {
      step.words =
          "Stays empty: it is the rest of the last leaf. It gets the greatest key and no row id, which no lookup takes "
          "for an entry.";
      return;
    }
    step.terms.push_back({"rank", "slot", std::to_string(t.slot), t.rank,
                          "The key's place in sorted order: this is the one that the thread fetches."});
    step.words = fmt::format("A copy: below the pivots lie the sorted keys, so slot {} gets the key of rank {}.",
                             t.slot, t.rank);
  }
  // Lightweight, Section 3.5, formula for p.
  static void build_pivot(const slot_told& t, build_step& step) {
    const u64 fanout = t.config.fanout, n = t.shape.keys, leaf = t.shape.leaf_entries;
    const u64 level = t.terms[build_term::level], first = t.terms[build_term::level_first];
    const u64 i = t.terms[build_term::place], l = t.terms[build_term::height], p = t.terms[build_term::found];
    const u32 levels = t.shape.levels - 1;
    step.terms.push_back({"level", "begin(level) \u2264 slot < begin(level + 1)",
                          fmt::format("{} \u2264 {} < {}", first, t.slot, t.terms[build_term::next_first]), level,
                          "The level that the slot lies on: 0 is the root. Where the levels begin follows from n, and "
                          "stands in a small table that all threads read."});
    step.terms.push_back({"i", "slot - begin(level)", fmt::format("{} - {}", t.slot, first), i,
                          "The slot's place on its level, from 0."});
    step.terms.push_back({"l", "levels - 1 - level", fmt::format("{} - 1 - {}", levels, level), l,
                          "The level as the paper's formula counts: from the lowest level of pivots, which is 0."});
    step.terms.push_back(
        {"p", "S \u00D7 K^l \u00D7 (1 + i + floor(i / (K - 1))) - 1",
         fmt::format("{0} \u00D7 {1}^{2} \u00D7 (1 + {3} + floor({3} / ({1} - 1))) - 1", leaf, fanout, l, i), p,
         "The last key of the child to the left of this pivot. S are the entries of a leaf; a child on this level "
         "holds "
         "S \u00D7 K^l keys, and after every K - 1 pivots one child has no pivot to its right."});
    const u64 child = i + i / (fanout - 1);
    const std::string where = fmt::format("Place {} on level {} of the pivots, beside child {}, ", i, level, child);
    if (t.rank == no_rank) {
      step.words = where + fmt::format(
                               "which would end at rank {}. {} {} keys: no child lies to the right, and the slot "
                               "stays empty. It gets the greatest key, which no lookup goes past.",
                               p, p + 1 == n ? "That is the last of the" : "There are only", n);
      return;
    }
    step.terms.push_back({"rank", "p, as p + 1 < n", std::to_string(p), t.rank,
                          "The key's place in sorted order: who stores that entry stores it here too. Without a key "
                          "behind it no pivot would be needed, and the slot would stay empty."});
    step.words = where + fmt::format(
                             "which ends at rank {0}. So it is the key of rank {0}: a lookup for a greater one "
                             "goes past that child.",
                             p);
  }
};

}  // namespace pivotscope
