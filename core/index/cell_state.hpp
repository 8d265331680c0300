// The states of an index's cells. In an index that changes, the inserts and erases decide which cells are empty or
// erased, not the config and the number of keys. Then a cell's row id tells its state (index_model::cells_tell()).
#pragma once

#include <optional>

#include "core/common/answers.hpp"
#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/index/built_index.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

const char* state_name(cell_state state);  // "erased"

// Returns true if the cell's row id tells its state; otherwise the model does.
bool tells_state(const index_model& model, cell_ref at);

// Where the row id of a cell lies, if it is whole bytes: in the cell's own region, or in the one beside it. Nothing: it
// has none, or the cell is beyond the region's end.
struct row_place {
  region_id region{};
  u64 byte_offset = 0;
  u32 stride = 0;  // bytes to the row id of the next cell
};
std::optional<row_place> place_of_row(const index_model& model, cell_ref at);

// Returns the state of a cell: what its row id says if cells tell it, otherwise what the model says.
outcome<cell_state> read_state(const stored_index& index, const index_model& model, cell_ref at);

// How many cells are in each state.
struct state_counts {
  u64 empty = 0, live = 0, erased = 0, claimed = 0;

  u64 all() const { return empty + live + erased + claimed; }
  void add(cell_state state);
  bool operator==(const state_counts&) const = default;
};
// Counts the states of those cells of a run that the region has. Reads all of their row ids, if cells tell their state.
outcome<state_counts> count_states(const stored_index& index, const index_model& model, const cell_run& run,
                                   const job_control& control = {});

// Returns the first live cell of the main region from `first` on; after the last cell it goes on at the begin. Nothing:
// there is none among the cells that it looks through, which are all of them, but at most this many.
inline constexpr u64 most_cells_looked_through = u64{1} << 26;
outcome<std::optional<cell_ref>> live_cell_from(const stored_index& index, const index_model& model, u64 first);

}  // namespace pivotscope
