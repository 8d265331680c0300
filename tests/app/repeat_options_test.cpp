#include "app/cli/options/repeat_options.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

std::string refusal(const repeat_options& typed) {
  const outcome<batch_options> read = typed.read();
  return read ? "" : read.error().words;
}

TEST(repeat_options, are_a_fixed_number_or_a_rule) {
  EXPECT_EQ(repeat_options{}.read()->repeats, 3u);
  EXPECT_EQ(repeat_options{}.read()->warm_ups, 1u);
  EXPECT_FALSE(repeat_options{}.read()->until);
  EXPECT_EQ(repeat_options{.repeats = "2^4"}.read()->repeats, 16u);
  const batch_options automatic = *repeat_options{.repeats = "auto"}.read();
  ASSERT_TRUE(automatic.until);
  EXPECT_EQ(automatic.until->noise, 0.005);
  EXPECT_EQ(automatic.until->seconds, 10);
  EXPECT_EQ(automatic.until->fixed, 0u);
  const batch_options told =
      *repeat_options{.repeats = "auto", .noise = "2%", .most_seconds = "0.5", .cold = true}.read();
  EXPECT_DOUBLE_EQ(told.until->noise, 0.02);
  EXPECT_EQ(told.until->seconds, 0.5);
  EXPECT_TRUE(told.cold);
  EXPECT_EQ((repeat_options{.repeats = "auto", .noise = "0.02", .most_seconds = "30s"}.read()->until->noise), 0.02);
}

TEST(repeat_options, are_refused_in_words) {
  EXPECT_EQ(refusal({.repeats = "soon"}).substr(0, 10), "--repeats ");
  EXPECT_NE(refusal({.repeats = "soon"}).find("; or write auto"), std::string::npos);
  for (const char* noise : {"", "%", "quiet", "1%%", "nan", "0.5 %"})
    EXPECT_EQ(refusal({.repeats = "auto", .noise = noise}),
              std::string("--noise '") + noise + "' is not a share: write 0.5% or 0.005");
  for (const char* noise : {"0", "-1%", "100%", "1"})
    EXPECT_EQ(refusal({.repeats = "auto", .noise = noise}),
              std::string("--noise ") + noise + " is not above 0 and below 100%: write 0.5% or 0.005");
  EXPECT_EQ(refusal({.repeats = "auto", .most_seconds = "long"}), "--most-seconds 'long' is not a number of seconds");
  for (const char* seconds : {"0", "-3", "86401"})
    EXPECT_EQ(refusal({.repeats = "auto", .most_seconds = seconds}),
              std::string("--most-seconds ") + seconds + " is not above 0 and at most 86400, a day");
}

TEST(repeat_options, have_words) {
  EXPECT_EQ(repeat_words({.repeats = 1}), "median of 1 run");
  EXPECT_EQ(repeat_words({.repeats = 7, .cold = true}), "median of 7 runs, each with an empty cache");
  EXPECT_EQ(repeat_words({.until = stopping_options{}}),
            "median of as many runs as it takes (noise under 0.5%, or stable, or 10 s)");
}

}  // namespace
}  // namespace pivotscope
