#include "core/rays/grid.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace pivotscope {
namespace {

TEST(KeyGrid, IsThePapers) {
  const key_grid wide = grid_for(~u64{0}, 23, 23, 15, 25);
  EXPECT_EQ(wide.x_bits, 23u);
  EXPECT_EQ(wide.y_bits, 23u);
  EXPECT_EQ(wide.z_bits, 18u);
  const key_grid narrow = grid_for(0xFFFFFFFFu, 23, 23, 15, 25);
  EXPECT_EQ(narrow.y_bits, 9u);
  EXPECT_EQ(narrow.z_bits, 0u) << "32-bit keys lie in one plane";
  const key_grid example = grid_for(93, 3, 2, 0, 0);
  const grid_point p = example.of(93);
  EXPECT_EQ(p.x, 5);
  EXPECT_EQ(p.y, 3);
  EXPECT_EQ(p.z, 2);
  EXPECT_EQ(example.row_of(93), 11u);
  EXPECT_EQ(example.plane_of(93), 2u);
}

TEST(KeyGrid, NoAxisHasMoreBitsThanAFloatTells) {
  for (u32 x = 1; x <= 23; ++x) {
    for (u32 y = 1; y <= 23; ++y) {
      for (u32 bits = 0; bits <= 64; ++bits) {
        const u64 greatest = bits == 0 ? 0 : ~u64{0} >> (64 - bits);
        const key_grid grid = grid_for(greatest, x, y, 0, 0);
        ASSERT_EQ(grid.x_bits + grid.y_bits + grid.z_bits, bits);
        ASSERT_LE(grid.x_bits, 23u);
        ASSERT_LE(grid.y_bits, 23u);
        ASSERT_LE(grid.z_bits, 23u);
        if (bits >= x && bits <= x + y + 23) {
          ASSERT_EQ(grid.x_bits, x);
        }
        ASSERT_EQ(grid.key_of(grid.of(greatest)), greatest);
      }
    }
  }
}

TEST(KeyGrid, MortonNumbersAreTheKeysBitsInAnotherOrder) {
  std::mt19937_64 random(5);
  for (const auto& [y_scale, z_scale] : {std::pair{0u, 0u}, {15u, 25u}, {23u, 46u}, {3u, 1u}}) {
    const key_grid small{4, 3, 2, y_scale, z_scale};
    std::set<u64> seen;
    for (u64 key = 0; key < 512; ++key) seen.insert(small.morton(small.of(key)));
    EXPECT_EQ(seen.size(), 512u);
    EXPECT_EQ(*seen.rbegin(), 511u);
    const key_grid grid = grid_for(~u64{0}, 23, 23, y_scale, z_scale);
    for (u32 i = 0; i < 1000; ++i) {
      grid_point p = grid.of(random());
      const u64 here = grid.morton(p);
      EXPECT_EQ(grid.key_of(grid.point_of(here)), grid.key_of(p));
      int* const axes[] = {&p.x, &p.y, &p.z};
      const int most[] = {grid.x_max(), grid.y_max(), (1 << 18) - 1};
      const u32 a = i % 3;
      if (*axes[a] == most[a]) continue;
      ++*axes[a];
      EXPECT_GT(grid.morton(p), here) << "it grows along an axis";
    }
  }
  const key_grid apart = grid_for(~u64{0}, 23, 23, 23, 46);
  for (u32 i = 0; i < 1000; ++i) {
    const u64 key = random();
    EXPECT_EQ(apart.morton(apart.of(key)), key) << "scaled so far apart, the curve is the order of keys";
  }
}

}  // namespace
}  // namespace pivotscope
