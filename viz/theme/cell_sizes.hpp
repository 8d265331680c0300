// From which width on a row draws its cells one by one.
#pragma once

#include "viz/cells/camera.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope::viz {

// Cells as wide as this show their keys somehow: a digit has room. In units of px().
inline constexpr float least_key_cell = 6;

// True if single cells are drawn; else pixel columns are, each a mix of its cells' levels.
inline bool shows_cells(const strip_camera& camera) { return camera.cell_width() >= px(least_key_cell); }

}  // namespace pivotscope::viz
