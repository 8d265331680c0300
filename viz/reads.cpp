#include "viz/reads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/icons.hpp"

namespace pivotscope::viz {

cell_reads reads_of(const lookup_trace& trace, u32 current, region_id array, u64 slot) {
  cell_reads out;
  const auto end = std::min<std::size_t>(current + 1, trace.steps.size());
  for (std::size_t i = 0; i < end; ++i) {
    for (const comparison& c : trace.steps[i].compared) {
      if (c.array != array || c.slot != slot) continue;
      out.mark = i == current ? read_mark::now : read_mark::before;
      out.step = static_cast<u32>(i);
      out.compared = i == current ? &c : nullptr;
    }
  }
  return out;
}

bool decided(const trace_step& step, u64 rank) {
  const comparison *below = nullptr, *above = nullptr;
  for (const comparison& c : step.compared) {
    if (c.rank == no_rank) continue;
    if (c.order > 0 && (!below || c.rank > below->rank)) below = &c;
    if (c.order <= 0 && (!above || c.rank < above->rank)) above = &c;
  }
  return (below && below->rank == rank) || (above && above->rank == rank);
}

const char* comparison_sign(const trace_step& step, const comparison& c) {
  if (c.order != 0) return c.order < 0 ? "<" : ">";
  return step.kind == step_kind::search ? "=" : "in";
}

std::string comparison_words(const lookup_trace& trace, const trace_step& step, const comparison& c) {
  const bool scans = step.kind != step_kind::search;
  if (scans && c.order == 0) return comparison_sign(step, c);
  const u64 end = scans && c.order < 0 ? trace.range->high : trace.key;
  return fmt::format("{} {} {}", end, comparison_sign(step, c), c.key);
}

const char* order_icon(int order) { return order < 0 ? icon::left : order > 0 ? icon::right : icon::check; }

}  // namespace pivotscope::viz
