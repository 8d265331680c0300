// cgRX over key sets that are hard for it: every answer; every ray, by the tree and by a look at all triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/index/check.hpp"
#include "tests/core/families/cgrx/built_scene.hpp"
#include "tests/support/hard_keys.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::built_scene;

constexpr const char* cgrx_lines[] = {"CGRX",
                                      "CGRX form=naive bucket=4",
                                      "CGRX bucket=2 wide=8 search=linear x_bits=5 y_bits=4 layout=packed",
                                      "CGRX form=naive bucket=3 x_bits=3 y_bits=2 y_scale=0 z_scale=0",
                                      "CGRX bucket=5 x_bits=2 y_bits=9 y_scale=23 z_scale=46 layout=column",
                                      "CGRX bucket=7 x_bits=1 y_bits=1 y_scale=3 z_scale=1 search=linear"};

template <class Key>
index_config config_for(const char* line) {
  index_config config = testing::config_of(line);
  config.keys = sizeof(Key) == 4 ? key_width::u32 : key_width::u64;
  return config;
}

struct scene_totals {
  testing::hard_counts asked;
  u64 indexes = 0, rows = 0, planes = 0;
};

template <class Key>
void check_hard_scenes(machine& on, const char* line, u64 n, scene_totals& totals) {
  const index_config config = config_for<Key>(line);
  SCOPED_TRACE(to_line(config) + ", n = " + std::to_string(n));
  for (const auto& set : testing::all_hard_keys<Key>(n, n + 7)) {
    SCOPED_TRACE(set.name);
    const auto index =
        testing::expect_right<Key>(on, config, set.keys, testing::asked_of(set.keys, 200, n), totals.asked);
    ASSERT_TRUE(index);
    const auto& view = index->template state_as<cgrx_view>();
    ++totals.indexes, totals.rows += view.several_rows, totals.planes += view.several_planes;
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Cgrx, IsRightOverHardKeysOfEverySmallSize) {
  const auto cpu = detail::open_cpu();
  scene_totals totals;
  for (const char* line : cgrx_lines) {
    for (const u64 n : {0, 1, 2, 3, 4, 5, 16, 17, 65, 300}) {
      check_hard_scenes<u32>(*cpu, line, n, totals);
      check_hard_scenes<u64>(*cpu, line, n, totals);
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(totals.indexes, std::size(cgrx_lines) * 10 * 2 * 18);
  EXPECT_GT(totals.planes, 400u);
  EXPECT_GT(totals.rows, totals.planes);
}

// The first bucket whose last key is not smaller.
template <class Key>
u32 bucket_in_order(const std::vector<Key>& sorted, u64 size, Key key) {
  for (u64 first = 0; first < sorted.size(); first += size)
    if (sorted[std::min<u64>(first + size, sorted.size()) - 1] >= key) return static_cast<u32>(first / size);
  return no_bucket;
}

// Does a lookup of `key` that comes to `bucket` find the first entry that is not smaller: there, or first behind it?
template <class Key>
bool leads_to_lower_bound(const std::vector<Key>& sorted, u64 size, Key key, u32 bucket) {
  const u32 right = bucket_in_order(sorted, size, key);
  // Between a bucket's last key and the place to which its triangle was moved.
  return bucket == right || (bucket + 1 == right && sorted[right * size - 1] < key);
}

// How many rays lookups took, by their number.
template <class Key>
std::array<u64, 6> check_rays(const char* line, std::vector<Key> keys, const std::vector<Key>& asked) {
  const index_config config = config_for<Key>(line);
  SCOPED_TRACE(to_line(config));
  const built_scene scene(config, key_array(keys));
  std::sort(keys.begin(), keys.end());
  std::array<u64, 6> by_rays{};
  std::set<std::array<float, 3>> places;
  for (const triangle_cell& t : scene.triangles())
    EXPECT_TRUE(places.insert({t.x, t.y, t.z}).second) << "two triangles in one place";
  for (const Key key : asked) {
    if (keys.empty() || key > keys.back() || key <= scene.view().least_representative) continue;
    const auto told = scene.by_tree(key), right = scene.by_all_triangles(key);
    EXPECT_EQ(told.rays, right.rays) << key;
    EXPECT_TRUE(leads_to_lower_bound(keys, cgrx_config::of(config).bucket, key, told.bucket))
        << key << " comes to bucket " << told.bucket;
    ++by_rays[told.rays.size()];
    if (::testing::Test::HasFailure()) break;
  }
  return by_rays;
}

TEST(Cgrx, EveryRayHitsWhatIsClosest) {
  std::array<u64, 6> by_rays{};
  for (const char* line : cgrx_lines) {
    for (const u64 n : {1, 20, 300}) {
      for (const auto& set : testing::all_hard_keys<u64>(n, n)) {
        SCOPED_TRACE(set.name);
        const auto some = check_rays<u64>(line, set.keys, testing::asked_of(set.keys, 60, n));
        for (std::size_t i = 0; i < some.size(); ++i) by_rays[i] += some[i];
        if (HasFailure()) return;
      }
    }
  }
  for (std::size_t i = 1; i < by_rays.size(); ++i) EXPECT_GT(by_rays[i], 200u) << i << " rays";
}

// Rays alone, as they are timed: each lookup is answered by its bucket.
TEST(Cgrx, RaysAloneComeToTheBucket) {
  const auto cpu = detail::open_cpu();
  u64 asked = 0, nowhere = 0;
  for (const char* line : cgrx_lines) {
    const index_config config = config_for<u64>(line);
    ASSERT_EQ(family_of(config).part_of_lookups(), "rays");
    for (const auto& set : testing::all_hard_keys<u64>(300, 5)) {
      SCOPED_TRACE(set.name + std::string(": ") + line);
      const built_scene scene(config, key_array(set.keys));
      std::vector<u64> sorted = set.keys, lookups = testing::asked_of(set.keys, 60, 5);
      std::sort(sorted.begin(), sorted.end());
      std::vector<u32> buckets(lookups.size());
      index_view view;
      const std::span<const std::byte> state = scene.index().state();
      std::memcpy(view.state, state.data(), state.size());
      view.regions[number_of(cgrx::scene.triangles)] = scene.triangles().data();
      view.regions[number_of(cgrx::scene.boxes)] = scene.boxes().data();
      ASSERT_TRUE(family_of(config).on_host().part({config, view, ~u64{0}, {}, instruction_level()}, key_array(lookups),
                                                   buckets));
      for (std::size_t i = 0; i < lookups.size(); ++i) {
        ++asked, nowhere += buckets[i] == no_bucket;
        if (sorted.empty() || lookups[i] > sorted.back())
          EXPECT_EQ(buckets[i], no_bucket) << lookups[i];
        else
          EXPECT_TRUE(leads_to_lower_bound(sorted, cgrx_config::of(config).bucket, lookups[i], buckets[i]))
              << lookups[i];
      }
      const auto batch = testing::look_up(*cpu, scene.index(), key_array(lookups), {.repeats = 2, .part = true});
      ASSERT_TRUE(batch) << batch.error().words;
      EXPECT_EQ(batch->part.name, "rays");
      EXPECT_EQ(batch->part.samples_ms.size(), 2u);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(asked, 5000u);
  EXPECT_GT(nowhere, 100u);
}

// All keys of few bits, in every subset that a seed draws: rows and planes that are full, empty, and of one key.
TEST(Cgrx, EveryKeyOfASmallScene) {
  std::mt19937 random(1);
  u64 asked = 0;
  for (u32 turn = 0; turn < 120; ++turn) {
    std::vector<u32> keys;
    const u32 density = 1 + random() % 8;
    for (u32 key = 0; key < 128; ++key)
      for (u32 again = 0; again < 1 + (random() % 7 == 0 ? random() % 9 : 0); ++again)
        if (random() % 8 < density && (turn % 3 != 0 || (key / 8 + turn) % 3 == 0)) keys.push_back(key);
    std::vector<u32> all(130);
    for (u32 i = 0; i < all.size(); ++i) all[i] = i;
    for (const char* line : {"CGRX bucket=3 x_bits=3 y_bits=2", "CGRX bucket=2 x_bits=3 y_bits=2 form=naive wide=8",
                             "CGRX bucket=4 x_bits=2 y_bits=3 y_scale=0 z_scale=0"}) {
      for (const u64 count : check_rays<u32>(line, keys, all)) asked += count;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(asked, 20'000u);
}

// Where a coordinate is 0 or 2^23 - 1, a ray begins half a unit before a triangle; a float has no more to give.
TEST(Cgrx, TheEdgesOfEachAxisAt23Bits) {
  std::vector<u64> keys;
  for (const u64 x : {0ull, 1ull, (1ull << 22) + 1, (1ull << 23) - 2, (1ull << 23) - 1})
    for (const u64 y : {0ull, 1ull, (1ull << 22) - 1, (1ull << 23) - 2, (1ull << 23) - 1})
      for (const u64 z : {0ull, 1ull, (1ull << 17) + 1, (1ull << 18) - 2, (1ull << 18) - 1})
        keys.push_back(z << 46 | y << 23 | x);
  std::vector<u64> asked = keys;
  for (const u64 key : keys)
    for (const u32 bit : {0u, 23u, 46u}) asked.push_back(key + (1ull << bit)), asked.push_back(key - (1ull << bit));
  const auto cpu = detail::open_cpu();
  testing::hard_counts counts;
  for (const char* line : {"CGRX bucket=2", "CGRX bucket=2 form=naive", "CGRX bucket=2 y_scale=0 z_scale=0",
                           "CGRX bucket=2 form=naive y_scale=23 z_scale=46", "CGRX bucket=4 y_scale=0"}) {
    testing::expect_right<u64>(*cpu, config_for<u64>(line), keys, asked, counts);
    check_rays<u64>(line, keys, asked);
  }
  EXPECT_GT(counts.found, 500u);
}

// Keys that differ in one axis alone.
TEST(Cgrx, KeysOfOneLine) {
  const auto cpu = detail::open_cpu();
  testing::hard_counts counts;
  for (const u32 bit : {0u, 23u, 46u}) {
    std::vector<u64> keys, asked;
    for (u64 i = 0; i < 100; ++i) keys.push_back((1ull << 62) + (1ull << 33) + 77 + (7 * i << bit));
    for (u64 i = 0; i < 720; ++i) asked.push_back((1ull << 62) + (1ull << 33) + 77 - (5ull << bit) + (i << bit));
    for (const char* line :
         {"CGRX bucket=3", "CGRX bucket=3 form=naive", "CGRX bucket=3 form=naive y_scale=0 z_scale=0"}) {
      const auto index = testing::expect_right<u64>(*cpu, config_for<u64>(line), keys, asked, counts);
      EXPECT_EQ(index->state_as<cgrx_view>().several_planes, bit == 46);
      EXPECT_EQ(index->state_as<cgrx_view>().several_rows, bit >= 23);
      check_rays<u64>(line, keys, asked);
    }
  }
}

// A key that fills several buckets, at a row's end: as printed, Algorithm 3 puts a marker where its representative is.
TEST(Cgrx, ARowThatEndsWithOneKeyInSeveralBuckets) {
  std::vector<u32> all(64);
  for (u32 i = 0; i < all.size(); ++i) all[i] = i;
  for (const u32 times : {1u, 2u, 3u, 4u, 5u, 9u}) {
    std::vector<u32> keys = {1, 2, 3};
    for (u32 i = 0; i < times; ++i) keys.push_back(7);
    keys.insert(keys.end(), {17, 18, 40, 41, 42});
    for (u32 i = 0; i < times; ++i) keys.push_back(42);
    for (const char* line : {"CGRX bucket=3 x_bits=3 y_bits=2", "CGRX bucket=2 x_bits=3 y_bits=2"})
      check_rays<u32>(line, keys, all);
  }
}

// The greatest key of a width has the Morton number that empty slots are given. Buckets of one key leave slots empty
// before its own.
TEST(Cgrx, TheGreatestKeyBehindEmptySlots) {
  const auto cpu = detail::open_cpu();
  testing::hard_counts counts;
  for (const char* line : cgrx_lines) {
    std::vector<u32> narrow(100, 5);
    std::vector<u64> wide(100, 1ull << 60);
    narrow.insert(narrow.end(), {6, ~0u - 1, ~0u, ~0u}), wide.insert(wide.end(), {6, ~0ull - 1, ~0ull, ~0ull});
    testing::expect_right<u32>(*cpu, config_for<u32>(line), narrow, testing::asked_of(narrow, 20, 1), counts);
    testing::expect_right<u64>(*cpu, config_for<u64>(line), wide, testing::asked_of(wide, 20, 1), counts);
    check_rays<u32>(line, narrow, testing::asked_of(narrow, 20, 1));
    check_rays<u64>(line, wide, testing::asked_of(wide, 20, 1));
  }
  EXPECT_GT(counts.found, 300u);
}

TEST(Cgrx, AllKeysEqualHaveOneTriangle) {
  for (const char* line : {"CGRX", "CGRX form=naive"}) {
    const built_scene scene(testing::config_of(line), key_array(std::vector<u32>(1000, 7)));
    EXPECT_LE(scene.triangles().size(), 2u) << "the first bucket's, and the last's at the row's end";
    EXPECT_TRUE(scene.boxes().empty());
  }
}

// What the cost says in cgrx.hpp: 16 bytes a triangle and 24 for each group.
TEST(Cgrx, ATreeHasTheBytesThatItsHeaderSays) {
  std::vector<u32> keys(100'000);
  for (u32 i = 0; i < keys.size(); ++i) keys[i] = i * 5;
  const built_scene scene(testing::config_of("CGRX bucket=10"), key_array(keys));
  EXPECT_EQ(scene.triangles().size(), 10'000u);
  EXPECT_EQ(scene.boxes().size(), 2500u + 628 + 160 + 40 + 12 + 4);
  // Each box is the least that holds what is below.
  const bounding_tree& tree = scene.view().tree;
  for (u32 level = 0; level + 1 < tree.levels; ++level) {
    for (u32 i = 0; i < tree.count[level]; ++i) {
      box all = empty_box();
      for (u32 c = 4 * i; c < std::min(4 * i + 4, tree.count[level + 1]); ++c)
        all.take(scene.boxes()[tree.first[level + 1] + c]);
      for (u32 a = 0; a < box_axes; ++a) {
        EXPECT_EQ(all.axes[a].low, scene.boxes()[tree.first[level] + i].axes[a].low);
        EXPECT_EQ(all.axes[a].high, scene.boxes()[tree.first[level] + i].axes[a].high);
      }
    }
  }
}

// Bytes of an entry, by layout.
TEST(Cgrx, ALayoutHasItsBytes) {
  const std::vector<u32> narrow(64, 7);
  const std::vector<u64> wide(64, 7);
  const auto bytes = [](const std::string& line, const key_array& keys) {
    const auto index = testing::build_on_cpu(testing::config_of(line), keys);
    return std::pair(index->bytes(cgrx::entries) / 64, index->bytes(cgrx::rows) / 64);
  };
  using both = std::pair<u64, u64>;
  EXPECT_EQ(bytes("CGRX", key_array(narrow)), both(8, 0));
  EXPECT_EQ(bytes("CGRX layout=packed", key_array(narrow)), both(8, 0));
  EXPECT_EQ(bytes("CGRX layout=column", key_array(narrow)), both(4, 4));
  EXPECT_EQ(bytes("CGRX keys=u64", key_array(wide)), both(16, 0));
  EXPECT_EQ(bytes("CGRX keys=u64 layout=packed", key_array(wide)), both(12, 0));
  EXPECT_EQ(bytes("CGRX keys=u64 layout=column", key_array(wide)), both(8, 4));
}

TEST(Cgrx, RefusesKnobsInWords) {
  const auto why = [](const char* line) {
    const auto config = config_from_line(line);
    return config ? std::string("accepted") : config.error().words;
  };
  EXPECT_NE(why("CGRX bucket=1").find("bucket=1 is outside 2 to 65536 entries"), std::string::npos)
      << why("CGRX bucket=1");
  EXPECT_NE(why("CGRX bucket=8192 search=linear").find("search=linear reads half of a bucket of 8192 entries"),
            std::string::npos);
  EXPECT_NE(why("CGRX wide=5").find("wide=5 is not 4 or 8"), std::string::npos);
  EXPECT_NE(why("CGRX x_bits=24").find("x_bits=24 is outside 1 to 23"), std::string::npos);
  EXPECT_EQ(why("CGRX bucket=65536"), "accepted");
}

}  // namespace
}  // namespace pivotscope
