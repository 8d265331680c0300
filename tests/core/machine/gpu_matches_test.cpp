// Matches on a device, with their row ids. Without one every test here is skipped, and says why.
#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/machine.hpp"
#include "core/reference/answer_checker.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/gpu_fixture.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

class GpuMatches : public Gpu {
 protected:
  void check(const char* line, const key_array& keys, const key_array& asked, const batch_options& options) {
    const auto resident = gpu_->load(keys, {});
    ASSERT_TRUE(resident) << resident.error().words;
    const auto index = gpu_->build(testing::config_of(line), *resident, {});
    ASSERT_TRUE(index) << index.error().words;
    const batch matches{operation::matches, asked};
    const auto result = gpu_->run(**index, matches, options, {});
    ASSERT_TRUE(result) << result.error().words;
    EXPECT_EQ(result->time.name, "matches");
    const bool one_a_key = !family_of((*index)->config()).keeps_duplicates((*index)->config());
    const check_report report = answer_checker(keys).check(matches, result->answers, options.rows, {}, one_a_key);
    EXPECT_EQ(report.wrong, 0u) << line << ": " << report.first_wrong;
    EXPECT_EQ(report.checked, asked.size());
  }
};

TEST_F(GpuMatches, OfEveryFamilyAtTellingSizes) {
  u64 checks = 0;
  for (const char* line : {"AO+BS", "EO+KS fanout=9 lanes=8", "AO+PB+KS fanout=5 lanes=2", "EO+BS scan=cooperative",
                           "PACKED", "PACKED leaf=32 lanes=2", "HT+OA", "HT+OA layout=soa lanes=1 window=4", "PLAIN"}) {
    for (const u64 n : {0, 1, 2, 33, 300}) {
      for (const testing::key_pattern pattern :
           {testing::key_pattern::with_extremes, testing::key_pattern::pairs, testing::key_pattern::all_equal}) {
        const std::vector<u32> keys = testing::pattern_keys<u32>(pattern, n);
        check(line, key_array(keys), key_array(testing::telling_lookups(keys)), {.rows = checks++ % 2 == 0});
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(checks, 9u * 5 * 3);
}

// More copies of the batch than one: all of its runs are right.
TEST_F(GpuMatches, OfALargeIndexAreRightInEveryRun) {
  for (const char* line : {"AO+PB+KS fanout=9 lanes=2 keys=u64", "PACKED keys=u64", "HT+OA keys=u64"}) {
    workload w{.keys = 1 << 22, .dist = distribution::duplicates, .hits = 0.9};
    set_batch_size(w, operation::matches, 1 << 20);
    const auto keys = make_keys(w, key_width::u64);
    ASSERT_TRUE(keys);
    const auto asked = make_batch(w, *keys);
    ASSERT_TRUE(asked);
    check(line, *keys, asked->keys, {.repeats = 5, .warm_ups = 1, .rows = true});
  }
}

}  // namespace
}  // namespace pivotscope
