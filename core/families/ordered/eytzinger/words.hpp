// How a trace tells where a search in Eytzinger order goes next, and how its build is told.
#pragma once

#include <fmt/format.h>

#include "core/families/ordered/terms_seen.hpp"
#include "core/families/ordered/words_of_step.hpp"

namespace pivotscope {

struct eytzinger_words {
  static constexpr const char* short_name = "EO";
  static constexpr const char* sentence =
      "Eytzinger: entries level by level of a complete K-ary search tree, so that what one step may read lies "
      "together.";

  static const char* caution(const ordered_config&) { return nullptr; }
  static std::string start(const lookup_trace& trace, const index_shape&) {
    return fmt::format("Begin at the root: {}.", slots_words(trace.steps.front()));
  }
  static std::string next(const lookup_trace& trace, const index_shape&, std::size_t i) {
    const u64 smaller = count_smaller(trace.steps[i]);
    if (ordered_config::of(trace.config).fanout == 2) {
      const u64 slot = trace.steps[i].compared.front().slot;
      return fmt::format("Go {}: slot 2 x {}{} = {}.", smaller ? "right" : "left", slot, smaller ? " + 1" : "",
                         2 * slot + smaller);
    }
    const u64 node = trace.steps[i].compared.front().slot / (ordered_config::of(trace.config).fanout - 1);
    return fmt::format("Go {}: node {} x {} + 1 + {} = {}, {}.",
                       direction(smaller, ordered_config::of(trace.config).fanout),
                       ordered_config::of(trace.config).fanout, node, smaller,
                       node * ordered_config::of(trace.config).fanout + 1 + smaller, slots_words(trace.steps[i + 1]));
  }

  // Lightweight, Section 3.5 and Figure 10: its names, with K in place of numbers.
  static void build_entry(const slot_told& t, build_step& step) {
    const u64 fanout = t.config.fanout, n = t.shape.keys;
    const bool front = fanout == 2;
    if (t.rank == no_rank) {
      step.words = t.slot == 0 ? "Stays empty: with K = 2 the tree begins at slot 1, so that two siblings lie side by "
                                 "side on an even slot."
                               : "Stays empty: it is the rest of the last node. It gets the greatest key and no row "
                                 "id, which no lookup takes for an entry.";
      return;
    }
    const u64 position = t.terms[build_term::position], levels = t.terms[build_term::full_levels];
    const u64 level = t.terms[build_term::level], i = t.terms[build_term::place];
    const std::string at = front ? "position" : "slot";
    if (front)
      step.terms.push_back({"position", "slot - 1", fmt::format("{} - 1", t.slot), position,
                            "Slot 0 stays empty with K = 2, so positions are counted from slot 1."});
    step.terms.push_back({"H", "K^H - 1 \u2264 n < K^(H + 1) - 1",
                          fmt::format("{0}^{1} - 1 \u2264 {2} < {0}^({1} + 1) - 1", fanout, levels, n), levels,
                          "How many levels n keys fill completely, from the root down. H full levels hold K^H - 1 "
                          "keys."});
    if (level == levels) return build_on_last_level(t, step);
    const u64 b = t.terms[build_term::last], l = t.terms[build_term::height];
    const u64 q = t.terms[build_term::found], c = t.terms[build_term::correction];
    step.terms.push_back({"b", "n - (K^H - 1)", fmt::format("{} - ({}^{} - 1)", n, fanout, levels), b,
                          "The keys that are left for one more level, the last. It is filled from the left."});
    step.terms.push_back({"level", fmt::format("K^level - 1 \u2264 {} < K^(level + 1) - 1", at),
                          fmt::format("{0}^{1} - 1 \u2264 {2} < {0}^({1} + 1) - 1", fanout, level, position), level,
                          "The level that the slot lies on: 0 is the root, and K^level - 1 keys lie before a level."});
    step.terms.push_back({"i", at + " - (K^level - 1)", fmt::format("{} - ({}^{} - 1)", position, fanout, level), i,
                          "The slot's place on its level, from 0."});
    step.terms.push_back({"l", "H - 1 - level", fmt::format("{} - 1 - {}", levels, level), l,
                          "The level as the paper's formula counts: from the lowest full level, which is 0."});
    step.terms.push_back({"q", "K^l \u00D7 (1 + i + floor(i / (K - 1))) - 1",
                          fmt::format("{0}^{1} \u00D7 (1 + {2} + floor({2} / ({0} - 1))) - 1", fanout, l, i), q,
                          "Where the key would lie in sorted order if the full levels were all there is: every K^l-th "
                          "key belongs to this level or to one above."});
    step.terms.push_back({"c", "min(b, (K - 1) \u00D7 (q + 1))",
                          fmt::format("min({}, ({} - 1) \u00D7 ({} + 1))", b, fanout, q), c,
                          "How many keys of the last level are smaller: before each of the q + 1 keys up to this one "
                          "there is room for K - 1 of them, and there are b in all."});
    step.terms.push_back({"rank", "q + c", fmt::format("{} + {}", q, c), t.rank,
                          "The key's place in sorted order: this is the one that the thread fetches."});
    step.shift = {"c", "q", q, c};
    step.words =
        fmt::format("Place {} on level {}. Without a last level the key of rank {} would go here. ", i, level, q);
    if (b == 0)
      step.words += "All levels are full, so that is the one.";
    else if (b == 1)
      step.words += fmt::format("The one key on the last level is smaller, so it is the key of rank {}.", t.rank);
    else
      step.words += fmt::format("{} of the {} keys on the last level {} smaller, so it is the key of rank {}.", c, b,
                                c == 1 ? "is" : "are", t.rank);
  }
  static void build_pivot(const slot_told&, build_step&) {}

 private:
  static void build_on_last_level(const slot_told& t, build_step& step) {
    const u64 fanout = t.config.fanout, levels = t.terms[build_term::full_levels];
    const u64 position = t.terms[build_term::position], i = t.terms[build_term::place];
    const std::string at = fanout == 2 ? "position" : "slot";
    step.terms.push_back({"level", fmt::format("{} \u2265 K^H - 1", at),
                          fmt::format("{} \u2265 {}^{} - 1", position, fanout, levels), levels,
                          "Behind the full levels: it lies on the last one, which the n keys do not fill."});
    step.terms.push_back({"i", at + " - (K^H - 1)", fmt::format("{} - ({}^{} - 1)", position, fanout, levels), i,
                          "The slot's place on the last level, from 0."});
    step.terms.push_back({"rank", "i + floor(i / (K - 1))", fmt::format("{0} + floor({0} / ({1} - 1))", i, fanout),
                          t.rank,
                          "The key's place in sorted order: the i keys before it on this level are smaller, and after "
                          "every K - 1 of them one key of the levels above."});
    step.words = fmt::format(
        "Place {} on the last level. In sorted order, after every {} of this level comes one of those "
        "above: {} before this one, so it is the key of rank {}.",
        i, fanout == 2 ? std::string("key") : fmt::format("{} keys", fanout - 1), t.rank - i, t.rank);
  }
};

}  // namespace pivotscope
