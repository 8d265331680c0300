#include "core/workload/nearest_word.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pivotscope {
namespace {

const std::vector<std::string> known = {"run", "trace", "verify", "devices", "AO+PB+KS", "AO+KS"};

TEST(nearest_word, forgives_slips_of_the_finger) {
  EXPECT_EQ(nearest_word("rnu", known), "run");
  EXPECT_EQ(nearest_word("trcae", known), "trace");
  EXPECT_EQ(nearest_word("Verfy", known), "verify");
  EXPECT_EQ(nearest_word("device", known), "devices");
  EXPECT_EQ(nearest_word("ao+pb+ks", known), "AO+PB+KS");
  EXPECT_EQ(nearest_word("dev", known), "devices");
}

TEST(nearest_word, does_not_guess_wildly) {
  EXPECT_EQ(nearest_word("hello", known), "");
  EXPECT_EQ(nearest_word("x", known), "");
  EXPECT_EQ(nearest_word("", known), "");
  EXPECT_EQ(nearest_word(std::string(100'000, 'r'), known), "");
}

TEST(suggestion, is_a_question_or_a_list) {
  EXPECT_EQ(suggestion("rn", known), "; did you mean 'run'?");
  EXPECT_EQ(suggestion("zzz", std::vector<std::string>{"cpu", "cuda"}), "; there are cpu and cuda");
  EXPECT_EQ(suggestion("zzz", std::vector<std::string>{"cpu"}), "; there is only cpu");
  EXPECT_EQ(suggestion("zzz", {}), "");
}

}  // namespace
}  // namespace pivotscope
