// What a lesson points at: panels, and things in them by the names they bear on the screen. Whoever draws a thing that
// has a name says so with spot(); in most frames nobody has asked, and that costs a comparison.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "viz/parts/marks.hpp"
#include "viz/state/lesson.hpp"

namespace pivotscope::viz {

// Before the panels: what is asked for in this frame; `into_view`: scroll to it once it is met.
void ask_for_spots(std::span<const lesson_pointer> asked, bool into_view);
// The last item bears this name, or the box does. Names match from their beginning: "Step" meets "Step 2 of 5".
void spot(std::string_view name);
void spot(std::string_view name, const box& at);
// After the panels: outlines of what was met, over the panel but never in the mouse's way. `strength` from 0 to 1.
void draw_spots(float strength);
// Of what was asked for in the last frame: what was met. For tests.
bool all_spots_met();

}  // namespace pivotscope::viz
