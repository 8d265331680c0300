#include "core/run/standard_search.hpp"

#include <gtest/gtest.h>

#include "core/machine/clocks.hpp"
#include "core/machine/timed_runs.hpp"

namespace pivotscope {
namespace {

TEST(standard_search, finds_every_key_of_either_width) {
  for (const key_width width : {key_width::u32, key_width::u64}) {
    for (const distribution dist : {distribution::uniform, distribution::ends, distribution::half}) {
      for (const u64 n : {0ull, 1ull, 2ull, 1000ull}) {
        const workload load{.keys = n, .dist = dist, .lookups = 500, .hits = 0.5};
        const key_array keys = *make_keys(load, width);
        const answer_checker checker(keys);
        const outcome<run_record> done =
            run_standard_search(checker, *make_batch(load, width), {.repeats = 3, .warm_ups = 2}, {});
        ASSERT_TRUE(done);
        EXPECT_TRUE(done->checked);
        EXPECT_EQ(done->check.wrong, 0u) << done->check.first_wrong;
        EXPECT_EQ(done->time.samples_ms.size(), 3u) << "warm-ups do not count";
        EXPECT_EQ(done->index_bytes, n * (width == key_width::u32 ? 8 : 16));
        EXPECT_EQ(done->operations, 500u);
      }
    }
  }
}

// As any measurement, it says what the computer was like; a single run was none.
TEST(standard_search, says_what_its_measurement_met) {
  const workload load{.keys = 1000, .dist = distribution::uniform, .lookups = 500};
  const key_array keys = *make_keys(load, key_width::u32);
  const answer_checker checker(keys);
  const auto met = [&](const batch_options& options) {
    return run_standard_search(checker, *make_batch(load, key_width::u32), options, {})->conditions;
  };
  const measuring_conditions measured = met({.repeats = 3}), once = met({});
  EXPECT_TRUE(measured.load) << "Linux tells it";
  EXPECT_EQ(measured.governor, conditions_before({.repeats = 3}).governor);
  EXPECT_EQ(measured.clocks.empty(), clocks_now(machine_kind::cpu).empty());
  EXPECT_FALSE(once.load);
  EXPECT_EQ(once.clocks, "");
}

TEST(standard_search, can_be_cancelled) {
  const workload load{.keys = 1000, .dist = distribution::uniform, .lookups = 500};
  const key_array keys = *make_keys(load, key_width::u32);
  const answer_checker checker(keys);
  job_control control;
  control.cancel();
  const outcome<run_record> done = run_standard_search(checker, *make_batch(load, key_width::u32), {}, control);
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().cancelled);
}

}  // namespace
}  // namespace pivotscope
