#include "core/workload/script_list.hpp"

#include <gtest/gtest.h>

#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

std::string text_of_list(std::string_view word) {
  const outcome<script> read = script_from_list(word, key_width::u32);
  return read ? to_text(*read) : read.error().words;
}

std::string rewritten(std::string_view word) { return to_list(*script_from_list(word, key_width::u32)); }

TEST(script_list, says_the_same_as_a_text) {
  EXPECT_EQ(text_of_list("+5,+7/-5/(+3,?3,0..9)/>4"),
            "insert 5\ninsert 7\nerase 5\nbegin\ninsert 3\nfind 3\nrange 0 9\nend\nsuccessor 4\n");
  EXPECT_EQ(text_of_list("9..2"), "range 9 2\n");
}

TEST(script_list, parts_batches_by_slashes_and_where_the_verb_changes) {
  EXPECT_EQ(rewritten("+5,-5"), "+5/-5");
  EXPECT_EQ(rewritten("+5,+6"), "+5,+6");
  EXPECT_EQ(rewritten("+5/+6,+7"), "+5/(+6,+7)");
  EXPECT_EQ(rewritten("+5/+6,-7,-8"), "+5/(+6)/-7,-8");
  EXPECT_EQ(rewritten("(+5)/+6"), "(+5)/+6");
  EXPECT_EQ(rewritten("+5/+6/+7"), "+5/(+6)/+7");
}

TEST(script_list, says_what_is_wrong) {
  EXPECT_EQ(text_of_list(""), "an operation is missing");
  EXPECT_EQ(text_of_list("+5,"), "an operation is missing");
  EXPECT_EQ(text_of_list("()"), "an operation is missing");
  EXPECT_EQ(text_of_list("+5//-5"), "an operation is missing");
  EXPECT_EQ(text_of_list("+"), "a key is missing in '+'");
  EXPECT_EQ(text_of_list("3.."), "a key is missing in '3..'");
  EXPECT_EQ(text_of_list("..3"), "a key is missing in '..3'");
  EXPECT_EQ(
      text_of_list("5"),
      "'5' is no operation; these are: ?5 lookup, 5..9 range, >5 successor, =5 match, >=5 lower bound, +5 insert, "
      "-5 erase");
  EXPECT_EQ(text_of_list("+4294967296"),
            "'4294967296' is too great for keys=u32, whose keys end at 4294967295; take keys=u64 in the config for "
            "greater ones");
  EXPECT_EQ(text_of_list("--5"), "'-5' has a minus sign; keys are unsigned");
  EXPECT_EQ(text_of_list("(+5,-5"), "a bracket is open; put ) behind the last operation of its batch");
  EXPECT_EQ(text_of_list("(+5,(-5))"), "an operation is missing");
  EXPECT_EQ(text_of_list("+5)"), "')' where a slash or the end belongs");
  std::string many = "+0";
  for (std::size_t i = 1; i < max_listed; ++i) many += ",+1";
  EXPECT_EQ(script_from_list(many, key_width::u64)->size(), max_listed);
  EXPECT_EQ(text_of_list(many + ",?1"), "there are more than 64 operations; a file may have more");
}

}  // namespace
}  // namespace pivotscope
