#include "core/statistics/samples.hpp"

#include <gtest/gtest.h>

#include "tests/support/synthetic_samples.hpp"

namespace pivotscope {
namespace {

using testing::synthetic;

TEST(samples, have_their_places) {
  const sample_summary none = summary_of({});
  EXPECT_EQ(none.count, 0u);
  EXPECT_EQ(none.median, 0);
  EXPECT_EQ(none.least, 0);
  EXPECT_EQ(none.greatest, 0);
  EXPECT_FALSE(none.noise);

  const sample_summary one = summary_of(std::vector<double>{6.0});
  for (const double place : {one.least, one.lower_quartile, one.median, one.upper_quartile, one.greatest})
    EXPECT_EQ(place, 6.0);
  EXPECT_EQ(one.count, 1u);
  EXPECT_FALSE(one.noise) << "one run tells nothing of it";

  const sample_summary four = summary_of(std::vector<double>{8, 1, 2, 5});
  EXPECT_EQ(four.least, 1);
  EXPECT_EQ(four.median, 3.5) << "between the two in the middle";
  EXPECT_EQ(four.lower_quartile, 1.75);
  EXPECT_EQ(four.upper_quartile, 5.75);
  EXPECT_EQ(four.greatest, 8);
  EXPECT_FALSE(four.noise) << "few";

  const sample_summary five = summary_of(std::vector<double>{9, 7, 8, 1, 2});
  EXPECT_EQ(five.lower_quartile, 2);
  EXPECT_EQ(five.median, 7);
  EXPECT_EQ(five.upper_quartile, 8);
  EXPECT_DOUBLE_EQ(*five.noise, 6 / 1.349 / 7);
}

TEST(samples, have_no_noise_where_all_are_equal) {
  EXPECT_EQ(summary_of(std::vector<double>(20, 3.0)).noise, 0.0);
  EXPECT_FALSE(summary_of(std::vector<double>(20, 0.0)).noise) << "nothing to be a share of";
}

TEST(samples, noise_is_the_deviation_of_normal_ones) {
  for (const double deviation : {0.001, 0.01, 0.05}) {
    synthetic s(7);
    EXPECT_NEAR(*summary_of(s.many(20000, testing::normal_of(deviation))).noise, deviation, 0.03 * deviation);
  }
}

TEST(samples, strays_are_no_noise) {
  synthetic s(3);
  std::vector<double> samples = s.many(95, testing::normal_of(0.004));
  const sample_summary before = summary_of(samples);
  samples.insert(samples.end(), 5, 100.0);
  const sample_summary after = summary_of(samples);
  EXPECT_NEAR(after.median, before.median, 0.002);
  EXPECT_LT(*after.noise, 0.006);
  EXPECT_EQ(after.greatest, 100.0) << "they are not hidden either";
}

TEST(samples, two_modes_are_noise) {
  synthetic s(4);
  EXPECT_GT(*summary_of(s.many(100, testing::bimodal_of(0.1, 0.4))).noise, 0.05);
}

TEST(samples, any_place_is_asked_for) {
  const std::vector<double> sorted = {1, 2, 4};
  EXPECT_EQ(quantile(sorted, 0.25), 1.5);
  EXPECT_EQ(quantile(sorted, 0.75), 3);
  EXPECT_EQ(quantile(sorted, -1), 1);
  EXPECT_EQ(quantile(sorted, 2), 4);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

}  // namespace
}  // namespace pivotscope
