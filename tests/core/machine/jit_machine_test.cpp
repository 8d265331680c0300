// The cuda machine's part that can be told without a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/machine/cuda/cuda_batch.hpp"

namespace pivotscope {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

TEST(CudaMachine, SaysWhyItIsNotThere) {
  const machine_report report = detail::report_cuda();
  if (report.available) GTEST_SKIP() << "there is a GPU: " << report.info.name;
  EXPECT_THAT(report.why_not, AnyOf(HasSubstr("no NVIDIA driver"), HasSubstr("driver is too old"),
                                    HasSubstr("sees no GPU"), HasSubstr("compute capability"), HasSubstr("NVRTC")));
  EXPECT_THAT(report.why_not, HasSubstr("--machine cpu"));
  const auto opened = open_machine(machine_kind::cuda);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().words, report.why_not);
  EXPECT_FALSE(opened.error().cancelled);
}

TEST(CudaMachine, RunsGoRoundEnoughCopiesToPassThroughTheCache) {
  constexpr u64 l2 = 60ull << 20;
  EXPECT_EQ(batch_copies(1 << 20, 8, 1, l2), 1u);       // one run: nothing is left from before
  EXPECT_EQ(batch_copies(1ull << 27, 8, 100, l2), 1u);  // one batch is enough
  EXPECT_EQ(batch_copies(1 << 20, 8, 100, l2), 30u);    // 8 MiB each, 240 MiB together
  EXPECT_EQ(batch_copies(1 << 20, 12, 100, l2), 20u);
  EXPECT_EQ(batch_copies(1 << 20, 8, 5, l2), 5u);  // no more than runs
  EXPECT_EQ(batch_copies(64, 8, 1000, l2), 1000u);
  EXPECT_EQ(batch_copies(0, 8, 10, l2), 1u);
  EXPECT_EQ(batch_copies(1000, 8, 10, 0), 1u);  // an unknown cache
}

}  // namespace
}  // namespace pivotscope
