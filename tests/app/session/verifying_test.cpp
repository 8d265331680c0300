// Random cases in the background, as the frame's thread sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/session/verification_job.hpp"
#include "tests/app/session/session_fixture.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class verifying_test : public session_test {
 protected:
  bool until_verified() {
    return seen.until(
        [](const session_view& v) { return !v.verified.running && !v.job.running && v.verified.asked.seed == 3; });
  }
  // Wrong for every lookup over so many keys.
  void lie() {
    script.lie([](const index_config&, batch_result& result) {
      for (u32& row : result.answers.found) row = row == not_found ? 0 : not_found;
    });
  }
};

TEST_F(verifying_test, checks_all_cases_and_leaves_the_index) {
  open();
  const auto index = now().index;
  on->verify({.cases = 12, .seed = 3, .most_keys = 300});
  ASSERT_TRUE(until_verified());
  const viz::verification v = now().verified;
  EXPECT_EQ(v.done, 12u);
  EXPECT_EQ(v.failing, nullptr);
  EXPECT_FALSE(v.stopped);
  EXPECT_EQ(v.problem, "");
  EXPECT_EQ(now().index, index);
  EXPECT_EQ(now().runs->size(), 1u);
  // They are the cases of the command line.
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  case_counts counts;
  std::set<std::string> configs;
  const case_generator generator({.seed = 3, .most_keys = 300});
  for (u64 i = 0; i < 12; ++i) {
    ASSERT_TRUE(verify_one(*cpu, generator, i, counts).ok());
    configs.insert(to_line(generator.draw(i).config));
  }
  EXPECT_EQ(v.counts, counts);
  EXPECT_EQ(v.configs, configs.size());
}

// A frame's time apart, and no rarer: who watches sees them pass.
TEST(verification_job, tells_how_far_it_is_once_a_frame) {
  std::chrono::steady_clock::time_point time{};
  u32 shown = 0;
  board shared(
      {}, [&] { ++shown; }, [&] { return time; });
  verification_job cases(shared, {.cases = 61, .seed = 3, .most_keys = 50}, machine_kind::cpu, [&] { return time; });
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  cases.begin();
  ASSERT_EQ(shown, 1u);
  for (u32 i = 0; i < 60; ++i) {
    time += std::chrono::milliseconds(12);
    ASSERT_TRUE(cases.go_on(*cpu, {}));
    EXPECT_EQ(shared.copy().verified.done, (i + 1) / 3 * 3) << "after 36 ms, and not after 24";
  }
  EXPECT_EQ(shown, 21u);
  ASSERT_FALSE(cases.go_on(*cpu, {}));
  EXPECT_EQ(shared.copy().verified.done, 61u) << "its end is shown at once";
}

TEST_F(verifying_test, a_case_that_fails_is_made_small_and_opens) {
  open();
  lie();
  on->verify({.cases = 100, .seed = 3, .most_keys = 300});
  ASSERT_TRUE(until_verified());
  const viz::verification v = now().verified;
  ASSERT_NE(v.failing, nullptr);
  ASSERT_EQ(v.failing->size(), 20u) << "that is enough";
  EXPECT_EQ(v.done, v.failing->back().number + 1);
  script.lie({});
  const viz::failing_case& c = v.failing->front();
  EXPECT_THAT(c.words, HasSubstr("right is"));
  EXPECT_THAT(c.line, StartsWith("pivotscope trace --config \"" + to_line(c.config) + "\""));
  on->open_scenario(c.line);
  ASSERT_TRUE(seen.until([&](const session_view& s) {
    return !s.job.running && s.index && s.index->config() == c.config && s.path && s.path->index == s.index;
  }));
  EXPECT_EQ(now().path->trace.key, c.key.key);
  EXPECT_EQ(now().choice.key, c.key);
  EXPECT_EQ(now().keys->set->size(), c.load.keys);
  EXPECT_EQ(now().verified.failing, v.failing) << "the list stays";
}

TEST_F(verifying_test, stops_when_it_is_told_to) {
  for (const bool by_escape : {false, true}) {
    open();
    script.hold("cpu: load");
    on->verify({.cases = 1000, .seed = 3, .most_keys = 300});
    ASSERT_TRUE(script.wait_until_held());
    EXPECT_TRUE(now().verified.running);
    EXPECT_FALSE(now().job.running);
    by_escape ? on->cancel() : on->stop_verifying();
    ASSERT_TRUE(until_verified());
    EXPECT_TRUE(now().verified.stopped);
    EXPECT_EQ(now().verified.done, 0u);
    on->run_again();
    ASSERT_TRUE(until_runs(2)) << "the worker is free";
    close();
  }
}

TEST_F(verifying_test, what_is_chosen_goes_first_and_the_case_is_checked_after_it) {
  open();
  script.hold("cpu: load");
  on->verify({.cases = 5, .seed = 3, .most_keys = 300});
  ASSERT_TRUE(script.wait_until_held());
  on->choose_config(*config_from_line("AO+BS"));
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.runs->size() == 2; }));
  ASSERT_TRUE(until_verified());
  EXPECT_EQ(now().verified.done, 5u);
  EXPECT_EQ(to_line(now().index->config()), "AO+BS");
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  case_counts counts;
  const case_generator generator({.seed = 3, .most_keys = 300});
  for (u64 i = 0; i < 5; ++i) ASSERT_TRUE(verify_one(*cpu, generator, i, counts).ok());
  EXPECT_EQ(now().verified.counts, counts) << "nothing was counted twice";
}

TEST_F(verifying_test, another_request_takes_its_place) {
  open();
  script.hold("cpu: load");
  on->verify({.cases = 1000, .seed = 2, .most_keys = 300});
  ASSERT_TRUE(script.wait_until_held());
  on->verify({.cases = 2, .seed = 3, .most_keys = 300});
  ASSERT_TRUE(until_verified());
  EXPECT_EQ(now().verified.done, 2u);
}

TEST_F(verifying_test, a_machine_that_fails_ends_it_in_words) {
  open();
  script.fail("cpu: build", "no memory");
  on->verify({.cases = 5, .seed = 3, .most_keys = 300});
  ASSERT_TRUE(until_verified());
  EXPECT_THAT(now().verified.problem, HasSubstr("no memory"));
  EXPECT_THAT(now().verified.problem, StartsWith("pivotscope trace --config "));
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(verifying_test, a_machine_that_does_not_open_ends_it_in_words) {
  open();
  script.fail("cuda: open", "no driver");
  on->choose_machine(machine_kind::cuda);
  ASSERT_TRUE(until_said(1));
  on->verify({.cases = 5, .seed = 3, .most_keys = 300});
  ASSERT_TRUE(until_verified());
  EXPECT_EQ(now().verified.problem, "no driver");
}

TEST_F(verifying_test, the_end_of_the_program_waits_for_no_case) {
  open();
  script.hold("cpu: load");
  on->verify({.cases = 1000, .seed = 3, .most_keys = 300});
  ASSERT_TRUE(script.wait_until_held());
  close();
  SUCCEED();
}

TEST_F(verifying_test, cuda_shares_a_few_configs) {
  open();
  on->choose_machine(machine_kind::cuda);
  ASSERT_TRUE(until_runs(2));
  on->verify({.cases = 60, .seed = 3, .most_keys = 100});
  ASSERT_TRUE(until_verified());
  EXPECT_EQ(now().verified.machine, machine_kind::cuda);
  EXPECT_EQ(now().verified.done, 60u);
  EXPECT_LE(now().verified.configs, standard_configs(machine_kind::cuda));
}

}  // namespace
}  // namespace pivotscope
