// Rows of cells as the strips and the tree see them: one slot or one rank a cell, with its level, its place in memory
// and, when it is near enough to be read, its key.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/common/answers.hpp"
#include "core/index/model.hpp"

namespace pivotscope::viz {

struct cell_place {
  region_id array = main_region;
  u64 slot = 0;
  cell_state state = cell_state::empty;  // as the model knows it; where cells tell, frame::seen() asks the cell
  u64 rank = no_rank;                    // no_rank: an empty slot, or a family without ranks
  u32 level = 0;
  // What a trace counts it as when it says what is left: its rank, or without ranks its slot in the main region;
  // no_rank: neither.
  u64 counted_as = no_rank;

  bool live() const { return state == cell_state::live; }
  // It may be looked for: an erased cell keeps its key.
  bool has_key() const { return live() || state == cell_state::erased; }
  bool out(u64 left_first, u64 left_end) const {
    return counted_as != no_rank && (counted_as < left_first || counted_as >= left_end);
  }
};
cell_place place_of(const index_model& model, cell_ref at);
// Is there a key in it to look for?
bool holds_key(const index_model& model, const cell_place& place);
// Is there anything to show of an index: keys, or cells that had some, or may get some?
bool has_cells(const index_model& model);

class cell_row {
 public:
  virtual ~cell_row() = default;
  virtual u64 count() const = 0;
  virtual cell_place at(u64 cell) const = 0;
  virtual bool there(u64 /*cell*/) const { return true; }  // false: nothing, a gap between parts that lie apart
  virtual bool scattered() const { return false; }         // do neighbours lie anywhere in memory?
  // How many cells of [first, end) are on each level; `out` holds max_levels counts.
  virtual void count_levels(u64 first, u64 end, u64* out) const = 0;
  virtual bool in_memory() const = 0;                      // false: a row by rank, that is nowhere in memory
  virtual double stride() const = 0;                       // bytes that a cell takes; 0 when not in memory
  virtual std::span<const cell_field> fields() const = 0;  // of a cell; none when not in memory, or where they are bits
  virtual const region_info* in_bits() const { return nullptr; }  // which says what bits these are, where they are
  virtual bool left_ascends() const = 0;                          // what cells are counted as, from each to the next
  virtual std::optional<u64> cell_of_slot(region_id array, u64 slot) const = 0;
  virtual std::optional<u64> cell_of_rank(u64 rank) const = 0;
};

// Both keep the model.
std::unique_ptr<cell_row> sorted_row(std::shared_ptr<const index_model> model);  // cell = rank; a model with ranks
std::unique_ptr<cell_row> region_row(std::shared_ptr<const index_model> model, region_id region);  // cell = slot

}  // namespace pivotscope::viz
