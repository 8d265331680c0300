// A point as a folder keeps it: what is written is read again.
#include "core/sweep/point_text.hpp"

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/traffic/traffic.hpp"

namespace pivotscope {
namespace {

TEST(point_text, keeps_what_the_model_says_is_narrowest) {
  sweep_point point{.row = {.id = "one", .load = {.keys = 100, .lookups = 100}}};
  point.ranking = {{.config = *config_from_line("AO+BS"),
                    .index_bytes = 800,
                    .operations = 100,
                    .samples_ms = {1, 2, 3},
                    .finalist = true}};
  u32 bounds = 0;
  for (const traffic_prediction& told :
       {traffic_prediction{.l1_ms = 1}, {.l2_ms = 1}, {.pages_ms = 1}, {.dram_ms = 1}, {.latency_ms = 1}}) {
    point.model_bound = told.bound();
    const auto again = point_from_text(point_text(point), point.row);
    ASSERT_TRUE(again) << again.error().words;
    EXPECT_EQ(again->model_bound, told.bound());
    ++bounds;
  }
  EXPECT_EQ(bounds, 5u);
}

}  // namespace
}  // namespace pivotscope
