// Lines and boxes of a scene in its picture, cut at the picture's edges.
#pragma once

#include "core/index/scene_model.hpp"
#include "viz/cells/orbit_camera.hpp"
#include "viz/parts/marks.hpp"

namespace pivotscope::viz {

class scene_lines {
 public:
  scene_lines(ImDrawList& to, const orbit_camera& camera, const box& area) : to_(to), map_(camera.map()), area_(area) {}

  void line(const scene_place& from, const scene_place& end, ImU32 ink, float thick);
  void broken_line(const scene_place& from, const scene_place& end, ImU32 ink, float thick);
  // The edges of a box.
  void wire(const grid_box& bounds, ImU32 ink, float thick);
  void broken_wire(const grid_box& bounds, ImU32 ink, float thick);
  // All that a box covers in the picture.
  void fill(const grid_box& bounds, ImU32 ink);
  // Where a box is in the picture, from its leftmost to its rightmost corner.
  box extent(const grid_box& bounds) const;

 private:
  ImVec2 at(const scene_place& place) const;
  template <class Line>
  void each_edge(const grid_box& bounds, Line&& line) const;
  bool cut(ImVec2& a, ImVec2& b) const;  // false: no part of the line is in the picture

  ImDrawList& to_;
  picture_map map_;
  box area_;
};

}  // namespace pivotscope::viz
