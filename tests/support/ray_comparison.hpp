// The rays of random lookups of RX and CGRX by our own boxes and by another tracer: the same triangle, on the same side.
// Equal keys have their triangles in one place (RX), and any of them will do.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/index/ray_lookups.hpp"
#include "core/rays/own_tracer.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::testing {

// What was compared.
struct ray_totals {
  u64 lookups = 0, rays = 0, hits = 0, backs = 0;
  u64 along[box_axes] = {};
};

// Keys that are all values from 0 on, half of them, none of them, or keys that occur several times.
inline constexpr u32 kinds_of_keys = 4;
inline workload lookups_of_kind(u32 kind, u64 keys, u64 lookups) {
  constexpr distribution kinds[kinds_of_keys] = {distribution::dense, distribution::mix, distribution::uniform,
                                                 distribution::duplicates};
  workload w;
  w.keys = keys, w.lookups = lookups, w.seed = kind + 1, w.hits = 0.5, w.dist = kinds[kind];
  // Where all values are keys there are none between them to miss.
  w.misses = w.dist == distribution::dense ? miss_place::anywhere : miss_place::inside;
  return w;
}

// `build`: makes the index of the keys; without it the cpu machine does.
inline void compare_lookups(const index_config& config, const workload& w, tracer_maker make, ray_totals& totals,
                            const std::function<std::shared_ptr<const built_index>(const key_array&)>& build = {}) {
  const auto keys = make_keys(w, config.keys);
  ASSERT_TRUE(keys.ok()) << keys.error().words;
  const auto asked = draw_lookups(*keys, w);
  ASSERT_TRUE(asked.ok()) << asked.error().words;
  const auto index = build ? build(*keys) : build_on_cpu(config, *keys);
  ASSERT_TRUE(index);
  auto lookups = family_of(config).rays_of(*index, *asked);
  ASSERT_TRUE(lookups.ok()) << lookups.error().words;
  const auto scene = (*lookups)->scene();
  const auto own = make_own_tracer(scene), other = make(scene);
  ASSERT_TRUE(other.ok()) << other.error().words;
  totals.lookups += asked->size();
  for (std::span<const axis_ray> rays = (*lookups)->rays(); !rays.empty(); rays = (*lookups)->rays()) {
    std::vector<ray_hit> hits(rays.size()), others(rays.size());
    ASSERT_TRUE((*own)->trace(rays, hits).ok());
    const auto traced = (*other)->trace(rays, others);
    ASSERT_TRUE(traced.ok()) << traced.error().words;
    const hits_compared compared = compare_hits(*scene, rays, hits, others, (*other)->name());
    ASSERT_EQ(compared.others, 0u) << compared.first->words;
    totals.rays += rays.size();
    for (u64 i = 0; i < rays.size(); ++i) {
      totals.hits += hits[i].is_there(), totals.backs += hits[i].met() == side::back;
      ++totals.along[rays[i].axis];
    }
    (*lookups)->go_on(hits);
  }
}

// Scaled and unscaled, each kind of keys; `least_lookups` in all. `method`: a config's line without scales.
inline ray_totals compare_all(const std::string& method, u64 keys, u64 least_lookups, tracer_maker make) {
  const char* const scales[] = {"", " y_scale=0 z_scale=0"};
  const u64 each = ceil_div<u64>(least_lookups, kinds_of_keys * std::size(scales));
  ray_totals totals;
  for (const char* scale : scales) {
    for (u32 kind = 0; kind < kinds_of_keys; ++kind) {
      const std::string line = method + scale;
      SCOPED_TRACE(line + ", kind of keys " + std::to_string(kind));
      compare_lookups(config_of(line), lookups_of_kind(kind, keys, each), make, totals);
      if (::testing::Test::HasFailure()) return totals;
    }
  }
  EXPECT_GE(totals.lookups, least_lookups);
  return totals;
}

}  // namespace pivotscope::testing
