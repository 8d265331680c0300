// What a block keeps in scratch (O2) as a row of cells: cell i is the i-th that is pinned, a key or a whole cell, with
// the slot it was copied from.
#pragma once

#include <utility>
#include <vector>

#include "viz/cells/cells.hpp"

namespace pivotscope::viz {

class scratch_row final : public cell_row {
 public:
  scratch_row(const index_model& model, pinned_cells pinned);

  const pinned_cells& pinned() const { return pinned_; }
  region_id array() const { return array_; }  // all that is pinned is of one array
  const char* name() const { return keys_ ? "keys" : name_.c_str(); }
  // The slots that are pinned, ascending.
  const std::vector<u64>& slots() const { return slots_; }
  u64 bytes_used() const { return count() * pinned_.cell_bytes; }

  u64 count() const override { return places_.size(); }
  cell_place at(u64 cell) const override { return places_[cell]; }
  void count_levels(u64 first, u64 end, u64* out) const override;
  bool in_memory() const override { return true; }
  double stride() const override { return pinned_.cell_bytes; }
  std::span<const cell_field> fields() const override { return fields_; }
  bool left_ascends() const override { return false; }
  std::optional<u64> cell_of_slot(region_id array, u64 slot) const override;
  std::optional<u64> cell_of_rank(u64 rank) const override;

 private:
  pinned_cells pinned_;
  bool keys_ = true;                // else whole cells
  std::string name_;                // of those
  std::vector<cell_field> fields_;  // the key alone, or a cell's
  region_id array_ = main_region;
  std::vector<cell_place> places_;            // at most 57 000: a multiprocessor's scratch is small
  std::vector<u64> slots_;                    // ascending
  std::vector<u64> cells_;                    // of `slots_`, one for one
  std::vector<std::pair<u64, u64>> by_rank_;  // rank and cell, ascending
};

}  // namespace pivotscope::viz
