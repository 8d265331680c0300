// How many slabs a table's chains have: the formula against tables that were built, and the bounds on it.
#include "core/families/buckets/pool_size.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/families/buckets/slab.hpp"

namespace pivotscope {
namespace {

// Slabs beyond the first ones if keys 0, 1, ... go where their hashes lead.
u64 slabs_of_keys(const buckets_config& c, u32 buckets, u32 keys) {
  std::vector<u32> filled(buckets);
  const buckets_view table{.buckets = buckets};
  for (u32 key = 0; key < keys; ++key) ++filled[bucket_of(key, table)];
  u64 slabs = 0;
  for (const u32 count : filled) slabs += ceil_div(std::max(count, 1u), link_cell(c)) - 1;
  return slabs;
}

TEST(pool_sizes, are_what_chance_makes_of_them) {
  for (const u32 load : {30u, 75u, 100u, 150u, 400u}) {
    for (const u32 slab : {4u, 8u, 16u, 32u}) {
      SCOPED_TRACE(fmt::format("load={} slab={}", load, slab));
      const buckets_config c{.slab = slab, .load = load};
      constexpr u32 keys = 1 << 18;
      const u32 buckets = buckets_for(c, keys);
      const double expected = slabs_expected(c, buckets, keys);
      const u64 there = slabs_of_keys(c, buckets, keys);
      EXPECT_NEAR(static_cast<double>(there), expected, 5 * std::sqrt(expected) + 5);
      EXPECT_LE(there, slabs_likely(c, buckets, keys));
      EXPECT_LE(slabs_likely(c, buckets, keys), slabs_at_most(c, keys));
    }
  }
}

TEST(pool_sizes, of_hardly_any_keys_and_of_very_many_are_whole_numbers_within_the_bound) {
  for (const u32 slab : {4u, 16u}) {
    for (const u32 load : {30u, 100u, 400u}) {
      const buckets_config c{.slab = slab, .load = load};
      for (const u64 keys : {u64{0}, u64{1}, u64{2}, u64{3}, u64{14}, u64{15}, u64{16}, u64{1} << 31}) {
        const u32 buckets = buckets_for(c, keys);
        EXPECT_GE(buckets, 1u);
        EXPECT_GE(u64{buckets} * link_cell(c) * load, keys * 100);
        EXPECT_LE(slabs_likely(c, buckets, keys), slabs_at_most(c, keys)) << keys;
      }
    }
  }
  // All keys in one bucket: e^-m is no number that a double has.
  EXPECT_EQ(slabs_at_most({}, 1 << 20), (1u << 20) / 15);
  EXPECT_NEAR(slabs_expected({}, 1, 1 << 20), (1 << 20) / 15.0, 1);
}

}  // namespace
}  // namespace pivotscope
