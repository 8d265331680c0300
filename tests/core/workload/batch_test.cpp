// A batch as a value, and as a workload makes it.
#include "core/workload/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pivotscope {
namespace {

TEST(batch, is_as_long_and_as_wide_as_its_ends) {
  const batch ranges{operation::range, key_array(key_width::u64, 3), key_array(key_width::u64, 3)};
  EXPECT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges.width(), key_width::u64);
}

TEST(batch, of_lookups_has_no_high_ends) {
  const batch lookups{operation::find, key_array(key_width::u32, 4)};
  EXPECT_EQ(lookups.size(), 4u);
  EXPECT_EQ(lookups.width(), key_width::u32);
  EXPECT_EQ(lookups.highs.size(), 0u);
  EXPECT_EQ(operation_noun(operation::find), "lookups");
  EXPECT_EQ(operation_noun(operation::range), "ranges");
  EXPECT_EQ(operation_noun(operation::successor), "successors");
}

TEST(batch, a_part_of_it_is_its_first_operations) {
  const key_array low(std::vector<u64>{5, 6, 7}), high(std::vector<u64>{8, 9, 10});
  for (u64 count = 0; count <= 3; ++count) {
    const batch ranges = first_of({operation::range, low, high}, count);
    EXPECT_EQ(ranges.kind, operation::range);
    EXPECT_EQ(ranges.size(), count);
    EXPECT_EQ(ranges.highs.size(), count);
    EXPECT_EQ(ranges.highs.width(), key_width::u64);
    for (u64 i = 0; i < count; ++i) {
      EXPECT_EQ(ranges.keys[i], 5 + i);
      EXPECT_EQ(ranges.highs[i], 8 + i);
    }
    const batch lookups = first_of({operation::find, low}, count);
    EXPECT_EQ(lookups.kind, operation::find);
    EXPECT_EQ(lookups.size(), count);
    EXPECT_EQ(lookups.highs.size(), 0u);
  }
}

TEST(make_batch, makes_ranges_where_the_workload_has_some_and_lookups_else) {
  workload w{.keys = 50, .dist = distribution::dense, .lookups = 20};
  const batch lookups = *make_batch(w, key_width::u64);
  EXPECT_EQ(lookups.kind, operation::find);
  const key_array same = *make_lookups(w, key_width::u64);
  EXPECT_TRUE(std::ranges::equal(lookups.keys.as<u64>(), same.as<u64>()));
  w.ranges = 7, w.range_hits = 3;
  const batch ranges = *make_batch(w, key_width::u64);
  EXPECT_EQ(ranges.kind, operation::range);
  EXPECT_EQ(ranges.size(), 7u);
  const batch drawn = *draw_ranges(*make_keys(w, key_width::u64), w);
  EXPECT_TRUE(std::ranges::equal(ranges.keys.as<u64>(), drawn.keys.as<u64>()));
  EXPECT_TRUE(std::ranges::equal(ranges.highs.as<u64>(), drawn.highs.as<u64>()));
}

// The same keys as of so many lookups, whether they come from a formula or are one's own.
TEST(make_batch, draws_the_keys_of_successors_as_lookups) {
  for (const bool own : {false, true}) {
    workload lookups{.keys = 50, .dist = distribution::uniform, .lookups = 300, .hits = 0.5};
    if (own) lookups.own_keys.list = {5, 9, 12}, lookups.keys = 3;
    workload asks = lookups;
    set_batch_size(asks, operation::successor, 300);
    EXPECT_EQ(operation_of(asks), operation::successor);
    EXPECT_EQ(batch_size(asks), 300u);
    EXPECT_EQ(asks.lookups, 0u);
    const batch made = *make_batch(asks, key_width::u32);
    EXPECT_EQ(made.kind, operation::successor);
    EXPECT_EQ(made.highs.size(), 0u);
    EXPECT_TRUE(std::ranges::equal(made.keys.as<u32>(), make_batch(lookups, key_width::u32)->keys.as<u32>()));
  }
  const batch listed = *make_batch(*workload_from_line("key_list=1,5 successor_list=7,9"), key_width::u32);
  EXPECT_EQ(listed.kind, operation::successor);
  EXPECT_TRUE(std::ranges::equal(listed.keys.as<u32>(), std::vector<u32>{7, 9}));
}

}  // namespace
}  // namespace pivotscope
