// How a trace tells where a search in Eytzinger order goes next.
#pragma once

#include <fmt/format.h>

#include "core/index/ordered/words_of_step.hpp"

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
};

}  // namespace pivotscope
