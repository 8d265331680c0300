// A row of cells that is looked at as a map: far out a pixel column is the mix of its cells' levels, nearer there are
// cells, nearer keys, nearer bytes. What it costs depends on the pixels, not on how many cells there are.
#pragma once

#include <span>

#include "viz/cells/cells.hpp"
#include "viz/parts/marks.hpp"
#include "viz/state/view_state.hpp"
#include "viz/theme/cell_sizes.hpp"

namespace pivotscope::viz {

struct strip_mark {
  u64 cell = 0;
  read_mark mark = read_mark::none;
  u32 step = 0;
  bool from_scratch = false;  // copied from here, and read there: never a thick outline
  bool numbered = true;       // with the number of its step
  bool doubt = false;         // the step cannot tell
};

struct strip_input {
  const cell_row& row;
  box area;                          // the cells; the camera spans its width
  u64 left_first = 0, left_end = 0;  // what is still possible (trace_step): all others are drawn faint
  std::span<const strip_mark> marks;
  bool show_rows = false;            // the row id below the key, as it lies in memory
  std::span<const u64> pinned = {};  // slots of this row that lie in scratch too, ascending
  u64 written = ~0ull;               // cells from here on are not written yet: faint
};

struct strip_events {
  std::optional<u64> hovered;
  bool clicked = false;
};

// Wheel zooms at the mouse, a drag pans, a double click fits. The item's id is `id`.
strip_events interact(frame& f, const char* id, strip_state& state, const box& area);

void draw_strip(frame& f, strip_state& state, const strip_input& in);
// Row ids beside a row of keys (struct of arrays), on the same camera.
void draw_row_ids(frame& f, const strip_state& state, const strip_input& in);
// Slot numbers, and a rule every 32 and every 128 bytes.
void draw_ruler(const strip_state& state, const strip_input& in, float top, double bytes_per_cell);
// Where in the whole row the view is; nothing when it shows all. A click or a drag goes there.
void overview(frame& f, const char* id, strip_state& state, const box& area);

// The box of a cell on the screen; when cells are narrower than a mark, a needle of one pixel at its place.
box cell_box(const strip_camera& camera, const box& area, double cell);
}  // namespace pivotscope::viz
