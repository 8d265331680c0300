// The grammar of marks: each means one thing, in every view, and none is told by colour alone.
#pragma once

#include <imgui.h>

#include <string>

#include "viz/models/reads.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope::viz {

struct box {
  ImVec2 low, high;
  float width() const { return high.x - low.x; }
  float height() const { return high.y - low.y; }
  ImVec2 middle() const { return {(low.x + high.x) / 2, (low.y + high.y) / 2}; }
};

// A cell of an entry: its level's colour, and how much it matters at this step.
void draw_cell(ImDrawList& to, const box& at, ImU32 colour, bool out);
// A slot that holds no entry: hollow.
void draw_empty_cell(ImDrawList& to, const box& at);
// A cell that holds no entry and leads on: `brief` says where to, in few letters.
void draw_link_cell(ImDrawList& to, const box& at, const std::string& brief);
// A slot whose entry was erased, and one whose entry is about to come: hollow in part, with a sign. `words`: its key
// stands in it, and is struck out in place of the cross.
void draw_erased_cell(ImDrawList& to, const box& at, bool words);
void draw_claimed_cell(ImDrawList& to, const box& at);
ImU32 erased_ground();
// Struck out: a line through words of this width.
void draw_struck(ImDrawList& to, ImVec2 middle, float width, ImU32 ink);
// What is not stored, though it could be: a broken outline.
void draw_ghost(ImDrawList& to, const box& at);
// The outline of a read, with the number of its step in the corner when there is room.
void draw_read(ImDrawList& to, const box& at, read_mark mark, u32 step, bool room_for_number);
// The number of a step on a small disc.
void draw_step_number(ImDrawList& to, ImVec2 middle, u32 step, bool now);

// A step that cannot tell, so that another may have to go on: a question mark on a disc.
void draw_doubt(ImDrawList& to, ImVec2 middle);

// Bytes that a step writes: a bar below them, and a pencil where there is room.
void draw_written(ImDrawList& to, const box& at);

// A cell that just became another one: light that fades, 1 to 0.
void draw_change(ImDrawList& to, const box& at, float strength);

// What the mouse is over, in this view or another.
void draw_pointed(ImDrawList& to, const box& at);

// The caret of the key looked for: a triangle whose tip is at a point, and its number above, which stays between two
// sides. Where that is.
inline constexpr float caret_height = 27;
box draw_caret(ImDrawList& to, ImVec2 tip, const std::string& words, float from = -1e9f, float end = 1e9f);
// How wide the number is with its ground.
float caret_width(const std::string& words);
// A filled star for an answer, an empty one for a miss.
void draw_star(ImDrawList& to, ImVec2 middle, bool found, float size);
// Pinned in scratch: hatched, with a pin where there is room.
void draw_pinned(ImDrawList& to, const box& at, ImU32 ink);
// A lane: a filled dot where it loads, hollow where it idles, with its number when there is room.
void draw_lane(ImDrawList& to, ImVec2 middle, float radius, bool loads);
void draw_pointed_lane(ImDrawList& to, ImVec2 middle, float radius);
bool lane_under_mouse(ImVec2 middle, float radius);  // of the window that is drawn
// A soft line from one row to another: straight down at both ends.
void draw_link(ImDrawList& to, ImVec2 from, ImVec2 down_to, ImU32 colour, float thickness);
// The half of a link whose other end is out of view: it bends away to the side, and fades.
void draw_leaving_link(ImDrawList& to, ImVec2 from, ImVec2 side, ImU32 colour, float thickness);

// Before a line of source. An arrow: filled where the step is, hollow where the next one will be. A dot: filled where
// the step ran it.
void draw_line_arrow(ImDrawList& to, ImVec2 middle, bool filled);
void draw_line_dot(ImDrawList& to, ImVec2 middle, bool filled);

}  // namespace pivotscope::viz
