// What counts as the same hit, and the words where two tracers differ.
#include "core/rays/ray_tracer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pivotscope {
namespace {

constexpr ray_hit none{};
ray_hit front(u32 triangle) { return ray_hit::of(triangle, side::front); }
ray_hit back(u32 triangle) { return ray_hit::of(triangle, side::back); }

// Triangles 0 and 1 are in one place; 2 is beside them; 3 is flipped in a place of its own.
ray_scene scene_of_four() {
  ray_scene scene;
  scene.triangles = {{1, 0, 0, 10}, {1, 0, 0, 11}, {2, 0, 0, 12}, {3, 0, 0, 13 | flipped_bit}};
  return scene;
}

TEST(CompareHits, OfOnePlaceAreOne) {
  const std::vector<axis_ray> rays(5, axis_ray{{0.5f, 3, 0}, far_away, 0});
  const std::vector<ray_hit> own = {front(0), front(2), none, back(3), front(1)};
  const std::vector<ray_hit> same = {front(1), front(2), none, back(3), front(0)};
  EXPECT_EQ(compare_hits(scene_of_four(), rays, own, same, "E").others, 0u);
}

TEST(CompareHits, TellsEveryKindOfDifference) {
  const std::vector<axis_ray> rays = {{{0.5f, 3, 0}, far_away, 0}};
  const auto words = [&](ray_hit own, ray_hit other) {
    const std::vector<ray_hit> one = {own}, two = {other};
    const hits_compared compared = compare_hits(scene_of_four(), rays, one, two, "E");
    EXPECT_EQ(compared.others, compared.first ? 1u : 0u);
    return compared.first ? compared.first->words : "";
  };
  EXPECT_EQ(words(front(0), front(2)),
            "ray 0, along x from (0.5, 3, 0): triangle 0, its front; by E triangle 2, its front");
  EXPECT_EQ(words(front(0), back(0)),
            "ray 0, along x from (0.5, 3, 0): triangle 0, its front; by E triangle 0, its back");
  EXPECT_EQ(words(front(2), none), "ray 0, along x from (0.5, 3, 0): triangle 2, its front; by E nothing");
  EXPECT_EQ(words(none, back(3)), "ray 0, along x from (0.5, 3, 0): nothing; by E triangle 3, its back");
  EXPECT_NE(words(front(2), front(4)), "") << "a triangle that the scene does not have";
}

TEST(CompareHits, CountsAllAndKeepsTheFirst) {
  const std::vector<axis_ray> rays(4, axis_ray{{0.5f, 3, 0}, far_away, 1});
  const std::vector<ray_hit> own = {front(0), none, none, back(3)}, others = {front(0), front(2), front(2), none};
  const hits_compared compared = compare_hits(scene_of_four(), rays, own, others, "E");
  EXPECT_EQ(compared.others, 3u);
  ASSERT_TRUE(compared.first);
  EXPECT_EQ(compared.first->ray, 1u);
}

}  // namespace
}  // namespace pivotscope
