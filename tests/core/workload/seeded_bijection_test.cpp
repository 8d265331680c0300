#include "core/workload/generate/seeded_bijection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

namespace pivotscope {
namespace {

TEST(seeded_bijection, is_one_to_one_for_every_small_domain) {
  for (u64 greatest = 0; greatest <= 300; ++greatest) {
    for (u64 seed = 0; seed < 5; ++seed) {
      const seeded_bijection map(greatest, seed);
      std::vector<bool> hit(greatest + 1);
      for (u64 x = 0; x <= greatest; ++x) {
        ASSERT_LE(map(x), greatest);
        ASSERT_FALSE(hit[map(x)]) << "greatest " << greatest << " seed " << seed << " x " << x;
        hit[map(x)] = true;
      }
    }
  }
}

TEST(seeded_bijection, has_no_collisions_in_a_million_values_of_the_full_widths) {
  for (const u64 greatest : {0xFFFFFFFFull, 0xFFFFFFFDull, ~0ull, ~0ull - 12345}) {
    const seeded_bijection map(greatest, 7);
    std::vector<u64> values;
    for (u64 x = 0; x < 500'000; ++x) values.push_back(map(x));
    for (u64 x = 0; x < 500'000; ++x) values.push_back(map(greatest - x));
    std::sort(values.begin(), values.end());
    EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end());
    EXPECT_LE(values.back(), greatest);
  }
}

// 4096 buckets of 2^18 consecutive inputs: chi-squared has mean 4095 and standard deviation 90.5. A bijection of
// consecutive numbers may be smoother than chance, but not lumpier.
TEST(seeded_bijection, spreads_consecutive_inputs_evenly) {
  for (const u64 greatest : {(1ull << 20) - 1, (1ull << 20) + 12345, 0xFFFFFFFFull, ~0ull}) {
    for (const u64 seed : {1ull, 2ull, 1ull << 40}) {
      const seeded_bijection map(greatest, seed);
      constexpr u64 inputs = 1 << 18, buckets = 4096;
      std::array<double, buckets> count{};
      for (u64 x = 0; x < inputs; ++x) {
        const double share = static_cast<double>(map(x)) / (static_cast<double>(greatest) + 1);
        ++count[std::min<u64>(buckets - 1, static_cast<u64>(share * buckets))];
      }
      double chi = 0;
      for (const double c : count) chi += (c - inputs / buckets) * (c - inputs / buckets) / (inputs / buckets);
      EXPECT_LT(chi, 4095 + 6 * 90.5) << "greatest " << greatest << " seed " << seed;
    }
  }
}

TEST(seeded_bijection, depends_on_the_seed_in_every_domain_of_more_than_a_few_values) {
  for (const u64 greatest : {9ull, 13ull, 255ull, 1000ull}) {
    std::unordered_set<u64> orders;
    for (u64 seed = 0; seed < 50; ++seed) {
      u64 order = 0;
      for (u64 x = 0; x <= std::min<u64>(greatest, 9); ++x)
        order = spread_bits(order ^ seeded_bijection(greatest, seed)(x));
      orders.insert(order);
    }
    EXPECT_EQ(orders.size(), 50u) << "greatest " << greatest;
  }
}

TEST(random_bits, scaled_stays_in_range_and_reaches_both_ends) {
  EXPECT_EQ(scale_to(0, 0), 0u);
  EXPECT_EQ(scale_to(~0ull, 0), 0u);
  EXPECT_EQ(scale_to(0, 12), 0u);
  EXPECT_EQ(scale_to(~0ull, 12), 12u);
  EXPECT_EQ(scale_to(~0ull, ~0ull), ~0ull);
  EXPECT_EQ(scale_to(~0ull, ~0ull - 1), ~0ull - 1);
}

TEST(random_bits, scaled_are_cut_into_equal_parts) {
  constexpr u64 third = ~0ull / 3;
  EXPECT_EQ(scale_to(third, 2), 0u);
  EXPECT_EQ(scale_to(third + 1, 2), 1u);
  EXPECT_EQ(scale_to(2 * third, 2), 1u);
  EXPECT_EQ(scale_to(2 * third + 1, 2), 2u);
  EXPECT_EQ(scale_to(1ull << 63, (1ull << 40) - 1), 1ull << 39);
}

TEST(seed_for, gives_each_purpose_numbers_of_its_own) {
  EXPECT_EQ(seed_for(1, purpose::key_values), spread_bits(1 ^ 0xd1342543de82ef95ull));
  EXPECT_EQ(seed_for(1, purpose::range_choice), spread_bits(1 ^ (5 * 0xd1342543de82ef95ull)));
  std::unordered_set<u64> seeds;
  for (const purpose p : {purpose::key_values, purpose::key_order, purpose::duplicate_choice, purpose::lookup_choice,
                          purpose::range_choice}) {
    seeds.insert(seed_for(1, p));
  }
  EXPECT_EQ(seeds.size(), 5u);
  EXPECT_EQ(seeded_bijection(17, 1).greatest(), 17u);
}

TEST(random_bits, has_its_published_values) {
  // SplitMix64 seeded with 1234567: the first numbers of the generator's reference output.
  EXPECT_EQ(random_bits(1234567, 0), 6457827717110365317ull);
  EXPECT_EQ(random_bits(1234567, 1), 3203168211198807973ull);
  EXPECT_EQ(random_bits(1234567, 2), 9817491932198370423ull);
}

}  // namespace
}  // namespace pivotscope
