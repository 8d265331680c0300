#include "viz/cells/orbit_camera.hpp"

#include <algorithm>
#include <cmath>

namespace pivotscope::viz {
namespace {

constexpr double usual_yaw = -0.5, usual_pitch = 0.38, yaw_of_plane = -0.16, pitch_of_plane = 0.16;
constexpr double steepest = 1.5;            // radians: nearly from above
constexpr double radians_a_pixel = 0.0075;  // half a turn in some 420 pixels

}  // namespace

scene_frame::scene_frame(const scene_place& low, const scene_place& high) : low_(low), high_(high) {
  double longest = 0;
  bool is_flat = false;
  for (std::size_t a = 0; a < 3; ++a) {
    longest = std::max(longest, high[a] - low[a]);
    is_flat |= high[a] - low[a] <= 1;
  }
  const double least = is_flat ? least_of_flat : least_share;
  for (std::size_t a = 0; a < 3; ++a) {
    const double extent = high[a] - low[a];
    // A single plane or row stays as flat as it is.
    length_[a] = extent <= 1 ? extent / longest : std::max(extent / longest, least);
    if (a == 0 && extent > 1) length_[a] *= stretch_of_x;
    unit_[a] = length_[a] / extent;
  }
}

scene_place scene_frame::drawn(const scene_place& place) const {
  scene_place out;
  for (std::size_t a = 0; a < 3; ++a) out[a] = (place[a] - (low_[a] + high_[a]) / 2) * unit_[a];
  return out;
}

void orbit_camera::set_picture(double width, double height, double margin, const scene_frame& of) {
  const bool other = !(of == frame_);
  width_ = width, height_ = height, margin_ = margin, frame_ = of;
  if (other && !touched_)
    fit();
  else if (other)
    zoom_ = 1, pan_x_ = 0, pan_y_ = 0;
  find_fit();
}

void orbit_camera::fit() {
  const bool one_plane = frame_.high()[2] - frame_.low()[2] <= 1;
  yaw_ = one_plane ? yaw_of_plane : usual_yaw, pitch_ = one_plane ? pitch_of_plane : usual_pitch;
  zoom_ = 1, pan_x_ = 0, pan_y_ = 0, touched_ = false;
  find_fit();
}

void orbit_camera::orbit(double dx, double dy) {
  yaw_ = std::remainder(yaw_ + dx * radians_a_pixel, 2 * M_PI);
  pitch_ = std::clamp(pitch_ + dy * radians_a_pixel, -steepest, steepest);
  touched_ = true;
  find_fit();
}

void orbit_camera::pan(double dx, double dy) { pan_x_ += dx, pan_y_ += dy; }

void orbit_camera::zoom_at(double x, double y, double factor) {
  const double zoom = std::clamp(zoom_ * factor, least_zoom, greatest_zoom), by = zoom / zoom_;
  const double from_x = x - width_ / 2 - pan_x_, from_y = y - height_ / 2 - pan_y_;
  pan_x_ += from_x * (1 - by), pan_y_ += from_y * (1 - by);
  zoom_ = zoom;
  // Back at the whole scene it stands where it stood.
  if (std::abs(zoom_ - 1) < 1e-6) zoom_ = 1, pan_x_ = 0, pan_y_ = 0;
}

void orbit_camera::look_as(const orbit_camera& other) {
  yaw_ = other.yaw_, pitch_ = other.pitch_, zoom_ = other.zoom_, pan_x_ = other.pan_x_, pan_y_ = other.pan_y_;
  touched_ = other.touched_;
  find_fit();
}

// Right, up, and towards the viewer.
scene_place orbit_camera::turned(const scene_place& p) const {
  const double cy = std::cos(yaw_), sy = std::sin(yaw_), cp = std::cos(pitch_), sp = std::sin(pitch_);
  const double x = p[0] * cy + p[2] * sy, z = p[2] * cy - p[0] * sy;
  return {x, p[1] * cp - z * sp, p[1] * sp + z * cp};
}

picture_point orbit_camera::place_of(const scene_place& drawn) const {
  const scene_place at = turned(drawn);
  return {width_ / 2 + pan_x_ + at[0] * scale(), height_ / 2 + pan_y_ - at[1] * scale(), at[2]};
}

picture_map orbit_camera::map() const {
  const auto at = [&](const scene_place& p) { return place_of(frame_.drawn(p)); };
  const picture_point origin = at({0, 0, 0});
  picture_map map{origin.x, origin.y, origin.nearness};
  for (std::size_t a = 0; a < 3; ++a) {
    scene_place along = {0, 0, 0};
    along[a] = frame_.unit(static_cast<int>(a));
    const scene_place t = turned(along);
    map.x[a] = t[0] * scale(), map.y[a] = -t[1] * scale(), map.near[a] = t[2];
  }
  return map;
}

// The frame's corners decide how large it can be drawn.
void orbit_camera::find_fit() {
  double half_x = 0, half_y = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    scene_place p;
    for (std::size_t a = 0; a < 3; ++a)
      p[a] = ((corner >> a & 1) != 0 ? 0.5 : -0.5) * frame_.length(static_cast<int>(a));
    const scene_place at = turned(p);
    half_x = std::max(half_x, at[0]), half_y = std::max(half_y, at[1]);  // the corners lie about the middle
  }
  const double room_x = std::max(width_ - 2 * margin_, 1.0), room_y = std::max(height_ - 2 * margin_, 1.0);
  fitted_ = std::min(room_x / std::max(2 * half_x, 1e-9), room_y / std::max(2 * half_y, 1e-9));
}

}  // namespace pivotscope::viz
