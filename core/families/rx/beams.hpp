// The rays of a range, for RX. The paper casts a ray along x for each row of the range (cgrx, Section 2.2). Rays side
// by side that are alike go through our boxes together here, as a beam: a box of rays.
//
//   row      the range lies in one row: one ray
//   first    the first row, from the low end on            last    the last row, up to the high end
//   rows     all rows between that are in the first plane  planes  all planes between
//   ends     in the last plane, the rows before the last
//
// So a range is five beams at most, whatever it holds, and no place is in two of them.
#pragma once

#include "core/rays/bounding_tree.hpp"

namespace pivotscope {

// Places of the grid, from the centre of the first to the centre of the last, in the scene's coordinates.
struct beam {
  float from[box_axes], to[box_axes];

  PIVOTSCOPE_FN bool meets(const box& b) const {
    bool all = true;
    PIVOTSCOPE_UNROLL
    for (u32 a = 0; a < box_axes; ++a) all = all && b.axes[a].low <= to[a] && b.axes[a].high >= from[a];
    return all;
  }
  // Does a ray of it hit the triangle? A ray hits a triangle in its centre or not at all.
  PIVOTSCOPE_FN bool hits(const triangle_cell& t) const {
    return from[0] <= t.x && t.x <= to[0] && from[1] <= t.y && t.y <= to[1] && from[2] <= t.z && t.z <= to[2];
  }
  PIVOTSCOPE_FN bool is_near(const triangle_cell& t) const { return hits(t); }
};

inline constexpr u32 most_beams = 5;

// A beam and whether the range has it.
struct beam_of_range {
  bool is_there;
  beam rays;
};

// Returns beam `number` of the range [low, high]; low <= high.
PIVOTSCOPE_FN beam_of_range beam_number(const key_grid& grid, u64 low, u64 high, u32 number) {
  const grid_point l = grid.of(low), h = grid.of(high);
  const bool one_row = grid.row_of(low) == grid.row_of(high), one_plane = l.z == h.z;
  grid_point from = l, to = h;
  bool is_there = true;
  switch (number) {
    case 0:  // the first row, or the only one
      to = {one_row ? h.x : grid.x_max(), l.y, l.z};
      break;
    case 1:  // rows behind it in its plane
      from = {0, l.y + 1, l.z}, to = {grid.x_max(), one_plane ? h.y - 1 : grid.y_max(), l.z};
      is_there = from.y <= to.y;
      break;
    case 2:  // planes between
      from = {0, 0, l.z + 1}, to = {grid.x_max(), grid.y_max(), h.z - 1};
      is_there = from.z <= to.z;
      break;
    case 3:  // rows of the last plane
      from = {0, 0, h.z}, to = {grid.x_max(), h.y - 1, h.z};
      is_there = !one_plane && h.y > 0;
      break;
    default:  // the last row
      from = {0, h.y, h.z};
      is_there = !one_row;
  }
  const triangle_cell a = triangle_at(grid, from, 0, false), b = triangle_at(grid, to, 0, false);
  return {is_there, {{a.x, a.y, a.z}, {b.x, b.y, b.z}}};
}

}  // namespace pivotscope
