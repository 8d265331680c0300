// Layout's search field: a key, a slot or a byte.
#pragma once

#include "viz/layout/layout_picture.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Draws the field. "9": a key; "slot 9": a slot; "@64" or "@0x40": a byte of the main region.
void layout_search(frame& f, const layout_picture& p);
// After a search for a key: goes to where it was found, or to where the search ended.
void go_to_answer(frame& f, const layout_picture& p);

}  // namespace pivotscope::viz
