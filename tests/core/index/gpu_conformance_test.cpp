// The conformance suite on a device. Without one it is skipped, and says why. A device compiles every config: of each
// knob the last value alone.
#include <gtest/gtest.h>

#include "tests/support/conformance.hpp"

namespace pivotscope {
namespace {

TEST(GpuConformance, EveryMethodOnADevice) {
  const machine_report report = detail::report_cuda();
  if (!report.available) GTEST_SKIP() << report.why_not;
  const auto gpu = open_machine(machine_kind::cuda);
  ASSERT_TRUE(gpu.ok()) << gpu.error().words;
  u64 methods = 0;
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const testing::conformance_counts ran = testing::check_method(**gpu, method, false);
    EXPECT_GE(ran.configs, 4u);
    EXPECT_EQ(ran.indexes, 2 * 40 + (ran.configs - 2) * 8);
    EXPECT_GT(ran.lookups, ran.indexes * 20);
    const bool next = family_of(*config_from_line(method)).serves(operation::successor);
    EXPECT_EQ(ran.successors, next ? ran.lookups : 0);
    ++methods;
  }
  EXPECT_EQ(methods, method_names().size());
}

}  // namespace
}  // namespace pivotscope
