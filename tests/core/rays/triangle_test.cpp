// Triangles and the rays that hit them, at places where floats are at their end.
#include "core/rays/triangle.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pivotscope {
namespace {

constexpr int triangle_edges[] = {-1, 0, 1, 2, (1 << 22) - 1, 1 << 22, (1 << 23) - 2, (1 << 23) - 1};

// A ray through one place along one axis, that begins half a unit before `from` and ends half a unit behind `to`.
axis_ray ray_through(const key_grid& grid, grid_point p, u32 axis, int from, int to) {
  const triangle_cell at = triangle_at(grid, p, 0, false);
  axis_ray ray{{at.x, at.y, at.z}, 0, axis};
  const half_units half = half_units::of(grid);
  ray.from[axis] = static_cast<float>(2 * static_cast<double>(from) - 1) * half.axes[axis];
  ray.to = static_cast<float>(2 * static_cast<double>(to) + 1) * half.axes[axis];
  return ray;
}

TEST(Triangle, IsHitAlongAllAxesAndOnlyThere) {
  u64 hits = 0;
  for (const auto& [y_scale, z_scale] : std::vector<std::pair<u32, u32>>{{0, 0}, {15, 25}, {23, 46}}) {
    const key_grid grid{23, 23, 23, y_scale, z_scale};
    const half_units half = half_units::of(grid);
    for (const int x : triangle_edges)
      for (const int y : triangle_edges)
        for (const int z : triangle_edges)
          for (const bool flipped : {false, true}) {
            const triangle_cell t = triangle_at(grid, {x, y, z}, 5, flipped);
            EXPECT_EQ(t.primitive(), 5u);
            for (u32 axis = 0; axis < 3; ++axis) {
              const grid_point p{x, y, z};
              const int at = axis == 0 ? x : axis == 1 ? y : z;
              const side seen = flipped ? side::back : side::front;
              EXPECT_EQ(side_met(ray_through(grid, p, axis, at, at), t, half), seen);
              EXPECT_EQ(side_met(ray_through(grid, p, axis, -1, at), t, half), seen);
              EXPECT_EQ(side_met(ray_through(grid, p, axis, at + 1, 1 << 23), t, half), side::none) << "behind it";
              EXPECT_EQ(side_met(ray_through(grid, p, axis, -2, at - 1), t, half), side::none) << "before it";
              for (const int by : {-1, 1}) {
                const grid_point beside{x + (axis == 1 ? by : 0), y + (axis == 2 ? by : 0), z + (axis == 0 ? by : 0)};
                EXPECT_EQ(side_met(ray_through(grid, beside, axis, -1, 1 << 23), t, half), side::none) << "beside it";
              }
              hits += 2;
            }
          }
  }
  EXPECT_EQ(hits, 3u * 8 * 8 * 8 * 2 * 3 * 2);
}

TEST(Triangle, ABoxIsMetWhereItsExtentsAre) {
  const box b{{{0.5f, 3.5f}, {4.5f, 5.5f}, {-2.5f, 0.5f}}};  // places 1 to 3, 5, and -2 to 0
  EXPECT_TRUE((axis_ray{{0, 5, 0}, far_away, 0}).meets(b));
  EXPECT_TRUE((axis_ray{{2.5f, 5, -2}, far_away, 0}).meets(b));
  EXPECT_FALSE((axis_ray{{3.5f, 5, 0}, far_away, 0}).meets(b)) << "begins where it ends";
  EXPECT_FALSE((axis_ray{{0, 5, 0}, 0.5f, 0}).meets(b)) << "ends where it begins";
  EXPECT_TRUE((axis_ray{{0.5f, 5, 0}, 1.5f, 0}).meets(b));
  EXPECT_FALSE((axis_ray{{0, 4, 0}, far_away, 0}).meets(b)) << "beside it";
  EXPECT_TRUE((axis_ray{{2, 0, -1}, far_away, 1}).meets(b));
  EXPECT_FALSE((axis_ray{{2, 0, 1}, far_away, 1}).meets(b));
}

}  // namespace
}  // namespace pivotscope
