// scene_model: what a scene of triangles and its boxes are in the model of an index (core/rays/bounding_tree.hpp), for
// the families whose lookups are rays.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/index/model.hpp"
#include "core/rays/bounding_tree.hpp"

namespace pivotscope {

// A box in units of the grid: from `low` to `high`, half a unit outside of the outermost places.
struct grid_box {
  std::array<double, box_axes> low = {}, high = {};
  bool operator==(const grid_box&) const = default;
};

class scene_model {
 public:
  scene_model(scene_regions in, const bounding_tree& tree, const key_grid& grid, u32 wide)
      : in_(in), tree_(tree), grid_(grid), wide_(wide) {}

  region_info boxes() const;

  scene_regions regions() const { return in_; }
  const bounding_tree& tree() const { return tree_; }
  const key_grid& grid() const { return grid_; }
  u32 wide() const { return wide_; }

  // Levels: those of the boxes, from 0 on, and then the triangles.
  u32 triangles_level() const { return tree_.levels; }
  u32 box_level(u64 box) const;
  std::string level_words(u32 level) const;
  cell_run level_run(u32 level) const;
  // Counts boxes [first, end) on each level.
  void count_boxes(u64 first, u64 end, u64* out) const;

  // Nodes are groups.
  u64 node_count() const;
  void add_nodes(std::vector<tree_node>& list) const;
  // Adds the groups that boxes [first, end) lead to.
  void add_leads(u64 first, u64 end, std::vector<cell_link>& out) const;

  // How the build fills the triangles and the boxes, as passes of a model.
  pass_info triangles_pass() const;
  pass_info boxes_pass() const;
  build_step step_of_triangle(u64 cell) const;
  build_step step_of_box(u64 box) const;

  // Returns where a triangle's centre is, in units of the grid.
  grid_point place_of(const triangle_cell& triangle) const;
  std::optional<triangle_cell> triangle(u64 cell, const region_reader& read) const;
  // Returns a place or a box of the scene in units of the grid.
  std::array<double, box_axes> in_grid(const float (&place)[box_axes]) const;
  grid_box in_grid(const box& bounds) const;
  // Returns the places of the grid that a box holds: "x 3 to 7, y 0 to 0, z 0 to 0". Empty: it is not at hand.
  std::string box_words(u64 box, const region_reader& read) const;

 private:
  u64 groups(u32 level) const { return ceil_div<u64>(tree_.cells_that_hold(level, wide_), wide_); }

  scene_regions in_;
  bounding_tree tree_;
  key_grid grid_;
  u32 wide_;
};

// "(3, 0, 1)"
std::string place_words(grid_point place);

}  // namespace pivotscope
