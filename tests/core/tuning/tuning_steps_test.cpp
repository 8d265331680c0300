// The autotuner step by step, on a machine that takes the times a test gives: what is measured, how often, in which
// order, and what is told meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "core/tuning/autotuner.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/tuning/tuning_candidates.hpp"
#include "tests/core/tuning/tuned_samples.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/scripted_machines.hpp"

namespace pivotscope {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

class tuning_steps : public ::testing::Test {
 protected:
  const workload load{.keys = 100, .dist = distribution::uniform, .lookups = 64};
  const key_array keys = *make_keys(load, key_width::u32);
  const batch lookups = *make_batch(load, key_width::u32);
  testing::script script;
  std::unique_ptr<machine> on = open(machine_kind::cpu);
  tuning_options options;
  struct report {
    u32 done, planned;
    std::string words;
    bool operator==(const report&) const = default;
  };
  std::vector<report> reports;
  std::vector<double> fractions;
  job_control control{[this](std::string_view stage, double fraction) {
    EXPECT_EQ(stage, "tuning");
    fractions.push_back(fraction);
  }};

  tuning_steps() {
    options.report = [this](const tuning_progress& p) { reports.push_back({p.done, p.planned, p.words}); };
    options.candidates = {config_of("EO+KS"), config_of("EO+BS"), config_of("AO+BS")};
    options.slice = 16;
    options.coarse_repeats = 2;
    options.finalists = 2;
    options.rounds = {.least = 3, .most = 3, .repeats = 4};
    script.take_ms([](const index_config& config, u32 repeats) {
      const std::string line = to_line(config);
      return std::vector<double>(repeats, line == "EO+BS" ? 1.0 : line == "AO+BS" ? 2.0 : 3.0);
    });
  }
  std::unique_ptr<machine> open(machine_kind kind) {
    std::unique_ptr<machine> opened = std::make_unique<testing::scripted_machine>(script, kind);
    return opened;
  }
  std::shared_ptr<const key_set> loaded(key_array some) { return *key_set::load(*on, std::move(some), {}); }
  // The keys are loaded for it.
  outcome<tuning> tuned(const batch& asked) { return tune(*on, *loaded(keys), asked, options, control); }
  outcome<tuning> tuned() { return tuned(lookups); }
  // "lookup" and "build" of one config.
  static strings once(const std::string& line, const std::string& how) {
    return {"cpu: build " + line, "cpu: lookup " + line + " " + how};
  }
};

TEST_F(tuning_steps, looks_at_a_slice_and_measures_the_finalists_in_rounds) {
  auto time = std::chrono::steady_clock::time_point(std::chrono::seconds(10));
  options.now = [&] { return std::exchange(time, time + std::chrono::milliseconds(2500)); };
  const outcome<tuning> done = tuned();
  ASSERT_TRUE(done.ok()) << done.error().words;
  strings calls = {"cpu: load 100"};
  for (const char* line : {"EO+KS", "EO+BS", "AO+BS"})
    for (const std::string& call : once(line, "16 2+1")) calls.push_back(call);
  for (u32 round = 0; round < 3; ++round)
    for (const char* line : {"EO+BS", "AO+BS"})
      for (const std::string& call : once(line, "64 4+1")) calls.push_back(call);
  EXPECT_EQ(script.calls(), calls);

  ASSERT_EQ(done->ranking.size(), 3u);
  const tuned_config &first = done->ranking[0], &last = done->ranking[2];
  EXPECT_EQ(to_line(first.config), "EO+BS");
  EXPECT_EQ(to_line(done->ranking[1].config), "AO+BS");
  EXPECT_EQ(to_line(last.config), "EO+KS");
  EXPECT_EQ(first.samples_ms, std::vector<double>(12, 1.0));
  EXPECT_EQ(first.operations, 64u);
  EXPECT_TRUE(first.finalist && first.beats_next && done->ranking[1].finalist);
  EXPECT_EQ(first.build_ms, 3.5);
  EXPECT_EQ(first.index_bytes, 101u * 8);
  EXPECT_EQ(last.samples_ms, std::vector<double>(2, 3.0));
  EXPECT_EQ(last.operations, 16u);
  EXPECT_FALSE(last.finalist || last.beats_next);
  EXPECT_EQ(last.build_ms, 3.5);
  EXPECT_TRUE(done->rejected.empty());
  EXPECT_EQ(done->kind, machine_kind::cpu);
  EXPECT_EQ(done->machine, "a test's cpu");
  EXPECT_EQ(done->keys, 100u);
  EXPECT_EQ(done->asked, operation::find);
  EXPECT_EQ(done->operations, 64u);
  EXPECT_EQ(done->width, key_width::u32);
  EXPECT_EQ(done->seconds, 2.5);
  EXPECT_EQ(done->winner(), &first);
}

TEST_F(tuning_steps, tells_of_every_measurement_before_it_begins) {
  ASSERT_TRUE(tuned().ok());
  const std::vector<report> expected = {
      {0, 9, "first look 1 of 3: EO+KS"},
      {1, 9, "first look 2 of 3: EO+BS"},
      {2, 9, "first look 3 of 3: AO+BS"},
      {3, 9, "round 1 of 3, finalist 1 of 2: EO+BS"},
      {4, 9, "round 1 of 3, finalist 2 of 2: AO+BS"},
      {5, 9, "round 2 of 3, finalist 1 of 2: EO+BS"},
      {6, 9, "round 2 of 3, finalist 2 of 2: AO+BS"},
      {7, 9, "round 3 of 3, finalist 1 of 2: EO+BS"},
      {8, 9, "round 3 of 3, finalist 2 of 2: AO+BS"},
  };
  EXPECT_TRUE(reports == expected) << ::testing::PrintToString(reports.size());
  // A run on all 64 lookups, five times, is worth as much as 320/48 looks at 16, three times.
  const double fine = 320.0 / 48, whole = 3 + 6 * fine;
  ASSERT_EQ(fractions.size(), 9u);
  for (u32 i = 0; i < 9; ++i) EXPECT_NEAR(fractions[i], (i < 3 ? i : 3 + (i - 3) * fine) / whole, 1e-12) << i;
}

TEST_F(tuning_steps, a_fine_measurement_counts_as_one_look_at_least) {
  options.slice = 64;
  options.rounds.repeats = 1;
  options.coarse_repeats = 5;
  ASSERT_TRUE(tuned().ok());
  ASSERT_EQ(fractions.size(), 9u);
  for (u32 i = 0; i < 9; ++i) EXPECT_NEAR(fractions[i], i / 9.0, 1e-12);
}

// Rounds that go on until all are quiet.
class further_rounds : public tuning_steps {
 protected:
  // AO+BS takes 2 ms; EO+BS takes 1 ms, but in its first `noisy` rounds of the whole batch half of its runs take 1.1.
  void noisy_for(u32 noisy) {
    options.rounds = {.least = 2, .most = 5, .repeats = 7};
    script.take_ms([noisy, done = std::make_shared<u32>(0)](const index_config& config, u32 repeats) {
      std::vector<double> ms(repeats, to_line(config) == "EO+BS" ? 1.0 : to_line(config) == "AO+BS" ? 2.0 : 3.0);
      if (to_line(config) == "EO+BS" && repeats == 7 && (*done)++ < noisy)
        for (std::size_t i = 0; i < ms.size(); i += 2) ms[i] = 1.1;
      return ms;
    });
  }
  static std::vector<std::size_t> runs_of(const tuning& done) {
    std::vector<std::size_t> runs;
    for (const tuned_config& one : done.ranking)
      if (one.finalist) runs.push_back(one.samples_ms.size());
    return runs;
  }
  time_source still = [] { return std::chrono::steady_clock::time_point{}; };
};

TEST_F(further_rounds, are_none_where_the_least_are_quiet) {
  noisy_for(0);
  options.now = still;
  const outcome<tuning> done = tuned();
  ASSERT_TRUE(done.ok()) << done.error().words;
  EXPECT_EQ(runs_of(*done), (std::vector<std::size_t>{14, 14}));
  EXPECT_EQ(done->rounds, 2u);
  for (u32 i : {0u, 1u}) EXPECT_EQ(done->ranking[i].how.why, stop_reason::quiet);
}

TEST_F(further_rounds, are_of_all_finalists_while_one_is_noisy) {
  noisy_for(99);
  options.now = still;
  const outcome<tuning> done = tuned();
  ASSERT_TRUE(done.ok()) << done.error().words;
  EXPECT_EQ(runs_of(*done), (std::vector<std::size_t>{35, 35}));
  EXPECT_EQ(done->rounds, 5u);
  EXPECT_EQ(to_line(done->ranking[0].config), "EO+BS");
  EXPECT_EQ(done->ranking[0].how.why, stop_reason::most);
  EXPECT_EQ(done->ranking[1].how.why, stop_reason::quiet) << "by itself it is";
  EXPECT_EQ(reports.back().words, "round 5 of at most 5, finalist 2 of 2: AO+BS");
  EXPECT_EQ(reports.back().done, reports.back().planned) << "what is planned is over";
  for (const double fraction : fractions) EXPECT_LE(fraction, 1);
}

TEST_F(further_rounds, are_none_once_the_time_is_up) {
  noisy_for(99);
  options.rounds.seconds = 6;
  // The clock is asked as it begins, as the rounds begin, after each round, and at the end.
  u64 asked = 0;
  options.now = [&] { return std::chrono::steady_clock::time_point(std::chrono::seconds(2 * asked++)); };
  const outcome<tuning> done = tuned();
  ASSERT_TRUE(done.ok()) << done.error().words;
  EXPECT_EQ(done->ranking[0].how.why, stop_reason::time);
  EXPECT_EQ(done->rounds, 4u) << "two that must be, and after 2 and 4 seconds one more each";
  EXPECT_EQ(runs_of(*done), (std::vector<std::size_t>{28, 28}));
}

TEST_F(tuning_steps, takes_the_keys_that_are_there) {
  const std::shared_ptr<const key_set> there = loaded(keys);
  script.take_calls();
  ASSERT_TRUE(tune(*on, *there, lookups, options, control).ok());
  EXPECT_EQ(script.calls().front(), "cpu: build EO+KS");
}

TEST_F(tuning_steps, a_slice_is_2_to_the_16_lookups_on_the_cpu_and_2_to_the_24_on_cuda) {
  const workload many{.keys = 100, .dist = distribution::uniform, .lookups = (1 << 16) + 1};
  const batch all = *make_batch(many, key_width::u32);
  options.slice = 0;
  options.candidates = {config_of("EO+BS")};
  options.rounds = {.least = 1, .most = 1, .repeats = 4};
  ASSERT_TRUE(tuned(all).ok());
  EXPECT_EQ(script.take_calls().at(2), "cpu: lookup EO+BS 65536 2+1");
  on = open(machine_kind::cuda);
  ASSERT_TRUE(tuned(all).ok());
  EXPECT_EQ(script.take_calls().at(2), "cuda: lookup EO+BS 65537 2+1");
  const batch most{operation::find, key_array(key_width::u32, (1 << 24) + 1)};
  script.fail("lookup", "enough");
  ASSERT_FALSE(tuned(most).ok());
  EXPECT_EQ(script.take_calls().at(2), "cuda: lookup EO+BS 16777216 2+1");
}

TEST_F(tuning_steps, by_itself_looks_at_all_candidates_and_near_the_best) {
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda}) {
    on = open(kind);
    options.candidates.clear();
    options.leaders = 2;
    reports.clear(), fractions.clear();
    ASSERT_TRUE(tuned().ok());
    const strings first = lines_of(tuning_candidates({.machine = kind,
                                                      .keys = 100,
                                                      .cache_bytes = cache_of(on->info()),
                                                      .large_scratch = has_large_scratch(on->info())}));
    // Of the two best, EO+BS and AO+BS, what was not looked at already.
    strings near;
    for (const char* line : {"EO+BS", "AO+BS"})
      for (const std::string& one : lines_of(configs_near(config_of(line), kind)))
        if (std::find(first.begin(), first.end(), one) == first.end()) near.push_back(one);
    EXPECT_EQ(near.size(), kind == machine_kind::cpu ? 0u : 13u);
    const u32 estimate = static_cast<u32>(first.size()) + 2 * (kind == machine_kind::cpu ? 1 : 8) + 6;
    const u32 known = static_cast<u32>(first.size() + near.size()) + 6;
    u32 at = 0;
    for (std::size_t i = 0; i < first.size(); ++i, ++at)
      EXPECT_EQ(reports.at(at),
                (report{at, estimate, fmt::format("first look {} of {}: {}", i + 1, first.size(), first[i])}));
    for (std::size_t i = 0; i < near.size(); ++i, ++at)
      EXPECT_EQ(reports.at(at),
                (report{at, known, fmt::format("near the best {} of {}: {}", i + 1, near.size(), near[i])}));
    EXPECT_EQ(reports.size(), known);
    EXPECT_EQ(reports.back(), (report{known - 1, known, "round 3 of 3, finalist 2 of 2: AO+BS"}));
    // Never backwards, never beyond the end.
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_EQ(fractions.front(), 0);
    EXPECT_LE(fractions.back(), 1);
  }
}

TEST_F(tuning_steps, keeps_to_what_is_required_and_says_so) {
  options.candidates.clear();
  options.ascending = true;
  outcome<tuning> done = tuned();
  ASSERT_TRUE(done.ok());
  EXPECT_TRUE(done->ascending);
  EXPECT_FALSE(done->smallest);
  for (const tuned_config& one : done->ranking)
    EXPECT_FALSE(method_name(one.config).starts_with("EO") || method_name(one.config).starts_with("HT"));
  options.ascending = false, options.smallest = true;
  done = tuned();
  ASSERT_TRUE(done.ok());
  EXPECT_FALSE(done->ascending);
  EXPECT_TRUE(done->smallest);
  for (const tuned_config& one : done->ranking)
    EXPECT_FALSE(method_name(one.config).starts_with("AO+PB") || method_name(one.config).starts_with("HT"));
}

TEST_F(tuning_steps, what_the_machine_refuses_is_out_with_its_words) {
  for (const char* what : {"build EO+BS", "lookup EO+BS"}) {
    script.fail(what, "there is no room");
    const outcome<tuning> done = tuned();
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done->ranking.size(), 2u);
    EXPECT_EQ(to_line(done->winner()->config), "AO+BS");
    ASSERT_EQ(done->rejected.size(), 1u);
    EXPECT_EQ(to_line(done->rejected[0].config), "EO+BS");
    EXPECT_FALSE(done->rejected[0].wrong);
    EXPECT_EQ(done->rejected[0].words, "there is no room");
  }
}

TEST_F(tuning_steps, a_wrong_answer_is_out_with_the_number_and_the_first) {
  std::vector<u32> answers;
  script.lie([&](const ordered_config& config, batch_result& result) {
    if (to_line(config) != "EO+BS") return;
    result.answers.found[3] = result.answers.found[7] = not_found;
    answers = result.answers.found;
  });
  const outcome<tuning> done = tuned();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->ranking.size(), 2u);
  ASSERT_EQ(done->rejected.size(), 1u);
  EXPECT_TRUE(done->rejected[0].wrong);
  const key_array slice = first_of(lookups, 16).keys;
  EXPECT_EQ(done->rejected[0].words,
            "2 of 16 answers are wrong: " + testing::check_answers(keys, slice, answers).first_wrong);
}

TEST_F(tuning_steps, a_finalist_that_answers_wrong_in_a_later_round_is_out_altogether) {
  u32 lookups_of_it = 0;
  script.lie([&](const ordered_config& config, batch_result& result) {
    if (to_line(config) == "EO+BS" && ++lookups_of_it == 3) result.answers.found[0] = not_found;
  });
  const outcome<tuning> done = tuned();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(lookups_of_it, 3u);  // the first look and two rounds
  ASSERT_EQ(done->rejected.size(), 1u);
  EXPECT_TRUE(done->rejected[0].words.starts_with("1 of 64 answers are wrong: "));
  ASSERT_EQ(done->ranking.size(), 2u);
  EXPECT_EQ(to_line(done->ranking[0].config), "AO+BS");
  EXPECT_EQ(done->ranking[0].samples_ms.size(), 12u);
  EXPECT_EQ(reports.size(), 8u);
  EXPECT_EQ(reports.back().done, 7u);
}

TEST_F(tuning_steps, a_miss_for_a_miss_is_right_and_other_rows_of_a_key_too) {
  // A different right answer is checked, not compared with the first.
  const key_array twice(std::vector<u32>{5, 5, 9});
  const batch wanted{operation::find, key_array(std::vector<u32>{5, 9, 7})};
  u32 calls = 0;
  script.lie([&](const ordered_config&, batch_result& result) { result.answers.found[0] = calls++ % 2; });
  options.candidates = {config_of("EO+BS"), config_of("AO+BS")};
  const outcome<tuning> done = tune(*on, *loaded(twice), wanted, options, control);
  ASSERT_TRUE(done.ok()) << done.error().words;
  EXPECT_TRUE(done->rejected.empty());
}

TEST_F(tuning_steps, answers_that_are_known_need_no_second_check_and_others_do) {
  known_answers known;
  options.known = &known;
  ASSERT_TRUE(tuned().ok());
  ASSERT_TRUE(known.of_slice && known.of_all);
  EXPECT_EQ(known.of_slice->answers.found.size(), 16u);
  EXPECT_EQ(known.of_all->answers.found.size(), 64u);

  const auto lie = [](const ordered_config&, batch_result& result) { result.answers.found[3] = not_found; };
  script.lie(lie);
  const outcome<tuning> wrong = tuned();
  EXPECT_FALSE(wrong.ok());
  EXPECT_TRUE(wrong.error().wrong) << "they are not those that are known";

  known.of_slice->answers.found[3] = known.of_all->answers.found[3] = not_found;
  EXPECT_TRUE(tuned().ok()) << "they are those that are known";
}

TEST_F(tuning_steps, nothing_left_is_said_with_the_first_reason) {
  script.fail("build", "there is no room");
  const outcome<tuning> done = tuned();
  ASSERT_FALSE(done.ok());
  EXPECT_FALSE(done.error().cancelled);
  EXPECT_EQ(done.error().words, "None of 3 configs could be measured; the first, EO+KS: there is no room");
}

TEST_F(tuning_steps, without_operations_nothing_is_asked_of_the_machine) {
  const key_array none(key_width::u32, 0);
  const std::shared_ptr<const key_set> there = loaded(keys);
  script.take_calls();
  EXPECT_EQ(tune(*on, *there, {operation::find, none}, options, control).error().words,
            "There are no lookups to time: a workload to tune for needs some");
  EXPECT_EQ(tune(*on, *there, {operation::range, none, none}, options, control).error().words,
            "There are no ranges to time: a workload to tune for needs some");
  EXPECT_TRUE(script.calls().empty());
}

TEST_F(tuning_steps, a_cancel_ends_it_wherever_it_is) {
  // After how many calls, by a lookup's end or a report.
  for (const u32 after : {1u, 2u, 4u, 6u, 8u}) {
    job_control stop;
    u32 answered = 0;
    script.lie([&](const ordered_config&, batch_result&) {
      if (++answered == after) stop.cancel();
    });
    script.take_calls();
    const outcome<tuning> done = tune(*on, *loaded(keys), lookups, options, stop);
    ASSERT_FALSE(done.ok()) << after;
    EXPECT_TRUE(done.error().cancelled);
    EXPECT_EQ(answered, after);
    EXPECT_EQ(script.take_calls().size(), 1 + 2 * after);
  }
  script.lie(nullptr);
  for (const u32 at : {1u, 2u, 5u, 9u}) {
    job_control stop;
    u32 told = 0;
    options.report = [&](const tuning_progress&) {
      if (++told == at) stop.cancel();
    };
    const outcome<tuning> done = tune(*on, *loaded(keys), lookups, options, stop);
    ASSERT_FALSE(done.ok());
    EXPECT_TRUE(done.error().cancelled);
    EXPECT_EQ(script.take_calls().size(), 1 + 2 * (at - 1));
  }
}

// At once: a machine that has nothing to report meanwhile sees it as well.
TEST_F(tuning_steps, a_cancel_goes_through_to_the_machine_and_is_no_failure_of_the_config) {
  const std::shared_ptr<const key_set> there = loaded(keys);
  for (const char* call : {"build", "lookup"}) {
    for (const bool silent : {false, true}) {
      job_control stop;
      silent ? script.hold_silently(call) : script.hold(call);
      std::thread user([&] {
        EXPECT_TRUE(script.wait_until_held());
        stop.cancel();
      });
      const outcome<tuning> done = tune(*on, *there, lookups, options, stop);
      user.join();
      ASSERT_FALSE(done.ok());
      EXPECT_TRUE(done.error().cancelled);
      EXPECT_EQ(script.take_calls().back(), "cancelled");
    }
  }
}

// Ranges take the same way: a slice, rounds, and no second check of the same answers.
TEST_F(tuning_steps, of_ranges_are_those_of_lookups) {
  const batch ranges =
      *make_batch({.keys = 100, .dist = distribution::uniform, .ranges = 40, .range_hits = 3}, key_width::u32);
  const outcome<tuning> done = tuned(ranges);
  ASSERT_TRUE(done.ok()) << done.error().words;
  strings calls = {"cpu: load 100"};
  for (const char* line : {"EO+KS", "EO+BS", "AO+BS"})
    calls.insert(calls.end(), {"cpu: build " + std::string(line), "cpu: ranges " + std::string(line) + " 16 2+1"});
  for (u32 round = 0; round < 3; ++round)
    for (const char* line : {"EO+BS", "AO+BS"})
      calls.insert(calls.end(), {"cpu: build " + std::string(line), "cpu: ranges " + std::string(line) + " 40 4+1"});
  EXPECT_EQ(script.take_calls(), calls);
  EXPECT_EQ(done->asked, operation::range);
  EXPECT_EQ(done->operations, 40u);
  EXPECT_EQ(to_line(done->winner()->config), "EO+BS");
  EXPECT_EQ(done->winner()->operations, 40u);
  EXPECT_DOUBLE_EQ(done->winner()->rate(), 40 / 1.0 * 1e3);
  EXPECT_EQ(done->ranking.back().operations, 16u);

  script.lie([](const ordered_config& config, batch_result& result) {
    if (to_line(config) == "EO+BS") ++result.answers.ranges[5].count;
  });
  const outcome<tuning> without = tuned(ranges);
  ASSERT_TRUE(without.ok());
  ASSERT_EQ(without->rejected.size(), 1u);
  EXPECT_TRUE(without->rejected[0].wrong);
  EXPECT_TRUE(without->rejected[0].words.starts_with("1 of 16 answers are wrong: range 5 from "))
      << without->rejected[0].words;
}

TEST(tuning_quartiles, lie_on_the_line_between_samples_of_even_and_odd_counts) {
  const auto ms = [](const tuned_config& one, double share) { return 9900e3 / one.rate_at(share); };
  const tuned_config even = samples("EO+BS", {4, 2, 1, 3}), odd = samples("EO+BS", {10, 50, 30, 20, 40});
  EXPECT_DOUBLE_EQ(ms(even, 0), 1);
  EXPECT_DOUBLE_EQ(ms(even, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(ms(even, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(ms(even, 0.75), 3.25);
  EXPECT_DOUBLE_EQ(ms(even, 1), 4);
  EXPECT_DOUBLE_EQ(ms(odd, 0.25), 20);
  EXPECT_DOUBLE_EQ(ms(odd, 0.5), 30);
  EXPECT_DOUBLE_EQ(ms(odd, 0.75), 40);
  EXPECT_DOUBLE_EQ(ms(odd, 0.625), 35);
  EXPECT_DOUBLE_EQ(ms(odd, -1), 10);
  EXPECT_DOUBLE_EQ(ms(odd, 2), 50);
  EXPECT_DOUBLE_EQ(ms(samples("EO+BS", {7}), 0.9), 7);
  EXPECT_EQ(samples("EO+BS", {0, 0}).rate(), 0);
  EXPECT_EQ(samples("EO+BS", {}).rate_at(0.25), 0);
  EXPECT_EQ(odd.rate(), odd.rate_at(0.5));
}

TEST(tuning_quartiles, exactly_one_hundredth_is_no_difference) {
  const tuned_config fast = samples("EO+BS", {99}), slow = samples("EO+BS", {100}), slower = samples("EO+BS", {100.1});
  ASSERT_EQ(fast.rate(), 100000);
  ASSERT_EQ(slow.rate(), 99000);
  EXPECT_FALSE(told_apart(fast, slow));
  EXPECT_FALSE(told_apart(slow, fast));
  EXPECT_TRUE(told_apart(fast, slower));
  EXPECT_TRUE(told_apart(slower, fast));
}

TEST(tuning_quartiles, middle_halves_that_touch_are_no_difference) {
  const tuned_config fast = samples("EO+BS", {10, 10, 12, 12}), touching = samples("EO+BS", {12, 12, 14, 14}),
                     apart = samples("EO+BS", {12.1, 12.1, 14, 14});
  EXPECT_FALSE(told_apart(fast, touching));
  EXPECT_FALSE(told_apart(touching, fast));
  EXPECT_TRUE(told_apart(fast, apart));
  EXPECT_TRUE(told_apart(apart, fast));
  // A run out of line on either side is none of the middle half.
  const tuned_config steady = samples("EO+BS", {10, 10, 10, 10, 40}), slow = samples("EO+BS", {2, 12, 12, 12, 12});
  EXPECT_TRUE(told_apart(steady, slow));
  EXPECT_TRUE(told_apart(slow, steady));
}

TEST(tuning_quartiles, equals_keep_their_places_and_ties_end_at_the_first_that_differs) {
  std::vector<tuned_config> list = {samples("AO+BS", {10}), samples("EO+BS", {10}), samples("EO+KS", {20}),
                                    samples("AO+KS", {1}, false), samples("AO+PB+KS", {10.05})};
  rank(list);
  strings order;
  std::vector<bool> beats;
  for (const tuned_config& one : list) order.push_back(to_line(one.config)), beats.push_back(one.beats_next);
  EXPECT_THAT(order, ElementsAre("AO+BS", "EO+BS", "AO+PB+KS", "EO+KS", "AO+KS"));
  EXPECT_THAT(beats, ElementsAre(false, false, true, true, false));
  EXPECT_EQ((tuning{.ranking = list}).tied_with_winner(), 3u);
  EXPECT_EQ((tuning{.ranking = {list[0], list[3], list[1]}}).tied_with_winner(), 1u);
  EXPECT_EQ((tuning{.ranking = {list[0]}}).tied_with_winner(), 1u);
  EXPECT_EQ((tuning{.ranking = list}).winner()->config, config_of("AO+BS"));
}

}  // namespace
}  // namespace pivotscope
