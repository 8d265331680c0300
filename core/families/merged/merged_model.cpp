#include "core/families/merged/merged_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace pivotscope {

static_assert(merged::entries == main_region);

merged_model::merged_model(const merged_config& config, u64 entries) : entries_(entries) {
  const u32 key = key_bytes(config.keys), cell = 2 * key;
  region_ = {
      "entries",
      "entries",
      "entry",
      "entries",
      "The sorted array: a key, and its row id beside it, in ascending order of the keys. There is nothing else.",
      entries,
      cell,
      {{"key", 0, key, field_kind::key}, {"row id", key, 4, field_kind::row_id}},
      {}};
  if (cell > key + 4) region_.fields.push_back({"padding", key + 4, cell - key - 4, field_kind::padding});
}

cell_info merged_model::describe(region_id, u64 cell) const {
  if (cell >= entries_) return {};
  return {.empty = false, .rank = cell, .level = levels() - 1 - static_cast<u32>(std::countr_zero(cell + 1))};
}

// A step reads the multiples of its length that are none of twice its length, less one.
void merged_model::count_levels(u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  first = std::min(first, entries_), end = std::min(end, entries_);
  for (u32 level = 0; level < levels(); ++level) {
    const u64 step = step_of(level);
    const auto below = [&](u64 slot) { return slot / step - slot / (2 * step); };
    out[level] = below(end) - below(first);
  }
}

std::vector<tree_node> merged_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(entries_);
  std::vector<int> node_of(entries_, -1);  // of each slot
  for (u32 level = 0; level < levels(); ++level) {
    const u64 step = step_of(level);
    for (u64 slot = step - 1; slot < entries_; slot += 2 * step) {
      tree_node node{.level = level, .first = slot, .cells = 1};
      node.middle = (static_cast<double>(slot) + 0.5) / static_cast<double>(entries_);
      // The step before read the slot behind or before these, or none if that would be behind the last entry.
      u64 from = slot, above = step;
      for (u32 l = level; l > 0 && node.parent < 0; --l, above *= 2) {
        const bool right = ((from + 1) / (2 * above)) % 2 == 1;
        from = right ? from - above : from + above;
        if (from >= entries_) continue;
        node.parent = node_of[from], node.gap = right ? 1 : 0;
      }
      node_of[slot] = static_cast<int>(list.size());
      list.push_back(node);
    }
  }
  return list;
}

std::vector<pass_info> merged_model::build_passes() const {
  if (entries_ == 0) return {};
  return {
      {"entries",
       "One pass: for each slot a thread reads the key of that rank from the sorted ones, with its row id, and stores "
       "both.",
       main_region,
       entries_,
       {}}};
}

build_step merged_model::step_of_build(u32, u64 slot) const {
  build_step step;
  step.turn = slot;
  step.at_once = merged_at_once;
  step.rank = slot;
  step.terms.push_back({"rank", "slot", std::to_string(slot), slot,
                        "The key's place in sorted order: this is the one that the thread fetches."});
  step.words = fmt::format("A copy: the array is the sorted keys, so slot {0} gets the key of rank {0}.", slot);
  return step;
}

}  // namespace pivotscope
