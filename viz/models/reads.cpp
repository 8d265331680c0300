#include "viz/models/reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/index/cell_state.hpp"
#include "core/index/step_words.hpp"
#include "core/index/told_fields.hpp"
#include "viz/words/format.hpp"

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

cell_reads loads_of(const lookup_trace& trace, u32 current, region_id array, u64 slot) {
  cell_reads out;
  const auto end = std::min<std::size_t>(std::size_t{current} + 1, trace.steps.size());
  for (std::size_t i = 0; i < end; ++i)
    if (std::any_of(trace.steps[i].accesses.begin(), trace.steps[i].accesses.end(), [&](const memory_access& a) {
          return a.array == array && slot >= a.slot && slot < a.slot + a.slots;
        }))
      out = {i == current ? read_mark::now : read_mark::before, static_cast<u32>(i)};
  return out;
}

std::vector<lane_reads> reads_by_lane(const trace_step& step, std::size_t alone) {
  std::vector<lane_reads> list;
  for (const memory_access& a : step.accesses)
    list.push_back({a.lane, a.lane, a.array, a.space, a.byte_offset, a.bytes, a.kind});
  std::stable_sort(list.begin(), list.end(),
                   [](const lane_reads& a, const lane_reads& b) { return a.first_lane < b.first_lane; });
  if (list.size() <= alone) return list;
  std::vector<lane_reads> together;
  for (const lane_reads& one : list) {
    const auto before = std::find_if(together.begin(), together.end(), [&](const lane_reads& t) {
      return t.array == one.array && t.kind == one.kind && t.space == one.space && t.byte + t.bytes == one.byte &&
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

namespace {

std::string value_words(field_kind field, u64 value) {
  if (field != field_kind::row_id) return std::to_string(value);
  const cell_state state = state_of_row(static_cast<u32>(value));
  return state == cell_state::live ? fmt::format("row {}", value) : state_name(state);
}

}  // namespace

std::string changed_field::words() const {
  const std::string arrow = fmt::format("{} \u2192 {}",
                                        was_none              ? "none"
                                        : told_before.empty() ? value_words(field, before)
                                                              : told_before,
                                        told_after.empty() ? value_words(field, after) : told_after);
  return done ? arrow : arrow + ", not done";
}

const char* changed_field::how_words() const {
  switch (how) {
    case access_kind::swap:
      return done ? "Compare-and-swap: the new value is put in only if the old one is still what was read, in one "
                    "access that "
                    "no other thread comes between."
                  : "A compare-and-swap that found another value than it was to replace, and changed nothing.";
    case access_kind::add:
      return "An atomic addition: read, added to and written in one access that no other thread comes between.";
    case access_kind::exchange:
      return "An atomic exchange: the new value is put in and the old one taken, in one access that no other thread "
             "comes between.";
    case access_kind::set_bits:
      return "An atomic or: bits are set in one access that no other thread comes between.";
    default:
      return "A store: the new value is put in, whatever was there.";
  }
}

std::vector<changed_field> changed_by(const index_model& model, const trace_step& step) {
  std::vector<changed_field> list;
  for (const changed_word& c : step.changed) {
    for (const cell_field& field : model.region(c.array).fields) {
      const u32 begin = std::max(field.offset, c.offset),
                end = std::min(field.offset + field.bytes, c.offset + c.bytes);
      if (begin >= end || field.kind == field_kind::padding) continue;
      const u32 shift = 8 * (begin - c.offset), bytes = end - begin;
      const u64 mask = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
      const u64 before = c.before >> shift & mask, after = c.after >> shift & mask;
      if (before == after && bytes < c.bytes) continue;  // a part of the word that stays
      changed_field changed{{c.array, c.slot}, field.name, field.kind, begin, bytes, before, after, c.kind, c.done};
      if (const told_fields* tells = fields_told(model); tells && bytes == field.bytes) {
        changed.told_before = tells->field_words(changed.at, field, before);
        changed.told_after = tells->field_words(changed.at, field, after);
      }
      list.push_back(std::move(changed));
    }
  }
  // What the row id was before the step's first change of it tells whether the key was one.
  for (changed_field& c : list) {
    if (c.field != field_kind::key) continue;
    const auto row = std::find_if(list.begin(), list.end(), [&](const changed_field& r) {
      const region_id of = model.region(r.at.region).beside.value_or(r.at.region);
      return r.field == field_kind::row_id && r.at.cell == c.at.cell && of == c.at.region;
    });
    if (row == list.end()) continue;
    const cell_state was = state_of_row(static_cast<u32>(row->before));
    c.was_none = was == cell_state::empty || was == cell_state::claimed;
  }
  return list;
}

bool write_over(const index_model& model, const lookup_trace& trace, u32 current, region_id array, u64 byte_offset,
                std::span<std::byte> bytes) {
  bool any = false;
  const auto end = std::min<std::size_t>(current + 1, trace.steps.size());
  for (std::size_t i = 0; trace.write && i < end; ++i) {
    for (const changed_word& c : trace.steps[i].changed) {
      if (c.array != array || !c.done) continue;
      const u64 begin = model.region(array).byte_of(c.slot) + c.offset;
      for (u64 b = 0; b < c.bytes; ++b) {
        if (begin + b < byte_offset || begin + b >= byte_offset + bytes.size()) continue;
        bytes[begin + b - byte_offset] = static_cast<std::byte>(c.after >> 8 * b & 0xFF);
        any = true;
      }
    }
  }
  return any;
}

bool decided(const trace_step& step, u64 rank) {
  const comparison *below = nullptr, *above = nullptr;
  for (const comparison& c : step.compared) {
    if (c.rank == no_rank) continue;
    if (c.met == relation::greater && (!below || c.rank > below->rank)) below = &c;
    if (c.met != relation::greater && (!above || c.rank < above->rank)) above = &c;
  }
  return (below && below->rank == rank) || (above && above->rank == rank);
}

nearest_keys nearest_of(const trace_step& step) {
  nearest_keys nearest;
  for (const comparison& c : step.compared) {
    if (c.empty || c.keyless) continue;
    if (c.met == relation::greater && (!nearest.below || c.key > nearest.below->key))
      nearest.below = &c;
    else if (c.met == relation::less && (!nearest.above || c.key < nearest.above->key))
      nearest.above = &c;
    else if (c.met == relation::equal && !nearest.equal)
      nearest.equal = &c;
  }
  return nearest;
}

std::string compared_words(const trace_step& step) {
  const auto [below, above, equal] = nearest_of(step);
  const auto written =
      std::count_if(step.changed.begin(), step.changed.end(), [](const changed_word& c) { return c.done; });
  if (written > 0 && !step.brief.empty()) return step.brief;  // a stage of a write
  if (written > 0) return fmt::format("{}writes {}", equal ? fmt::format("= {}, ", equal->key) : "", written);
  if (step.kind == step_kind::next) return equal ? fmt::format("first here: {}", equal->key) : "none here";
  if (step.kind != step_kind::search) {
    const auto inside = std::count_if(step.compared.begin(), step.compared.end(),
                                      [](const comparison& c) { return !c.empty && c.met == relation::equal; });
    return fmt::format("{}: {} in the range", step.kind == step_kind::scan ? "scan" : "warp's scan", inside);
  }
  if (equal) return fmt::format("= {}", equal->key);
  const auto any = [&](relation met) {
    return std::any_of(step.compared.begin(), step.compared.end(),
                       [&](const comparison& c) { return !c.empty && c.met == met; });
  };
  if (any(relation::hit)) return "hit";
  if (any(relation::tag)) return "a tag agrees";
  if (any(relation::other) || any(relation::miss)) return "no match";  // no key rules another out
  if (below && above) return fmt::format("> {}  < {}", below->key, above->key);
  if (above) return fmt::format("< {}", above->key);
  if (below) return fmt::format("> {}", below->key);
  for (const comparison& c : step.compared)
    if (c.state == cell_state::erased && c.met == relation::equal) return fmt::format("= {}, erased", c.key);
  if (!step.compared.empty()) return "empty slots";
  if (!step.brief.empty()) return step.brief;
  return step.accesses.empty() ? "nothing to read" : "compares no key";
}

const char* comparison_sign(const trace_step& step, const comparison& c) {
  if (c.state == cell_state::erased) return "\u00D7";
  if (c.empty) return "-";
  if (c.met != relation::equal || step.kind == step_kind::search) return relation_sign(c.met);
  return step.kind == step_kind::next ? "next" : "in";
}

std::string comparison_words(const lookup_trace& trace, const trace_step& step, const comparison& c) {
  const bool scans = step.kind != step_kind::search;
  if (c.keyless || (scans && c.met == relation::equal)) return comparison_sign(step, c);
  const u64 end = scans && c.met == relation::less ? trace.range->high : searched_key(trace);
  return fmt::format("{} {} {}", end, comparison_sign(step, c), c.key);
}

}  // namespace pivotscope::viz
