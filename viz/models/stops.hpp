// Where playing stops, as a debugger's breakpoints do: at a step that reads a marked sector, slot or key, or a marked
// level. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/index/lookup_trace.hpp"
#include "core/index/model.hpp"

namespace pivotscope::viz {

struct stop_mark {
  enum class kind : u8 { level, slot, key, sector };
  kind at = kind::level;
  u64 number = 0;                 // level, slot, key or sector
  region_id array = main_region;  // of a slot or a sector
  bool operator==(const stop_mark&) const = default;
};
std::string to_text(const stop_mark& mark, const index_model& model);  // "slot 5 of keys", "level 3"

bool reads(const trace_step& step, const stop_mark& mark);
// The first step after `from` (before it, with direction -1) that one of the marks is at.
std::optional<u32> next_stop(const lookup_trace& trace, const std::vector<stop_mark>& marks, u32 from, int direction);
// Puts a mark there, or takes it away.
void toggle(std::vector<stop_mark>& marks, const stop_mark& mark);

// What happens at a step that a timeline marks.
struct step_events {
  bool new_level = false;       // the first that reads its level
  bool leaves_scratch = false;  // the first behind those that scratch serves: the hand-over of pinning
  bool hit = false;             // compares a key that is an answer
  bool doubt = false;           // it cannot tell, so that another may have to go on
};
step_events events_of(const lookup_trace& trace, u32 step);

}  // namespace pivotscope::viz
