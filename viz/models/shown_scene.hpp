// What of a scene a picture shows: triangles and boxes in view, thinned out where they are many. Pure.
#pragma once

#include <optional>
#include <vector>

#include "core/index/index_scene.hpp"
#include "viz/cells/orbit_camera.hpp"

namespace pivotscope::viz {

class scene_study;

// The part of the grid that a picture shows of a scene: all of it, one plane, or one row.
struct scene_slice {
  enum class kind : u8 { all, plane, row };
  kind of = kind::all;
  int z = 0, y = 0;

  bool has(int at_y, int at_z) const { return of == kind::all || (at_z == z && (of == kind::plane || at_y == y)); }
  bool meets(const grid_box& box) const {
    return of == kind::all ||
           (box.low[2] < z && box.high[2] > z && (of == kind::plane || (box.low[1] < y && box.high[1] > y)));
  }
  // Returns true if all places of the box are in the slice.
  bool holds(const grid_box& box) const {
    return of == kind::all ||
           (meets(box) && box.high[2] - box.low[2] <= 1 && (of == kind::plane || box.high[1] - box.low[1] <= 1));
  }
  bool operator==(const scene_slice&) const = default;
};

// A triangle of a picture.
struct shown_triangle {
  u64 cell = 0;
  scene_triangle what;  // as look_at() tells it without a reader, or tell_triangles()
  picture_point at;
  triangle_cell stored = {};
};
// Which triangles a picture shows.
struct shown_scene {
  std::vector<shown_triangle> triangles;  // the farthest first
  bool all = true;                        // all that are in view; false: one for each of some boxes
};

inline constexpr std::size_t most_shown_triangles = std::size_t{1} << 14;

// So many triangles are told whole: a moved one from one that is not.
inline constexpr std::size_t most_told_triangles = 512;
// Tells them with what their buckets say. False: some bytes are not at hand yet.
bool tell_triangles(const scene_study& study, const region_reader& read, shown_scene& shown);

// Finds what is in view, at most `most` triangles: of boxes with more, or smaller than a pixel, one. Costs as many boxes,
// however many triangles there are. Asks the study for what is in view and not at hand.
shown_scene show_scene(scene_study& study, const orbit_camera& camera, const scene_slice& slice,
                       std::size_t most = most_shown_triangles);
// Returns the nearest to a point of the picture within so many pixels; of two that lie there alike the one in front.
const shown_triangle* pick(const shown_scene& shown, double x, double y, double within);

// The boxes of a level that are in view.
struct shown_boxes {
  static constexpr std::size_t most_counted = most_shown_triangles;
  enum class extent : u8 {
    all,              // the list has every box of the level that is in view
    at_hand,          // it has those at hand; others are being read
    too_many,         // it is empty: of the level `many` more than most_counted boxes are in view
    too_much_to_read  // it is empty: the study cannot keep all parts that may hold such boxes, however few they are
  };
  std::vector<u64> list;
  extent has = extent::all;
  u32 many = 0;  // with too_many: this level, or one above it

  bool counted() const { return has == extent::all || has == extent::at_hand; }
};
// Finds them, in the same look at the study as the show_scene() before it.
shown_boxes show_boxes(scene_study& study, const orbit_camera& camera, const scene_slice& slice, u32 level);

}  // namespace pivotscope::viz
