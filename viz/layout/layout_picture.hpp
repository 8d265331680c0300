// The two rows of the Layout panel and where their parts lie in a frame.
#pragma once

#include <memory>
#include <vector>

#include "viz/cells/cells.hpp"
#include "viz/cells/window_row.hpp"
#include "viz/parts/strip.hpp"

namespace pivotscope::viz {

// A row where it is drawn. Links to it end above and below it, clear of what is written there.
struct placed_strip {
  const cell_row* row = nullptr;
  const strip_camera* camera = nullptr;
  box area;
  float above = 0, below = 0;
  std::optional<float> marks = {};  // top of the lane below it, where it has one
};

// From top to bottom.
struct layout_picture {
  std::unique_ptr<cell_row> upper, lower;  // lower: the main region; upper: null where it is all there is to show
  bool upper_is_sorted = false;            // else it is `upper_region`: what the search reads first
  region_id upper_region = main_region;
  bool upper_is_old = false;  // in place of the sorted keys: the array before the batch whose merge is shown
  // `upper` is this: the windows that the lookup comes to, where those of the whole table are too small to be read.
  const window_row* windows = nullptr;
  std::optional<region_id> rows_region;  // beside the main one, cell by cell
  box upper_area, lower_area, rows_area;
  float top = 0;                                      // of the lane above the first row
  float upper_marks = 0, lower_marks = 0, ruler = 0;  // tops of the lanes below the rows
  float caret_lane = 0;  // of the caret above the lower row, where it is there: links run straight through it
  u64 left_first = 0, left_end = 0;
  std::vector<strip_mark> upper_reads, lower_reads;
  std::vector<strip_mark> row_reads;  // of `rows_region`
  // Cells from here on the build has not come to yet.
  u64 upper_written = ~0ull, lower_written = ~0ull;
  // Regions that are neither row have one below them, each with its own scale.
  std::vector<region_id> other_regions = {};
  std::vector<std::unique_ptr<cell_row>> others = {};
  // All rows that are in memory: the upper one, unless it is the sorted keys, the lower one and the others.
  std::vector<placed_strip> strips = {};

  // The row that has a region's cells; of a lookup's own windows that row. Null: none has.
  const placed_strip* strip_of(region_id region) const;
};

inline constexpr float header_column = 92, caret_lane = 36, step_lane = 18, overview_height = 5, ruler_height = 36;

// Which rows there are: the main region, the one that goes beside it, and above them another one, `wanted` if that is
// one and else the first, or the sorted keys of a family with ranks; `sorted_above`: these, though there is another
// region.
void choose_rows(layout_picture& p, const std::shared_ptr<const index_model>& model,
                 std::optional<region_id> wanted = {}, bool sorted_above = false);
// The windows that a lookup comes to become the upper row, of a family that has windows and nothing else above.
void add_windows(layout_picture& p, const std::shared_ptr<const index_model>& model, std::span<const u64> windows);
// Where they and the lanes between them are, in the room below `at`.
void place_rows(layout_picture& p, const index_model& model, ImVec2 at, ImVec2 room);

// Of the lane below a row: signs, and which lane compares.
inline float marks_height(const index_model& model) { return model.lanes().count > 1 ? px(32) : px(18); }

}  // namespace pivotscope::viz
