#include "core/simt/tile_order.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

std::vector<u32> order_of(const std::vector<u32>& keys, u32 begin, u32 end) {
  std::vector<u32> places;
  order_tile(std::span<const u32>(keys), begin, end, places);
  return places;
}

TEST(TileOrder, SortsByTheBitsThatItIsGivenAndKeepsTheOrderOfEqualOnes) {
  const std::vector<u32> keys = {0x13, 0x21, 0x12, 0x20, 0x13};
  EXPECT_EQ(order_of(keys, 0, 32), (std::vector<u32>{2, 0, 4, 3, 1}));
  EXPECT_EQ(order_of(keys, 4, 8), (std::vector<u32>{0, 2, 4, 1, 3})) << "the low four bits do not count";
  EXPECT_EQ(order_of(keys, 0, 4), (std::vector<u32>{3, 1, 2, 0, 4})) << "the high bits do not count";
}

TEST(TileOrder, LeavesATileAsItComesWithoutBits) {
  EXPECT_EQ(order_of({5, 3, 4}, 0, 0), (std::vector<u32>{0, 1, 2}));
  EXPECT_TRUE(order_of({}, 0, 32).empty());
}

TEST(TileOrder, SortsWideKeysByTheirTopBits) {
  const std::vector<u64> keys = {~0ull, 1ull << 63, 0};
  std::vector<u32> places;
  order_tile(std::span<const u64>(keys), 32, 64, places);
  EXPECT_EQ(places, (std::vector<u32>{2, 1, 0}));
}

}  // namespace
}  // namespace pivotscope
