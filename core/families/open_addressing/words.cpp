#include "core/families/open_addressing/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/open_addressing/config.hpp"
#include "core/families/open_addressing/probing.hpp"
#include "core/index/answer_words.hpp"

namespace pivotscope {
namespace {

std::string cells_words(u64 first, u32 cells) {
  return cells == 1 ? fmt::format("cell {}", first) : fmt::format("cells {} to {}", first, first + cells - 1);
}

// What a step met in its window: each cell as it last looked.
struct window_seen {
  u64 window = 0, first = 0;
  const comparison* key = nullptr;  // the cell that has the key, erased or not
  const comparison* end = nullptr;  // the first empty one
  u64 live = 0, erased = 0;
};

window_seen seen_in(const lookup_trace& trace, const trace_step& step, u32 cells) {
  window_seen seen;
  if (step.compared.empty()) return seen;
  seen.window = step.compared.front().slot / cells;
  seen.first = seen.window * cells;
  for (const comparison& c : step.compared) {
    if (c.state == cell_state::empty) {
      if (!seen.end) seen.end = &c;
      continue;
    }
    if (c.state == cell_state::live) ++seen.live;
    if (c.state == cell_state::erased) ++seen.erased;
    if (c.key == trace.key && c.state != cell_state::claimed) seen.key = &c;
  }
  return seen;
}

u64 window_read(const trace_step& step, const open_addressing_config& config) {
  return step.accesses.empty() ? 0 : step.accesses.front().slot / config.window;
}

std::string passed_words(const lookup_trace& trace, const window_seen& seen) {
  std::string words = seen.live == 0   ? "No entry lies here"
                      : seen.live == 1 ? fmt::format("The one key here is not {}", trace.key)
                                       : fmt::format("None of the {} keys here is {}", seen.live, trace.key);
  if (seen.erased == 0) return words;
  return words + (seen.erased == 1 ? "; an erased one is passed over"
                                   : fmt::format("; {} erased ones are passed over", seen.erased));
}

std::string end_of_find(const lookup_trace& trace, const window_seen& seen) {
  if (seen.key && seen.key->state == cell_state::live)
    return fmt::format("Cell {} has {}. Found.", seen.key->slot, trace.key);
  if (seen.key)
    return fmt::format(
        "Cell {} had {}, which was erased. It keeps its cell until the table is cleaned up, so it lies nowhere else.",
        seen.key->slot, trace.key);
  return fmt::format("{}, and cell {} is empty: {} would have gone there, so it is not in the table.",
                     passed_words(trace, seen), seen.end ? seen.end->slot : seen.first, trace.key);
}

// The word that a write put in, and how.
std::string change_words(const trace_step& step) {
  if (step.changed.size() == 1) return "by one compare-and-swap of the row id, or of key and row id as one word";
  return "the row id is claimed by a compare-and-swap, the key stored, and after a fence the row id, so that who sees "
         "it sees the key";
}

std::string end_of_write(const lookup_trace& trace, const window_seen& seen, const trace_step& step) {
  const u64 cell = step.changed.empty() ? seen.first : step.changed.front().slot;
  switch (trace.write->done) {
    case write_done::added:
      return fmt::format("{}. Cell {} is empty: {} goes there with row id {}; {}.", passed_words(trace, seen), cell,
                         trace.key, trace.write->row, change_words(step));
    case write_done::revived:
      return fmt::format("Cell {} had {} before it was erased: it gets row id {} there again.", cell, trace.key,
                         trace.write->row);
    case write_done::replaced:
      return fmt::format("Cell {} has {}: it gets row id {} in place of its own.", cell, trace.key, trace.write->row);
    case write_done::erased:
      return fmt::format(
          "Cell {} has {}: the mark of an erased entry takes the place of its row id. The cell stays taken, so that "
          "searches go on beyond it.",
          cell, trace.key);
    default:
      return end_of_find(trace, seen);
  }
}

std::string next_words(const open_addressing_config& config, u64 window, u64 next) {
  const char* how = config.probing == probing_kind::linear ? "the next one"
                    : config.probing == probing_kind::quadratic
                        ? "quadratic probing: one further each time"
                        : "double hashing: as far as a second hash of the key says";
  return fmt::format("Window {} is full, so the key may lie further: on to window {}, {}.", window, next, how);
}

void tell_step(lookup_trace& trace, std::size_t i, const open_addressing_config& config) {
  trace_step& step = trace.steps[i];
  const window_seen seen = seen_in(trace, step, config.window);
  step.left_first = 0, step.left_end = trace.cells;
  step.where = fmt::format("{}window {}", i == 0 ? "home " : "", window_read(step, config));
  if (!trace.write)
    step.left = i + 1 < trace.steps.size() ? "full" : trace.row != not_found ? "found" : seen.end ? "has room" : "";
  if (i + 1 < trace.steps.size()) {
    step.words = passed_words(trace, seen) + ".";
    const window_seen next = seen_in(trace, trace.steps[i + 1], config.window);
    step.next = next_words(config, seen.window, next.window);
    return;
  }
  if (!seen.key && !seen.end && step.changed.empty()) {
    step.words = fmt::format("{}, and this was the last window.", passed_words(trace, seen));
  } else {
    step.words = trace.write ? end_of_write(trace, seen, step) : end_of_find(trace, seen);
  }
  const bool found = trace.row != not_found && seen.key;
  step.left_first = found ? seen.key->slot : 0, step.left_end = found ? seen.key->slot + 1 : 0;
}

}  // namespace

void tell_probes(lookup_trace& trace) {
  const auto config = open_addressing_config::of(trace.config);
  if (!trace.steps.empty()) {
    const window_seen first = seen_in(trace, trace.steps.front(), config.window);
    const u32 hash = config.keys == key_width::u32 ? hash_of(static_cast<u32>(trace.key)) : hash_of(trace.key);
    const u64 windows = trace.cells / config.window;
    trace.start = fmt::format("The hash of {} is 0x{:08x}, of 2^32: window {} of {} is its home, {}.", trace.key, hash,
                              first.window, windows, cells_words(first.first, config.window));
  }
  for (std::size_t i = 0; i < trace.steps.size(); ++i) tell_step(trace, i, config);
  const std::size_t windows = trace.steps.size();
  trace.verdict =
      fmt::format("{} {} window{} looked at.", answer_words(trace), windows, windows == 1 ? " was" : "s were");
}

}  // namespace pivotscope
