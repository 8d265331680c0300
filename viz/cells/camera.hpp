// Where one looks along a row of cells, as on a map: a scale and a left edge. Pure: pixels and cells in, numbers out.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope::viz {

class strip_camera {
 public:
  // The row's extent and the width that it is shown in. Keeps what is in view when either changes; a view that showed
  // everything still does.
  void set_extent(u64 cells, double width, double widest_cell);

  double cell_width() const { return scale_; }
  double x_of(double cell) const { return (cell - left_) * scale_ + margin(); }
  double cell_at(double x) const { return left_ + (x - margin()) / scale_; }
  // Cells that are at least partly in view, half open.
  u64 first_visible() const;
  u64 end_visible() const;
  bool shows_all() const;
  double left() const { return left_; }
  double width() const { return width_; }
  u64 cells() const { return cells_; }

  void zoom_at(double x, double factor);  // the cell under x stays there
  void pan(double pixels);
  void fit();
  // At the same part of its own row as another camera of its; where both have as many cells, at the same cells.
  void look_as(const strip_camera& other);
  // Glides so that [first, end) is in view, with room beside it.
  void go_to(double first, double end);
  // Brings a cell into view without a change of scale; true when it had to move.
  bool reveal(double cell);
  // Moves on by `seconds`; true while there is further to go. `still` jumps to the end.
  bool advance(double seconds, bool still);

 private:
  double least_scale() const;
  double margin() const;  // left of the first cell, when the row is narrower than the view
  void clamp();
  void start_move(double left, double scale);

  u64 cells_ = 0;
  double width_ = 0, widest_ = 72;
  double scale_ = 1, left_ = 0;
  bool fitted_ = true;
  // A move under way: from, to, and how far.
  bool moving_ = false;
  double from_left_ = 0, from_scale_ = 1, to_left_ = 0, to_scale_ = 1, moved_ = 0;
};

// How long what changed is seen as change.
inline constexpr double change_seconds = 0.6;

// 0 to 1 with a soft start and end.
double ease(double share);

}  // namespace pivotscope::viz
