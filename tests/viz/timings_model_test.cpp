#include "viz/models/timings_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>

#include "core/index/config_text.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {
namespace {

using ::testing::ElementsAre;

const workload first{.keys = 100, .lookups = 10}, second{.keys = 200, .lookups = 10};

session_run run_of(u64 number, std::vector<double> samples_ms, const workload& load = first,
                   const std::string& machine = "a test's cpu", const char* config = "EO+BS") {
  session_run run{.number = number, .load = load, .origin = provenance::measured};
  run.record.config = *config_from_line(config);
  run.record.machine.name = machine;
  run.record.operations = 1 << 16;  // as many as tell
  run.record.time = {"lookup", std::move(samples_ms)};
  return run;
}
std::vector<double> ten(double ms) { return std::vector<double>(10, ms); }

std::vector<u64> numbers(const run_history& history) {
  std::vector<u64> list;
  for (const session_run* run : history.runs) list.push_back(run->number);
  return list;
}

// Each part of a choice may have changed since; the key in view is none of a run's.
TEST(a_run, is_of_what_is_chosen_until_that_changes) {
  session_choice choice;
  choice.load = first, choice.config = *config_from_line("EO+BS");
  const session_run run = run_of(1, {1});
  EXPECT_TRUE(is_of(run, choice));
  choice.key = 5;
  EXPECT_TRUE(is_of(run, choice));
  void (*const changes[])(session_choice&) = {[](session_choice& c) { c.load.keys += 1; },
                                              [](session_choice& c) { c.load.lookups += 1; },
                                              [](session_choice& c) { c.load.seed += 1; },
                                              [](session_choice& c) { c.load.recipe.inserts = 3; },
                                              [](session_choice& c) { c.load.hits = 0.5; },
                                              [](session_choice& c) { c.config.launch.threads = 128; },
                                              [](session_choice& c) { c.config.keys = key_width::u64; },
                                              [](session_choice& c) { c.machine = machine_kind::cuda; }};
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    session_choice other = choice;
    changes[i](other);
    EXPECT_FALSE(is_of(run, other)) << i;
  }
  session_run wrong = run;
  wrong.record.check.wrong = 1;
  EXPECT_FALSE(is_of(wrong, choice));
}

TEST(run_history, is_of_one_workload_on_one_machine) {
  const std::vector<session_run> runs = {run_of(1, ten(1)),
                                         run_of(2, ten(1), second),
                                         run_of(3, ten(1), first, "a test's cuda"),
                                         run_of(4, ten(1), first, "a test's cpu", "AO+BS"),
                                         run_of(5, ten(1), second),
                                         run_of(6, ten(1))};
  const run_history history = history_of(runs, 40);
  EXPECT_THAT(numbers(history), ElementsAre(1, 4, 6)) << "of any index";
  EXPECT_EQ(history.left_out, 3u);
  const run_history of_two = history_of(runs, 2);
  EXPECT_THAT(numbers(of_two), ElementsAre(4, 6)) << "the last ones";
  EXPECT_EQ(of_two.left_out, 1u) << "of the same time";
  EXPECT_TRUE(history_of({}, 40).runs.empty());
}

TEST(run_history, of_another_kind_of_machine_is_left_out_though_its_name_is_the_same) {
  std::vector<session_run> runs = {run_of(1, ten(1)), run_of(2, ten(1))};
  runs[0].record.machine.kind = machine_kind::cuda;
  EXPECT_THAT(numbers(history_of(runs, 40)), ElementsAre(2));
}

TEST(baseline, tells_faster_from_slower_and_from_what_cannot_be_told) {
  const session_run baseline = run_of(1, ten(1.12));
  const beside_baseline faster = beside(baseline, run_of(2, ten(1.0)));
  EXPECT_EQ(faster.says, speed_verdict::faster);
  EXPECT_EQ(faster.words, "12% faster than the baseline (12% to 12%)");
  EXPECT_TRUE(faster.same_axis);
  const beside_baseline slower = beside(baseline, run_of(2, ten(1.4), first, "a test's cpu", "AO+BS"));
  EXPECT_EQ(slower.says, speed_verdict::slower) << "another index is what one compares";
  EXPECT_EQ(slower.words, "20% slower than the baseline (20% to 20%)");
  EXPECT_EQ(beside(baseline, run_of(2, {1.0})).words, "Can't tell: 1 run is too few");
  EXPECT_EQ(beside(baseline, run_of(2, ten(1.12))).words, "Can't tell: less than 1% apart");
  EXPECT_EQ(beside(baseline, baseline).words, "This is the baseline");
}

TEST(baseline, of_too_few_lookups_tells_nothing) {
  session_run baseline = run_of(1, ten(1.12)), run = run_of(2, ten(1.0));
  baseline.record.operations = run.record.operations = 64;
  run.record.keys = 1 << 20;
  EXPECT_EQ(beside(baseline, run).says, speed_verdict::cannot_tell);
  EXPECT_EQ(beside(baseline, run).words, "Can't tell: 64 lookups are too few to time");
  EXPECT_EQ(too_few_words(run).substr(0, 46), "64 lookups over 2^20 keys are too few to time:");
  EXPECT_EQ(too_few_words(run_of(2, ten(1.0))), "");
}

TEST(baseline, of_something_else_is_not_compared) {
  const session_run baseline = run_of(1, ten(1));
  const beside_baseline of_other_load = beside(baseline, run_of(2, ten(9), second));
  EXPECT_EQ(of_other_load.words, "The baseline is of another workload");
  EXPECT_EQ(of_other_load.says, speed_verdict::cannot_tell);
  EXPECT_FALSE(of_other_load.same_axis);
  EXPECT_EQ(beside(baseline, run_of(2, ten(9), first, "a test's cuda")).words,
            "The baseline was measured on a test's cpu");
}

TEST(baseline, must_be_right_and_of_more_than_a_few_runs) {
  EXPECT_TRUE(can_be_baseline(run_of(1, ten(1))));
  EXPECT_FALSE(can_be_baseline(run_of(1, {1.0, 1.0, 1.0, 1.0})));
  session_run wrong = run_of(1, ten(1));
  wrong.record.check.wrong = 1;
  EXPECT_FALSE(can_be_baseline(wrong));
}

TEST(timings, middle_half_has_its_unit_once) {
  EXPECT_EQ(middle_half_text({.lower_quartile = 18.7, .upper_quartile = 21.2}), "18.7 to 21.2 ms");
  EXPECT_EQ(middle_half_text({.lower_quartile = 0.9, .upper_quartile = 1.25}), "900 \xC2\xB5s to 1.25 ms");
  EXPECT_EQ(middle_half_text({.lower_quartile = 2, .upper_quartile = 2}), "2.00 ms");
}

TEST(timings, tell_what_a_measurement_met) {
  EXPECT_EQ(conditions_words({}), "");
  EXPECT_EQ(
      conditions_words({.clocks = "2450 MHz", .governor = "performance", .load = 0.5, .bound_threads = 2}),
      "Clocks at its end: 2450 MHz.\nGovernor of the processors: performance.\nLoad of this computer as it began: "
      "0.50.\n2 threads kept to a processor of their own.");
  EXPECT_EQ(conditions_words({.bound_threads = 1, .blocked = true}),
            "1 thread kept to a processor of its own.\nLaunching the kernel is not in the times.");
  EXPECT_EQ(conditions_words({.blocked = false}), "Launching the kernel is in the times.");
}

}  // namespace
}  // namespace pivotscope::viz
