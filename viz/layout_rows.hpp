// What all rows of Layout have: a name with what it means, and the mouse over a cell of it. And a strip for each region that the
// two rows of a picture leave out, each with a scale of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viz/layout_picture.hpp"
#include "viz/view_state.hpp"

namespace pivotscope::viz {

// Left of a row, with a second line below. True while the mouse is over it.
bool row_name(const box& area, const std::string& name, const std::string& below, const char* meaning);
// A region's, with the bytes that it takes; points at the region.
void region_name(frame& f, const box& area, region_id id);
// Zoom and pan, what the mouse is over, its card and its menu; a click looks for the key.
void handle_row(frame& f, const char* id, strip_state& state, const cell_row& row, const box& area);

// Regions that have cells, and are neither of a picture's rows nor beside one, in their order.
std::vector<region_id> other_regions(const index_model& model, const layout_picture& p);
// The cells of a region that a path has read from memory up to a step.
std::vector<strip_mark> reads_of_region(const lookup_trace& trace, u32 step, region_id region);

inline constexpr float region_strip_height = 26, region_strip_lane = 20;  // and below each where in it one is
// One below the other from `top` on; the areas are those of the picture's rows from left to right. Where the last one ends.
float region_strips(frame& f, const layout_picture& p, std::span<const region_id> regions, float top);

}  // namespace pivotscope::viz
