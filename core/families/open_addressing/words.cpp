#include "core/families/open_addressing/words.hpp"

#include <fmt/format.h>

#include "core/families/open_addressing/config.hpp"
#include "core/families/open_addressing/probing.hpp"
#include "core/index/row_cells_words.hpp"

namespace pivotscope {
namespace {

std::string cells_words(u64 first, u32 cells) {
  return cells == 1 ? fmt::format("cell {}", first) : fmt::format("cells {} to {}", first, first + cells - 1);
}

// The window that a step looked at.
u64 window_in(const trace_step& step, const open_addressing_config& config) {
  return step.compared.empty() ? 0 : step.compared.front().slot / config.window;
}

u64 window_read(const trace_step& step, const open_addressing_config& config) {
  return step.accesses.empty() ? 0 : step.accesses.front().slot / config.window;
}

std::string passed_words(const lookup_trace& trace, const cells_seen& seen) {
  return none_is_the_key(trace, seen) + erased_passed_words(seen);
}

std::string end_of_find(const lookup_trace& trace, const cells_seen& seen, u64 first) {
  if (seen.key && seen.key->state == cell_state::live) return found_words(trace, *seen.key);
  if (seen.key)
    return fmt::format(
        "Cell {} had {}, which was erased. It keeps its cell until the table is cleaned up, so it lies nowhere else.",
        seen.key->slot, trace.key);
  return ends_at_empty_words(trace, passed_words(trace, seen), seen.end ? seen.end->slot : first);
}

// `first`: the window's first cell.
std::string end_of_write(const lookup_trace& trace, const cells_seen& seen, u64 first, const trace_step& step) {
  const u64 cell = step.changed.empty() ? first : step.changed.front().slot;
  switch (trace.write->done) {
    case write_done::added:
      return added_words(trace, passed_words(trace, seen), cell,
                         step.changed.size() == 1
                             ? "by one compare-and-swap of the row id, or of key and row id as one word"
                             : claimed_and_stored);
    case write_done::revived:
    case write_done::replaced:
    case write_done::erased:
      return changed_words(trace, cell);
    default:
      return end_of_find(trace, seen, first);
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
  const cells_seen seen = seen_in(trace, step);
  const u64 window = window_in(step, config);
  step.left_first = 0, step.left_end = trace.cells;
  step.where = fmt::format("{}window {}", i == 0 ? "home " : "", window_read(step, config));
  if (!trace.write)
    step.left = i + 1 < trace.steps.size() ? "full" : trace.row != not_found ? "found" : seen.end ? "has room" : "";
  if (i + 1 < trace.steps.size()) {
    step.words = passed_words(trace, seen) + ".";
    step.next = next_words(config, window, window_in(trace.steps[i + 1], config));
    return;
  }
  if (!seen.key && !seen.end && step.changed.empty()) {
    step.words = fmt::format("{}, and this was the last window.", passed_words(trace, seen));
  } else {
    step.words = trace.write ? end_of_write(trace, seen, window * config.window, step)
                             : end_of_find(trace, seen, window * config.window);
  }
  const bool found = trace.row != not_found && seen.key;
  step.left_first = found ? seen.key->slot : 0, step.left_end = found ? seen.key->slot + 1 : 0;
}

}  // namespace

void tell_probes(lookup_trace& trace) {
  const auto config = open_addressing_config::of(trace.config);
  if (!trace.steps.empty()) {
    const u64 window = window_in(trace.steps.front(), config);
    trace.start = fmt::format("{}: window {} of {} is its home, {}.", hash_words(trace), window,
                              trace.cells / config.window, cells_words(window * config.window, config.window));
  }
  for (std::size_t i = 0; i < trace.steps.size(); ++i) tell_step(trace, i, config);
  trace.verdict = verdict_words(trace, "window");
}

}  // namespace pivotscope
