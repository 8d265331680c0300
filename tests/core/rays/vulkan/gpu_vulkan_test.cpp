// Vulkan's ray-tracing pipelines beside our own boxes, on a device that has them; skipped, in words, where there is none.
#include <gtest/gtest.h>

#include <vector>

#include "core/rays/own_tracer.hpp"
#include "core/rays/vulkan/vulkan_device.hpp"
#include "core/rays/vulkan/vulkan_tracer.hpp"
#include "tests/support/ray_comparison.hpp"
#include "tests/support/ray_scenes.hpp"

namespace pivotscope {
namespace {

constexpr u64 vulkan_million = 1'000'000, vulkan_keys = 1 << 16, vulkan_few_keys = 1 << 13;

class GpuVulkan : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto device = vulkan_device::open();
    if (!device) GTEST_SKIP() << device.error().words;
    RecordProperty("device", (*device)->name());
  }
  static testing::ray_totals by_vulkan(const char* method, u64 keys) {
    return testing::compare_all(method, keys, vulkan_million, make_vulkan_tracer);
  }
};

TEST_F(GpuVulkan, HitsTheSameAtTheEdgesOfEachAxis) {
  constexpr int edges[] = {-1, 0, 1, 2, (1 << 22) - 1, 1 << 22, (1 << 23) - 3, (1 << 23) - 1};
  u64 hits = 0, backs = 0;
  for (const auto& [y_scale, z_scale] : {std::pair{0u, 0u}, {15u, 25u}}) {
    const key_grid grid{23, 23, 18, y_scale, z_scale};
    testing::placed_triangles list;
    std::vector<axis_ray> rays;
    for (const int x : edges)
      for (const int y : edges)
        for (const int z : {0, 1, 5, (1 << 18) - 1}) {
          if (z != 5) list.push_back({{x, y, z}, list.size() % 3 == 2});
          for (u32 axis = 0; axis < box_axes; ++axis) {
            rays.push_back(testing::ray_from(grid, {x, y, z}, axis));
            rays.push_back(testing::ray_through(grid, {x, y, z}, axis));
          }
        }
    const auto scene = testing::scene_of(grid, list);
    const auto vulkan = make_vulkan_tracer(scene);
    ASSERT_TRUE(vulkan.ok()) << vulkan.error().words;
    std::vector<ray_hit> own(rays.size()), others(rays.size());
    ASSERT_TRUE((*make_own_tracer(scene))->trace(rays, own).ok());
    const auto traced = (*vulkan)->trace(rays, others);
    ASSERT_TRUE(traced.ok()) << traced.error().words;
    const hits_compared compared = compare_hits(*scene, rays, own, others, (*vulkan)->name());
    EXPECT_EQ(compared.others, 0u) << compared.first->words;
    for (const ray_hit& hit : own) hits += hit.is_there(), backs += hit.met() == side::back;
  }
  EXPECT_GT(hits, 1000u);
  EXPECT_GT(backs, 200u);
}

TEST_F(GpuVulkan, TakesASceneWithoutTrianglesAndRoundsOfAnySize) {
  const key_grid grid{3, 2, 1, 0, 0};
  const auto empty = make_vulkan_tracer(testing::scene_of(grid, {}));
  ASSERT_TRUE(empty.ok()) << empty.error().words;
  const auto one = make_vulkan_tracer(testing::scene_of(grid, {{{4, 1, 0}, false}}));
  ASSERT_TRUE(one.ok()) << one.error().words;
  // Buffers grow, and are larger than a later round needs.
  for (const u64 count : {0u, 1u, 1000u, 3u}) {
    const std::vector<axis_ray> rays(count, testing::ray_from(grid, {0, 1, 0}, 0));
    std::vector<ray_hit> hits(count);
    ASSERT_TRUE((*empty)->trace(rays, hits).ok());
    for (const ray_hit& hit : hits) EXPECT_FALSE(hit.is_there());
    ASSERT_TRUE((*one)->trace(rays, hits).ok());
    for (const ray_hit& hit : hits) EXPECT_EQ(hit, ray_hit::of(0, side::front));
  }
}

TEST_F(GpuVulkan, AgreesOverRxOf32Bits) { EXPECT_GT(by_vulkan("RX", vulkan_keys).hits, 400'000u); }
TEST_F(GpuVulkan, AgreesOverRxOf64Bits) { EXPECT_GT(by_vulkan("RX keys=u64", vulkan_keys).hits, 400'000u); }
TEST_F(GpuVulkan, AgreesOverNaiveCgrxOf32Bits) { by_vulkan("CGRX form=naive bucket=4 x_bits=12", vulkan_keys); }
TEST_F(GpuVulkan, AgreesOverNaiveCgrxOf64Bits) { by_vulkan("CGRX keys=u64 form=naive bucket=4", vulkan_few_keys); }
TEST_F(GpuVulkan, AgreesOverOptimisedCgrxOf32Bits) { by_vulkan("CGRX bucket=4 x_bits=12", vulkan_keys); }
TEST_F(GpuVulkan, AgreesOverOptimisedCgrxOf64Bits) {
  EXPECT_GT(by_vulkan("CGRX keys=u64 bucket=4", vulkan_few_keys).backs, 100'000u);
}

}  // namespace
}  // namespace pivotscope
