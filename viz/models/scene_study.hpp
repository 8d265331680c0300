// The scene of an index as a picture needs it: its boxes and triangles. Up to 2^20 triangles are all read, a little in
// every frame. Of more, one of each box of a level is read, and what lies below those boxes where somebody looks at it:
// in parts, by jobs on another thread.
//
//   level 0, 1, ...    read at first                           with a triangle for each box of the last of these levels
//   levels below       in parts of neighbours, when wanted     with a triangle for each box
//   triangles          in parts of neighbours, when wanted
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "core/index/index_scene.hpp"
#include "core/machine/machine.hpp"
#include "viz/cells/orbit_camera.hpp"

namespace pivotscope::viz {

class scene_study {
 public:
  static constexpr u64 most_triangles = u64{1} << 20;  // that it keeps
  static constexpr u64 most_sampled = u64{1} << 16;    // of a scene with more: those that are read at first
  static constexpr u64 part_cells = 256;               // whole groups, as groups are of 4 or 8
  static constexpr u64 most_parts = (most_triangles - most_sampled) / part_cells;

  // `model`: the index's, which has a scene. Of the index itself nothing is kept.
  scene_study(const std::shared_ptr<const built_index>& index, std::shared_ptr<const index_model> model);

  bool is_of(const std::shared_ptr<const built_index>& index) const { return index && index_.lock() == index; }
  const index_model& model() const { return *model_; }
  const index_scene& scene() const { return *scene_; }
  const bounding_tree& tree() const { return scene_->scene().tree(); }
  u32 wide() const { return scene_->scene().wide(); }
  u32 triangles_level() const { return tree().levels; }

  // Reads what is read at first further, for about this long; true while there is more.
  bool go_on(double seconds);
  bool complete() const { return boxes_.size() == boxes_wanted_ && triangles_.size() == triangles_wanted_; }
  bool failed() const { return failed_; }
  bool has_all() const { return stride_ == 1; }  // reads all of the scene at first
  u64 read_triangles() const { return triangles_.size(); }
  u64 changes() const { return changes_; }  // grows with all that is read

  // --- What is at hand ---
  // Pointers to cells of a level side by side. Of boxes `triangles` has the first triangle below each, if it is known.
  struct cells {
    const pivotscope::box* boxes = nullptr;
    const triangle_cell* triangles = nullptr;
    bool any() const { return boxes || triangles; }
  };
  // Returns the group of a level that begins with this cell, up to the end of the group; none: it is not at hand.
  cells group(u32 level, u64 first) const;
  struct placed_triangle {
    u64 cell = 0;
    triangle_cell triangle = {};
  };
  // Returns the first triangle below a box, or the triangle of that number itself, if it is at hand and no hole.
  std::optional<placed_triangle> first_below(u32 level, u64 cell) const;
  // What is not at hand is nothing; so are empty boxes and holes.
  std::optional<grid_box> bounds(u64 box) const;
  const triangle_cell* triangle(u64 cell) const;
  // The part of the grid in which all triangles are, in whole rows, with half a unit around them; nothing: not read yet.
  std::optional<scene_frame> frame() const;
  // Returns the least plane from `z` on that has a triangle among those at hand, or the last; of a plane its rows
  // likewise.
  std::optional<int> plane_from(int z) const;
  std::optional<int> row_from(int z, int y) const;

  // --- What is looked at ---
  // Begins to look at the scene anew: what is not asked for from now on may be let go for the sake of others.
  void begin_look();
  // Asks for the groups of a level that begin with these cells, in ascending order. False: together with the parts that
  // were asked for since begin_look(), the parts that hold them are more than it can keep; then none of them is asked
  // for. A part that is asked for twice counts once.
  bool ask_for(u32 level, const std::vector<u64>& groups);
  // Begins a job that reads what was asked for and is not at hand, unless one is under way. `later`: does it on
  // another thread; a frame follows when it is done.
  using do_later = std::function<void(std::function<void()>)>;
  void read_asked(const do_later& later);
  // Takes what jobs have read.
  void take_read();
  bool is_reading() const { return under_way_ || !wanted_.empty(); }  // somebody waits for it
  u64 kept_triangles() const;

 private:
  // A part's level and number as one number, that of a level above is less.
  static u64 part_key(u32 level, u64 number) { return u64{level} << 32 | number; }
  struct part {
    std::vector<pivotscope::box> boxes;  // empty: of triangles
    std::vector<triangle_cell> triangles;
    u64 looked_at = 0;  // the last look that asked for it
  };
  // What a job has read and no frame has taken yet.
  struct inbox;
  class part_reader;

  bool read_boxes(const built_index& index);
  bool read_triangles_on(const built_index& index);
  bool is_asked_for(u64 key) const;  // since the look began
  bool is_read_at_first(u32 level) const { return level < first_levels_ || has_all(); }
  void let_go_of_parts();
  template <class See>
  void each_triangle(See&& see) const;

  std::weak_ptr<const built_index> index_;
  std::shared_ptr<const index_model> model_;
  const index_scene* scene_;
  u32 first_levels_ = 0;  // levels of boxes that are read at first
  u64 stride_ = 1;        // cells from one triangle that is read at first to the next
  u64 boxes_wanted_ = 0, triangles_wanted_ = 0;
  std::vector<pivotscope::box> boxes_;
  std::vector<triangle_cell> triangles_;
  bool failed_ = false;
  u64 changes_ = 0;

  std::unordered_map<u64, part> parts_;  // by their keys
  u64 look_ = 0;
  std::size_t asked_ = 0;  // parts, since the look began
  std::set<u64> wanted_;   // of these, those that are not at hand
  bool under_way_ = false;
  std::shared_ptr<inbox> inbox_;
};

}  // namespace pivotscope::viz
