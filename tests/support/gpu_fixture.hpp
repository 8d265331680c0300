// The cuda machine on a device. Without one a test is skipped, and says why; with PIVOTSCOPE_REHEARSE set it runs on the cpu
// machine, so that a mistake of the test itself costs no device's time (those that ask for what only a GPU has fail there).
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const machine_report report = detail::report_cuda();
    if (!rehearsal() && !report.available) GTEST_SKIP() << report.why_not;
    gpu_ = open();
  }
  static std::unique_ptr<machine> open(const machine_options& options = {}) {
    auto opened = open_machine(rehearsal() ? machine_kind::cpu : machine_kind::cuda, options);
    EXPECT_TRUE(opened) << opened.error().words;
    return opened ? std::move(*opened) : nullptr;
  }

  static bool rehearsal() { return std::getenv("PIVOTSCOPE_REHEARSE") != nullptr; }

  std::unique_ptr<machine> gpu_;
  const job_control control_{};
};

// Keys that are sorted, for threads to share: the first build sorts, and nothing guards that.
inline std::shared_ptr<const resident_keys> load_sorted(machine& gpu, const key_array& keys) {
  auto loaded = gpu.load(keys, job_control{});
  EXPECT_TRUE(loaded) << loaded.error().words;
  if (!loaded) return nullptr;
  index_config sorts = *config_from_line("PACKED");  // orders put groups of keys in order themselves, and leave them so
  sorts.keys = keys.width();
  const auto built = gpu.build(sorts, *loaded, job_control{});
  EXPECT_TRUE(built) << built.error().words;
  return *loaded;
}

inline std::vector<std::byte> read_array(const built_index& index, region_id array) {
  std::vector<std::byte> bytes(index.bytes(array));
  const status s = index.read(array, 0, bytes);
  EXPECT_TRUE(s) << s.error().words;
  return bytes;
}

}  // namespace pivotscope
