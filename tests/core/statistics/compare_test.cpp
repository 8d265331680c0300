// The comparison over many seeds: how often it says what is not so, and how often it sees what is.
#include "core/statistics/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/synthetic_samples.hpp"

namespace pivotscope {
namespace {

using testing::sample_source;
using testing::synthetic;

struct tally {
  u32 faster = 0, slower = 0, cannot_tell = 0;
};

// Says over `seeds` pairs of measurements.
tally says(u64 runs, const sample_source& before, const sample_source& now, u64 seeds = 1000) {
  tally t;
  for (u64 seed = 0; seed < seeds; ++seed) {
    synthetic s(1000 + seed);
    const std::vector<double> a = s.many(runs, before), b = s.many(runs, now);
    const speed_verdict v = compare_speeds(a, b).says;
    ++(v == speed_verdict::faster ? t.faster : v == speed_verdict::slower ? t.slower : t.cannot_tell);
  }
  EXPECT_EQ(t.faster + t.slower + t.cannot_tell, seeds);
  return t;
}

// The error is one in a hundred at most; 4000 seeds may show 60 by chance.
TEST(comparison, of_the_same_is_seldom_wrong) {
  const std::pair<const char*, sample_source> kinds[] = {{"quiet", testing::normal_of(0.005)},
                                                         {"noisy", testing::normal_of(0.05)},
                                                         {"two modes", testing::bimodal_of(0.1, 0.5)},
                                                         {"a second mode", testing::bimodal_of(0.3, 0.2)},
                                                         {"heavy tails", testing::heavy_tailed_of(0.1)}};
  for (const auto& [name, kind] : kinds) {
    for (const u64 runs : {5, 10, 30, 60}) {
      const tally t = says(runs, kind, kind, 4000);
      EXPECT_LE(t.faster + t.slower, 60u) << name << ", " << runs << " runs";
    }
  }
}

TEST(comparison, does_not_dice) {
  synthetic s(5);
  const std::vector<double> a = s.many(40, testing::normal_of(0.05)), b = s.many(40, testing::normal_of(0.05, 1.04));
  const speed_comparison first = compare_speeds(a, b), second = compare_speeds(a, b);
  EXPECT_EQ(first.words(), second.words());
  EXPECT_EQ(first.ratio.least, second.ratio.least);
}

TEST(comparison, sees_two_percent_through_half_a_percent_of_noise) {
  for (const u64 runs : {10, 20, 60}) {
    const tally slower = says(runs, testing::normal_of(0.005), testing::normal_of(0.005, 1.02));
    EXPECT_GE(slower.slower, 980u) << runs;
    EXPECT_EQ(slower.faster, 0u);
    const tally faster = says(runs, testing::normal_of(0.005, 1.02), testing::normal_of(0.005));
    EXPECT_GE(faster.faster, 980u) << runs;
    EXPECT_EQ(faster.slower, 0u);
  }
}

TEST(comparison, sees_through_strays) {
  const auto with_strays = [](double at) -> sample_source {
    return [=](synthetic& s, u64) { return s.uniform() < 0.1 ? 5 * at : s.normal(at, 0.005 * at); };
  };
  EXPECT_GE(says(30, with_strays(1.05), with_strays(1)).faster, 980u);
}

TEST(comparison, does_not_see_what_noise_hides) {
  const tally t = says(10, testing::normal_of(0.10), testing::normal_of(0.10, 1.02));
  EXPECT_GE(t.cannot_tell, 950u);
}

TEST(comparison, says_nothing_of_few_runs) {
  for (const u64 before : {0, 1, 4, 50})
    for (const u64 now : {0, 1, 4, 50}) {
      if (before == 50 && now == 50) continue;
      const speed_comparison c = compare_speeds(std::vector<double>(before, 1.0), std::vector<double>(now, 9.0));
      EXPECT_EQ(c.says, speed_verdict::cannot_tell) << before << " and " << now;
      EXPECT_FALSE(c.ratio.known);
    }
  EXPECT_EQ(compare_speeds(std::vector<double>(50, 1.0), std::vector<double>{9.0}).words(),
            "can't tell: 1 run is too few");
  EXPECT_EQ(compare_speeds(std::vector<double>(50, 1.0), std::vector<double>{9.0, 9.0}).words(),
            "can't tell: 2 runs are too few");
  EXPECT_EQ(compare_speeds({}, std::vector<double>(50, 1.0)).words(), "can't tell: 0 runs are too few");
  EXPECT_EQ(compare_speeds(std::vector<double>(5, 1.0), std::vector<double>(5, 9.0)).says, speed_verdict::slower)
      << "five are enough";
}

TEST(comparison, has_words) {
  const auto constant = [](double ms) { return std::vector<double>(10, ms); };
  EXPECT_EQ(compare_speeds(constant(1.12), constant(1.0)).words(), "12% faster (12% to 12%)");
  EXPECT_EQ(compare_speeds(constant(1.0), constant(1.25)).words(), "20% slower (20% to 20%)");
  EXPECT_EQ(compare_speeds(constant(3.0), constant(1.0)).words(), "3.0 times as fast (3.0 to 3.0)");
  EXPECT_EQ(compare_speeds(constant(1.0), constant(1.0)).words(), "can't tell: less than 1% apart");
  EXPECT_EQ(compare_speeds(constant(1.0), constant(1.005)).words(), "can't tell: less than 1% apart");
  EXPECT_EQ(compare_speeds(constant(1.12), constant(1.0)).words("the baseline"),
            "12% faster than the baseline (12% to 12%)");
  EXPECT_EQ(compare_speeds(constant(1.0), constant(1.25)).words("the baseline"),
            "20% slower than the baseline (20% to 20%)");
  EXPECT_EQ(compare_speeds(constant(3.0), constant(1.0)).words("the baseline"),
            "3.0 times as fast as the baseline (3.0 to 3.0)");
  EXPECT_EQ(compare_speeds(constant(1.0), constant(1.0)).words("the baseline"), "can't tell: less than 1% apart");
  synthetic s(9);
  const speed_comparison noisy =
      compare_speeds(s.many(10, testing::normal_of(0.1)), s.many(10, testing::normal_of(0.1)));
  EXPECT_EQ(noisy.words(), "can't tell (noise " + share_words(noisy.noise) + ")");
  EXPECT_GT(noisy.noise, 0.03);
}

TEST(comparison, interval_holds_what_is_so) {
  u32 holds = 0;
  for (u64 seed = 0; seed < 1000; ++seed) {
    synthetic s(seed);
    const speed_ratio r = ratio_of(s.many(12, testing::normal_of(0.02, 1.3)), s.many(9, testing::normal_of(0.02)));
    ASSERT_TRUE(r.known);
    EXPECT_LE(r.least, r.middle);
    EXPECT_LE(r.middle, r.most);
    holds += r.least <= 1.3 && 1.3 <= r.most;
  }
  EXPECT_GE(holds, 980u);
  EXPECT_LT(holds, 1000u) << "wider than it must be";
}

// Above 50 runs the exact count of orders gives way to the normal curve: no jump between them.
TEST(comparison, interval_narrows_with_runs) {
  double before = 1;
  for (const u64 runs : {5, 10, 20, 25, 26, 40, 100, 128}) {
    double width = 0;
    for (u64 seed = 0; seed < 200; ++seed) {
      synthetic s(seed);
      const speed_ratio r = ratio_of(s.many(runs, testing::normal_of(0.02)), s.many(runs, testing::normal_of(0.02)));
      width += (r.most - r.least) / 200;
    }
    EXPECT_LT(width, before * 1.01) << runs;
    before = width;
  }
  EXPECT_LT(before, 0.02);
}

TEST(comparison, of_very_many_runs_is_made_of_some) {
  synthetic s(1);
  const speed_ratio r =
      ratio_of(s.many(100000, testing::normal_of(0.02, 1.1)), s.many(100000, testing::normal_of(0.02)));
  EXPECT_NEAR(r.middle, 1.1, 0.001);
  EXPECT_GT(r.most - r.least, 0.002) << "as wide as 128 runs allow";
}

TEST(comparison, leaves_times_of_nothing_out) {
  std::vector<double> before(10, 2.0);
  before.insert(before.end(), 30, 0.0);
  EXPECT_EQ(compare_speeds(before, std::vector<double>(10, 1.0)).ratio.middle, 2.0);
}

TEST(drift, is_seen_in_both_directions) {
  synthetic s(2);
  EXPECT_NEAR(drift_of(s.many(40, testing::drifting_of(0.005, 0.004))), 0.1, 0.02) << "half of the runs apart";
  EXPECT_LT(drift_of(s.many(40, testing::drifting_of(-0.005, 0.004))), -0.05);
  EXPECT_EQ(drift_of({}), 0);
  EXPECT_EQ(drift_of(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}), 0) << "few";
}

TEST(drift, is_seldom_seen_where_none_is) {
  for (const sample_source& kind :
       {testing::normal_of(0.05), testing::bimodal_of(0.1, 0.5), testing::heavy_tailed_of(0.1)}) {
    u32 seen = 0;
    for (u64 seed = 0; seed < 1000; ++seed) seen += drift_of(synthetic(seed).many(40, kind)) != 0;
    EXPECT_LE(seen, 18u);
  }
}

}  // namespace
}  // namespace pivotscope
