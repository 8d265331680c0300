// A second oracle: the rays of a million random lookups of each kind hit the same triangle on the same side by our own
// boxes and by Embree.
#include "core/rays/embree/embree_tracer.hpp"

#include <gtest/gtest.h>

#include "tests/support/ray_comparison.hpp"

namespace pivotscope {
namespace {

constexpr u64 million = 1'000'000;

// By 12 bits of x, keys of 32 bits have more rows than there are buckets. As many keys as leave an unscaled scene of 64-bit keys fast enough for a test.
constexpr u64 many_keys = 1 << 16, few_keys = 1 << 13;

testing::ray_totals by_embree(const char* method, u64 keys) {
  return testing::compare_all(method, keys, million, make_embree_tracer);
}

TEST(EmbreeAgrees, OverRxOf32Bits) { EXPECT_GT(by_embree("RX", many_keys).hits, 400'000u); }
TEST(EmbreeAgrees, OverRxOf64Bits) { EXPECT_GT(by_embree("RX keys=u64", many_keys).hits, 400'000u); }

TEST(EmbreeAgrees, OverNaiveCgrxOf32Bits) {
  const testing::ray_totals totals = by_embree("CGRX form=naive bucket=4 x_bits=12", many_keys);
  EXPECT_GT(totals.along[1], 10'000u);
  EXPECT_EQ(totals.backs, 0u) << "nothing is flipped";
}
TEST(EmbreeAgrees, OverNaiveCgrxOf64Bits) {
  for (const u64 rays : by_embree("CGRX keys=u64 form=naive bucket=4", few_keys).along) EXPECT_GT(rays, 100'000u);
}

TEST(EmbreeAgrees, OverOptimisedCgrxOf32Bits) {
  EXPECT_GT(by_embree("CGRX bucket=4 x_bits=12", many_keys).along[1], 10'000u);
}
TEST(EmbreeAgrees, OverOptimisedCgrxOf64Bits) {
  const testing::ray_totals totals = by_embree("CGRX keys=u64 bucket=4", few_keys);
  for (const u64 rays : totals.along) EXPECT_GT(rays, 100'000u);
  EXPECT_GT(totals.backs, 100'000u) << "rays along y find flipped triangles";
}

}  // namespace
}  // namespace pivotscope
