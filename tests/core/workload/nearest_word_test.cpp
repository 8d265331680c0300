#include "core/workload/files/nearest_word.hpp"

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

// One letter in up to four, two in up to eight, three in longer ones.
TEST(nearest_word, forgives_more_in_longer_words) {
  const auto near = [](std::string_view word, std::string candidate) {
    return !nearest_word(word, std::vector<std::string>{std::move(candidate)}).empty();
  };
  EXPECT_TRUE(near("ax", "ay"));
  EXPECT_FALSE(near("ax", "byz"));
  EXPECT_TRUE(near("abcd", "abcx"));
  EXPECT_FALSE(near("abcd", "abxy"));
  EXPECT_TRUE(near("abcde", "abcxy"));
  EXPECT_FALSE(near("abcde", "abxyz"));
  EXPECT_TRUE(near("abcdefgh", "abcdefxy"));
  EXPECT_FALSE(near("abcdefgh", "abcdexyz"));
  EXPECT_TRUE(near("abcdefghi", "abcdefxyz"));
  EXPECT_FALSE(near("abcdefghi", "abcdewxyz"));
  EXPECT_FALSE(near("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuv...."));
  EXPECT_TRUE(near("--abcd", "--abcx")) << "dashes are no letters";
  EXPECT_FALSE(near("--abcd", "--abxy"));
  EXPECT_FALSE(near("abc", "xyz")) << "nothing of it is left";
  EXPECT_FALSE(near("a", "b"));
  EXPECT_TRUE(near("a", "ab"));
}

TEST(nearest_word, counts_each_slip_once) {
  // Between two candidates the one with fewer slips wins, the first of equals.
  const auto of = [](std::string_view word, std::vector<std::string> candidates) {
    return nearest_word(word, candidates);
  };
  EXPECT_EQ(of("abcdef", {"abcxyf", "abdcef"}), "abdcef") << "a swap is one";
  EXPECT_EQ(of("abcdef", {"abcxyf", "abcdefg"}), "abcdefg") << "an insertion is one";
  EXPECT_EQ(of("abcdef", {"abcxyf", "abcde"}), "abcde") << "a deletion is one";
  EXPECT_EQ(of("abcdef", {"abcxyf", "abcdxf"}), "abcdxf") << "a replacement is one";
  EXPECT_EQ(of("abcdef", {"abcxef", "abcdxf"}), "abcxef");
  EXPECT_EQ(of("ABCDEF", {"abcxef", "abcdef"}), "abcdef") << "the case does not count";
  EXPECT_EQ(of("abcdef", {"BAcdef", "bcaxef"}), "BAcdef") << "a swap at the beginning, in the other case";
}

TEST(nearest_word, compares_words_of_up_to_64_letters) {
  const std::vector<std::string> one{std::string(64, 'r')};
  EXPECT_EQ(nearest_word(std::string(63, 'r') + "x", one), one[0]);
  EXPECT_EQ(nearest_word(std::string(65, 'r'), one), "");
}

TEST(nearest_word, takes_the_beginning_of_one_word_alone) {
  const std::vector<std::string> words{"uniformity", "unhappiness", "range_hits"};
  EXPECT_EQ(nearest_word("unif", words), "uniformity");
  EXPECT_EQ(nearest_word("UNIF", words), "uniformity");
  EXPECT_EQ(nearest_word("un", words), "") << "two begin so";
  EXPECT_EQ(nearest_word("ra", words), "range_hits");
  EXPECT_EQ(nearest_word("r", words), "") << "too short";
  EXPECT_EQ(nearest_word("rx", words), "");
}

TEST(suggestion, is_a_question_or_a_list) {
  EXPECT_EQ(suggestion("rn", known), "; did you mean 'run'?");
  EXPECT_EQ(suggestion("zzz", std::vector<std::string>{"cpu", "cuda"}), "; there are cpu and cuda");
  EXPECT_EQ(suggestion("zzz", std::vector<std::string>{"one", "four", "eleven"}), "; there are one, four and eleven");
  EXPECT_EQ(suggestion("zzz", std::vector<std::string>{"cpu"}), "; there is only cpu");
  EXPECT_EQ(suggestion("zzz", {}), "");
}

}  // namespace
}  // namespace pivotscope
