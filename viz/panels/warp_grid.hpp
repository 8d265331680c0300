// Warp's rows: a row a step, a column a thread, and beside them the sectors that the step brings.
#pragma once

#include <optional>

#include "viz/models/tile_model.hpp"
#include "viz/models/warp_model.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

inline constexpr u32 threads = 32;  // of a warp

// What is drawn in this frame.
struct shown_warp {
  const warp_study& study;
  const warp_study::service& now;    // in the order that is shown
  const warp_study::service* other;  // in the other one, when it is there
  bool sorted;
  u32 round;

  const std::vector<warp_step>& steps() const { return now.rounds[round]; }
  const warp_step* other_step(std::size_t s) const {
    return other && s < other->rounds[round].size() ? &other->rounds[round][s] : nullptr;
  }
  const char* other_name() const { return sorted ? "as they come" : "sorted"; }
  // The lookup that a thread helps to serve in this round; nothing for one without.
  std::optional<u32> lookup_of(u32 thread) const {
    const u32 i = thread / study.group() * study.group() + round;
    return i < now.traces.size() ? std::optional(i) : std::nullopt;
  }
  // Lane `lane` of the threads that serve a lookup, and back.
  u32 thread_of(u32 lookup, u32 lane) const { return lookup / study.group() * study.group() + lane; }
  u32 lane_of(u32 thread) const { return thread % study.group(); }
  // Sectors that the answers go to, and with the other way of reordering.
  bool puts_back() const { return !sorted || study.tile()->index()->config().launch.reorder == reorder_kind::both; }
  u64 written() const { return puts_back() ? now.written_in_order() : now.written(); }
  u64 written_otherwise() const { return puts_back() ? now.written() : now.written_in_order(); }
};

// Returns the thread that the mouse is over, in whatever view. `chosen`: the lookup of the path, if this warp serves
// it.
std::optional<u32> pointed_thread(const frame& f, const shown_warp& w, std::optional<u32> chosen);
// Draws the rows in a part that scrolls by itself; steps that are out of view cost nothing. `height`: in pixels, with
// the row of writes; `current`: the step in view; `levels`: of the index.
void draw_warp_grid(frame& f, const shown_warp& w, float height, u32 current, u32 levels, std::optional<u32> chosen);

}  // namespace pivotscope::viz
