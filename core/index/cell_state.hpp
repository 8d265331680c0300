// What the cells of an index are. Where it changes, which are empty or erased follows from what was inserted and
// erased, not from the config and the number of keys: then a cell's row id says it (index_model::cells_tell()).
#pragma once

#include <optional>

#include "core/common/answers.hpp"
#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/index/built_index.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

const char* state_name(cell_state state);  // "erased"

// Does the cell's row id say what it is? Else the model does.
bool tells_state(const index_model& model, cell_ref at);

// Where the row id of a cell lies, if it is whole bytes: in its own region, or in the one that goes beside it. Nothing:
// it has none, or it is beyond the region's end.
struct row_place {
  region_id region{};
  u64 byte_offset = 0;
  u32 stride = 0;  // bytes to that of the next cell
};
std::optional<row_place> place_of_row(const index_model& model, cell_ref at);

// What the model says of a cell, or where cells tell, what its row id says.
outcome<cell_state> read_state(const stored_index& index, const index_model& model, cell_ref at);

// How many cells are what.
struct state_counts {
  u64 empty = 0, live = 0, erased = 0, claimed = 0;

  u64 all() const { return empty + live + erased + claimed; }
  void add(cell_state state);
  bool operator==(const state_counts&) const = default;
};
// Of those cells of a run that the region has. Reads all of their row ids, where cells tell.
outcome<state_counts> count_states(const stored_index& index, const index_model& model, const cell_run& run,
                                   const job_control& control = {});

// The first live cell of the main region from `first` on, and from the begin after the last. Nothing: none was met
// among so many, which are all of them but where that would take long.
inline constexpr u64 most_cells_looked_through = u64{1} << 26;
outcome<std::optional<cell_ref>> live_cell_from(const stored_index& index, const index_model& model, u64 first);

}  // namespace pivotscope
