// Rows of cells as the strips and the tree see them: one slot or one rank a cell, with its level, its place in memory
// and, when it is near enough to be read, its key.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "viz/session_view.hpp"

namespace pivotscope::viz {

struct cell_place {
  region_id array = ordered_region::entries;
  u64 slot = 0;
  u64 rank = no_rank;  // no_rank: an empty slot
  u32 level = 0;
};

class cell_row {
 public:
  virtual ~cell_row() = default;
  virtual u64 count() const = 0;
  virtual cell_place at(u64 cell) const = 0;
  // How many cells of [first, end) are on each level; `out` holds max_levels counts.
  virtual void count_levels(u64 first, u64 end, u64* out) const = 0;
  virtual bool in_memory() const = 0;  // false: a row by rank, that is nowhere in memory
  virtual u64 stride() const = 0;      // bytes from a cell to the next; 0 when not in memory
  virtual std::optional<u64> cell_of_slot(region_id array, u64 slot) const = 0;
  virtual std::optional<u64> cell_of_rank(u64 rank) const = 0;
};

std::unique_ptr<cell_row> sorted_row(const built_index& index);   // cell = rank
std::unique_ptr<cell_row> entries_row(const built_index& index);  // cell = slot of `entries`
std::unique_ptr<cell_row> pivots_row(const built_index& index);   // cell = slot of `pivots`

// How many ranks below `rank` lie on a level, for orders whose ranks ascend along a level's slots.
u64 ranks_on_level_below(const index_config& config, const index_shape& shape, u32 level, u64 rank);

}  // namespace pivotscope::viz
