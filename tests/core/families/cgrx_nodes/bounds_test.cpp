// Rays lead to the bucket whose keys a batch's binary searches take the key for: for each key, of scenes that are hard.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/bucket_scene/casts.hpp"
#include "core/simt/host.hpp"
#include "tests/core/families/cgrx_nodes/nodes_on_cpu.hpp"
#include "tests/support/hard_keys.hpp"

namespace pivotscope {
namespace {

using testing::nodes_on_cpu;

// The bucket of a key that is not above the greatest one, by rays alone.
class ray_caster {
 public:
  explicit ray_caster(const nodes_on_cpu& of) : config_(cgrx_nodes_config::of(of.index().config())), view_(of.state()) {
    const stored_index& index = of.index();
    triangles_.resize(view_.tree.triangles), boxes_.resize(view_.tree.boxes());
    EXPECT_TRUE(index.read(node_region::scene.triangles, 0, std::as_writable_bytes(std::span(triangles_))));
    EXPECT_TRUE(index.read(node_region::scene.boxes, 0, std::as_writable_bytes(std::span(boxes_))));
  }
  u32 bucket_of(u64 key) const {
    no_recorder nobody;
    direct_source source;
    source.regions[number_of(node_region::scene.triangles)] = reinterpret_cast<const std::byte*>(triangles_.data());
    source.regions[number_of(node_region::scene.boxes)] = reinterpret_cast<const std::byte*>(boxes_.data());
    host_memory<no_recorder, direct_source> memory(source, nobody);
    const caster rays(dynamic_config{config_}, view_);
    cast_state state = rays.begin(key);
    for (;;) {
      const ray_step step =
          step_of_ray(memory, node_region::scene, view_.tree, config_.wide, rays.half(), state.ray, state.search);
      if (step.what != ray_step::goes_on && !rays.next(key, state, step)) return state.bucket;
    }
  }

 private:
  cgrx_nodes_config config_;
  const cgrx_nodes_view& view_;
  std::vector<triangle_cell> triangles_;
  std::vector<box> boxes_;
};

u64 expect_bounds(const nodes_on_cpu& index, const std::vector<u64>& asked) {
  const std::vector<u64> bounds = index.bounds();
  const ray_caster rays(index);
  u64 cast = 0;
  for (const u64 key : asked) {
    const auto right = static_cast<u32>(std::ranges::lower_bound(bounds, key) - bounds.begin());
    if (key > index.state().greatest) {
      EXPECT_EQ(right, index.state().buckets - 1) << key << " is above all";
    } else if (key <= index.state().least_representative) {
      EXPECT_EQ(right, 0u) << key;
    } else {
      EXPECT_EQ(rays.bucket_of(key), right) << key;
      ++cast;
    }
    if (::testing::Test::HasFailure()) break;
  }
  return cast;
}

TEST(CgrxNodesBounds, AreWhereRaysLeadOverHardKeys) {
  u64 cast = 0;
  for (const char* more : {"", " form=naive", " x_bits=3 y_bits=4", " x_bits=5 y_bits=2 form=naive wide=8"}) {
    const index_config config = testing::config_of(std::string("CGRX+NODES keys=u64 node=4") + more);
    for (const u64 n : {1, 7, 300}) {
      for (const auto& set : testing::all_hard_keys<u64>(n, n)) {
        SCOPED_TRACE(to_line(config) + ", " + set.name);
        cast += expect_bounds(nodes_on_cpu(config, set.keys), testing::asked_of(set.keys, 60, n));
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(cast, 10'000u);
}

// All keys of few bits, with some of them many times: rows and planes that are full, empty, and of one key.
TEST(CgrxNodesBounds, AreWhereRaysLeadForEveryKeyOfASmallScene) {
  std::mt19937 random(1);
  std::vector<u64> all(140);
  for (u64 i = 0; i < all.size(); ++i) all[i] = i;
  u64 cast = 0;
  for (u32 turn = 0; turn < 120; ++turn) {
    std::vector<u64> keys;
    const u32 density = 1 + random() % 8;
    for (u32 key = 0; key < 128; ++key)
      for (u32 again = 0; again < 1 + (random() % 7 == 0 ? random() % 9 : 0); ++again)
        if (random() % 8 < density && (turn % 3 != 0 || (key / 8 + turn) % 3 == 0)) keys.push_back(key);
    for (const char* more : {"", " form=naive"}) {
      nodes_on_cpu index(std::string("CGRX+NODES node=4 x_bits=3 y_bits=2") + more, keys);
      cast += expect_bounds(index, all);
      index.insert(all);
      index.expect_answers();
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(cast, 15'000u);
}

}  // namespace
}  // namespace pivotscope
