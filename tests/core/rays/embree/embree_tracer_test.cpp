// Embree beside our own boxes where floats are at their end, and what it refuses.
#include "core/rays/embree/embree_tracer.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/rays/own_tracer.hpp"
#include "tests/support/ray_scenes.hpp"

namespace pivotscope {
namespace {

constexpr int embree_edges[] = {-1, 0, 1, 2, (1 << 22) - 1, 1 << 22, (1 << 23) - 3, (1 << 23) - 1};

// A triangle at each of these places, every third one flipped. None is the neighbour of another, but at 0 and 1.
testing::placed_triangles at_the_edges(int z_end) {
  testing::placed_triangles list;
  u32 number = 0;
  for (const int x : embree_edges)
    for (const int y : embree_edges)
      for (const int z : {0, 1, z_end}) list.push_back({{x, y, z}, number % 3 == 2}), ++number;
  return list;
}

TEST(Embree, HitsTheSameAtTheEdgesOfEachAxis) {
  u64 hits = 0, misses = 0, backs = 0;
  for (const auto& [y_scale, z_scale] : {std::pair{0u, 0u}, {15u, 25u}}) {
    const key_grid grid{23, 23, 18, y_scale, z_scale};
    const auto scene = testing::scene_of(grid, at_the_edges((1 << 18) - 1));
    const auto embree = make_embree_tracer(scene);
    ASSERT_TRUE(embree.ok()) << embree.error().words;
    std::vector<axis_ray> rays;
    for (const int x : embree_edges)
      for (const int y : embree_edges)
        for (const int z : {0, 1, 5, (1 << 18) - 1})
          for (u32 axis = 0; axis < box_axes; ++axis) {
            rays.push_back(testing::ray_from(grid, {x, y, z}, axis));
            rays.push_back(testing::ray_through(grid, {x, y, z}, axis));
          }
    std::vector<ray_hit> own(rays.size()), others(rays.size());
    ASSERT_TRUE((*make_own_tracer(scene))->trace(rays, own).ok());
    ASSERT_TRUE((*embree)->trace(rays, others).ok());
    const hits_compared compared = compare_hits(*scene, rays, own, others, (*embree)->name());
    EXPECT_EQ(compared.others, 0u) << compared.first->words;
    for (const ray_hit& hit : own) ++(hit.is_there() ? hits : misses), backs += hit.met() == side::back;
  }
  EXPECT_GT(hits, 1000u);
  EXPECT_GT(misses, 200u);
  EXPECT_GT(backs, 200u);
}

TEST(Embree, TakesASceneWithoutTriangles) {
  const key_grid grid{3, 2, 1, 0, 0};
  const auto embree = make_embree_tracer(testing::scene_of(grid, {}));
  ASSERT_TRUE(embree.ok()) << embree.error().words;
  const std::vector<axis_ray> rays = {testing::ray_from(grid, {0, 0, 0}, 0)};
  std::vector<ray_hit> hits(1);
  ASSERT_TRUE((*embree)->trace(rays, hits).ok());
  EXPECT_FALSE(hits[0].is_there());
}

// Embree would leave such a triangle out.
TEST(Embree, RefusesCoordinatesThatItDoesNotTake) {
  const key_grid grid{23, 23, 18, 23, 46};
  const auto embree = make_embree_tracer(testing::scene_of(grid, {{{0, 0, 0}, false}, {{0, 0, 1 << 17}, false}}));
  ASSERT_FALSE(embree.ok());
  EXPECT_NE(embree.error().words.find("take a smaller y_scale or z_scale"), std::string::npos) << embree.error().words;
  EXPECT_TRUE(make_embree_tracer(testing::scene_of(grid, {{{0, 0, 1 << 14}, false}})).ok());
}

TEST(Embree, TellsItsCost) {
  const key_grid grid{23, 23, 18, 15, 25};
  const auto embree = make_embree_tracer(testing::scene_of(grid, at_the_edges(9)));
  ASSERT_TRUE(embree.ok()) << embree.error().words;
  EXPECT_GE((*embree)->cost().bytes, 8u * 8 * 3 * (36 + 12)) << "corners and their numbers alone";
  EXPECT_GT((*embree)->cost().build_ms, 0);
  EXPECT_TRUE((*embree)->name().starts_with("Embree 3.")) << (*embree)->name();
}

TEST(Embree, RefusesMoreTrianglesThanItHasNumbersForCorners) {
  constexpr u64 most = 1431655765;  // three times that is 2^32 - 1
  EXPECT_TRUE(detail::check_embree_takes(0).ok());
  EXPECT_TRUE(detail::check_embree_takes(most).ok());
  const status refused = detail::check_embree_takes(most + 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().words,
            "Embree numbers corners by 32 bits, so it takes up to 1431655765 triangles, and this scene has 1431655766; "
            "take fewer keys, or larger buckets");
}

}  // namespace
}  // namespace pivotscope
