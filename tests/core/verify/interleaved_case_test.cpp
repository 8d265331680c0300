// The line that replays a case.
#include "core/verify/interleaved_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pivotscope {
namespace {

using ::testing::HasSubstr;

TEST(interleaved_cases, are_lines_and_back) {
  const interleaved_case all{.keys = {5, 0, greatest_key<u64>()},
                             .before = {{operation::erase, 5}, {operation::insert, 6}},
                             .operations = {{operation::insert, 5},
                                            {operation::find, 0},
                                            {operation::range, 3, 9},
                                            {operation::successor, 7},
                                            {operation::erase, 5}},
                             .order = {{{0, 3}, {1}, {4, 1}}, store_order::late}};
  EXPECT_EQ(to_text(all), "keys=5,0,18446744073709551615 before=-5,+6 ops=+5,?0,3..9,>7,-5 schedule=0:3 1 4:1 late");
  const interleaved_case small{.operations = {{operation::insert, 5}}};
  EXPECT_EQ(to_text(small), "keys= ops=+5 schedule=");
  for (const interleaved_case& c : {all, small}) {
    const outcome<interleaved_case> back = interleaved_case_from_text(to_text(c), key_width::u64);
    ASSERT_TRUE(back) << back.error().words;
    EXPECT_EQ(*back, c);
  }
  EXPECT_EQ(interleaved_case_from_text("  ops=+5", key_width::u32)->operations, small.operations);
}

TEST(interleaved_cases, say_what_is_wrong_with_a_line) {
  const auto words = [](std::string_view line) {
    const outcome<interleaved_case> read = interleaved_case_from_text(line, key_width::u32);
    return read ? std::string() : read.error().words;
  };
  EXPECT_THAT(words("keys=5"), HasSubstr("there are no operations: a line to replay is keys=5,3 "));
  EXPECT_THAT(words("kays=5 ops=+5"), HasSubstr("\"kays=5\" is no part of it"));
  EXPECT_THAT(words("ops=5"), HasSubstr("\"5\" is no operation"));
  EXPECT_THAT(words("ops=+5,"), HasSubstr("\"\" is no operation"));
  EXPECT_THAT(words("ops=+x"), HasSubstr("a key"));
  EXPECT_THAT(words("keys=4294967296 ops=+5"), HasSubstr("4294967295"));
  EXPECT_THAT(words("ops=+4294967296"), HasSubstr("4294967295"));
  EXPECT_THAT(words("ops=1..4294967296"), HasSubstr("4294967295"));
  EXPECT_THAT(words("ops=+5 schedule=0:x"), HasSubstr("no part of a schedule"));
  EXPECT_THAT(words("keys=5 ops=+5,*7"), ::testing::StartsWith("column 15: \"*7\" is no operation"));
  EXPECT_THAT(words("ops=+5,"), ::testing::StartsWith("column 8: "));
  EXPECT_THAT(words("keys=5,x"), ::testing::StartsWith("column 8: "));
  EXPECT_THAT(words(" kays=5"), ::testing::StartsWith("column 2: "));
  EXPECT_THAT(words("ops=+5 schedule=0:1 y"), ::testing::StartsWith("column 21: \"y\" is no part of a schedule"));
  EXPECT_THAT(words("ops=+5,-5 schedule=2:1"), HasSubstr("the schedule has operation 2, and there are 2, from 0 on"));
}

}  // namespace
}  // namespace pivotscope
