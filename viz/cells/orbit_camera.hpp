// A camera that orbits a scene: where places of the scene are in a picture of it. It looks along parallel lines, so what
// is parallel in the scene is parallel in the picture. Pure.
#pragma once

#include <array>

namespace pivotscope::viz {

using scene_place = std::array<double, 3>;  // x, y, z, in units of the grid

// The part of the grid that is looked at, and how long each axis is drawn. Axes may differ by millions of units: each is
// drawn as long as its units, but the shortest not shorter than a share of the longest, a larger one where the scene is a
// single plane. Units of x are drawn wider: rows lie along x, and panels are wide.
class scene_frame {
 public:
  static constexpr double least_share = 0.4, least_of_flat = 0.75, stretch_of_x = 1.6;

  scene_frame() = default;
  // From `low` to `high`, which are not the same on any axis.
  scene_frame(const scene_place& low, const scene_place& high);

  const scene_place& low() const { return low_; }
  const scene_place& high() const { return high_; }
  double length(int axis) const { return length_[static_cast<std::size_t>(axis)]; }  // 1 of the longest axis
  // Returns how long a unit of the axis is drawn.
  double unit(int axis) const { return unit_[static_cast<std::size_t>(axis)]; }
  // Returns where a place of the grid is drawn, from the middle of the frame.
  scene_place drawn(const scene_place& place) const;
  bool operator==(const scene_frame&) const = default;

 private:
  scene_place low_ = {0, 0, 0}, high_ = {1, 1, 1}, length_ = {1, 1, 1}, unit_ = {1, 1, 1};
};

struct picture_point {
  double x = 0, y = 0;  // pixels, from the picture's upper left corner
  double nearness = 0;  // greater is nearer
};

// Where places are in the picture, as sums: `x0` + the three shares of a place's units.
struct picture_map {
  double x0 = 0, y0 = 0, near0 = 0;
  scene_place x = {}, y = {}, near = {};

  picture_point of(const scene_place& p) const {
    return {x0 + x[0] * p[0] + x[1] * p[1] + x[2] * p[2], y0 + y[0] * p[0] + y[1] * p[1] + y[2] * p[2],
            near0 + near[0] * p[0] + near[1] * p[1] + near[2] * p[2]};
  }
};

class orbit_camera {
 public:
  static constexpr double least_zoom = 0.5, greatest_zoom = 1e7;

  // Takes up a picture's size in pixels and what it shows. Of another frame all is in view again, from the side that
  // was chosen. `margin`: pixels around it that stay free.
  void set_picture(double width, double height, double margin, const scene_frame& of);
  // Shows all of the frame from the usual side: from the right, above and in front; of a single plane nearly from the
  // front.
  void fit();
  // Turns the scene by a drag of so many pixels. It never stands on its head.
  void orbit(double dx, double dy);
  void pan(double dx, double dy);
  // Magnifies by a factor; what is at the point stays there.
  void zoom_at(double x, double y, double factor);
  // Looks as another camera does, perhaps at another scene.
  void look_as(const orbit_camera& other);

  picture_point project(const scene_place& place) const { return place_of(frame_.drawn(place)); }
  // The same for many places.
  picture_map map() const;
  // The same of a place that is already drawn (scene_frame::drawn).
  picture_point place_of(const scene_place& drawn) const;
  // Returns how long a unit of an axis is in the picture, at most: in pixels, as if it lay across the view.
  double unit_pixels(int axis) const { return frame_.unit(axis) * scale(); }
  double scale() const { return fitted_ * zoom_; }  // pixels a unit of what is drawn

  const scene_frame& frame() const { return frame_; }
  double width() const { return width_; }
  double height() const { return height_; }
  double yaw() const { return yaw_; }
  double pitch() const { return pitch_; }
  double zoom() const { return zoom_; }
  bool shows_all() const { return zoom_ == 1 && pan_x_ == 0 && pan_y_ == 0; }
  bool operator==(const orbit_camera&) const = default;

 private:
  scene_place turned(const scene_place& drawn) const;
  void find_fit();

  scene_frame frame_;
  double width_ = 0, height_ = 0, margin_ = 0;
  double yaw_ = 0, pitch_ = 0;  // radians
  double zoom_ = 1, pan_x_ = 0, pan_y_ = 0;
  double fitted_ = 1;     // pixels a unit where all of the frame is in view
  bool touched_ = false;  // somebody chose where it looks from
};

}  // namespace pivotscope::viz
