// The values that a key set lacks, by number.
#include "core/workload/generate/missing_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

TEST(missing_values, are_the_gaps_in_order) {
  std::vector<u32> rows = {3, 3, 0, 7, 4, 0xFFFFFFFF};
  const missing_values<u32> missing{std::span<const u32>(rows)};
  const u64 first[] = {1, 2, 5, 6, 8, 9};
  for (u64 i = 0; i < std::size(first); ++i) EXPECT_EQ(missing(i), first[i]);
  EXPECT_EQ(missing.greatest(), 0xFFFFFFFFull - 5);
  EXPECT_EQ(missing(missing.greatest()), 0xFFFFFFFEull);
}

// Every set of values below 8, with and without the greatest value, each twice: against a walk over all values.
TEST(missing_values, of_every_small_set_are_what_a_walk_finds) {
  for (u32 set = 0; set < 512; ++set) {
    std::vector<u32> rows;
    for (u32 value = 0; value < 9; ++value) {
      if ((set >> value & 1) == 0) continue;
      rows.insert(rows.end(), 2, value < 8 ? value : 0xFFFFFFFF);
    }
    std::reverse(rows.begin(), rows.end());
    const missing_values<u32> missing{std::span<const u32>(rows)};
    u64 i = 0;
    for (u32 value = 0; value < 20; ++value) {
      if (value < 8 && (set >> value & 1) != 0) continue;
      ASSERT_EQ(missing(i++), value) << set;
    }
    ASSERT_EQ(missing.greatest(), 0xFFFFFFFFull - rows.size() / 2) << set;
    ASSERT_EQ(missing(missing.greatest()), set < 256 ? 0xFFFFFFFFu : 0xFFFFFFFEu) << set;
  }
}

// Whatever the keys' spread, each number is counted forth and back.
TEST(missing_values, of_large_sets_come_one_after_another) {
  for (const distribution d :
       {distribution::uniform, distribution::dense, distribution::narrow, distribution::gaps, distribution::clusters,
        distribution::nested, distribution::crowds, distribution::span, distribution::half, distribution::ends}) {
    const key_array keys = *make_keys({.keys = 30'000, .dist = d}, key_width::u32);
    const std::span<const u32> rows = keys.as<u32>();
    const std::set<u32> set(rows.begin(), rows.end());
    const missing_values<u32> missing(rows);
    ASSERT_EQ(missing.greatest(), 0xFFFFFFFFull - set.size());
    for (u64 draw = 0; draw < 20'000; ++draw) {
      // Everywhere, and where the keys are.
      u64 i = scale_to(random_bits(1, draw), missing.greatest());
      if (draw % 2 != 0) i = std::min<u64>(missing.greatest(), rows[draw] - std::min<u64>(rows[draw], draw % 100));
      const u64 value = missing(i);
      ASSERT_FALSE(set.contains(static_cast<u32>(value)));
      if (i < missing.greatest()) {
        u64 next = value + 1;
        while (set.contains(static_cast<u32>(next))) ++next;
        ASSERT_EQ(missing(i + 1), next);
      }
    }
    EXPECT_EQ(missing(0), static_cast<u64>([&] {
                u32 least = 0;
                while (set.contains(least)) ++least;
                return least;
              }()));
  }
}

TEST(missing_values, of_nothing_are_all_values) {
  const missing_values<u64> missing{std::span<const u64>()};
  EXPECT_EQ(missing(0), 0u);
  EXPECT_EQ(missing(missing.greatest()), ~0ull);
}

}  // namespace
}  // namespace pivotscope
