#include "viz/cells/pointing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

bool reads_cell(const memory_access& a, const cell_ref& cell) {
  return a.array == cell.region && cell.cell >= a.slot && cell.cell < a.slot + a.slots;
}

bool reads_target(const memory_access& a, const read_target& target) {
  switch (target.what) {
    case read_target::kind::sector:
      return touches(a, target.sector);
    case read_target::kind::key:
      return std::any_of(target.cells.begin(), target.cells.end(),
                         [&](const cell_ref& cell) { return reads_cell(a, cell); });
    case read_target::kind::lane:
      return a.lane == target.number;
    case read_target::kind::array:
      return a.array == target.array;
    case read_target::kind::level:
      return true;
    case read_target::kind::nothing:
      break;
  }
  return false;
}

}  // namespace

void pointing::take(const pointing& from, bool same_index) {
  if (from.rank) rank = from.rank;
  if (!same_index) return;
  if (from.sector) sector = from.sector;
  if (from.cell) cell = from.cell;
  if (from.level) level = from.level;
  if (from.lane) lane = from.lane;
  if (from.thread) thread = from.thread;
  if (from.array) array = from.array;
}

void point_at(pointing& to, const cell_place& place) {
  to.cell = cell_ref{place.array, place.slot};
  if (place.rank != no_rank) to.rank = place.rank;
}

bool points_at(const pointing& what, const cell_place& place) {
  if (what.cell == cell_ref{place.array, place.slot}) return true;
  return place.state != cell_state::empty &&
         ((place.rank != no_rank && what.rank == place.rank) || what.level == place.level);
}

bool read_by_lane(const trace_step& step, u32 lane, const cell_ref& cell) {
  return std::any_of(step.accesses.begin(), step.accesses.end(),
                     [&](const memory_access& a) { return a.lane == lane && reads_cell(a, cell); });
}

read_target target_of(const pointing& what, const std::shared_ptr<const index_model>& model) {
  read_target target;
  const auto is = [&](read_target::kind kind, std::string name) {
    target.what = kind;
    target.name = std::move(name);
  };
  const auto known = [&](region_id array) { return number_of(array) < model->regions().size(); };
  if (what.sector && known(what.sector->array)) {
    target.sector = *what.sector;
    is(read_target::kind::sector,
       fmt::format("sector {} of {}", grouped(what.sector->number), model->region(what.sector->array).title));
  } else if (what.rank || (what.cell && known(what.cell->region))) {
    if (what.cell && known(what.cell->region)) target.cells.push_back(*what.cell);
    for (std::size_t i = 0; what.rank && i < model->regions().size(); ++i) {
      const region_info& region = model->regions()[i];
      if (region.cells == 0 || region.beside) continue;
      const auto id = static_cast<region_id>(i);
      const auto cell = region_row(model, id)->cell_of_rank(*what.rank);
      if (cell && what.cell != cell_ref{id, *cell}) target.cells.push_back({id, *cell});
    }
    if (target.cells.empty()) return target;
    const cell_ref& first = target.cells.front();
    is(read_target::kind::key, fmt::format("slot {} of {}", grouped(first.cell), model->region(first.region).title));
  } else if (what.level) {
    target.number = *what.level;
    is(read_target::kind::level, fmt::format("level {}", *what.level));
  } else if (what.lane) {
    target.number = *what.lane;
    is(read_target::kind::lane, fmt::format("lane {}", *what.lane));
  } else if (what.array && known(*what.array)) {
    target.array = *what.array;
    is(read_target::kind::array, "array " + model->region(*what.array).title);
  }
  return target;
}

u32 lanes_reading(const trace_step& step, const read_target& target) {
  if (target.what == read_target::kind::level && step.level != target.number) return 0;
  std::vector<u32> lanes;
  for (const memory_access& a : step.accesses)
    if (reads_target(a, target)) lanes.push_back(a.lane);
  std::sort(lanes.begin(), lanes.end());
  return static_cast<u32>(std::unique(lanes.begin(), lanes.end()) - lanes.begin());
}

}  // namespace pivotscope::viz
