// The corners of triangles, as libraries and hardware want them.
#include "core/rays/ray_scene.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace pivotscope {
namespace {

constexpr int corner_edges[] = {-1, 0, 1, (1 << 22) - 1, (1 << 23) - 1};

// In doubles nothing is rounded: whole and half units have at most 24 bits, and scales are powers of two.
std::array<double, 3> normal_of(const float (&c)[corner_floats]) {
  const auto edge = [&](u32 to, u32 a) { return static_cast<double>(c[3 * to + a]) - c[a]; };
  std::array<double, 3> normal{};
  for (u32 a = 0; a < 3; ++a) {
    const u32 u = (a + 1) % 3, v = (a + 2) % 3;
    normal[a] = edge(1, u) * edge(2, v) - edge(1, v) * edge(2, u);
  }
  return normal;
}

TEST(RayScene, CornersAreHalfUnitsFromTheCentreAndWoundByTheFlip) {
  u64 seen = 0;
  for (const auto& [y_scale, z_scale] : std::vector<std::pair<u32, u32>>{{0, 0}, {15, 25}, {23, 46}}) {
    const key_grid grid{23, 23, 23, y_scale, z_scale};
    const half_units half = half_units::of(grid);
    for (const int x : corner_edges)
      for (const int y : corner_edges)
        for (const int z : corner_edges)
          for (const bool flipped : {false, true}) {
            const triangle_cell t = triangle_at(grid, {x, y, z}, 7, flipped);
            float corners[corner_floats];
            write_corners(t, half, corners);
            const float centre[] = {t.x, t.y, t.z};
            for (u32 a = 0; a < 3; ++a) {
              double sum = 0;
              for (u32 c = 0; c < 3; ++c) {
                const double away = static_cast<double>(corners[3 * c + a]) - centre[a];
                EXPECT_TRUE(away == 0 || away == half.axes[a] || away == -half.axes[a]) << away;
                sum += away;
              }
              EXPECT_EQ(sum, 0) << "the centre is where rays go";
              EXPECT_EQ(normal_of(corners)[a] > 0, !flipped);
              EXPECT_NE(normal_of(corners)[a], 0);
            }
            ++seen;
          }
  }
  EXPECT_EQ(seen, 3u * 5 * 5 * 5 * 2);
}

TEST(RayScene, AHitLeadsOnAsItsTriangle) {
  ray_scene scene;
  scene.triangles = {{1, 0, 0, 5}, {2, 0, 0, 6 | flipped_bit}};
  const ray_step hit = ended_with(ray_hit::of(1, side::back), scene);
  EXPECT_EQ(hit.what, ray_step::hit);
  EXPECT_EQ(hit.met, side::back);
  EXPECT_EQ(hit.at.primitive(), 6u);
  EXPECT_EQ(ended_with({}, scene).what, ray_step::missed);
}

}  // namespace
}  // namespace pivotscope
