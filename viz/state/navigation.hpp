// Goes somewhere: to a step, a stop, the tile's next lookup, a panel, or cells in one of them.
#pragma once

#include "core/index/model.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

void look_in_memory(frame& f, cell_ref at);            // scrolls Memory to a cell
void look_in_layout(frame& f, const cell_run& cells);  // zooms Layout to a run of cells
void go_to_panel(frame& f, panel which);               // opens a panel and brings it to the front

// Goes to the next step with a stop, or to the last step where there is none; with direction -1 the other way.
void run_to_stop(frame& f, int direction);
// Chooses the lookup of the tile that is served next, or with direction -1 the one before. Where the path's key is none
// of the tile's, it begins with the first.
void next_lookup(frame& f, int direction);

}  // namespace pivotscope::viz
