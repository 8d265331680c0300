// What the mouse is over, wherever that is: every view that shows it too points it out. One view tells, and in the next
// frame all show. And who reads it: lanes of a lookup, step by step. Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/index/model.hpp"
#include "core/traffic/warp_step.hpp"
#include "viz/cells/cells.hpp"

namespace pivotscope::viz {

struct pointing {
  std::optional<memory_block> sector = {};
  std::optional<cell_ref> cell = {};
  std::optional<u64> rank = {};  // of a key
  std::optional<u32> level = {};
  std::optional<u32> lane = {};    // of the lookup in view
  std::optional<u32> thread = {};  // of the warp in view
  std::optional<region_id> array = {};
  bool operator==(const pointing&) const = default;

  // What a view of this index points at, or of another one over the same keys: these have the same ranks, and no more.
  void take(const pointing& from, bool same_index);
};

// At a slot, and the key in it.
void point_at(pointing& to, const cell_place& place);
// Is a cell what is pointed at, or of its level?
bool points_at(const pointing& what, const cell_place& place);
// Does this lane read the cell in this step?
bool read_by_lane(const trace_step& step, u32 lane, const cell_ref& cell);

// The one thing that is pointed at, of which can be said who reads it. A key is read wherever it lies.
struct read_target {
  enum class kind : u8 { nothing, sector, key, level, lane, array };
  kind what = kind::nothing;
  memory_block sector;
  std::vector<cell_ref> cells;  // of a key, or an empty slot
  u32 number = 0;               // of a level or a lane
  region_id array{};
  std::string name = {};  // "sector 5 of entries"
};
read_target target_of(const pointing& what, const std::shared_ptr<const index_model>& model);
// Lanes that read it in a step; of a level all that read anything.
u32 lanes_reading(const trace_step& step, const read_target& target);

}  // namespace pivotscope::viz
