// The loop in which all machines time a batch, with runs and a clock that the test gives.
#include "core/machine/timed_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/synthetic_samples.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;

TEST(timed_runs, warm_ups_do_not_count) {
  std::vector<u64> made;
  const auto timed = time_runs({.repeats = 3, .warm_ups = 2}, "", {}, [&](u64 run) -> outcome<timed_run> {
    made.push_back(run);
    return timed_run{static_cast<double>(run)};
  });
  ASSERT_TRUE(timed);
  EXPECT_THAT(made, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(timed->samples_ms, ElementsAre(2, 3, 4));
  EXPECT_EQ(timed->runs, 5u);
  EXPECT_EQ(timed->how.why, stop_reason::fixed);
}

TEST(timed_runs, no_repeats_are_one) {
  const auto timed = time_runs({.repeats = 0}, "", {}, [](u64) -> outcome<timed_run> { return timed_run{1}; });
  EXPECT_EQ(timed->runs, 1u);
}

TEST(timed_runs, the_rule_ends_them_and_its_clock_begins_after_the_warm_ups) {
  std::chrono::steady_clock::time_point clock{};
  testing::synthetic s(1);
  batch_options options{.warm_ups = 4, .until = stopping_options{.seconds = 5}, .now = [&] { return clock; }};
  const auto timed = time_runs(options, "", {}, [&](u64 run) -> outcome<timed_run> {
    clock += std::chrono::seconds(run < 4 ? 100 : 1);
    return timed_run{s.normal(10, 1)};
  });
  EXPECT_EQ(timed->samples_ms.size(), 5u);
  EXPECT_EQ(timed->how.why, stop_reason::time);
  EXPECT_EQ(timed->runs, 9u);
}

TEST(timed_runs, on_a_low_clock_are_made_again) {
  const auto timed = time_runs({.repeats = 2}, "", {}, [](u64 run) -> outcome<timed_run> {
    return timed_run{static_cast<double>(run), run == 1};
  });
  EXPECT_THAT(timed->samples_ms, ElementsAre(0, 2));
  EXPECT_EQ(timed->how.thrown_away, 1u);
}

TEST(timed_runs, a_problem_ends_them) {
  for (const u64 bad : {0u, 2u}) {
    u64 made = 0;
    const auto timed = time_runs({.repeats = 5, .warm_ups = 1}, "", {}, [&](u64 run) -> outcome<timed_run> {
      ++made;
      if (run == bad) return problem{"the GPU failed"};
      return timed_run{1};
    });
    ASSERT_FALSE(timed);
    EXPECT_EQ(timed.error().words, "the GPU failed");
    EXPECT_EQ(made, bad + 1);
  }
}

TEST(timed_runs, end_soon_when_cancelled) {
  for (const u64 at : {0u, 3u}) {  // warming up; timed
    job_control control;
    u64 made = 0;
    const auto timed = time_runs({.repeats = 5, .warm_ups = 2}, "", control, [&](u64 run) -> outcome<timed_run> {
      ++made;
      if (run == at) control.cancel();
      return timed_run{1};
    });
    ASSERT_FALSE(timed);
    EXPECT_TRUE(timed.error().cancelled);
    EXPECT_EQ(made, at + 1);
  }
}

TEST(timed_runs, tell_how_far_they_are) {
  std::vector<double> fractions;
  const job_control control([&](std::string_view stage, double fraction) {
    EXPECT_EQ(stage, "looking up");
    fractions.push_back(fraction);
  });
  ASSERT_TRUE(time_runs({.repeats = 4, .warm_ups = 1}, "looking up", control,
                        [](u64) -> outcome<timed_run> { return timed_run{1}; }));
  EXPECT_THAT(fractions, ElementsAre(0, 0.25, 0.5, 0.75, 1));
}

TEST(timed_runs, most_of_them_are_known_beforehand) {
  EXPECT_EQ(most_runs({.repeats = 3, .warm_ups = 2}), 5u);
  EXPECT_EQ(most_runs({.repeats = 3, .warm_ups = 2, .until = stopping_options{.most = 70}}), 72u);
}

TEST(conditions, are_read_from_what_the_system_says) {
  EXPECT_EQ(detail::governors_of({}), "");
  EXPECT_EQ(detail::governors_of({"powersave", "performance", "powersave"}), "performance, powersave");
  EXPECT_EQ(detail::load_of("0.52 0.58 0.59 1/467 4711"), 0.52);
  EXPECT_EQ(detail::load_of(""), std::nullopt);
  EXPECT_EQ(detail::load_of("no number"), std::nullopt);
}

TEST(conditions, are_asked_for_by_measurements_alone) {
  const measuring_conditions of_one = conditions_before({});
  EXPECT_EQ(of_one.governor, "");
  EXPECT_EQ(of_one.load, std::nullopt);
  EXPECT_TRUE(conditions_before({.warm_ups = 1}).load) << "Linux tells it";
  EXPECT_TRUE(batch_options{.until = stopping_options{}}.measures());
  EXPECT_TRUE(batch_options{.repeats = 2}.measures());
  EXPECT_FALSE(batch_options{}.measures());
}

}  // namespace
}  // namespace pivotscope
