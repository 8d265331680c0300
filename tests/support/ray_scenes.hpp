// Small scenes of triangles at given places, without an index, and rays through places of their grid.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/rays/ray_scene.hpp"
#include "core/simt/region.hpp"

namespace pivotscope::testing {

struct placed_triangle {
  grid_point at;
  bool flipped;
};
using placed_triangles = std::vector<placed_triangle>;

// The triangles in Morton order, with their boxes; a triangle's primitive index is its place in `list`.
inline std::shared_ptr<const ray_scene> scene_of(const key_grid& grid, const placed_triangles& list, u32 wide = 4) {
  std::vector<std::pair<u64, u32>> order;
  // A marker at -1 is before the place 0 of the same row or plane.
  const auto comes_first = [](const grid_point& p) { return (p.x < 0 ? 0 : 1) + (p.y < 0 ? 0 : 2); };
  for (u32 i = 0; i < list.size(); ++i) order.push_back({grid.morton(list[i].at), i});
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : comes_first(list[a.second].at) < comes_first(list[b.second].at);
  });
  auto scene = std::make_shared<ray_scene>();
  scene->wide = wide, scene->half = half_units::of(grid);
  for (const auto& [code, i] : order) scene->triangles.push_back(triangle_at(grid, list[i].at, i, list[i].flipped));
  scene->tree = bounding_tree::of(static_cast<u32>(list.size()), wide);
  scene->boxes.resize(scene->tree.boxes());
  for (u32 level = scene->tree.levels; level-- > 0;) {
    for (u32 i = 0; i < scene->tree.count[level]; ++i) {
      const u32 below = level + 1, end = std::min((i + 1) * wide, scene->tree.cells(below));
      const auto bounds_of = [&](u32 cell) {
        return below == scene->tree.levels ? box_of(scene->triangles[cell], scene->half)
                                           : scene->boxes[scene->tree.first[below] + cell];
      };
      box all = bounds_of(i * wide);
      for (u32 cell = i * wide + 1; cell < end; ++cell) all.take(bounds_of(cell));
      scene->boxes[scene->tree.first[level] + i] = all;
    }
  }
  return scene;
}

// A ray along an axis that begins half a unit before a place, and goes on without end.
inline axis_ray ray_from(const key_grid& grid, grid_point p, u32 axis) {
  const triangle_cell at = triangle_at(grid, p, 0, false);
  axis_ray ray{{at.x, at.y, at.z}, far_away, axis};
  ray.from[axis] -= half_units::of(grid).axes[axis];
  return ray;
}

// The same, but it ends half a unit behind that place.
inline axis_ray ray_through(const key_grid& grid, grid_point p, u32 axis) {
  axis_ray ray = ray_from(grid, p, axis);
  ray.to = ray.from[axis] + 2 * half_units::of(grid).axes[axis];
  return ray;
}

}  // namespace pivotscope::testing
