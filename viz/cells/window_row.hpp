// The windows that a lookup comes to, side by side, however far apart they lie in memory: a row of their cells, in the
// order of memory, with a gap where others lie between. Pure.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "viz/cells/cells.hpp"

namespace pivotscope::viz {

class window_row final : public cell_row {
 public:
  // Windows that lie side by side in memory, from `first` on; `at`: cell of the row with which they begin.
  struct run {
    u64 first = 0, count = 0, at = 0;
    u64 end() const { return first + count; }
  };

  // Of a model with windows. `windows`: in any order, none twice. `around`: so many neighbours on either side are there
  // too.
  window_row(std::shared_ptr<const index_model> model, std::span<const u64> windows, u64 around);

  std::span<const run> runs() const { return runs_; }
  u64 window_cells() const { return cells_; }
  u64 gap() const { return cells_ > 3 ? cells_ : 3; }  // between two runs, in cells
  // The cell with which a window begins, where it is in the row.
  std::optional<u64> cell_of_window(u64 window) const;

  u64 count() const override { return count_; }
  cell_place at(u64 cell) const override;
  bool there(u64 cell) const override { return run_of(cell) != nullptr; }
  bool scattered() const override { return true; }
  void count_levels(u64 first, u64 end, u64* out) const override;
  bool in_memory() const override { return true; }
  double stride() const override { return static_cast<double>(region_.cell_bytes); }
  std::span<const cell_field> fields() const override { return region_.fields; }
  bool left_ascends() const override { return false; }
  std::optional<u64> cell_of_slot(region_id array, u64 slot) const override;
  std::optional<u64> cell_of_rank(u64) const override { return std::nullopt; }

 private:
  const run* run_of(u64 cell) const;  // null: a gap

  std::shared_ptr<const index_model> model_;
  const region_info& region_;
  u64 cells_ = 1, count_ = 0;
  std::vector<run> runs_;
};

}  // namespace pivotscope::viz
