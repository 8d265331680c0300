// Which bits a sort's passes take, and when groups are put in order after them: by what a sample says (core/machine/cuda/group_plan.hpp).
#include "core/machine/cuda/group_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pivotscope {
namespace {

constexpr u64 pairs = u64{samples} * keys_a_sample * (keys_a_sample / 2);

// Neighbours that share `bits` bits by chance, where keys are spread over a 1 / share of all values.
u32 by_chance(u32 bits, double share) {
  return static_cast<u32>(std::lround(static_cast<double>(pairs) / std::ldexp(1.0, static_cast<int>(bits)) * share));
}

TEST(GroupPlan, EvenlySpreadKeysLeaveTheBitsBelow24) {
  for (const u64 n : {least_to_group, u64{1} << 26, (u64{1} << 26) + 1, u64{1} << 28}) {
    const auto narrow = plan_groups(32, n, {.top = 32, .sharing = by_chance(24, 1)});
    ASSERT_TRUE(narrow) << n;
    EXPECT_EQ(narrow->low, 8u);
    EXPECT_EQ(narrow->end, 32u);
    const auto wide = plan_groups(64, n, {.top = 64, .sharing = by_chance(24, 1)});
    ASSERT_TRUE(wide) << n;
    EXPECT_EQ(wide->low, 40u);
    EXPECT_EQ(wide->end, 64u);
  }
}

TEST(GroupPlan, BitsThatAllKeysShareAreLeftOut) {
  const auto plan = plan_groups(32, u64{1} << 27, {.top = 28, .sharing = by_chance(24, 1)});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->low, 4u);
  EXPECT_EQ(plan->end, 28u);
  for (const u32 top : {0u, 1u, 20u, 24u}) {
    const auto few = plan_groups(32, u64{1} << 22, {.top = top, .sharing = 0});
    ASSERT_TRUE(few) << top;
    EXPECT_EQ(few->low, 0u);
    EXPECT_EQ(few->end, 24u);
  }
}

TEST(GroupPlan, MoreThan2To28KeysOf64BitsTakeAPassMore) {
  const auto plan = plan_groups(64, (u64{1} << 28) + 1, {.top = 64, .sharing = by_chance(32, 1)});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->low, 32u);
  EXPECT_EQ(plan->end, 64u);
}

TEST(GroupPlan, LongGroupsAreForAllPasses) {
  const u64 n = u64{1} << 28;
  EXPECT_TRUE(plan_groups(32, n, {.top = 32, .sharing = by_chance(24, 1.4)}));
  EXPECT_FALSE(plan_groups(32, n, {.top = 32, .sharing = by_chance(24, 1.6)})) << "a group has 24 keys on average";
  EXPECT_TRUE(plan_groups(32, n / 4, {.top = 32, .sharing = by_chance(24, 1.6)}))
      << "a fourth of that, of so many keys";
  EXPECT_FALSE(plan_groups(32, n * 2, {.top = 32, .sharing = by_chance(24, 1)})) << "32 keys a group";
  EXPECT_FALSE(plan_groups(32, least_to_group, {.top = 32, .sharing = static_cast<u32>(samples * (keys_a_sample - 1))}))
      << "all alike";
}

TEST(GroupPlan, FewKeysAndTooManyAreForAllPasses) {
  EXPECT_FALSE(plan_groups(32, 0, {}));
  EXPECT_FALSE(plan_groups(32, least_to_group - 1, {.top = 32}));
  EXPECT_FALSE(plan_groups(64, u64{1} << 32, {.top = 64}));
}

}  // namespace
}  // namespace pivotscope
