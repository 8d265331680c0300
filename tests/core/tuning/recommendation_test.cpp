#include "core/tuning/recommendation.hpp"

#include <gtest/gtest.h>

#include "tests/core/tuning/asked_machines.hpp"
#include "tests/core/tuning/tuned_samples.hpp"

namespace pivotscope {
namespace {

// AO+BS is the fastest of two finalists, and EO+KS was only looked at, on a slice where it seemed faster yet.
tuning given_tuning() {
  tuning done;
  done.machine = "a test's cpu", done.keys = 1 << 20, done.operations = 9900;
  done.ranking = {samples("AO+BS", {1, 1, 1}), samples("EO+BS", {2, 2, 2}), samples("EO+KS", {0.1}, false, 9900)};
  rank(done.ranking);
  return done;
}

advice of_the_paper() {
  return {
      .config = config_of("EO+BS"), .reasons = {{"It fits.", "lightweight"}}, .measured = {}, .measured_reasons = {}};
}

TEST(recommendation, is_what_was_measured_here) {
  const tuning done = given_tuning();
  const recommendation r = recommend(of_the_paper(), {.current = config_of("EO+BS"), .measured = &done});
  EXPECT_EQ(to_line(r.config), "AO+BS");
  EXPECT_EQ(r.how, known_by::measurement);
  EXPECT_FALSE(r.in_use);
  ASSERT_TRUE(r.of_current);
  EXPECT_EQ(r.of_current->times, 2);
  EXPECT_TRUE(r.of_current->told);
  EXPECT_FALSE(r.of_standard);
  EXPECT_EQ(r.reasons.at(0).words, "It is the fastest of 2 configs that were measured on 9900 lookups over 2^20 keys.");
  EXPECT_EQ(r.reasons.at(0).source, "measured on a test's cpu");
}

TEST(recommendation, says_nothing_of_a_slice_beside_the_whole_batch) {
  const tuning done = given_tuning();
  const recommendation r = recommend(of_the_paper(), {.current = config_of("EO+KS"), .measured = &done});
  EXPECT_EQ(to_line(r.config), "AO+BS");
  EXPECT_FALSE(r.of_current) << "EO+KS was only looked at";
}

TEST(recommendation, takes_the_current_configs_own_runs_where_it_is_no_candidate) {
  tuning done = given_tuning();
  done.current = samples("AO+BS threads=64", {3, 3, 3});
  const index_config current = config_of("AO+BS threads=64");
  EXPECT_EQ(recommend(of_the_paper(), {.current = current, .measured = &done}).of_current->times, 3);
  done.current.reset();
  const tuned_config alone = samples("AO+BS threads=64", {4, 4, 4, 4, 4});
  EXPECT_EQ(
      recommend(of_the_paper(), {.current = current, .measured = &done, .current_alone = &alone}).of_current->times, 4);
}

TEST(recommendation, is_to_stay_where_nothing_is_told_to_be_faster) {
  tuning done = given_tuning();
  done.ranking[1] = samples("EO+BS", {1.001, 1.001, 1.001});
  rank(done.ranking);
  done.standard = samples("AO+BS", {5, 5, 5});
  const recommendation r = recommend(of_the_paper(), {.current = config_of("EO+BS"), .measured = &done});
  EXPECT_EQ(to_line(r.config), "EO+BS");
  EXPECT_TRUE(r.in_use);
  EXPECT_FALSE(r.of_current);
  EXPECT_NEAR(r.of_standard->times, 5, 0.01);
  EXPECT_EQ(r.reasons.at(0).words,
            "Of 2 configs that were measured on 9900 lookups over 2^20 keys none can be told to be faster.");
  // And not where what is in use does not have what is required.
  done.current = samples("EO+KS", {1, 1, 1});
  EXPECT_EQ(to_line(recommend(of_the_paper(), {.current = config_of("EO+KS"), .measured = &done}).config), "AO+BS");
}

TEST(recommendation, is_what_was_measured_elsewhere_before_it_is_the_papers_rule) {
  advice given = of_the_paper();
  EXPECT_EQ(recommend(given, {.current = config_of("AO+BS")}).how, known_by::papers_rule);
  EXPECT_EQ(to_line(recommend(given, {.current = config_of("AO+BS")}).config), "EO+BS");
  EXPECT_TRUE(recommend(given, {.current = config_of("EO+BS")}).in_use);
  const workload load{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 24};
  const known_row* const row = known_faster(config_of("AO+BS"), load.keys, load, a_gpu());
  ASSERT_TRUE(row);
  const recommendation knobs = recommend(given, {.current = config_of("AO+BS"), .same_method = row});
  EXPECT_EQ(knobs.how, known_by::elsewhere);
  EXPECT_EQ(knobs.config, config_of(("AO+BS " + std::string(row->knobs)).c_str()));
  EXPECT_EQ(knobs.of_current->times, row->times);
  given.measured = config_of("PACKED"), given.measured_reasons = {{"Faster.", "docs"}};
  const recommendation other = recommend(given, {.current = config_of("AO+BS"), .same_method = row});
  EXPECT_EQ(other.config, config_of("PACKED"));
  EXPECT_FALSE(other.of_current) << "of the two there is no figure";
}

TEST(times, are_told_as_people_read_them) {
  EXPECT_EQ(times_words(1.041), "1.04 times");
  EXPECT_EQ(times_words(2.34), "2.3 times");
  EXPECT_EQ(times_words(12.4), "12 times");
}

}  // namespace
}  // namespace pivotscope
