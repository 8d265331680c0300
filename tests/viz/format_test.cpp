#include "viz/words/format.hpp"
#include "core/workload/question_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace pivotscope::viz {
namespace {

TEST(Format, NumbersReadTheSameEverywhere) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1048576), "1\u00A0048\u00A0576");
  EXPECT_EQ(short_count(1048576), "2^20");
  EXPECT_EQ(counted(1048576, "key"), "2^20 keys");
  EXPECT_EQ(counted(1000000, "key"), "1\u00A0000\u00A0000 keys");
  EXPECT_EQ(counted(1, "key"), "1 key");
  EXPECT_EQ(bytes_text(120), "120 B");
  EXPECT_EQ(bytes_text(8ull << 20), "8 MiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(ms_text(0.0123), "12.3 \u00B5s");
  EXPECT_EQ(ms_text(1500), "1.50 s");
  EXPECT_EQ(rate_text(21.34e9), "21.3 G/s");
  EXPECT_EQ(percent_text(0.41), "41%");
}

TEST(Format, ARangeIsTwoKeysWithDotsBetween) {
  EXPECT_EQ(*parse_question("9", key_width::u32), question(9));
  EXPECT_EQ(*parse_question("9..12", key_width::u32), question(operation::range, 9, 12));
  EXPECT_EQ(to_text(question(operation::range, 9, 12)), "9..12");
  EXPECT_EQ(*parse_question(">9", key_width::u32), question(operation::successor, 9));
  EXPECT_EQ(*parse_question(" > 9", key_width::u32), question(operation::successor, 9));
  EXPECT_EQ(to_text(question(operation::successor, 9)), ">9");
  for (const char* wrong : {">", ">9..12", ">x", ">4294967296"})
    EXPECT_FALSE(parse_question(wrong, key_width::u32).ok()) << wrong;
  for (const char* wrong : {"9..", "..12", "9..x", "9..4294967296", "..", "9...12", "12..9"}) {
    EXPECT_FALSE(parse_question(wrong, key_width::u32).ok()) << wrong;
  }
}

TEST(Format, AnythingMayBeTypedForAKeyAndIsQuotedInShort) {
  for (const std::string& typed : {std::string(1 << 20, '7'), std::string(1 << 20, 'x'),
                                   "-" + std::string(1 << 20, '9'), std::string(1 << 20, '\x07')}) {
    const auto key = parse_question(typed, key_width::u32);
    ASSERT_FALSE(key.ok());
    EXPECT_LT(key.error().words.size(), 400u);
  }
  EXPECT_NE(parse_question("12..9", key_width::u32).error().words.find("12..9"), std::string::npos);
}

TEST(Format, AKeyIsAWholeNumberOfTheWidth) {
  EXPECT_EQ(*parse_key(" 42 ", key_width::u32), 42u);
  EXPECT_EQ(*parse_key("0xFFFFFFFF", key_width::u32), 0xFFFFFFFFu);
  EXPECT_EQ(*parse_key("18446744073709551615", key_width::u64), ~0ull);
  for (const char* wrong : {"", "  ", "-1", "4294967296", "1.5", "12 3", "0x", "0xg", "ten", "18446744073709551616"})
    EXPECT_FALSE(parse_key(wrong, key_width::u32).ok()) << wrong;
}

// Three digits, within half of the last one: around every power of ten and every unit, where rounding brings another digit.
// Of fewer than a thousand a second, whole ones.
TEST(Format, AFigureHasThreeDigitsAndIsNear) {
  const std::pair<const char*, double> units[] = {{" ns", 1e-6}, {" \u00B5s", 1e-3}, {" ms", 1},    {" s", 1e3},
                                                  {" /s", 1},    {" k/s", 1e3},      {" M/s", 1e6}, {" G/s", 1e9}};
  const auto check = [&](const std::string& text, double value, double least) {
    const std::string number = text.substr(0, text.find(' '));
    const auto unit = std::find_if(std::begin(units), std::end(units),
                                   [&](const auto& one) { return text.substr(number.size()) == one.first; });
    ASSERT_NE(unit, std::end(units)) << text;
    if (value < least) return;
    EXPECT_NEAR(std::stod(number) * unit->second, value, 0.00501 * value) << text;
    EXPECT_LT(std::stod(number), 1000) << text;
    EXPECT_GE(std::stod(number), 1) << text;
    EXPECT_EQ(std::count_if(number.begin(), number.end(), [](char c) { return c != '.'; }), 3) << text;
  };
  for (int power = -5; power < 6; ++power) {
    for (const double share : {0.994, 0.9949, 0.9951, 0.99949, 0.99951, 0.999999, 1.0, 1.004, 1.006, 1.5, 3.333, 7.0}) {
      const double ms = share * std::pow(10, power);
      if (ms < 9e5) check(ms_text(ms), ms, 1e-6);
      const double rate = share * std::pow(10, power + 6);
      check(rate_text(rate), rate, 999.5);
    }
  }
}

TEST(Format, ThreeFiguresAndTheNextUnitInTime) {
  EXPECT_EQ(grouped(1000), "1\u00A0000");
  EXPECT_EQ(grouped(123456), "123\u00A0456");
  EXPECT_EQ(grouped(1234567890), "1\u00A0234\u00A0567\u00A0890");
  EXPECT_EQ(short_count(14), "14");
  EXPECT_EQ(short_count(1000000), "1\u00A0000\u00A0000");
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1126), "1.1 KiB");
  EXPECT_EQ(bytes_text(10 * 1024 + 512), "10.5 KiB");
  EXPECT_EQ(bytes_text(100 * 1024), "100 KiB");
  EXPECT_EQ(bytes_text(1024 * 1024 - 1), "1 MiB");
  EXPECT_EQ(bytes_text(3ull << 30), "3 GiB");
  EXPECT_EQ(bytes_text(5ull << 40), "5 TiB");
  EXPECT_EQ(bytes_text(2000ull << 40), "2000 TiB") << "there is no greater unit";
  EXPECT_EQ(ms_text(0.0001234), "123 ns");
  EXPECT_EQ(ms_text(0.001), "1.00 \u00B5s");
  EXPECT_EQ(ms_text(1), "1.00 ms");
  EXPECT_EQ(ms_text(9.994), "9.99 ms");
  EXPECT_EQ(ms_text(9.996), "10.0 ms");
  EXPECT_EQ(ms_text(99.94), "99.9 ms");
  EXPECT_EQ(ms_text(99.96), "100 ms");
  EXPECT_EQ(ms_text(1000), "1.00 s");
  EXPECT_EQ(seconds_text(0.9), "under 1 s");
  EXPECT_EQ(seconds_text(1), "1 s");
  EXPECT_EQ(seconds_text(89), "89 s");
  EXPECT_EQ(seconds_text(90), "1 min 30 s");
  EXPECT_EQ(seconds_text(3601), "60 min 1 s");
  EXPECT_EQ(rate_text(999), "999 /s");
  EXPECT_EQ(rate_text(1000), "1.00 k/s");
  EXPECT_EQ(rate_text(1e6), "1.00 M/s");
  EXPECT_EQ(rate_text(12.34e6), "12.3 M/s");
  EXPECT_EQ(rate_text(1e9), "1.00 G/s");
  EXPECT_EQ(percent_text(0.004), "0%");
  EXPECT_EQ(percent_text(1), "100%");
}

TEST(Format, SaysWhatIsWrongWithAKey) {
  const auto words = [](const char* text, key_width width = key_width::u32) {
    return parse_key(text, width).error().words;
  };
  EXPECT_EQ(words(" "), "Type a key: a whole number.");
  EXPECT_EQ(words("-3"), "Keys are not negative; -3 is.");
  EXPECT_EQ(words("1.5"), "\"1.5\" is not a whole number. Decimal digits, or 0x and hexadecimal ones.");
  EXPECT_EQ(words("4294967296"), "4294967296 is too large: the keys of this index are 32-bit, at most 4294967295.");
  EXPECT_EQ(words("18446744073709551616", key_width::u64),
            "18446744073709551616 is too large: the keys of this index are 64-bit, at most 18446744073709551615.");
  EXPECT_EQ(*parse_key("\t0X1f\n", key_width::u32), 31u);
  EXPECT_EQ(*parse_key("4294967295", key_width::u32), 4294967295u);
  EXPECT_EQ(*parse_key("0", key_width::u32), 0u);
}

}  // namespace
}  // namespace pivotscope::viz
