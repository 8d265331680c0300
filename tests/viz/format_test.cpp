#include "viz/format.hpp"

#include <gtest/gtest.h>

namespace pivotscope::viz {
namespace {

TEST(Format, NumbersReadTheSameEverywhere) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1048576), "1\u00A0048\u00A0576");
  EXPECT_EQ(short_count(1048576), "2^20");
  EXPECT_EQ(bytes_text(120), "120 B");
  EXPECT_EQ(bytes_text(8ull << 20), "8 MiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(ms_text(0.0123), "12.3 \u00B5s");
  EXPECT_EQ(ms_text(1500), "1.50 s");
  EXPECT_EQ(rate_text(21.34e9), "21.3 G/s");
  EXPECT_EQ(percent_text(0.41), "41%");
}

TEST(Format, ARangeIsTwoKeysWithDotsBetween) {
  EXPECT_EQ(*parse_looked_for("9", key_width::u32), looked_for(9));
  EXPECT_EQ(*parse_looked_for("9..12", key_width::u32), looked_for(9, 12));
  EXPECT_EQ(to_text(looked_for(9, 12)), "9..12");
  for (const char* wrong : {"9..", "..12", "9..x", "9..4294967296", "..", "9...12"}) {
    EXPECT_FALSE(parse_looked_for(wrong, key_width::u32).ok()) << wrong;
  }
}

TEST(Format, AKeyIsAWholeNumberOfTheWidth) {
  EXPECT_EQ(*parse_key(" 42 ", key_width::u32), 42u);
  EXPECT_EQ(*parse_key("0xFFFFFFFF", key_width::u32), 0xFFFFFFFFu);
  EXPECT_EQ(*parse_key("18446744073709551615", key_width::u64), ~0ull);
  for (const char* wrong : {"", "  ", "-1", "4294967296", "1.5", "12 3", "0x", "0xg", "ten", "18446744073709551616"})
    EXPECT_FALSE(parse_key(wrong, key_width::u32).ok()) << wrong;
}

}  // namespace
}  // namespace pivotscope::viz
