#include "core/index/packed/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/answer_words.hpp"
#include "core/index/packed/directory.hpp"

namespace pivotscope {
namespace {

// What a step looked at.
enum class place_kind { block, leaf, in_full, rows };
struct step_place {
  place_kind kind = place_kind::rows;
  u64 number = 0;  // of the block, or the leaf
};

step_place place_of(const trace_step& step, const packed_config& config) {
  step_place place;
  if (step.accesses.empty()) return place;
  const memory_access& first = step.accesses.front();
  if (first.array == packed_region::blocks) return {place_kind::block, first.slot};
  if (step.kind == step_kind::scan || step.kind == step_kind::warp_scan) return {place_kind::rows, first.slot};
  if (first.array == packed_region::escapes) {
    const u64 entry = step.compared.empty() ? 0 : step.compared.front().slot;
    return {place_kind::in_full, entry / leaf_entries(config)};
  }
  const bool full = std::any_of(step.accesses.begin(), step.accesses.end(),
                                [](const memory_access& a) { return a.array == packed_region::escapes; });
  return {full ? place_kind::in_full : place_kind::leaf, first.slot / leaf_entries(config)};
}

std::string watched_number(const trace_step& step, std::string_view name) {
  for (const watched_value& w : step.watched)
    if (w.name == name) return std::to_string(w.value);
  return "?";
}

std::string leaf_words(u64 leaf, const packed_config& config) {
  return fmt::format("leaf {}, entries {} to {}", leaf, leaf * leaf_entries(config),
                     (leaf + 1) * leaf_entries(config) - 1);
}

// Entries that a step compared: how many are smaller than the key, and whether one is it.
struct compared_entries {
  u64 smaller = 0, equal = 0;
};
compared_entries compared_in(const trace_step& step) {
  compared_entries seen;
  for (const comparison& c : step.compared) seen.smaller += c.order > 0, seen.equal += c.order == 0;
  return seen;
}

std::string next_words(const step_place& here, const step_place& next, const packed_config& config) {
  switch (next.kind) {
    case place_kind::block:
      return here.kind == place_kind::block
                 ? fmt::format("many leaves begin in this bucket, so it has blocks of its own: on to block {}",
                               next.number)
                 : fmt::format("the range's other end: block {} of the directory", next.number);
    case place_kind::leaf:
      if (here.kind != place_kind::leaf && here.kind != place_kind::in_full)
        return fmt::format("on to {}", leaf_words(next.number, config));
      return next.number < here.number
                 ? fmt::format("a separator has the key's own 8 bits, so the key may lie before it: back to {}",
                               leaf_words(next.number, config))
                 : fmt::format("on to {}", leaf_words(next.number, config));
    case place_kind::in_full:
      return "the leaf is escaped: its entries lie elsewhere, in full";
    case place_kind::rows:
      return "on to the entries of the range";
  }
  return {};
}

void tell_step(lookup_trace& trace, std::size_t i, const packed_config& config) {
  trace_step& step = trace.steps[i];
  const step_place here = place_of(step, config);
  const bool last = i + 1 == trace.steps.size();
  const step_place next = last ? here : place_of(trace.steps[i + 1], config);
  const u64 n = trace.keys, entries = leaf_entries(config);
  const auto left = [&](u64 first, u64 end) { step.left_first = std::min(first, n), step.left_end = std::min(end, n); };
  if (!last) step.next = next_words(here, next, config);
  switch (here.kind) {
    case place_kind::block:
      left(0, n);
      if (!last && (next.kind == place_kind::leaf || next.kind == place_kind::in_full)) {
        left(next.number * entries, (next.number + 1) * entries);
        step.words = fmt::format(
            "Prefix block {}: its bucket begins in leaf {}. Its separators that are no greater than the key's 8 bits "
            "lead to "
            "leaf {}.",
            here.number, watched_number(step, "block.first_leaf()"), next.number);
      } else {
        step.words = fmt::format("Prefix block {}: its bucket begins in leaf {}.", here.number,
                                 watched_number(step, "block.first_leaf()"));
      }
      return;
    case place_kind::leaf:
    case place_kind::in_full: {
      const compared_entries seen = compared_in(step);
      left(here.number * entries, (here.number + 1) * entries);
      const std::string where =
          fmt::format("Leaf {}{}", here.number, here.kind == place_kind::in_full ? ", in full" : "");
      if (step.kind == step_kind::next) {
        step.words = fmt::format("{}: the first entry that is greater.", where);
        left(trace.slot == no_rank ? 0 : trace.slot, trace.slot == no_rank ? 0 : trace.slot + 1);
      } else if (step.compared.empty()) {
        step.words = fmt::format("{} is escaped: its bits do not tell its keys apart.", where);
      } else if (seen.equal > 0 && !trace.range && !trace.successor) {
        step.words = fmt::format("{}: the entry in slot {} has the bits of {}. Found.", where, trace.slot, trace.key);
        left(trace.slot, trace.slot + 1);
      } else if (trace.range || trace.successor) {
        step.words = fmt::format("{}: {} of {} entries are smaller, so {} are before the place.", where, seen.smaller,
                                 step.compared.size(), here.number * entries + seen.smaller);
      } else {
        step.words = fmt::format("{}: none of its entries has the bits of {}.", where, trace.key);
        if (last) left(0, 0);
      }
      return;
    }
    case place_kind::rows:
      step.words =
          step.accesses.empty()
              ? "Nothing is left to read."
              : fmt::format("The row ids of {} packs, added up: what lies between the two ends is in the range.",
                            step.accesses.size());
      left(0, n);
      return;
  }
}

}  // namespace

void tell_packed(lookup_trace& trace) {
  const auto config = packed_config::of(trace.config);
  if (!trace.steps.empty())
    trace.start = fmt::format("The key's distance from the least, times a constant, is its bucket: prefix block {}.",
                              place_of(trace.steps.front(), config).number);
  u64 blocks = 0, leaves = 0;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    tell_step(trace, i, config);
    const place_kind kind = place_of(trace.steps[i], config).kind;
    blocks += kind == place_kind::block, leaves += kind == place_kind::leaf || kind == place_kind::in_full;
  }
  trace.verdict = answer_words(trace);
  if (!trace.steps.empty())
    trace.verdict += fmt::format(" {} prefix block{} and {} lea{} were looked at.", blocks, blocks == 1 ? "" : "s",
                                 leaves, leaves == 1 ? "f" : "ves");
}

}  // namespace pivotscope
