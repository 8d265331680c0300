#include "core/index/row_cells_words.hpp"

#include <fmt/format.h>

#include "core/common/key_hash.hpp"
#include "core/index/answer_words.hpp"

namespace pivotscope {

cells_seen seen_in(const lookup_trace& trace, const trace_step& step) {
  cells_seen seen;
  for (const comparison& c : step.compared) {
    if (c.state == cell_state::empty) {
      if (!seen.end) seen.end = &c;
      continue;
    }
    if (c.state == cell_state::live) ++seen.live;
    if (c.state == cell_state::erased) ++seen.erased;
    if (c.key != trace.key || c.state == cell_state::claimed) continue;
    if (!seen.key || c.state == cell_state::live) seen.key = &c;
    if (c.state == cell_state::live) ++seen.with_key;
  }
  return seen;
}

std::string none_is_the_key(const lookup_trace& trace, const cells_seen& seen) {
  return seen.live == 0   ? "No entry lies here"
         : seen.live == 1 ? fmt::format("The one key here is not {}", trace.key)
                          : fmt::format("None of the {} keys here is {}", seen.live, trace.key);
}

std::string erased_passed_words(const cells_seen& seen) {
  if (seen.erased == 0) return "";
  return seen.erased == 1 ? "; an erased one is passed over"
                          : fmt::format("; {} erased ones are passed over", seen.erased);
}

std::string found_words(const lookup_trace& trace, const comparison& at) {
  return fmt::format("Cell {} has {}. Found.", at.slot, trace.key);
}

std::string ends_at_empty_words(const lookup_trace& trace, const std::string& passed, u64 cell) {
  return fmt::format("{}, and cell {} is empty: {} would have gone there, so it is not in the table.", passed, cell,
                     trace.key);
}

std::string added_words(const lookup_trace& trace, const std::string& passed, u64 cell, const std::string& how) {
  return fmt::format("{}. Cell {} is empty: {} goes there with row id {}; {}.", passed, cell, trace.key,
                     trace.write->row, how);
}

std::string changed_words(const lookup_trace& trace, u64 cell) {
  switch (trace.write->done) {
    case write_done::revived:
      return fmt::format("Cell {} had {} before it was erased: it gets row id {} there again.", cell, trace.key,
                         trace.write->row);
    case write_done::replaced:
      return fmt::format("Cell {} has {}: it gets row id {} in place of its own.", cell, trace.key, trace.write->row);
    default:
      return fmt::format(
          "Cell {} has {}: the mark of an erased entry takes the place of its row id. The cell stays taken, so that "
          "searches go on beyond it.",
          cell, trace.key);
  }
}

std::string hash_words(const lookup_trace& trace) {
  const u32 hash = trace.config.keys == key_width::u32 ? hash_of(static_cast<u32>(trace.key)) : hash_of(trace.key);
  return fmt::format("The hash of {} is 0x{:08x}, of 2^32", trace.key, hash);
}

std::string verdict_words(const lookup_trace& trace, const char* node) {
  const std::size_t nodes = trace.steps.size();
  return fmt::format("{} {} {}{} looked at.", answer_words(trace), nodes, node, nodes == 1 ? " was" : "s were");
}

}  // namespace pivotscope
