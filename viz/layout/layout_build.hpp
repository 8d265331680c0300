// The build in the Layout panel: which slots are written, which one now, and where its key comes from.
#pragma once

#include "viz/layout/layout_picture.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// A pass over the entries fetches from the sorted keys: they are the upper row then, whatever else the index has.
// Puts the array before the batch in place of the sorted keys, while the merge of a batch is shown.
void put_old_array_above(layout_picture& p, const frame& f);
bool build_wants_sorted(const frame& f);
// Marks the slot and its source, and how far the rows are written.
void collect_build(layout_picture& p, const frame& f);
// Brings both into view, once for each slot.
void follow_build(frame& f, const layout_picture& p);
// The names of both ends of the link, its arrow, and by how much the correction slides it.
void draw_build(const frame& f, const layout_picture& p);

}  // namespace pivotscope::viz
