#include "app/cli/table.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(table, aligns_names_left_and_figures_right) {
  EXPECT_EQ(table_text({{"config", "ms"}, {"EO+BS", "12.5"}, {"AO+PB+KS", "3"}}),
            "config      ms\n"
            "--------  ----\n"
            "EO+BS     12.5\n"
            "AO+PB+KS     3\n");
  EXPECT_EQ(table_text({{"a", "b", "c"}, {"x"}}), "a  b  c\n-  -  -\nx\n");
  EXPECT_EQ(table_text({}), "");
}

TEST(rate, has_three_digits_and_a_unit) {
  EXPECT_EQ(rate_text(21.34e9), "21.3 G/s");
  EXPECT_EQ(rate_text(904e6), "904 M/s");
  EXPECT_EQ(rate_text(1500), "1.50 k/s");
  EXPECT_EQ(rate_text(12), "12.0 /s");
  EXPECT_EQ(rate_text(0), "0 /s");
}

TEST(milliseconds, have_three_digits) {
  EXPECT_EQ(milliseconds_text(0), "0");
  EXPECT_EQ(milliseconds_text(0.01234), "0.0123");
  EXPECT_EQ(milliseconds_text(4.5678), "4.57");
  EXPECT_EQ(milliseconds_text(123456), "123456");
}

}  // namespace
}  // namespace pivotscope
