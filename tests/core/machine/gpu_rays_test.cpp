// Rays through our own boxes on a GPU: they hit what they hit on the CPU.
#include <gtest/gtest.h>

#include "core/machine/cuda_rays.hpp"
#include "tests/support/gpu_fixture.hpp"
#include "tests/support/ray_comparison.hpp"

namespace pivotscope {
namespace {

class GpuRays : public Gpu {
 protected:
  static testing::ray_totals by_gpu(const char* method, u64 keys) {
    return testing::compare_all(method, keys, 1'000'000, rehearsal() ? make_own_tracer : make_cuda_tracer);
  }
};

TEST_F(GpuRays, OfRx) {
  EXPECT_GT(by_gpu("RX wide=8", 1 << 16).hits, 400'000u);
  EXPECT_GT(by_gpu("RX keys=u64", 1 << 16).hits, 400'000u);
}
TEST_F(GpuRays, OfNaiveCgrx) {
  by_gpu("CGRX form=naive bucket=4 x_bits=12", 1 << 16);
  by_gpu("CGRX keys=u64 form=naive bucket=4 wide=8", 1 << 13);
}
TEST_F(GpuRays, OfOptimisedCgrx) {
  by_gpu("CGRX bucket=4 x_bits=12", 1 << 16);
  EXPECT_GT(by_gpu("CGRX keys=u64 bucket=4", 1 << 13).backs, 100'000u);
}

}  // namespace
}  // namespace pivotscope
