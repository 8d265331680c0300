#include "core/index/cell_state.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/index/index_reader.hpp"

namespace pivotscope {
namespace {

// f(state of the cell) for cells [first, end) of a region, until it returns false. They are read in blocks that grow: the
// first cells may do, and for many a copy from a GPU is to be worth its while.
template <class F>
status each_state(const stored_index& index, const index_model& model, region_id region, u64 first, u64 end,
                  const job_control& control, F&& f) {
  index_reader reader(index);
  std::vector<cell_value> values;
  u64 at_once = 64;
  for (u64 cell = first; cell < end; at_once = std::min<u64>(2 * at_once, 1 << 17)) {
    if (!tells_state(model, {region, cell})) {
      if (!f(model.describe(region, cell).empty ? cell_state::empty : cell_state::live)) return fine();
      ++cell;
      continue;
    }
    if (control.cancelled()) return job_control::cancelled_problem();
    values.resize(std::min({end - cell, model.region(region).cells - cell, at_once}));
    if (!model.values_of({region, cell, values.size()}, std::ref(reader), values)) return reader.failure();
    for (const cell_value& value : values)
      if (!f(state_of_row(value.row.value_or(not_found)))) return fine();
    cell += values.size();
  }
  return fine();
}

}  // namespace

const char* state_name(cell_state state) {
  constexpr const char* names[] = {"empty", "live", "erased", "claimed"};
  return names[static_cast<u8>(state)];
}

bool tells_state(const index_model& model, cell_ref at) {
  if (!model.cells_tell() || at.cell >= model.region(at.region).cells) return false;
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const region_info& info = model.regions()[i];
    const bool own = static_cast<region_id>(i) == at.region;
    if (info.cells > 0 && (own || info.beside == at.region) && info.has(field_kind::row_id)) return true;
  }
  return false;
}

std::optional<row_place> place_of_row(const index_model& model, cell_ref at) {
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const region_info& region = model.regions()[i];
    const auto id = static_cast<region_id>(i);
    const cell_field* row = region.field(field_kind::row_id);
    if (!row || at.cell >= region.cells || (id != at.region && region.beside != at.region)) continue;
    return row_place{id, at.cell * region.cell_bytes + row->offset, region.cell_bytes};
  }
  return std::nullopt;
}

outcome<cell_state> read_state(const stored_index& index, const index_model& model, cell_ref at) {
  cell_state found = cell_state::empty;
  const status read = each_state(index, model, at.region, at.cell, at.cell + 1, {}, [&](cell_state state) {
    found = state;
    return true;
  });
  if (!read) return read.error();
  return found;
}

void state_counts::add(cell_state state) {
  u64* const counts[] = {&empty, &live, &erased, &claimed};
  ++*counts[static_cast<u8>(state)];
}

outcome<state_counts> count_states(const stored_index& index, const index_model& model, const cell_run& run,
                                   const job_control& control) {
  state_counts counts;
  const u64 cells = model.region(run.region).cells;
  const u64 first = std::min(run.first, cells), end = first + std::min(run.count, cells - first);
  const status read = each_state(index, model, run.region, first, end, control, [&](cell_state state) {
    counts.add(state);
    return true;
  });
  if (!read) return read.error();
  return counts;
}

outcome<std::optional<cell_ref>> live_cell_from(const stored_index& index, const index_model& model, u64 first) {
  const u64 cells = model.region(main_region).cells;
  if (cells == 0) return std::optional<cell_ref>();
  first %= cells;
  std::optional<cell_ref> found;
  u64 left = std::min(cells, most_cells_looked_through);
  for (const auto& [from, end] : {std::pair{first, cells}, std::pair{u64{0}, first}}) {
    const u64 until = from + std::min(end - from, left);
    u64 cell = from;
    const status read = each_state(index, model, main_region, from, until, {}, [&](cell_state state) {
      if (state == cell_state::live) found = cell_ref{main_region, cell};
      ++cell;
      return !found;
    });
    if (!read) return read.error();
    left -= until - from;
    if (found) break;
  }
  return found;
}

}  // namespace pivotscope
