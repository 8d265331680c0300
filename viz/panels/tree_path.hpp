// Tree where the whole tree has no room: the nodes on the path, a row a step, with the gap that the key falls into.
#pragma once

#include "viz/parts/marks.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// In units of px(): before each row the level's name, and above the rows the key.
inline constexpr float tree_label_column = 84, tree_caret_lane = caret_height + 5;

// True if the path in view walked the index in view, and no build is shown.
bool path_is_of_index(const frame& f);
// Draws a level's colour and name before its row. The mouse over it points at the level. `levels`: those of the picture,
// where an insert in view has made the tree higher than the index; 0: the index's.
void level_label(frame& f, ImVec2 at, float y, u32 level, ImU32 ink, u32 levels = 0);
// Draws the question in full, above the node that the search reads first. `tip`: of the caret; it stays in [from, end].
void draw_sought(const frame& f, float x, float tip, float from, float end);
void draw_path_only(frame& f);

}  // namespace pivotscope::viz
