// What is marked along the transport's line of steps, and the menu that sets its stops.
#pragma once

#include <functional>
#include <optional>

#include "core/index/model.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Over and under the dots of a path's steps: a pin where steps leave scratch, a star where an answer is found, a
// question mark where a step cannot tell, a flag where playing stops, and a tick where a level begins.
void draw_step_events(frame& f, const lookup_trace& trace, const std::function<float(u32)>& x_of, float y);

// Who reads what the mouse is over in some view: a ring about each step that does, with how many lanes do, and from
// `top` on, where the tile is counted, a bar for how many of its lookups do in that step. `y`: of the dots.
void draw_accesses(frame& f, const lookup_trace& trace, const std::function<float(u32)>& x_of, float top, float y);
inline constexpr float accesses_height = 17;

// A right click on the last item, over a cell, opens a menu: stop at its slot, key, level or sector, or show it
// elsewhere. Called once a frame, wherever the mouse is.
void cell_menu(frame& f, const std::optional<cell_ref>& hovered);
// A right click over a step opens a menu: stop at its level, or compare it with the one that is shown. `hovered`: the
// step under the mouse. Called once a frame, wherever the mouse is.
void step_menu(frame& f, const std::optional<u32>& hovered);
// The stops as chips: a click takes one away.
void stop_chips(frame& f);

}  // namespace pivotscope::viz
