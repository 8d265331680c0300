// Which rows the Layout panel has, and when its cells glide.
#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "tests/support/build_index.hpp"
#include "viz/layout_glide.hpp"
#include "viz/layout_picture.hpp"

namespace pivotscope::viz {
namespace {

using testing::config_of;

layout_picture rows_with(const char* line, u64 n) {
  layout_picture p;
  choose_rows(p, model_of(config_of(line), n));
  return p;
}

TEST(LayoutRows, AreMemoryAndAboveItWhatLeadsThere) {
  const layout_picture sorted = rows_with("EO+BS", 14);
  EXPECT_TRUE(sorted.upper_is_sorted);
  EXPECT_FALSE(sorted.upper->in_memory());
  EXPECT_EQ(sorted.upper->count(), 14u);
  EXPECT_EQ(sorted.lower->count(), 15u) << "slot 0 is empty";
  EXPECT_FALSE(sorted.rows_region);

  const layout_picture pivots = rows_with("AO+PB+BS layout=soa", 14);
  EXPECT_FALSE(pivots.upper_is_sorted);
  EXPECT_TRUE(pivots.upper->in_memory());
  EXPECT_EQ(pivots.upper->count(), 7u);
  EXPECT_EQ(pivots.upper->at(0).array, pivots.upper_region);
  EXPECT_EQ(pivots.lower->at(0).array, main_region);
  ASSERT_TRUE(pivots.rows_region);
  EXPECT_NE(*pivots.rows_region, pivots.upper_region);

  EXPECT_TRUE(rows_with("AO+PB+BS", 2).upper_is_sorted) << "one leaf, and no pivots";

  const layout_picture alone = rows_with("PLAIN", 14);
  EXPECT_FALSE(alone.upper) << "no ranks, and no other region";
  EXPECT_FALSE(alone.upper_is_sorted);
  EXPECT_EQ(alone.lower->count(), 32u);
  EXPECT_EQ(alone.lower->at(13).slot, 13u);
  EXPECT_FALSE(alone.lower->cell_of_rank(0));
  EXPECT_TRUE(alone.lower->left_ascends()) << "what is left is counted by its slots";
  EXPECT_TRUE(alone.lower->at(4).out(5, 14));
  EXPECT_FALSE(alone.lower->at(5).out(5, 14));
  EXPECT_FALSE(alone.lower->at(14).out(0, 14)) << "an empty one is never ruled out";
  EXPECT_FALSE(pivots.upper->at(0).out(0, 14));
  EXPECT_TRUE(pivots.upper->at(0).out(0, 0)) << "by its rank";
}

bool glide(const char* before, const char* now, u64 n = 14, u64 n_now = 14) {
  return glides(*model_of(config_of(before), n), *model_of(config_of(now), n_now));
}

TEST(LayoutGlide, IsForEntriesThatMoveOrChangeTheirColour) {
  EXPECT_TRUE(glide("EO+BS", "AO+BS"));
  EXPECT_TRUE(glide("EO+BS", "EO+KS fanout=3"));
  EXPECT_TRUE(glide("AO+BS", "AO+PB+BS")) << "in place, but all on the last level";
  EXPECT_TRUE(glide("AO+BS", "AO+KS fanout=3"));
  EXPECT_FALSE(glide("EO+BS", "EO+BS layout=soa"));
  EXPECT_FALSE(glide("EO+BS", "EO+BS pin=full threads=512"));
  EXPECT_FALSE(glide("AO+PB+BS", "AO+PB+BS pivots=1")) << "the leaves stay, and stay the last level";
  EXPECT_FALSE(glide("EO+BS", "AO+BS", 14, 15)) << "other keys";
  EXPECT_TRUE(glide("EO+BS", "AO+BS", 512, 512));
  EXPECT_FALSE(glide("EO+BS", "AO+BS", 513, 513)) << "too many";
  EXPECT_FALSE(glide("EO+BS", "PLAIN")) << "entries without ranks have no place to glide from";
}

}  // namespace
}  // namespace pivotscope::viz
