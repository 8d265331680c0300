// What all rows of Layout have: a name with what it means, and the mouse over a cell of it.
#pragma once

#include <string>

#include "viz/layout_picture.hpp"
#include "viz/view_state.hpp"

namespace pivotscope::viz {

// Left of a row, with a second line below. True while the mouse is over it.
bool row_name(const box& area, const std::string& name, const std::string& below, const char* meaning);
// A region's, with the bytes that it takes; points at the region.
void region_name(frame& f, const box& area, region_id id);
// Zoom and pan, what the mouse is over, its card and its menu; a click looks for the key.
void handle_row(frame& f, const char* id, strip_state& state, const cell_row& row, const box& area);

}  // namespace pivotscope::viz
