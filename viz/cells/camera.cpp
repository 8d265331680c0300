#include "viz/cells/camera.hpp"

#include <algorithm>
#include <cmath>

#include "core/common/expect.hpp"

namespace pivotscope::viz {
namespace {
constexpr double move_seconds = 0.28;
}

double ease(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

double strip_camera::least_scale() const {
  if (cells_ == 0 || width_ <= 0) return 1;
  return std::min(widest_, width_ / static_cast<double>(cells_));
}

double strip_camera::margin() const {
  const double whole = static_cast<double>(cells_) * scale_;
  return whole < width_ ? (width_ - whole) / 2 : 0;
}

void strip_camera::set_extent(u64 cells, double width, double widest_cell) {
  if (cells == cells_ && width == width_ && widest_cell == widest_) return;
  if (cells != cells_) fitted_ = true, moving_ = false;
  cells_ = cells;
  width_ = width;
  widest_ = widest_cell;
  if (fitted_ && !moving_) fit();
  clamp();
}

void strip_camera::fit() {
  moving_ = false;
  fitted_ = true;
  scale_ = least_scale();
  left_ = 0;
}

void strip_camera::look_as(const strip_camera& other) {
  if (cells_ == 0 || other.cells_ == 0 || width_ <= 0 || other.width_ <= 0) return;
  moving_ = false;
  if (other.fitted_) return fit();
  const double ratio = static_cast<double>(cells_) / static_cast<double>(other.cells_);
  scale_ = width_ / (other.width_ / other.scale_ * ratio);
  left_ = other.left_ * ratio;
  clamp();
}

void strip_camera::clamp() {
  // At most one cell fills the view.
  scale_ = std::clamp(scale_, least_scale(), std::max(least_scale(), width_ * 0.9));
  PIVOTSCOPE_EXPECT(scale_ > 0);
  const double in_view = width_ / scale_;
  left_ = std::clamp(left_, 0.0, std::max(0.0, static_cast<double>(cells_) - in_view));
  fitted_ = scale_ <= least_scale() * (1 + 1e-9);
}

bool strip_camera::shows_all() const { return fitted_; }

u64 strip_camera::first_visible() const {
  return static_cast<u64>(std::clamp(std::floor(cell_at(0)), 0.0, static_cast<double>(cells_)));
}

u64 strip_camera::end_visible() const {
  return static_cast<u64>(std::clamp(std::ceil(cell_at(width_)), 0.0, static_cast<double>(cells_)));
}

void strip_camera::zoom_at(double x, double factor) {
  moving_ = false;
  const double cell = cell_at(x);
  PIVOTSCOPE_EXPECT(factor > 0);
  scale_ *= factor;
  scale_ = std::clamp(scale_, least_scale(), std::max(least_scale(), width_ * 0.9));
  left_ = cell - (x - margin()) / scale_;
  clamp();
}

void strip_camera::pan(double pixels) {
  moving_ = false;
  left_ -= pixels / scale_;
  clamp();
}

void strip_camera::start_move(double left, double scale) {
  PIVOTSCOPE_EXPECT(scale > 0);  // its logarithm is taken on the way
  from_left_ = left_;
  from_scale_ = scale_;
  to_left_ = left;
  to_scale_ = scale;
  moved_ = 0;
  moving_ = true;
}

void strip_camera::go_to(double first, double end) {
  if (width_ <= 0 || cells_ == 0) return;
  const strip_camera before = *this;
  const double span = std::max(end - first, 1e-9);
  scale_ = width_ / span;
  left_ = first;
  clamp();
  // Centre what was asked for: clamping the scale may have widened the view.
  left_ = (first + end) / 2 - width_ / scale_ / 2;
  clamp();
  const double left = left_, scale = scale_;
  *this = before;
  start_move(left, scale);
}

bool strip_camera::reveal(double cell) {
  const double end_left = moving_ ? to_left_ : left_, end_scale = moving_ ? to_scale_ : scale_;
  const double in_view = width_ / end_scale;
  const double room = std::min(2.0, in_view / 4);
  if (cell >= end_left + room - 0.5 && cell + 1 <= end_left + in_view - room + 0.5) return false;
  const double wanted = std::clamp(cell + 0.5 - in_view / 2, 0.0, std::max(0.0, static_cast<double>(cells_) - in_view));
  if (std::abs(wanted - end_left) < 1e-9) return false;
  start_move(wanted, end_scale);
  return true;
}

bool strip_camera::advance(double seconds, bool still) {
  if (!moving_) return false;
  moved_ += still ? 1 : seconds / move_seconds;
  const double t = ease(moved_);
  scale_ = std::exp(std::log(from_scale_) + (std::log(to_scale_) - std::log(from_scale_)) * t);
  const double from = 1 / from_scale_, to = 1 / to_scale_;
  // The left edge moves as a straight line in the cells in view, so that a zoom keeps its focus still.
  const double share = std::abs(to - from) < 1e-12 * to ? t : (1 / scale_ - from) / (to - from);
  left_ = from_left_ + (to_left_ - from_left_) * share;
  if (moved_ >= 1) {
    moving_ = false;
    scale_ = to_scale_;
    left_ = to_left_;
  }
  clamp();
  return moving_;
}

}  // namespace pivotscope::viz
