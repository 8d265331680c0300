// What the stages of a build took, as text and back.
#include "core/run/named_time.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(named_time, adds_up_the_runs_of_a_stage) {
  const std::vector<stage_time> times = {
      {"build entries", {3, 1, 2}}, {"bound groups", {0.5}}, {"bound groups", {0.25}}};
  EXPECT_EQ(named_times(times), (std::vector<named_time>{{"build entries", 2}, {"bound groups", 0.75}}));
}

TEST(named_time, is_read_back_as_it_was_written) {
  for (const std::vector<named_time>& times :
       {std::vector<named_time>{}, {{"sort slots", 0.1}}, {{"build entries", 1e-9}, {"bound groups", 12345.678}}}) {
    const auto again = named_times_from_text(to_text(times));
    ASSERT_TRUE(again) << again.error().words;
    EXPECT_EQ(*again, times);
  }
  EXPECT_EQ(to_text(std::vector<named_time>{{"a stage", 1.25}, {"b", 2}}), "a stage=1.25; b=2");
}

TEST(named_time, refuses_what_is_none) {
  for (const char* text : {"build", "=1", "build=", "build=x", "build=1x", "build=-1", "build=inf", "build=1;"})
    EXPECT_FALSE(named_times_from_text(text)) << text;
  EXPECT_EQ(named_times_from_text("a=1; b").error().words, "'b' is not the time of a stage");
}

}  // namespace
}  // namespace pivotscope
