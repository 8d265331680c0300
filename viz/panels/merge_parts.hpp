// Parts of the build's panel that a batch's merge has and a build lacks.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Draws what went into the merge and what came of it.
void merge_sums(const merged_batch& merged);
// Draws where the entry of a slot comes from, and the tile that makes it.
void merge_facts(const batch_merge& merge, u64 slot);
// Draws the steps of the merge path about the one that makes the slot in view. A click on a step goes to its slot.
void merge_path_rows(frame& f, const batch_merge& merge);

}  // namespace pivotscope::viz
