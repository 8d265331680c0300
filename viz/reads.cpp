#include "viz/reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "viz/format.hpp"
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

std::vector<lane_reads> reads_by_lane(const trace_step& step, std::size_t alone) {
  std::vector<lane_reads> list;
  for (const memory_access& a : step.accesses)
    list.push_back({a.lane, a.lane, a.array, a.space, a.byte_offset, a.bytes});
  std::stable_sort(list.begin(), list.end(),
                   [](const lane_reads& a, const lane_reads& b) { return a.first_lane < b.first_lane; });
  if (list.size() <= alone) return list;
  std::vector<lane_reads> together;
  for (const lane_reads& one : list) {
    const auto before = std::find_if(together.begin(), together.end(), [&](const lane_reads& t) {
      return t.array == one.array && t.space == one.space && t.byte + t.bytes == one.byte &&
             (t.last_lane == one.first_lane || t.last_lane + 1 == one.first_lane);
    });
    if (before == together.end()) {
      together.push_back(one);
    } else {
      before->last_lane = one.last_lane;
      before->bytes += one.bytes;
    }
  }
  return together;
}

std::string touched_words(const trace_step& step, region_id array, u64 size, std::size_t most) {
  std::set<u64> blocks;
  for (const memory_access& a : step.accesses) {
    if (a.space == memory_space::scratch || a.array != array) continue;
    for (u64 b = a.byte_offset / size; b <= (a.byte_offset + a.bytes - 1) / size; ++b) blocks.insert(b);
  }
  std::vector<std::string> parts;
  for (auto at = blocks.begin(); at != blocks.end();) {
    const u64 first = *at;
    u64 last = first;
    for (++at; at != blocks.end() && *at == last + 1; ++at) last = *at;
    parts.push_back(first == last
                        ? grouped(first)
                        : fmt::format("{}{}{}", grouped(first), last == first + 1 ? ", " : " to ", grouped(last)));
  }
  if (parts.size() <= most) return fmt::format("{}", fmt::join(parts, ", "));
  const std::size_t more = parts.size() - most + 1;
  parts.resize(most - 1);
  return fmt::format("{} and {} more", fmt::join(parts, ", "), more);
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

nearest_keys nearest_of(const trace_step& step) {
  nearest_keys nearest;
  for (const comparison& c : step.compared) {
    if (c.empty) continue;
    if (c.order > 0 && (!nearest.below || c.key > nearest.below->key))
      nearest.below = &c;
    else if (c.order < 0 && (!nearest.above || c.key < nearest.above->key))
      nearest.above = &c;
    else if (c.order == 0 && !nearest.equal)
      nearest.equal = &c;
  }
  return nearest;
}

std::string compared_words(const trace_step& step, bool ranks) {
  const auto [below, above, equal] = nearest_of(step);
  if (step.kind == step_kind::next) return equal ? fmt::format("first here: {}", equal->key) : "none here";
  if (step.kind != step_kind::search) {
    const auto inside = std::count_if(step.compared.begin(), step.compared.end(),
                                      [](const comparison& c) { return !c.empty && c.order == 0; });
    return fmt::format("{}: {} in the range", step.kind == step_kind::scan ? "scan" : "warp's scan", inside);
  }
  if (equal) return fmt::format("= {}", equal->key);
  if (!ranks && (below || above)) return "no match";  // no key rules another out
  if (below && above) return fmt::format("> {}  < {}", below->key, above->key);
  if (above) return fmt::format("< {}", above->key);
  if (below) return fmt::format("> {}", below->key);
  return step.compared.empty() ? "nothing to read" : "empty slots";
}

const char* comparison_sign(const trace_step& step, const comparison& c) {
  if (c.order != 0) return c.order < 0 ? "<" : ">";
  return step.kind == step_kind::search ? "=" : step.kind == step_kind::next ? "next" : "in";
}

std::string comparison_words(const lookup_trace& trace, const trace_step& step, const comparison& c) {
  const bool scans = step.kind != step_kind::search;
  if (scans && c.order == 0) return comparison_sign(step, c);
  const u64 end = scans && c.order < 0 ? trace.range->high : searched_key(trace);
  return fmt::format("{} {} {}", end, comparison_sign(step, c), c.key);
}

const char* order_icon(int order) { return order < 0 ? icon::left : order > 0 ? icon::right : icon::check; }

}  // namespace pivotscope::viz
