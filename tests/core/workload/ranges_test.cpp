// The ranges of a workload, their hits counted by the reference.
#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <map>

#include "core/reference/reference.hpp"
#include "core/workload/batch.hpp"

namespace pivotscope {
namespace {

constexpr key_width both_widths[] = {key_width::u32, key_width::u64};

u64 hash(const batch& ranges) {
  const u64 bytes = ranges.size() * (ranges.width() == key_width::u32 ? 4 : 8);
  return XXH3_64bits_withSeed(ranges.highs.data(), bytes, XXH3_64bits(ranges.keys.data(), bytes));
}

// The counts of all ranges of a workload, by the reference.
std::vector<u64> counts_of(const workload& w, key_width width) {
  const key_array keys = *make_keys(w, width);
  const outcome<batch> ranges = make_batch(w, width);
  EXPECT_TRUE(ranges.ok()) << to_line(w);
  EXPECT_EQ(ranges->size(), w.ranges);
  EXPECT_EQ(ranges->highs.size(), w.ranges);
  EXPECT_EQ(ranges->width(), width);
  EXPECT_EQ(ranges->highs.width(), width);
  const reference truth(keys);
  std::vector<u64> counts;
  for (u64 i = 0; i < ranges->size(); ++i) counts.push_back(truth.range(ranges->keys[i], ranges->highs[i]).count);
  return counts;
}

TEST(make_batch, has_as_many_hits_as_asked_for) {
  for (const distribution dist : {distribution::uniform, distribution::dense, distribution::mix}) {
    for (const u64 keys : {1, 2, 31, 64, 1000}) {
      for (const u64 hits : {1, 2, 31, 32, 33, 64, 999, 1000, 5000}) {
        for (const key_width width : both_widths) {
          const workload w{.keys = keys, .dist = dist, .ranges = 100, .range_hits = hits};
          for (const u64 count : counts_of(w, width)) ASSERT_EQ(count, std::min(keys, hits)) << to_line(w);
        }
      }
    }
  }
}

TEST(make_batch, has_at_least_as_many_with_duplicates) {
  for (const distribution dist : {distribution::duplicates, distribution::ends, distribution::paper}) {
    for (const u64 hits : {1, 3, 14, 100}) {
      for (const key_width width : both_widths) {
        const workload w{
            .keys = dist == distribution::paper ? 14u : 200u, .dist = dist, .ranges = 300, .range_hits = hits};
        for (const u64 count : counts_of(w, width)) ASSERT_GE(count, std::min(w.keys, hits)) << to_line(w);
      }
    }
  }
}

TEST(make_batch, that_are_no_hits_are_empty) {
  for (u64 keys : {0, 1, 14, 1000}) {
    for (u8 dist = 0; dist < 6; ++dist) {
      for (const key_width width : both_widths) {
        workload w{.keys = keys, .dist = static_cast<distribution>(dist), .hits = 0, .ranges = 300};
        if (w.dist == distribution::paper) w.keys = 14;
        for (const u64 count : counts_of(w, width)) ASSERT_EQ(count, 0u) << to_line(w);
        w.hits = 1, w.range_hits = 0;
        for (const u64 count : counts_of(w, width)) ASSERT_EQ(count, 0u) << to_line(w);
      }
    }
  }
}

TEST(make_batch, keeps_the_share_of_hits_and_has_both_kinds_of_empty_ones) {
  const workload w{.keys = 1000, .dist = distribution::uniform, .hits = 0.9, .ranges = 100'000, .range_hits = 5};
  const key_array keys = *make_keys(w, key_width::u32);
  const reference truth(keys);
  const batch ranges = *make_batch(w, key_width::u32);
  u64 full = 0, backwards = 0, gaps = 0, wide = 0;
  for (u64 i = 0; i < ranges.size(); ++i) {
    const u64 low = ranges.keys[i], high = ranges.highs[i];
    full += truth.range(low, high).count == 5;
    backwards += low > high;
    gaps += low <= high && truth.range(low, high).count == 0;
    wide += low < high && truth.range(low, high).count == 0;
  }
  EXPECT_EQ(full + backwards + gaps, ranges.size());
  EXPECT_NEAR(static_cast<double>(full), 90'000, 5 * 95);  // five standard deviations
  EXPECT_NEAR(static_cast<double>(gaps), 5'000, 5 * 70);
  EXPECT_GT(wide, gaps * 9 / 10);
}

TEST(make_batch, begins_at_every_rank_equally_often) {
  const workload w{.keys = 109, .dist = distribution::dense, .ranges = 100'000, .range_hits = 10};
  const batch ranges = *make_batch(w, key_width::u64);
  std::map<u64, double> begins;
  for (u64 i = 0; i < ranges.size(); ++i) {
    ++begins[ranges.keys[i]];
    ASSERT_EQ(ranges.highs[i], ranges.keys[i] + 9);
  }
  EXPECT_EQ(begins.size(), 100u);
  EXPECT_EQ(begins.rbegin()->first, 99u);
  double chi = 0;
  for (const auto& [key, count] : begins) chi += (count - 1000) * (count - 1000) / 1000;
  EXPECT_LT(chi, 99 + 6 * 14.1);
}

// The same bytes on every machine and in every later version, as keys and lookups have.
TEST(make_batch, keep_their_bytes) {
  struct golden {
    const char* line;
    u64 u32_hash, u64_hash;
  };
  constexpr golden cases[] = {
      {"distribution=paper ranges=100 range_hits=3 hits=0.5", 0x6f6489f6f91ec55full, 0x9e6d1ede2df23f05ull},
      {"keys=2^16 distribution=uniform seed=1 ranges=2^16", 0xa4c7d520084cce2full, 0xf4681b62f4c04ba9ull},
      {"keys=100000 distribution=duplicates seed=18446744073709551615 ranges=70000 range_hits=33 hits=0.1",
       0x750f833ae4d52ef1ull, 0xb26d8f14f73fe318ull},
      {"keys=0 seed=5 ranges=300", 0x9c8432bb70a8fd3aull, 0xb325a112816d398full},
  };
  for (const golden& g : cases) {
    const workload w = *workload_from_line(g.line);
    EXPECT_EQ(hash(*make_batch(w, key_width::u32)), g.u32_hash) << g.line;
    EXPECT_EQ(hash(*make_batch(w, key_width::u64)), g.u64_hash) << g.line;
  }
}

TEST(draw_ranges, from_the_keys_of_a_workload_are_its_ranges) {
  for (const key_width width : both_widths) {
    const workload w{.keys = 5000, .dist = distribution::mix, .hits = 0.7, .ranges = 1000};
    EXPECT_EQ(hash(*draw_ranges(*make_keys(w, width), w)), hash(*make_batch(w, width)));
  }
}

TEST(draw_ranges, takes_any_keys) {
  const key_array keys(std::vector<u64>{5, 0, 7, 7, ~0ull, 6, 1000});
  const reference truth(keys);
  for (const double hits : {0.0, 0.5, 1.0}) {
    const batch ranges = *draw_ranges(keys, {.hits = hits, .ranges = 1000, .range_hits = 3});
    u64 found = 0;
    for (u64 i = 0; i < ranges.size(); ++i) {
      const u64 count = truth.range(ranges.keys[i], ranges.highs[i]).count;
      EXPECT_TRUE(count == 0 || count == 3 || count == 4) << count;  // 7 twice
      found += count != 0;
    }
    EXPECT_NEAR(static_cast<double>(found), hits * 1000, hits == 0.5 ? 80 : 0);
  }
}

TEST(draw_ranges, is_refused_what_check_refuses) {
  const key_array keys(key_width::u32, 3);
  EXPECT_FALSE(draw_ranges(keys, {.hits = 2, .ranges = 1}).ok());
  EXPECT_FALSE(draw_ranges(keys, {.ranges = max_lookups + 1}).ok());
  EXPECT_FALSE(make_batch({.keys = 15, .ranges = 1}, key_width::u32).ok());
}

TEST(draw_ranges, stops_when_cancelled) {
  job_control control;
  control.cancel();
  const outcome<batch> ranges = draw_ranges(key_array(key_width::u32, 10), {.ranges = 100'000}, control);
  ASSERT_FALSE(ranges.ok());
  EXPECT_TRUE(ranges.error().cancelled);
}

}  // namespace
}  // namespace pivotscope
