#include "viz/cells/scratch_row.hpp"

#include <algorithm>

namespace pivotscope::viz {

scratch_row::scratch_row(const index_model& model, pinned_cells pinned) : pinned_(std::move(pinned)) {
  std::vector<std::pair<u64, u64>> by_slot;
  for (const cell_ref& from : pinned_.cells) {
    const u64 cell = places_.size();
    array_ = from.region;
    places_.push_back(place_of(model, from));
    by_slot.emplace_back(from.cell, cell);
    if (places_.back().rank != no_rank) by_rank_.emplace_back(places_.back().rank, cell);
  }
  std::sort(by_slot.begin(), by_slot.end());
  std::sort(by_rank_.begin(), by_rank_.end());
  for (const auto& [slot, cell] : by_slot) slots_.push_back(slot), cells_.push_back(cell);
  const region_info& region = model.region(array_);
  keys_ = region.has(field_kind::key);
  name_ = region.name;
  fields_ = keys_ ? std::vector<cell_field>{{"key", 0, pinned_.cell_bytes, field_kind::key}} : region.fields;
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
