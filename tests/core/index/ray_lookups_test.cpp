// The rounds of rays of RX and CGRX: they are those of the lookups, in their order.
#include "core/index/ray_lookups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/rays/own_tracer.hpp"
#include "tests/core/families/cgrx/built_scene.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

// The rays that each lookup casts, by our own boxes.
std::vector<std::vector<axis_ray>> rays_by_lookup(ray_lookups& rays, u64 lookups, u64& rounds) {
  std::vector<std::vector<axis_ray>> list(lookups);
  const auto own = make_own_tracer(rays.scene());
  for (rounds = 0; !rays.rays().empty(); ++rounds) {
    EXPECT_EQ(rays.rays().size(), rays.lookups().size());
    EXPECT_TRUE(std::is_sorted(rays.lookups().begin(), rays.lookups().end()));
    for (u64 i = 0; i < rays.rays().size(); ++i) list[rays.lookups()[i]].push_back(rays.rays()[i]);
    std::vector<ray_hit> hits(rays.rays().size());
    EXPECT_TRUE((*own)->trace(rays.rays(), hits).ok());
    rays.go_on(hits);
  }
  return list;
}

// Every third plane of 4 + 4 bits has a full row, and before or behind it one of two keys; other rows and planes are empty.
std::vector<u64> keys_in_few_rows() {
  std::vector<u64> keys;
  for (u64 plane = 1; plane < 16; plane += 3) {
    for (u64 x = 0; x < 16; ++x) keys.push_back(plane << 8 | u64{3 + plane % 2} << 4 | x);
    for (const u64 x : {4, 11}) keys.push_back(plane << 8 | u64{plane % 2 == 0 ? 1u : 9u} << 4 | x);
  }
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(3));
  return keys;
}

TEST(RayLookups, OfCgrxAreThoseOfItsLookups) {
  u64 by_rays[6] = {};
  for (const char* line :
       {"CGRX keys=u64 bucket=2 x_bits=4 y_bits=4", "CGRX keys=u64 bucket=3 x_bits=4 y_bits=4 form=naive"}) {
    const index_config config = testing::config_of(line);
    const std::vector<u64> keys = keys_in_few_rows();
    std::vector<u64> asked(4200);
    for (u64 i = 0; i < asked.size(); ++i) asked[i] = i;
    const testing::built_scene scene(config, key_array(keys));
    auto rays = family_of(config).rays_of(scene.index(), key_array(asked));
    ASSERT_TRUE(rays.ok()) << rays.error().words;
    u64 rounds = 0;
    const auto list = rays_by_lookup(**rays, asked.size(), rounds);
    EXPECT_EQ(rounds, 5u);
    for (u64 i = 0; i < asked.size(); ++i) {
      ++by_rays[std::min<u64>(list[i].size(), 5)];
      const bool casts = asked[i] > scene.view().least_representative && asked[i] <= scene.view().greatest;
      if (!casts) {
        EXPECT_TRUE(list[i].empty()) << asked[i];
        continue;
      }
      const auto told = scene.by_tree(asked[i]);
      ASSERT_EQ(list[i].size(), told.rays.size()) << asked[i];
      for (u64 r = 0; r < told.rays.size(); ++r) {
        const ray_hit hit = closest_hit(*(*rays)->scene(), list[i][r]);
        EXPECT_EQ(hit.met(), told.rays[r].met) << asked[i] << ", ray " << r;
        if (hit.is_there()) {
          EXPECT_EQ((*rays)->scene()->triangles[hit.triangle()].primitive(), told.rays[r].primitive);
        }
      }
    }
  }
  for (const u64 lookups : by_rays) EXPECT_GT(lookups, 10u) << "lookups of no ray to five";
}

TEST(RayLookups, OfRxAreOneRayEach) {
  const index_config config = testing::config_of("RX keys=u64 x_bits=4 y_bits=4");
  const std::vector<u64> keys = keys_in_few_rows();
  std::vector<u64> asked(5000);
  for (u64 i = 0; i < asked.size(); ++i) asked[i] = i;
  const auto index = testing::build_on_cpu(config, key_array(keys));
  auto rays = family_of(config).rays_of(*index, key_array(asked));
  ASSERT_TRUE(rays.ok()) << rays.error().words;
  EXPECT_EQ((*rays)->scene()->triangles.size(), keys.size());
  const u64 greatest = *std::max_element(keys.begin(), keys.end());
  ASSERT_EQ((*rays)->rays().size(), greatest + 1) << "none for keys above the greatest";
  std::vector<ray_hit> hits((*rays)->rays().size());
  ASSERT_TRUE((*make_own_tracer((*rays)->scene()))->trace((*rays)->rays(), hits).ok());
  for (u64 key = 0; key <= greatest; ++key)
    EXPECT_EQ(hits[key].is_there(), std::find(keys.begin(), keys.end(), key) != keys.end()) << key;
  (*rays)->go_on(hits);
  EXPECT_TRUE((*rays)->rays().empty());
}

TEST(RayLookups, AnIndexWithoutKeysCastsNone) {
  for (const char* line : {"RX", "CGRX"}) {
    const index_config config = testing::config_of(line);
    const auto index = testing::build_on_cpu(config, key_array(std::vector<u32>{}));
    auto rays = family_of(config).rays_of(*index, key_array(std::vector<u32>{0, 5, ~0u}));
    ASSERT_TRUE(rays.ok()) << rays.error().words;
    EXPECT_TRUE((*rays)->rays().empty());
  }
}

TEST(RayLookups, OtherFamiliesCastNone) {
  for (const family* f : families()) {
    const index_config config = f->standard();
    if (f->casts_rays()) continue;
    const auto index = testing::build_on_cpu(config, key_array(config.keys, 5));
    const auto rays = f->rays_of(*index, key_array(config.keys, 1));
    ASSERT_FALSE(rays.ok());
    EXPECT_EQ(rays.error().words, f->method_of(config) + " casts no rays");
  }
}

// A scene may be larger than its index on a GPU leaves room for on the host.
TEST(RayLookups, AskForTheMemoryOfASceneBeforeItIsCopied) {
  const auto index = testing::build_on_cpu(testing::config_of("RX"), key_array(std::vector<u32>{1, 2, 3}));
  const bounding_tree large = bounding_tree::of(1 << 22, 4);
  const free_memory little(1 << 20);
  const auto scene = read_scene(*index, {region_id{0}, region_id{1}}, large, 4, key_grid{});
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().words.find("are needed for a copy of 4194304 triangles and their boxes"), std::string::npos)
      << scene.error().words;
}

TEST(RayLookups, AskForTheirOwnMemoryBefore) {
  const index_config config = testing::config_of("CGRX keys=u64 bucket=2 x_bits=4 y_bits=4");
  const testing::built_scene scene(config, key_array(keys_in_few_rows()));
  const u64 count = 1 << 20;
  const free_memory little(1 << 20);
  const auto rays = family_of(config).rays_of(scene.index(), key_array(key_width::u64, count));
  ASSERT_FALSE(rays.ok());
  EXPECT_NE(rays.error().words.find("are needed for the rays of 1048576 lookups"), std::string::npos)
      << rays.error().words;
}

}  // namespace
}  // namespace pivotscope
