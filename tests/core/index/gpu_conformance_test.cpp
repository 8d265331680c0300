// The conformance suite on a device. Without one it is skipped, and says why. A device compiles every config: of each
// knob the last value alone.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/support/conformance.hpp"

namespace pivotscope {
namespace {

class GpuConformance : public ::testing::TestWithParam<std::string> {};

TEST_P(GpuConformance, OnADevice) {
  const machine_report report = detail::report_cuda();
  if (!report.available) GTEST_SKIP() << report.why_not;
  const auto gpu = open_machine(machine_kind::cuda);
  ASSERT_TRUE(gpu.ok()) << gpu.error().words;
  const testing::conformance_counts ran = testing::check_method(**gpu, GetParam(), false);
  EXPECT_GE(ran.configs, 4u);
  EXPECT_EQ(ran.indexes, 2 * 48 + (ran.configs - 2) * 8);
  EXPECT_GT(ran.lookups, ran.indexes * 20);
  const bool next = family_of(*config_from_line(GetParam())).serves(operation::successor);
  EXPECT_EQ(ran.successors, next ? ran.lookups : 0);
}

// A test a method, so that processes can share them out.
INSTANTIATE_TEST_SUITE_P(Methods, GpuConformance, ::testing::ValuesIn(method_names()),
                         [](const auto& method) { return std::regex_replace(method.param, std::regex("\\W"), "_"); });

}  // namespace
}  // namespace pivotscope
