// The cuda machine on a device. Without one a test is skipped, and says why.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "core/machine/machine.hpp"

namespace pivotscope {

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const machine_report report = detail::report_cuda();
    if (!report.available) GTEST_SKIP() << report.why_not;
    gpu_ = open();
  }
  static std::unique_ptr<machine> open(const machine_options& options = {}) {
    auto opened = open_machine(machine_kind::cuda, options);
    EXPECT_TRUE(opened) << opened.error().words;
    return opened ? std::move(*opened) : nullptr;
  }

  std::unique_ptr<machine> gpu_;
  const job_control control_{};
};

inline std::vector<std::byte> read_array(const built_index& index, region_id array) {
  std::vector<std::byte> bytes(index.bytes(array));
  const status s = index.read(array, 0, bytes);
  EXPECT_TRUE(s) << s.error().words;
  return bytes;
}

}  // namespace pivotscope
