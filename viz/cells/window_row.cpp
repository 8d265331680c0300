#include "viz/cells/window_row.hpp"

#include <algorithm>

namespace pivotscope::viz {

window_row::window_row(std::shared_ptr<const index_model> model, std::span<const u64> windows, u64 around)
    : model_(std::move(model)), region_(model_->region(main_region)) {
  const std::optional<probe_windows> all = model_->windows();
  if (!all) return;
  cells_ = all->cells;
  std::vector<u64> sorted(windows.begin(), windows.end());
  std::sort(sorted.begin(), sorted.end());
  for (const u64 window : sorted) {
    const u64 first = window - std::min(window, around), end = std::min(all->count, window + around + 1);
    // A gap takes as much room as the one window that it would stand for.
    if (!runs_.empty() && first <= runs_.back().end() + 1)
      runs_.back().count = std::max(runs_.back().end(), end) - runs_.back().first;
    else
      runs_.push_back({first, end - first});
  }
  for (run& r : runs_) {
    if (&r != &runs_.front()) count_ += gap();
    r.at = count_;
    count_ += r.count * cells_;
  }
}

const window_row::run* window_row::run_of(u64 cell) const {
  const auto behind =
      std::upper_bound(runs_.begin(), runs_.end(), cell, [](u64 wanted, const run& r) { return wanted < r.at; });
  if (behind == runs_.begin()) return nullptr;
  const run& r = *std::prev(behind);
  return cell < r.at + r.count * cells_ ? &r : nullptr;
}

cell_place window_row::at(u64 cell) const {
  const run* r = run_of(cell);
  return r ? place_of(*model_, {main_region, r->first * cells_ + (cell - r->at)}) : cell_place{};
}

void window_row::count_levels(u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  for (const run& r : runs_) {
    const u64 from = std::max(first, r.at), to = std::min(end, r.at + r.count * cells_);
    if (from < to) out[0] += to - from;
  }
}

std::optional<u64> window_row::cell_of_window(u64 window) const {
  for (const run& r : runs_)
    if (window >= r.first && window < r.end()) return r.at + (window - r.first) * cells_;
  return std::nullopt;
}

std::optional<u64> window_row::cell_of_slot(region_id array, u64 slot) const {
  if (array != main_region || slot >= region_.cells) return std::nullopt;
  const std::optional<u64> first = cell_of_window(slot / cells_);
  return first ? std::optional(*first + slot % cells_) : std::nullopt;
}

}  // namespace pivotscope::viz
