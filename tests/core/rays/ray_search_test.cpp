// A search's way through groups of boxes of which some are met: each once, from left to right, on as many levels as there
// may be.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "core/rays/bounding_tree.hpp"

namespace pivotscope {
namespace {

struct group_at {
  u32 level, cell;
  bool operator==(const group_at&) const = default;
};

// Which boxes are met of each group: none to all, and few of most, so that deep trees stay small.
class met_boxes {
 public:
  met_boxes(u32 wide, u32 levels, u64 seed) : wide_(wide), levels_(levels), seed_(seed) {}
  u32 levels() const { return levels_; }
  u32 wide() const { return wide_; }
  u32 of(const group_at& g) const {
    std::mt19937_64 random(seed_ * 0x9e3779b97f4a7c15 + (u64{g.level} << 32 | g.cell));
    const u32 all = (1u << wide_) - 1, roll = static_cast<u32>(random() % 16);
    // No more triangles than cells are numbered.
    if (g.level == 0 && wide_ == 8 && levels_ == 10) return 1 + static_cast<u32>(random() % 3);
    if (roll == 0) return all;
    if (roll < 3) return 0;
    const u32 one = 1u << random() % wide_;
    return roll < 12 ? one : one | 1u << random() % wide_;
  }

 private:
  u32 wide_, levels_;
  u64 seed_;
};

void go_through(const met_boxes& boxes, const group_at& g, std::vector<group_at>& out) {
  out.push_back(g);
  if (g.level == boxes.levels()) return;
  for (u32 i = 0; i < boxes.wide(); ++i)
    if ((boxes.of(g) >> i & 1) != 0) go_through(boxes, {g.level + 1, (g.cell + i) * boxes.wide()}, out);
}

std::vector<group_at> search_through(const met_boxes& boxes, std::size_t most) {
  std::vector<group_at> out;
  ray_search search;
  while (out.size() <= most) {
    out.push_back({search.level, search.cell});
    const u32 met = search.level < boxes.levels() ? boxes.of(out.back()) : 0;
    if (met != 0)
      search.go_down(boxes.wide(), met);
    else if (!search.go_back(boxes.wide()))
      break;
  }
  return out;
}

TEST(ray_search, comes_to_each_group_once_from_left_to_right) {
  u64 groups = 0, whole = 0;
  for (const auto& [wide, most_levels] : {std::pair(4u, 15u), {8u, 10u}}) {
    for (u32 levels = 0; levels <= most_levels; ++levels) {
      u64 deepest = 0;
      for (u64 seed = 0; seed < 40; ++seed) {
        const met_boxes boxes(wide, levels, seed);
        std::vector<group_at> expected;
        go_through(boxes, {}, expected);
        ASSERT_EQ(search_through(boxes, expected.size()), expected)
            << wide << " boxes a group, " << levels << " levels, seed " << seed;
        groups += expected.size();
        for (const group_at& g : expected) deepest += g.level == levels, whole += boxes.of(g) + 1 == 1u << wide;
      }
      EXPECT_GT(deepest, 0u) << wide << ", " << levels;
    }
  }
  EXPECT_GT(groups, 20'000u);
  EXPECT_GT(whole, 500u);
}

// All boxes of all groups above one, as an unscaled scene may have it.
TEST(ray_search, keeps_boxes_of_all_levels_waiting) {
  for (const auto& [wide, levels] : {std::pair(4u, 15u), {8u, 10u}}) {
    ray_search search;
    const u32 all = (1u << wide) - 1;
    for (u32 level = 0; level < levels; ++level) search.go_down(wide, all);
    EXPECT_EQ(search.level, levels);
    EXPECT_EQ(search.cell, 0u);
    u32 back = 0;
    for (u32 level = levels; level-- > 0;) {
      for (u32 i = 1; i < wide; ++i, ++back) {
        ASSERT_TRUE(search.go_back(wide));
        EXPECT_EQ(search.level, level + 1);
        EXPECT_EQ(search.cell, i * wide);
      }
    }
    EXPECT_FALSE(search.go_back(wide));
    EXPECT_EQ(back, levels * (wide - 1));
  }
}

}  // namespace
}  // namespace pivotscope
