// The panels, each in its own file. A panel draws inside the window that is open and knows nothing of where that is.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

void workload_panel(frame& f);
void index_panel(frame& f);
void tree_panel(frame& f);
void scene_panel(frame& f);
void layout_panel(frame& f);
void tile_panel(frame& f);
void warp_panel(frame& f);
void memory_panel(frame& f);
void compare_panel(frame& f);
void path_panel(frame& f);
void source_panel(frame& f);
void timings_panel(frame& f);
void machine_panel(frame& f);
void advice_panel(frame& f);
void lesson_panel(frame& f);
void verify_panel(frame& f);
void snapshots_panel(frame& f);
void probes_panel(frame& f);
void fill_panel(frame& f);
void plots_panel(frame& f);
void values_panel(frame& f);
void updates_panel(frame& f);
void interleave_panel(frame& f);

void build_panel(frame& f);  // in Path's place while the build is shown

}  // namespace pivotscope::viz
