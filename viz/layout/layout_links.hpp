// The links of the Layout panel: where an entry lies in each of its rows.
#pragma once

#include "viz/layout/layout_picture.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Between the two rows: of what is in view, and in the key's own colour of what the path reads.
void draw_links(const frame& f, const layout_picture& p);
// From where a key was copied down to where it lies in scratch (`area`): for what this step reads there, and for the
// one under the mouse.
void draw_scratch_links(const frame& f, const layout_picture& p, const box& area);

}  // namespace pivotscope::viz
