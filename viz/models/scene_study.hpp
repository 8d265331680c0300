// The scene of an index as a picture needs it: its boxes and triangles, read a little in every frame. Of very many
// triangles one of each box of a level is read.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/index/index_scene.hpp"
#include "core/machine/machine.hpp"
#include "viz/cells/orbit_camera.hpp"

namespace pivotscope::viz {

class scene_study {
 public:
  static constexpr u64 most_triangles = u64{1} << 20;  // all are read; of more, at most `most_sampled`
  static constexpr u64 most_sampled = u64{1} << 16;

  // `model`: the index's, which has a scene.
  scene_study(std::shared_ptr<const built_index> index, std::shared_ptr<const index_model> model);

  const std::shared_ptr<const built_index>& index() const { return index_; }
  const index_model& model() const { return *model_; }
  const index_scene& scene() const { return *scene_; }
  const bounding_tree& tree() const { return scene_->scene().tree(); }
  u32 wide() const { return scene_->scene().wide(); }
  u32 triangles_level() const { return tree().levels; }

  // Reads further for about this long; true while there is more.
  bool go_on(double seconds);
  bool complete() const { return boxes_.size() == boxes_wanted_ && triangles_.size() == triangles_wanted_; }
  bool failed() const { return failed_; }

  // Levels of boxes that are read: all, or so many from the root down that a box of the last has `stride()` triangles.
  u32 box_levels() const { return box_levels_; }
  u64 stride() const { return stride_; }  // cells from one triangle that is read to the next
  bool has_all() const { return stride_ == 1; }
  u64 read_triangles() const { return triangles_.size(); }

  // What is not read yet is nothing; so are empty boxes and holes.
  std::optional<grid_box> bounds(u64 box) const;
  const triangle_cell* triangle(u64 cell) const;
  // The part of the grid in which all triangles are, in whole rows, with half a unit around them; nothing: not read yet.
  std::optional<scene_frame> frame() const;
  // Returns the least plane from `z` on that has a triangle among those read, or the last; of a plane its rows likewise.
  std::optional<int> plane_from(int z) const;
  std::optional<int> row_from(int z, int y) const;

 private:
  bool read_boxes();
  bool read_triangles_on();

  std::shared_ptr<const built_index> index_;
  std::shared_ptr<const index_model> model_;
  const index_scene* scene_;
  u32 box_levels_ = 0;
  u64 stride_ = 1, boxes_wanted_ = 0, triangles_wanted_ = 0;
  std::vector<pivotscope::box> boxes_;
  std::vector<triangle_cell> triangles_;
  bool failed_ = false;
};

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
  bool operator==(const scene_slice&) const = default;
};

// A triangle of a picture.
struct shown_triangle {
  u64 cell = 0;
  scene_triangle what;  // as look_at() tells it without a reader, or tell_triangles()
  picture_point at;
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
// however many triangles there are.
shown_scene show_scene(const scene_study& study, const orbit_camera& camera, const scene_slice& slice,
                       std::size_t most = most_shown_triangles);
// Returns the nearest to a point of the picture within so many pixels; of two that lie there alike the one in front.
const shown_triangle* pick(const shown_scene& shown, double x, double y, double within);

}  // namespace pivotscope::viz
