// Progress one way, cancellation the other.
#include "core/common/job_control.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pivotscope {
namespace {

TEST(job_control, a_part_is_cancelled_with_the_whole_at_once) {
  job_control whole;
  const job_control part = job_control::part_of(whole), inner = job_control::part_of(part);
  EXPECT_FALSE(part.cancelled() || inner.cancelled());
  whole.cancel();
  EXPECT_TRUE(part.cancelled() && inner.cancelled());
}

TEST(job_control, a_cancelled_part_leaves_the_whole_alone) {
  const job_control whole;
  job_control part = job_control::part_of(whole);
  part.cancel();
  EXPECT_TRUE(part.cancelled());
  EXPECT_FALSE(whole.cancelled());
}

TEST(job_control, the_progress_of_a_part_is_not_the_wholes) {
  std::vector<std::string> stages;
  const job_control whole([&](std::string_view stage, double) { stages.emplace_back(stage); });
  job_control::part_of(whole).progress("inside", 0.5);
  whole.progress("outside", 0.5);
  EXPECT_EQ(stages, std::vector<std::string>{"outside"});
}

}  // namespace
}  // namespace pivotscope
