// Triangles, rays along an axis, and boxes, as our own bounding volume hierarchy knows them (bounding_tree.hpp).
//
// All triangles of a scene are alike but for where they are, so the centre tells the corners: 16 bytes with the
// number of what it stands for, where nine floats of a vertex buffer take 36.
//
//        corner 0  (+1, -1,  0)        in half units of each axis, from the centre
//        corner 1  ( 0, +1, -1)
//        corner 2  (-1,  0, +1)
//
// It is parallel to no axis, so rays along all three axes hit it; and the corners are less than a unit away from the
// centre, so a ray through another place of the grid misses it. A flipped one has corners 1 and 2 exchanged: then a ray
// along an axis sees its back.
//
// Why all machines find the same: boxes are told from rays by comparisons alone, and the numbers compared are whole or
// half units, which floats have exactly. A triangle is looked at only if the ray goes through its box. Then the corners
// are at most one unit away from the ray, and each product below is of small whole numbers and powers of two, so it is
// exact. A compiler may contract a product and a sum: nothing is rounded either way.
#pragma once

#include "core/rays/grid.hpp"

namespace pivotscope {

// Which side of a triangle a ray meets.
enum class side : u8 { none, front, back };

inline constexpr u32 flipped_bit = 1u << 31;
inline constexpr u32 most_primitives = 1u << 31;

// Behind everything in a scene: 2^23 units of 2^46 are 2^69.
inline constexpr float far_away = 3.0e38f;

// A triangle as the tree keeps it: its centre, in the scene's coordinates, and the number of what it stands for.
struct alignas(16) triangle_cell {
  float x, y, z;
  u32 mark;  // the primitive index; the highest bit: it is flipped

  PIVOTSCOPE_FN u32 primitive() const { return mark & ~flipped_bit; }
  PIVOTSCOPE_FN bool flipped() const { return (mark & flipped_bit) != 0; }
  PIVOTSCOPE_FN bool is_hole() const { return x == far_away; }
};

// Returns a hole: a cell whose triangle no ray hits, as it stands behind everything. No box grows for its sake. `mark`
// is what the cell says in place of a primitive.
PIVOTSCOPE_FN constexpr triangle_cell hole_with(u32 mark) { return {far_away, far_away, far_away, mark}; }

// A box's extent along one axis, both ends included. A box is three of them: x, y, z.
struct alignas(8) extent {
  float low, high;
};
inline constexpr u32 box_axes = 3;
inline constexpr u32 box_bytes = box_axes * sizeof(extent);
struct box {
  extent axes[box_axes];

  PIVOTSCOPE_FN void take(const box& other) {
    for (u32 a = 0; a < box_axes; ++a) {
      if (other.axes[a].low < axes[a].low) axes[a].low = other.axes[a].low;
      if (other.axes[a].high > axes[a].high) axes[a].high = other.axes[a].high;
    }
  }
  PIVOTSCOPE_FN bool is_empty() const { return axes[0].low > axes[0].high; }
};

// Returns the box of nothing. No ray meets it, and together with another box it is that other one.
PIVOTSCOPE_FN constexpr box empty_box() {
  return {{{far_away, -far_away}, {far_away, -far_away}, {far_away, -far_away}}};
}

// A ray in the direction of an axis, from a point on. It ends at `to` of that axis.
struct axis_ray {
  float from[box_axes];
  float to;
  u32 axis;

  // Returns where along axis a it ends: for the other axes where it began.
  PIVOTSCOPE_FN float end(u32 a) const { return a == axis ? to : from[a]; }
  // A ray that begins or ends where a box does has no place in common with it: the box ends half a unit behind its
  // outermost triangle.
  PIVOTSCOPE_FN bool meets(const extent& e, u32 a) const { return e.low < end(a) && e.high > from[a]; }
  PIVOTSCOPE_FN bool meets(const box& b) const {
    return meets(b.axes[0], 0) && meets(b.axes[1], 1) && meets(b.axes[2], 2);
  }
};

// The half units of a scene's axes.
struct half_units {
  float axes[box_axes];

  PIVOTSCOPE_FN static half_units of(const key_grid& grid) {
    return {{0.5f * key_grid::x_unit(), 0.5f * grid.y_unit(), 0.5f * grid.z_unit()}};
  }
};

PIVOTSCOPE_FN box box_of(const triangle_cell& t, const half_units& half) {
  return {{{t.x - half.axes[0], t.x + half.axes[0]},
           {t.y - half.axes[1], t.y + half.axes[1]},
           {t.z - half.axes[2], t.z + half.axes[2]}}};
}

// Returns the triangle of a place.
PIVOTSCOPE_FN triangle_cell triangle_at(const key_grid& grid, grid_point p, u32 primitive, bool flipped) {
  return {static_cast<float>(p.x), static_cast<float>(p.y) * grid.y_unit(), static_cast<float>(p.z) * grid.z_unit(),
          primitive | (flipped ? flipped_bit : 0)};
}

// A choice, not an index: a GPU's thread would keep the array in its local memory.
PIVOTSCOPE_FN float of_axis(float x, float y, float z, u32 axis) { return axis == 0 ? x : axis == 1 ? y : z; }

// Returns where corner i lies along an axis, in half units from the centre: 1, -1 or 0.
PIVOTSCOPE_FN constexpr float corner_of(u32 i, u32 axis) {
  return axis == i ? 1.0f : axis == (i + 1) % box_axes ? -1.0f : 0.0f;
}

// Returns which side of the triangle the ray meets, if it meets it between its two ends. The ray goes through places of
// the grid, so it meets the triangle in its centre or not at all; and a box that it meets has its centre on the way.
PIVOTSCOPE_FN side side_met(const axis_ray& ray, const triangle_cell& t, const half_units& half) {
  if (!ray.meets(box_of(t, half))) return side::none;
  // The two other axes: looking along the ray, the corners are points of a plane, and the ray is one.
  const u32 u = (ray.axis + 1) % box_axes, v = (ray.axis + 2) % box_axes;
  const float to_u = of_axis(t.x - ray.from[0], t.y - ray.from[1], t.z - ray.from[2], u),
              to_v = of_axis(t.x - ray.from[0], t.y - ray.from[1], t.z - ray.from[2], v);
  const float half_u = of_axis(half.axes[0], half.axes[1], half.axes[2], u),
              half_v = of_axis(half.axes[0], half.axes[1], half.axes[2], v);
  u32 left = 0, right = 0;  // edges that have the ray on that side
  for (u32 i = 0; i < 3; ++i) {
    const u32 first = t.flipped() ? (3 - i) % 3 : i, second = t.flipped() ? (2 - i) % 3 : (i + 1) % 3;
    const float first_u = to_u + corner_of(first, u) * half_u, first_v = to_v + corner_of(first, v) * half_v;
    const float second_u = to_u + corner_of(second, u) * half_u, second_v = to_v + corner_of(second, v) * half_v;
    const float one = first_u * second_v, other = first_v * second_u;
    left += one > other, right += one < other;
  }
  return left == 3 ? side::front : right == 3 ? side::back : side::none;
}

}  // namespace pivotscope
