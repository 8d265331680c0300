// How often the cpu machine runs a batch: warm-ups run, and are not counted. A batch of one tile tells of each run
// once.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/machine/cpu/cold_cache.hpp"
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

// The rays of a CGRX, by themselves.
TEST(cpu_runs, of_a_part_of_lookups_are_as_many_as_of_lookups) {
  const auto cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(*config_from_line("CGRX"), keys);
  const key_array lookups = *make_lookups(few, key_width::u32);
  counted_runs counted;
  const auto fixed = look_up(*cpu, *index, lookups, {.repeats = 3, .warm_ups = 2, .part = true}, counted.control);
  EXPECT_EQ(counted.runs, 10u);
  EXPECT_EQ(fixed->part.name, "rays");
  EXPECT_EQ(fixed->part.samples_ms.size(), 3u);
  const auto by_rule =
      look_up(*cpu, *index, lookups, {.until = stopping_options{.most = 12, .seconds = 1000}, .part = true}, {});
  EXPECT_GE(by_rule->part.samples_ms.size(), 10u);
  EXPECT_NE(by_rule->part.how.why, stop_reason::fixed);
}

TEST(cpu_runs, end_by_a_rule) {
  const auto cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(default_config(), keys);
  // No noise is under this one, and the clock stands still until run 20.
  u64 asked = 0;
  batch_options options{.warm_ups = 1, .until = stopping_options{.noise = 1e-12, .seconds = 1}};
  options.now = [&] { return std::chrono::steady_clock::time_point(std::chrono::seconds(++asked > 20 ? 5 : 0)); };
  counted_runs counted;
  const auto result = look_up(*cpu, *index, *make_lookups(few, key_width::u32), options, counted.control);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->time.how.why, stop_reason::time);
  EXPECT_EQ(result->time.samples_ms.size() + 1, counted.runs);
  EXPECT_GE(counted.runs, 10u);
  EXPECT_LE(counted.runs, 21u);
}

TEST(cpu_runs, tell_what_they_met_when_they_measure) {
  const auto cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(default_config(), keys);
  const auto live = look_up(*cpu, *index, *make_lookups(few, key_width::u32), {}, {});
  EXPECT_FALSE(live->conditions.load);
  EXPECT_EQ(live->conditions.clocks, "");
  const auto measured = look_up(*cpu, *index, *make_lookups(few, key_width::u32), {.repeats = 2, .cold = true}, {});
  ASSERT_TRUE(measured);
  EXPECT_TRUE(measured->conditions.load);
  EXPECT_EQ(measured->conditions.bound_threads, 0u) << "few lookups are not worth it";
  const auto many = *make_keys({.keys = 1u << 17, .dist = distribution::uniform}, key_width::u32);
  ASSERT_TRUE((*cpu).load(many, {})) << "which binds";
  const auto again = look_up(*cpu, *index, *make_lookups(few, key_width::u32), {.repeats = 2, .cold = true}, {});
  EXPECT_EQ(again->conditions.bound_threads, 0u) << "whatever was bound before";
  EXPECT_FALSE(measured->conditions.blocked) << "no stream";
  EXPECT_EQ(measured->answers, live->answers) << "an empty cache changes none";
}

TEST(cold_cache, is_written_whole_each_time) {
  cold_cache none;
  none.flush();
  EXPECT_EQ(none.bytes().size(), 0u);
  cold_cache cache;
  ASSERT_TRUE(cache.make((1u << 20) + 5));
  EXPECT_EQ(cache.bytes().size(), (2u << 20) + 10) << "twice the cache";
  for (const auto now : {std::byte{1}, std::byte{2}}) {
    cache.flush();
    EXPECT_TRUE(std::ranges::all_of(cache.bytes(), [&](std::byte b) { return b == now; }));
  }
  cold_cache unknown;
  ASSERT_TRUE(unknown.make(0));
  EXPECT_EQ(unknown.bytes().size(), 64u << 20);
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
