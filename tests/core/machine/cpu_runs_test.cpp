// How often the cpu machine runs a batch: warm-ups run, and are not counted. A batch of one tile tells of each run
// once.
#include <gtest/gtest.h>

#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::look_up;

struct counted_runs {
  u32 runs = 0;
  job_control control{[this](std::string_view stage, double) { runs += stage == "looking up"; }};
};

const workload few{.keys = 100, .dist = distribution::dense, .lookups = 10, .ranges = 5, .range_hits = 3};
const key_array keys = *make_keys(few, key_width::u32);

TEST(cpu_runs, of_lookups_are_warm_ups_and_repeats) {
  const auto cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(default_config(), keys);
  for (const u32 warm_ups : {0u, 1u, 4u}) {
    for (const u32 repeats : {1u, 2u, 5u}) {
      counted_runs counted;
      const auto result = look_up(*cpu, *index, *make_lookups(few, key_width::u32),
                                  {.repeats = repeats, .warm_ups = warm_ups}, counted.control);
      EXPECT_EQ(counted.runs, warm_ups + repeats);
      EXPECT_EQ(result->time.samples_ms.size(), repeats);
      EXPECT_EQ(result->time.name, "lookup");
    }
  }
  counted_runs counted;
  EXPECT_EQ(look_up(*cpu, *index, *make_lookups(few, key_width::u32), {.repeats = 0}, counted.control)
                ->time.samples_ms.size(),
            1u);
}

TEST(cpu_runs, of_ranges_are_warm_ups_and_repeats_and_one_for_the_rows) {
  const auto cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(default_config(), keys);
  for (const bool rows : {false, true}) {
    counted_runs counted;
    const auto result =
        cpu->run(*index, *draw_ranges(keys, few), {.repeats = 3, .warm_ups = 2, .rows = rows}, counted.control);
    EXPECT_EQ(counted.runs, 5u + rows);
    EXPECT_EQ(result->time.samples_ms.size(), 3u);
    EXPECT_EQ(result->row_times.size(), rows ? 2u : 0u);
    EXPECT_EQ(result->answers.rows.size(), rows ? 15u : 0u);
  }
}

}  // namespace
}  // namespace pivotscope
