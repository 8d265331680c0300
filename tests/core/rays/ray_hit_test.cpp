#include "core/rays/ray_hit.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(RayHit, TellsTriangleAndSide) {
  const ray_hit none;
  EXPECT_FALSE(none.is_there());
  EXPECT_EQ(none.met(), side::none);
  for (const u32 triangle : {0u, 1u, most_primitives - 2}) {
    for (const side met : {side::front, side::back}) {
      const ray_hit hit = ray_hit::of(triangle, met);
      EXPECT_TRUE(hit.is_there());
      EXPECT_EQ(hit.triangle(), triangle);
      EXPECT_EQ(hit.met(), met);
      EXPECT_FALSE(hit == none);
    }
  }
}

}  // namespace
}  // namespace pivotscope
