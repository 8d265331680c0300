// ray_scene: the triangles and boxes of an index on the host, and the three corners of a triangle, which those need who
// do not know that all triangles are alike.
#pragma once

#include <vector>

#include "core/rays/bounding_tree.hpp"
#include "core/rays/ray_hit.hpp"

namespace pivotscope {

struct ray_scene {
  std::vector<triangle_cell> triangles;  // in Morton order
  std::vector<box> boxes;
  bounding_tree tree = {};
  u32 wide = 4;
  half_units half = {};
  // The same of an index that lies on a GPU, where it has them; null of others. They are there as long as the index.
  struct {
    const triangle_cell* triangles = nullptr;
    const box* boxes = nullptr;
  } on_gpu = {};

  u64 bytes() const { return triangles.size() * sizeof(triangle_cell) + boxes.size() * sizeof(box); }
};

inline constexpr u32 corner_floats = 9;  // x, y and z of three corners

// Writes a triangle's corners in the order of its winding. The normal of that order, (corner 1 - corner 0) x
// (corner 2 - corner 0), points along all three axes from less to more; that of a flipped triangle from more to less.
PIVOTSCOPE_FN void write_corners(const triangle_cell& t, const half_units& half, float* out) {
  const float centre[] = {t.x, t.y, t.z};
  for (u32 i = 0; i < 3; ++i) {
    const u32 corner = t.flipped() ? (3 - i) % 3 : i;
    for (u32 a = 0; a < box_axes; ++a) *out++ = centre[a] + corner_of(corner, a) * half.axes[a];
  }
}

// Returns what the ray of a lookup came to, as the lookup's next step wants it.
inline ray_step ended_with(const ray_hit& hit, const ray_scene& scene) {
  if (!hit.is_there()) return {ray_step::missed, side::none, {}};
  return {ray_step::hit, hit.met(), scene.triangles[hit.triangle()]};
}

}  // namespace pivotscope
