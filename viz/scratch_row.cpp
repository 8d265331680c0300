#include "viz/scratch_row.hpp"

#include <algorithm>

#include "core/index/ordered/mapping.hpp"

namespace pivotscope::viz {

scratch_row::scratch_row(const index_config& config, const index_shape& shape)
    : config_(config), plan_(plan_pins(config, shape)) {
  std::vector<std::pair<u64, u64>> by_slot;
  for (u32 i = 0; i < plan_.total; ++i) {
    const pinned_slot from = pin_source(config, shape, plan_, i);
    const bool pivot = from.array == ordered_region::pivots;
    array_ = from.array;
    places_.push_back({from.array, from.slot,
                       pivot ? pivot_rank(config, shape, from.slot) : entry_rank(config, shape, from.slot),
                       pivot ? pivot_level(config, shape, from.slot) : entry_level(config, shape, from.slot)});
    by_slot.emplace_back(from.slot, i);
    if (places_.back().rank != no_rank) by_rank_.emplace_back(places_.back().rank, i);
  }
  std::sort(by_slot.begin(), by_slot.end());
  std::sort(by_rank_.begin(), by_rank_.end());
  for (const auto& [slot, cell] : by_slot) slots_.push_back(slot), cells_.push_back(cell);
}

void scratch_row::count_levels(u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  for (u64 cell = first; cell < std::min(end, count()); ++cell) ++out[places_[cell].level];
}

std::optional<u64> scratch_row::cell_of_slot(region_id array, u64 slot) const {
  const auto found = std::lower_bound(slots_.begin(), slots_.end(), slot);
  if (array != array_ || found == slots_.end() || *found != slot) return std::nullopt;
  return cells_[static_cast<std::size_t>(found - slots_.begin())];
}

std::optional<u64> scratch_row::cell_of_rank(u64 rank) const {
  const auto found = std::lower_bound(by_rank_.begin(), by_rank_.end(), std::pair<u64, u64>(rank, 0));
  if (found == by_rank_.end() || found->first != rank) return std::nullopt;
  return found->second;
}

}  // namespace pivotscope::viz
