// Gathers on a device, each kind of question. Without one every test here is skipped.
#include <gtest/gtest.h>

#include "core/machine/gather.hpp"
#include "core/memory_benchmark/memory_benchmark.hpp"
#include "tests/support/gpu_fixture.hpp"

namespace pivotscope {
namespace {

class GpuGather : public Gpu {};

// Every question of the floor, of fewer requests: the sums are checked behind each.
TEST_F(GpuGather, SumsAreRight) {
  std::vector<gather_question> asked;
  for (benchmark_point& point : benchmark_points(machine_kind::cuda)) {
    if (point.asked.bytes > u64{1} << 30) continue;
    if (point.kind != benchmark_kind::coalescing) point.asked.requests = 1 << 20;
    asked.push_back(point.asked);
  }
  const auto told = gpu_->gather(asked, {.repeats = 2, .warm_ups = 1}, {});
  ASSERT_TRUE(told) << told.error().words;
  ASSERT_EQ(told->size(), asked.size());
  for (const gather_times& one : *told) EXPECT_EQ(one.time.samples_ms.size(), 2u);
}

TEST_F(GpuGather, SmallArraysAreFasterAndDependentLoadsAreSlow) {
  const gather_question near{.bytes = 1 << 20, .lanes = 2, .loading = 2, .align_bytes = 32, .requests = 1 << 24};
  gather_question far = near;
  far.bytes = u64{1} << 30;
  gather_question waiting = far;
  waiting.lanes = waiting.loading = 1, waiting.threads = 32, waiting.requests = 1 << 15, waiting.dependent = true;
  const auto told = gpu_->gather(std::vector{near, far, waiting}, {.repeats = 5, .warm_ups = 2}, {});
  ASSERT_TRUE(told) << told.error().words;
  const auto ns_of = [&](std::size_t i) {
    return (*told)[i].time.median() * 1e6 / static_cast<double>((*told)[i].requests);
  };
  EXPECT_LT(ns_of(0), ns_of(1));
  EXPECT_GT(ns_of(2) * 32, 100) << "nanoseconds from a load of a GPU's memory to the next";
}

}  // namespace
}  // namespace pivotscope
