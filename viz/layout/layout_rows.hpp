// What all rows of Layout have: a name with what it means, and the mouse over a cell of it. And a strip for each region
// that the two rows of a picture leave out, each with a scale of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viz/layout/layout_picture.hpp"
#include "viz/state/view_state.hpp"

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
// Those of the picture's other regions, one below the other from `top` on, as wide as its rows; they are its last
// strips then.
void place_other_rows(frame& f, layout_picture& p, float top);
// Where the last one ends; `top` where there are none.
float draw_other_rows(frame& f, const layout_picture& p, float top);

// Brings what a step reads into view: where cells are drawn, or, where the view follows the path, as near as keys can
// be read.
void follow_reads(frame& f, strip_camera& camera, std::span<const strip_mark> marks);

}  // namespace pivotscope::viz
