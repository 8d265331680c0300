// How a node is shared out to lanes, and a lane's share cut into loads.
#include "core/families/ordered/probe.hpp"
#include "core/simt/lane_run.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pivotscope {
namespace {

std::vector<u32> shares(u32 lanes, u32 node) {
  const node_run run = share_node(lanes, node);
  std::vector<u32> live;
  for (u32 lane = 0; lane < lanes; ++lane) {
    live.push_back(run.live(lane));
    EXPECT_EQ(run.offset(lane), lane * run.per_lane);
  }
  return live;
}

TEST(NodeRun, SharesANodeFromLeftToRightAndTheLastLanesTakeWhatIsLeft) {
  EXPECT_EQ(shares(1, 8), (std::vector<u32>{8}));
  EXPECT_EQ(shares(2, 8), (std::vector<u32>{4, 4}));
  EXPECT_EQ(shares(3, 8), (std::vector<u32>{3, 3, 2}));
  EXPECT_EQ(shares(5, 8), (std::vector<u32>{2, 2, 2, 2, 0}));
  EXPECT_EQ(shares(7, 8), (std::vector<u32>{2, 2, 2, 2, 0, 0, 0}));
  EXPECT_EQ(shares(8, 8), std::vector<u32>(8, 1));
  EXPECT_EQ(shares(1, 2), (std::vector<u32>{2})) << "the leaf of a binary pivot buffer";
}

TEST(NodeRun, IsAlignedToThePowerOfTwoThatDividesNodeAndShare) {
  const auto align = [](u32 fanout, u32 lanes) { return share_node(lanes, fanout - 1).align; };
  EXPECT_EQ(align(9, 1), 8u);
  EXPECT_EQ(align(9, 2), 4u);
  EXPECT_EQ(align(9, 3), 1u);
  EXPECT_EQ(align(9, 4), 2u);
  EXPECT_EQ(align(7, 1), 2u);
  EXPECT_EQ(align(7, 2), 1u);
  EXPECT_EQ(align(33, 8), 4u);
  EXPECT_EQ(align(33, 1), 32u);
  EXPECT_EQ(align(4, 1), 1u);
}

TEST(NodeRun, LoadsAreOf16BytesAtMostAndNeverPastTheAlignment) {
  EXPECT_EQ(cells_a_load(8, 4), 4u);
  EXPECT_EQ(cells_a_load(2, 4), 2u);
  EXPECT_EQ(cells_a_load(1, 4), 1u);
  EXPECT_EQ(cells_a_load(8, 8), 2u);
  EXPECT_EQ(cells_a_load(8, 16), 1u);
}

TEST(NodeRun, SmallArithmetic) {
  EXPECT_EQ(pow2_divisor(12), 4u);
  EXPECT_EQ(pow2_divisor(1), 1u);
  EXPECT_EQ(pow2_divisor(32), 32u);
  EXPECT_EQ(least(3, 5), 3u);
  EXPECT_EQ(least(5, 3), 3u);
  EXPECT_EQ(ceil_pow2(1), 1u);
  EXPECT_EQ(ceil_pow2(2), 2u);
  EXPECT_EQ(ceil_pow2(3), 4u);
  EXPECT_EQ(ceil_pow2(17), 32u);
  EXPECT_EQ(ceil_div<u64>(0, 3), 0u);
  EXPECT_EQ(ceil_div<u64>(9, 3), 3u);
  EXPECT_EQ(ceil_div<u64>(10, 3), 4u);
}

TEST(IsPinned, ByLevelBelowMAndByPlaceOnTheNext) {
  const pin_plan plan{.levels = 2, .whole = 8, .total = 12};
  const auto pinned = [&](pin_kind kind, u32 level, u32 first, u32 node) {
    return is_pinned(dynamic_config{ordered_config{.pin = kind}}, plan, level, first, node);
  };
  EXPECT_TRUE(pinned(pin_kind::full, 1, 4, 4));
  EXPECT_TRUE(pinned(pin_kind::full, 2, 8, 4));
  EXPECT_FALSE(pinned(pin_kind::full, 2, 9, 4)) << "one slot too far";
  EXPECT_FALSE(pinned(pin_kind::full, 3, 8, 4)) << "a level too deep";
  EXPECT_TRUE(pinned(pin_kind::steps, 1, 4, 4));
  EXPECT_FALSE(pinned(pin_kind::steps, 2, 8, 4));
  EXPECT_FALSE(pinned(pin_kind::none, 0, 0, 1));
}

}  // namespace
}  // namespace pivotscope
