#include "core/run/view_position.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(view_position, is_a_step_or_a_slot_of_a_pass) {
  EXPECT_EQ(to_line(view_position{}), "");
  EXPECT_EQ(to_line(view_position{.step = 3}), "step=3");
  EXPECT_EQ(to_line(view_position{.build = build_slot{"", 11}}), "build=11");
  EXPECT_EQ(to_line(view_position{.build = build_slot{"pivots", 0}}), "build=pivots:0");
  EXPECT_EQ(words_of(view_position{.step = 3}), "step 3");
  EXPECT_EQ(words_of(view_position{.build = build_slot{"", 11}}), "build, slot 11");
  EXPECT_EQ(words_of(view_position{.build = build_slot{"pivots", 0}}), "build of pivots, slot 0");
}

TEST(view_position, a_slot_is_read_as_it_is_written) {
  EXPECT_EQ(*parse_build_slot("11"), (build_slot{"", 11}));
  EXPECT_EQ(*parse_build_slot("2^40"), (build_slot{"", 1ull << 40}));
  EXPECT_EQ(*parse_build_slot("pivots:7"), (build_slot{"pivots", 7}));
  EXPECT_EQ(*parse_build_slot("pivots:18446744073709551615"), (build_slot{"pivots", ~0ull}));
  for (const char* refused :
       {"", ":", ":3", "pivots:", "Pivots:3", "a b:3", "pivots:3:4", "-1", "x", "1.5", "18446744073709551616"})
    EXPECT_FALSE(parse_build_slot(refused).ok()) << refused;
  EXPECT_FALSE(parse_build_slot(std::string(33, 'a') + ":1").ok());
  EXPECT_TRUE(parse_build_slot(std::string(32, 'a') + ":1").ok());
}

}  // namespace
}  // namespace pivotscope
