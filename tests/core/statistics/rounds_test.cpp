#include "core/statistics/rounds.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace pivotscope {
namespace {

using std::chrono::seconds;

// Candidates whose runs grow round by round, and a clock that only stands where it is put.
class rounds : public ::testing::Test {
 protected:
  static constexpr u32 repeats = 7;
  rounds_rule rule_of(u32 least, u32 most, double most_seconds = 1) {
    return {{.least = least, .most = most, .repeats = repeats, .seconds = most_seconds}, all.size(), [this] {
              return std::chrono::steady_clock::time_point(now);
            }};
  }
  // Each candidate's next runs: 1 ms give or take half of its spread.
  void go(rounds_rule& rule, std::initializer_list<double> spreads) {
    ASSERT_EQ(spreads.size(), all.size());
    auto spread = spreads.begin();
    for (std::vector<double>& one : all) {
      for (u32 i = 0; i < repeats; ++i) one.push_back(1 + *spread * (static_cast<double>(i % 4) / 3 - 0.5));
      ++spread;
    }
    end_round(rule);
  }
  void end_round(rounds_rule& rule) const {
    const std::vector<std::span<const double>> samples(all.begin(), all.end());
    rule.add_round(samples);
  }

  seconds now{100};
  std::vector<std::vector<double>> all = std::vector<std::vector<double>>(2);
};

TEST_F(rounds, that_are_fixed_are_so_many_whatever_the_noise) {
  rounds_rule rule = rule_of(3, 3, 0);
  for (u32 round = 0; round < 3; ++round) {
    EXPECT_TRUE(rule.go_on());
    EXPECT_EQ(rule.why(0), stop_reason::not_asked);
    go(rule, {0, 1});
  }
  EXPECT_FALSE(rule.go_on());
  EXPECT_EQ(rule.rounds(), 3u);
  EXPECT_EQ(rule.why(0), stop_reason::fixed);
  EXPECT_EQ(rule.why(1), stop_reason::fixed);
}

TEST_F(rounds, end_when_each_is_quiet_and_not_before_the_least) {
  rounds_rule rule = rule_of(2, 12);
  go(rule, {0.001, 0.001});
  EXPECT_TRUE(rule.go_on());
  go(rule, {0.001, 0.001});
  EXPECT_FALSE(rule.go_on());
  EXPECT_EQ(rule.why(0), stop_reason::quiet);
  EXPECT_EQ(rule.why(1), stop_reason::quiet);
}

TEST_F(rounds, go_on_for_all_while_one_is_noisy_until_it_is_quiet) {
  rounds_rule rule = rule_of(2, 12);
  go(rule, {0.001, 0.2});
  for (u32 round = 1; round < 11 && rule.go_on(); ++round) go(rule, {0.001, 0.001});
  EXPECT_FALSE(rule.go_on());
  EXPECT_GT(rule.rounds(), 2u);
  EXPECT_LT(rule.rounds(), 11u);
  EXPECT_EQ(rule.why(0), stop_reason::quiet);
  EXPECT_EQ(rule.why(1), stop_reason::quiet);
}

TEST_F(rounds, end_when_the_noise_of_the_noisy_one_has_settled) {
  rounds_rule rule = rule_of(2, 50);
  while (rule.go_on()) go(rule, {0.001, 0.2});
  EXPECT_EQ(rule.rounds(), 10u) << "the first at which there are 64 runs";
  EXPECT_EQ(rule.why(0), stop_reason::quiet);
  EXPECT_EQ(rule.why(1), stop_reason::stable);
}

TEST_F(rounds, end_with_the_most_and_say_so_of_the_noisy_one_alone) {
  rounds_rule rule = rule_of(2, 4);
  while (rule.go_on()) go(rule, {0.001, 0.2});
  EXPECT_EQ(rule.rounds(), 4u);
  EXPECT_EQ(rule.why(0), stop_reason::quiet);
  EXPECT_EQ(rule.why(1), stop_reason::most);
}

TEST_F(rounds, end_with_the_time_which_is_of_all_together) {
  rounds_rule rule = rule_of(2, 12, 10);
  go(rule, {0.2, 0.001}), go(rule, {0.2, 0.001});
  now += seconds(9);
  go(rule, {0.2, 0.001});
  EXPECT_TRUE(rule.go_on()) << "they are not over";
  now += seconds(1);
  go(rule, {0.2, 0.001});
  EXPECT_FALSE(rule.go_on());
  EXPECT_EQ(rule.why(0), stop_reason::time);
  EXPECT_EQ(rule.why(1), stop_reason::quiet);
}

TEST_F(rounds, are_at_least_the_least_whatever_the_time) {
  rounds_rule rule = rule_of(2, 12, 1);
  now += seconds(1000);
  go(rule, {0.2, 0.2});
  EXPECT_TRUE(rule.go_on());
  go(rule, {0.2, 0.2});
  EXPECT_FALSE(rule.go_on());
  EXPECT_EQ(rule.why(1), stop_reason::time);
}

TEST_F(rounds, go_on_while_later_runs_are_slower) {
  rounds_rule rule = rule_of(2, 3);
  all = {std::vector<double>(7, 1.0), std::vector<double>(7, 1.0)};
  end_round(rule);
  for (u32 round = 0; round < 2; ++round) {
    all[0].insert(all[0].end(), 7, 1.0), all[1].insert(all[1].end(), 7, 1.1 + 0.1 * round);
    end_round(rule);
  }
  EXPECT_EQ(rule.rounds(), 3u);
  EXPECT_EQ(rule.why(0), stop_reason::quiet);
  EXPECT_EQ(rule.why(1), stop_reason::most) << "each round is quiet, and the next is slower";
}

TEST_F(rounds, go_on_while_later_runs_are_faster) {
  rounds_rule rule = rule_of(2, 3);
  all = {std::vector<double>(7, 1.0), std::vector<double>(7, 1.0)};
  end_round(rule);
  for (u32 round = 0; round < 2; ++round) {
    all[0].insert(all[0].end(), 7, 1.0), all[1].insert(all[1].end(), 7, 0.9 - 0.1 * round);
    end_round(rule);
  }
  EXPECT_EQ(rule.rounds(), 3u);
  EXPECT_EQ(rule.why(0), stop_reason::quiet);
  EXPECT_EQ(rule.why(1), stop_reason::most);
}

// Of most of its runs the clock was held back.
TEST_F(rounds, go_on_while_one_has_under_ten_runs) {
  rounds_rule rule = rule_of(2, 12);
  for (u32 round = 1; round <= 5; ++round) {
    EXPECT_TRUE(rule.go_on()) << round;
    all[0].insert(all[0].end(), 7, 1.0), all[1].insert(all[1].end(), 2, 1.0);
    end_round(rule);
  }
  EXPECT_FALSE(rule.go_on());
  EXPECT_EQ(rule.why(1), stop_reason::quiet);
}

TEST_F(rounds, do_not_wait_for_one_that_is_out) {
  rounds_rule rule = rule_of(2, 12);
  go(rule, {0.001, 0.2});
  all[0].insert(all[0].end(), 7, 1.0);
  all[1].clear();
  end_round(rule);
  EXPECT_FALSE(rule.go_on());
  EXPECT_EQ(rule.why(0), stop_reason::quiet);
  EXPECT_EQ(rule.why(1), stop_reason::not_asked);
}

TEST_F(rounds, are_none_of_nothing) {
  all.clear();
  EXPECT_FALSE(rule_of(2, 12).go_on());
  all.resize(1);
  EXPECT_FALSE(rule_of(0, 0).go_on());
}

TEST(a_round_plan, says_how_many_there_are) {
  const round_plan fixed{.least = 2, .most = 2, .repeats = 7}, open{.least = 2, .most = 12, .repeats = 7};
  EXPECT_EQ(fixed.words(), "2 rounds of 7 runs each");
  EXPECT_EQ(open.words(), "2 to 12 rounds of 7 runs each");
  EXPECT_EQ((round_plan{.least = 1, .most = 1, .repeats = 1}.words()), "1 round of 1 run each");
  EXPECT_EQ(fixed.runs_words(), "14 runs");
  EXPECT_EQ(open.runs_words(), "14 to 84 runs");
  EXPECT_EQ((round_plan{.least = 1, .most = 1, .repeats = 1}.runs_words()), "1 run");
  // Of one alone, without rounds.
  EXPECT_EQ(fixed.alone().fixed, 14u);
  EXPECT_EQ(open.alone().fixed, 0u);
  EXPECT_EQ(open.alone().least, 14u);
  EXPECT_EQ(open.alone().most, 84u);
  EXPECT_EQ(open.alone().seconds, 2);
}

}  // namespace
}  // namespace pivotscope
