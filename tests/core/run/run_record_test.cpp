// A record's figures.
#include "core/run/run_record.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(run_record, its_figures_are_by_the_median) {
  run_record record{.operations = 3000};
  EXPECT_EQ(record.operations_per_second(), 0);
  EXPECT_EQ(record.build_ms(), 0);
  record.time.samples_ms = {1, 2, 90};
  EXPECT_DOUBLE_EQ(record.operations_per_second(), 1.5e6);
  record.time.samples_ms = {0, 0, 0};
  EXPECT_EQ(record.operations_per_second(), 0);
  record.builds = {{"build entries", {1, 3, 50}}, {"not timed", {}}, {"empty pivots", {0.25}}};
  EXPECT_DOUBLE_EQ(record.build_ms(), 3.25);
}

}  // namespace
}  // namespace pivotscope
