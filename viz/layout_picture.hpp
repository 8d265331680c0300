// The two rows of the Layout panel and where their parts lie in a frame.
#pragma once

#include <memory>
#include <vector>

#include "viz/cells.hpp"
#include "viz/strip.hpp"

namespace pivotscope::viz {

// From top to bottom.
struct layout_picture {
  std::unique_ptr<cell_row> upper, lower;
  bool upper_is_sorted = true;
  box upper_area, lower_area, rows_area;
  float upper_marks = 0, lower_marks = 0, ruler = 0;  // tops of the lanes below the rows
  u64 left_first = 0, left_end = 0;
  std::vector<strip_mark> upper_reads, lower_reads;
};

// Of the lane below a row: signs, and which lane compares.
inline float marks_height(const index_config& config) { return config.lanes > 1 ? px(32) : px(18); }

}  // namespace pivotscope::viz
