// The stopping rule on runs that never ran, with a clock that the test sets.
#include "core/statistics/stopping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/statistics/clock_watch.hpp"
#include "tests/support/synthetic_samples.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;
using testing::sample_source;
using testing::synthetic;

struct measured {
  sampling how;
  std::vector<double> samples;
  std::string words;
};

// Runs of a kind as the rule wants them. Each takes `seconds_each` of the clock, whatever its time is.
measured run(const sample_source& kind, u64 seed = 1, const stopping_options& options = {}, double seconds_each = 0) {
  std::chrono::steady_clock::time_point clock{};
  stopping_rule rule(options, [&] { return clock; });
  synthetic s(seed);
  EXPECT_TRUE(rule.go_on()) << "a run at least";
  for (u64 i = 0; rule.go_on(); ++i) {
    if (i > 100000) {
      ADD_FAILURE() << "it never ends";
      break;
    }
    clock += std::chrono::nanoseconds(static_cast<long long>(seconds_each * 1e9));
    rule.add(kind(s, i));
    EXPECT_GE(rule.fraction(), 0);
    EXPECT_LE(rule.fraction(), 1);
  }
  return {rule.how(), rule.samples(), stop_words(rule.how(), summary_of(rule.samples()))};
}

TEST(stopping, constant_runs_end_after_ten) {
  const measured m = run([](synthetic&, u64) { return 2.0; });
  EXPECT_EQ(m.how.why, stop_reason::quiet);
  EXPECT_EQ(m.samples, std::vector<double>(10, 2.0));
  EXPECT_EQ(m.words, "the noise is 0.0%");
  EXPECT_FALSE(m.how.doubtful());
}

TEST(stopping, times_of_nothing_end_too) {
  EXPECT_EQ(run([](synthetic&, u64) { return 0.0; }).how.why, stop_reason::quiet);
}

TEST(stopping, quiet_runs_end_soon) {
  for (u64 seed = 0; seed < 300; ++seed) {
    const measured m = run(testing::normal_of(0.002), seed);
    EXPECT_EQ(m.how.why, stop_reason::quiet) << seed;
    EXPECT_GE(m.samples.size(), 10u);
    EXPECT_LE(m.samples.size(), 30u) << seed;
    EXPECT_LE(*summary_of(m.samples).noise, 0.005);
  }
}

TEST(stopping, noisy_runs_end_when_the_noise_is_known) {
  u64 runs = 0;
  for (u64 seed = 0; seed < 300; ++seed) {
    const measured m = run(testing::normal_of(0.05), seed);
    EXPECT_EQ(m.how.why, stop_reason::stable) << seed;
    EXPECT_GE(m.samples.size(), 64u);
    EXPECT_NEAR(*summary_of(m.samples).noise, 0.05, 0.02) << seed;
    EXPECT_THAT(m.words, HasSubstr("the noise has settled at "));
    runs += m.samples.size();
  }
  EXPECT_LT(runs / 300, 150u);
}

TEST(stopping, two_modes_are_stable_and_not_quiet) {
  u32 quiet = 0;
  for (u64 seed = 0; seed < 1000; ++seed) {
    const measured m = run(testing::bimodal_of(0.1, 0.5), seed);
    quiet += m.how.why == stop_reason::quiet;
    if (m.how.why != stop_reason::stable) continue;
    EXPECT_GT(*summary_of(m.samples).noise, 0.02) << seed;
  }
  EXPECT_LE(quiet, 40u) << "nine of the first ten in one mode: 2 in 100";
}

TEST(stopping, tails_do_not_hold_it_up) {
  for (u64 seed = 0; seed < 300; ++seed) {
    const measured m = run(testing::heavy_tailed_of(0.002), seed);
    EXPECT_EQ(m.how.why, stop_reason::quiet) << seed;
  }
}

TEST(stopping, what_drifts_goes_on_until_the_time_is_up) {
  for (u64 seed = 0; seed < 100; ++seed) {
    const measured m = run(testing::drifting_of(0.002, 0.001), seed, {.seconds = 4}, 0.1);
    EXPECT_EQ(m.how.why, stop_reason::time) << seed;
    EXPECT_EQ(m.samples.size(), 40u);
    EXPECT_NEAR(m.how.drift, 0.04, 0.01) << seed;
    EXPECT_TRUE(m.how.doubtful());
    EXPECT_THAT(m.words, HasSubstr("time was up, with a noise of "));
    EXPECT_THAT(m.words, HasSubstr("; later runs are "));
    EXPECT_THAT(m.words, HasSubstr(" slower"));
  }
}

// Its middle half is narrow: only the drift tells that ten runs are no end.
TEST(stopping, a_slow_drift_is_not_quiet) {
  const measured m = run(testing::drifting_of(0.0015, 0.0001), 1, {.noise = 0.007, .seconds = 3}, 0.1);
  EXPECT_LE(*summary_of(std::span(m.samples).first(10)).noise, 0.007);
  EXPECT_EQ(m.how.why, stop_reason::time);
}

// Later runs are faster by as much as they are slower above: as after a start on a cold clock. A rule that held back the slower
// ones alone would end here, and with the slow runs among what it tells.
TEST(stopping, what_grows_faster_goes_on_as_what_grows_slower) {
  for (u64 seed = 0; seed < 100; ++seed) {
    const measured slower = run(testing::drifting_of(0.002, 0.001), seed, {.seconds = 4}, 0.1);
    const measured faster = run(testing::drifting_of(-0.002, 0.001), seed, {.seconds = 4}, 0.1);
    EXPECT_EQ(faster.how.why, stop_reason::time) << seed;
    EXPECT_EQ(faster.samples.size(), slower.samples.size());
    EXPECT_NEAR(faster.how.drift, -0.04, 0.01) << seed;
    EXPECT_TRUE(faster.how.doubtful());
    EXPECT_THAT(faster.words, HasSubstr("; later runs are "));
    EXPECT_THAT(faster.words, HasSubstr(" faster"));
  }
  // A slow one, whose middle half is narrow.
  EXPECT_EQ(run(testing::drifting_of(-0.0015, 0.0001), 1, {.noise = 0.007, .seconds = 3}, 0.1).how.why,
            stop_reason::time);
}

// Runs of every kind, and the same in the other order: their places are the same, and a drift is one the other way.
TEST(stopping, a_look_is_the_same_of_runs_in_the_other_order) {
  u64 drifting = 0, quiet = 0;
  for (const double drift : {0.0, 0.0005, 0.002, 0.01}) {
    for (const double noise : {0.0005, 0.002, 0.01}) {
      for (u64 seed = 0; seed < 25; ++seed) {
        for (const u64 runs : {10u, 11u, 30u, 100u}) {
          std::vector<double> samples = synthetic(seed).many(runs, testing::drifting_of(drift, noise));
          const double of = drift_of(samples);
          const stop_reason forth = noise_watch(0.005).look(samples);
          std::reverse(samples.begin(), samples.end());
          const double back = drift_of(samples);
          EXPECT_NEAR((1 + of) * (1 + back), 1, 1e-4);                            // between two ratios it is on a line
          if (std::abs(std::abs(of) - 0.005) < 1e-3 * 0.005 + of * of) continue;  // as a share of the other half
          EXPECT_EQ(noise_watch(0.005).look(samples), forth) << drift << " " << noise << " " << seed << " " << runs;
          ++(forth == stop_reason::quiet ? quiet : drifting);
        }
      }
    }
  }
  EXPECT_GT(drifting, 200u);
  EXPECT_GT(quiet, 200u);
}

TEST(stopping, a_clock_that_settles_ends_it) {
  // Slow at first, as before a device is warm.
  const measured m = run([](synthetic& s, u64 i) { return s.normal(i < 5 ? 1.2 : 1.0, 0.002); }, 1, {}, 0.001);
  EXPECT_NE(m.how.why, stop_reason::time);
  EXPECT_NEAR(summary_of(m.samples).median, 1.0, 0.01);
}

TEST(stopping, one_long_run_is_one_run) {
  const measured m = run(testing::normal_of(0.01), 1, {.seconds = 5}, 20);
  EXPECT_EQ(m.how.why, stop_reason::time);
  EXPECT_EQ(m.samples.size(), 1u);
  EXPECT_EQ(m.words, "time was up, with too few runs to tell the noise");
}

TEST(stopping, there_is_an_end_without_a_clock) {
  const measured m = run(testing::normal_of(0.05), 1, {.most = 50});
  EXPECT_EQ(m.how.why, stop_reason::most);
  EXPECT_EQ(m.samples.size(), 50u);
  EXPECT_THAT(m.words, HasSubstr("50 runs are the most, with a noise of "));
  EXPECT_TRUE(m.how.doubtful());
}

TEST(stopping, a_fixed_number_is_a_fixed_number) {
  for (const u64 runs : {1, 3, 200}) {
    const measured m = run(testing::normal_of(0.5), 1, {.fixed = runs, .seconds = 1}, 10);
    EXPECT_EQ(m.samples.size(), runs) << "neither noise nor time end it";
    EXPECT_EQ(m.how.why, stop_reason::fixed);
    EXPECT_FALSE(m.how.doubtful());
  }
  EXPECT_EQ(run(testing::normal_of(0.5), 1, {.fixed = 1}).words, "1 run, as asked for");
  EXPECT_EQ(run([](synthetic&, u64) { return 1.0; }, 1, {.fixed = 3}).words, "3 runs, as asked for");
}

TEST(stopping, runs_on_a_low_clock_do_not_count) {
  stopping_rule rule({.fixed = 3}, [] { return std::chrono::steady_clock::time_point{}; });
  for (const double ms : {1.0, 9.0, 1.0, 1.0}) {
    ASSERT_TRUE(rule.go_on());
    rule.add(ms, ms == 9.0);
  }
  EXPECT_FALSE(rule.go_on());
  EXPECT_EQ(rule.samples(), std::vector<double>(3, 1.0));
  EXPECT_EQ(rule.how().thrown_away, 1u);
  EXPECT_EQ(stop_words(rule.how(), summary_of(rule.samples())),
            "3 runs, as asked for; 1 on a clock that was held back does not count");
}

// Too few that count are not what was asked for.
TEST(stopping, fewer_than_asked_for_are_told) {
  stopping_rule rule({.fixed = 3}, [] { return std::chrono::steady_clock::time_point{}; });
  for (u32 run = 0; run < 6; ++run) {
    ASSERT_TRUE(rule.go_on()) << run;
    rule.add(1.0, run >= 2);
  }
  EXPECT_FALSE(rule.go_on());
  EXPECT_EQ(rule.samples().size(), 2u);
  EXPECT_EQ(rule.how().why, stop_reason::most);
  EXPECT_TRUE(rule.how().doubtful());
}

TEST(stopping, a_clock_that_stays_low_ends_too) {
  std::chrono::steady_clock::time_point clock{};
  for (const stopping_options& options : {stopping_options{.fixed = 3}, stopping_options{.seconds = 2}}) {
    stopping_rule rule(options, [&] { return clock; });
    u32 runs = 0;
    for (; rule.go_on() && runs < 1000; ++runs) clock += std::chrono::milliseconds(100), rule.add(9.0, true);
    EXPECT_EQ(runs, options.fixed ? 6u : 20u);
    EXPECT_EQ(rule.samples(), std::vector<double>(runs, 9.0)) << "for want of others";
    EXPECT_TRUE(rule.how().held_back);
    EXPECT_EQ(rule.how().thrown_away, 0u);
    EXPECT_TRUE(rule.how().doubtful());
    EXPECT_THAT(stop_words(rule.how(), summary_of(rule.samples())),
                HasSubstr("; the clock was held back in all of them"));
  }
}

TEST(stopping, every_reason_has_a_name_of_its_own) {
  std::set<std::string_view> names;
  for (const stop_reason reason : {stop_reason::not_asked, stop_reason::fixed, stop_reason::quiet, stop_reason::stable,
                                   stop_reason::time, stop_reason::most})
    names.insert(stop_name(reason));
  EXPECT_EQ(names.size(), 6u);
  EXPECT_EQ(stop_words({}, {}), "") << "of what no rule ended";
}

TEST(stopping, a_reason_is_found_by_its_name) {
  for (const stop_reason one : {stop_reason::not_asked, stop_reason::fixed, stop_reason::quiet, stop_reason::stable,
                                stop_reason::time, stop_reason::most})
    EXPECT_EQ(stop_of_name(stop_name(one)), one);
  EXPECT_EQ(stop_of_name("never"), stop_reason::not_asked);
}

// What did not count in one of them is told of both; so is what ended one for want of runs.
TEST(stopping, of_two_goes_is_what_either_of_them_met) {
  const std::vector<double> all = {1, 1, 1, 1, 1};
  const sampling fixed{.why = stop_reason::fixed}, low{.why = stop_reason::most, .thrown_away = 3};
  EXPECT_EQ(joined(fixed, fixed, all), fixed);
  EXPECT_EQ(joined(fixed, low, all), low);
  EXPECT_EQ(joined(low, fixed, all), low);
  EXPECT_EQ(joined(low, low, all).thrown_away, 6u);
  EXPECT_TRUE(joined({.held_back = true}, fixed, all).held_back);
  const std::vector<double> drifting = {1, 1.01, 1.02, 1.03, 1.04, 2, 2.01, 2.02, 2.03, 2.04};
  EXPECT_GT(joined(fixed, fixed, drifting).drift, 0.5);
  EXPECT_EQ(held_back_words(fixed), "");
  EXPECT_EQ(held_back_words({.thrown_away = 1}), "1 on a clock that was held back does not count");
  EXPECT_EQ(held_back_words({.thrown_away = 2, .held_back = true}),
            "the clock was held back in all of a go's runs, which count for want of others; 2 on a clock that was held "
            "back do not count");
}

TEST(clock_watch, tells_a_clock_that_fell_from_one_that_was_set) {
  clock_watch set_low;
  for (int run = 0; run < 5; ++run) EXPECT_FALSE(set_low.held_back({345}, {1200}));
  clock_watch falls;
  EXPECT_FALSE(falls.held_back({345}, {1980})) << "a device rests before a run";
  EXPECT_FALSE(falls.held_back({1980}, {1500}));
  EXPECT_TRUE(falls.held_back({1980}, {1480})) << "by more than a quarter";
  EXPECT_TRUE(falls.held_back({1980, true}, {1980}));
  EXPECT_TRUE(falls.held_back({1980}, {1980, true}));
  clock_watch knows_nothing;
  EXPECT_FALSE(knows_nothing.held_back({}, {}));
}

}  // namespace
}  // namespace pivotscope
