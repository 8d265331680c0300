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

TEST(throughput, is_in_tera_or_gigabytes) {
  EXPECT_EQ(throughput_text(4.268e12), "4.27 TB/s");
  EXPECT_EQ(throughput_text(12.06e9), "12.1 GB/s");
  EXPECT_EQ(throughput_text(999.94e9), "999.9 GB/s");
  EXPECT_EQ(throughput_text(999.96e9), "1.00 TB/s");
  EXPECT_EQ(throughput_text(0), "0.0 GB/s");
}

TEST(milliseconds, have_three_digits) {
  EXPECT_EQ(milliseconds_text(0), "0");
  EXPECT_EQ(milliseconds_text(0.01234), "0.0123");
  EXPECT_EQ(milliseconds_text(4.5678), "4.57");
  EXPECT_EQ(milliseconds_text(123456), "123456");
}

TEST(rate, changes_its_unit_where_it_would_be_rounded_to_a_thousand) {
  EXPECT_EQ(rate_text(999.4), "999 /s");
  EXPECT_EQ(rate_text(999.5), "1.00 k/s");
  EXPECT_EQ(rate_text(999'400), "999 k/s");
  EXPECT_EQ(rate_text(999'500), "1.00 M/s");
  EXPECT_EQ(rate_text(999.4e6), "999 M/s");
  EXPECT_EQ(rate_text(999.5e6), "1.00 G/s");
  EXPECT_EQ(rate_text(1e3), "1.00 k/s");
  EXPECT_EQ(rate_text(1e6), "1.00 M/s");
  EXPECT_EQ(rate_text(1e9), "1.00 G/s");
  EXPECT_EQ(rate_text(1234e9), "1234 G/s");
}

TEST(milliseconds, have_three_digits_after_rounding_too) {
  EXPECT_EQ(milliseconds_text(9.994), "9.99");
  EXPECT_EQ(milliseconds_text(9.996), "10.0");
  EXPECT_EQ(milliseconds_text(99.94), "99.9");
  EXPECT_EQ(milliseconds_text(99.96), "100");
  EXPECT_EQ(milliseconds_text(0.9996), "1.00");
  EXPECT_EQ(milliseconds_text(0.5), "0.500");
  EXPECT_EQ(milliseconds_text(10), "10.0");
  EXPECT_EQ(milliseconds_text(1000), "1000");
  EXPECT_EQ(milliseconds_text(0.001234), "0.00123");
  EXPECT_EQ(milliseconds_text(0.0001234), "0.00012") << "a hundredth of a microsecond at the least";
  EXPECT_EQ(milliseconds_text(-1), "0");
}

}  // namespace
}  // namespace pivotscope
