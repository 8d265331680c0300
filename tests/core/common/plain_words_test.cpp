#include "core/common/plain_words.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

std::string many(char c, std::size_t n) { return std::string(n, c); }

TEST(plain_words, leave_what_can_be_shown) {
  for (const char* words :
       {"", "--keys '-5': it is negative", "Größe, μs, 漢字, 🗝", " two  blanks ", "~ and \x7E"}) {
    EXPECT_EQ(plain_words(words), words);
  }
  EXPECT_EQ(plain_words("\xC2\xA0 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF \xF0\x90\x80\x80 "
                        "\xF4\x8F\xBF\xBF"),
            "\xC2\xA0 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF")
      << "the first and the last letter of each length";
}

TEST(plain_words, spell_control_characters) {
  EXPECT_EQ(plain_words("\x1B[31mred\x1B[0m"), "\\x1B[31mred\\x1B[0m");
  EXPECT_EQ(plain_words("a\nb\tc\rd"), "a\\x0Ab\\x09c\\x0Dd");
  EXPECT_EQ(plain_words(std::string_view("\0\x1F\x20\x7F", 4)), "\\x00\\x1F \\x7F");
  EXPECT_EQ(plain_words("\xC2\x80 \xC2\x9B \xC2\x9F \xC2\xA0"), "\\xC2\\x80 \\xC2\\x9B \\xC2\\x9F \xC2\xA0");
}

TEST(plain_words, spell_what_turns_the_direction_of_writing) {
  EXPECT_EQ(plain_words("\u200D \u200E \u200F \u2010"), "\u200D \\xE2\\x80\\x8E \\xE2\\x80\\x8F \u2010");
  EXPECT_EQ(plain_words("\u2027 \u2028 \u202E \u202F"), "\u2027 \\xE2\\x80\\xA8 \\xE2\\x80\\xAE \u202F");
  EXPECT_EQ(plain_words("\u2065 \u2066 \u2069 \u206A"), "\u2065 \\xE2\\x81\\xA6 \\xE2\\x81\\xA9 \u206A");
}

TEST(plain_words, spell_what_is_no_utf_8) {
  EXPECT_EQ(plain_words("a\x80z"), "a\\x80z") << "a byte that continues nothing";
  EXPECT_EQ(plain_words("a\xC3"), "a\\xC3") << "an end too early";
  EXPECT_EQ(plain_words("a\xE2\x82"), "a\\xE2\\x82");
  EXPECT_EQ(plain_words("\xE2\x82z"), "\\xE2\\x82z");
  EXPECT_EQ(plain_words("\xF0\x9F\x97"), "\\xF0\\x9F\\x97");
  EXPECT_EQ(plain_words("\xC0\xAF"), "\\xC0\\xAF") << "too long a way to say '/'";
  EXPECT_EQ(plain_words("\xC1\xBF"), "\\xC1\\xBF");
  EXPECT_EQ(plain_words("\xE0\x9F\xBF"), "\\xE0\\x9F\\xBF");
  EXPECT_EQ(plain_words("\xF0\x8F\xBF\xBF"), "\\xF0\\x8F\\xBF\\xBF");
  EXPECT_EQ(plain_words("\xED\xA0\x80 \xED\xBF\xBF"), "\\xED\\xA0\\x80 \\xED\\xBF\\xBF") << "halves of a pair";
  EXPECT_EQ(plain_words("\xF4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80") << "beyond the last letter";
  EXPECT_EQ(plain_words("\xF5\x80\x80\x80"), "\\xF5\\x80\\x80\\x80");
}

TEST(plain_words, cut_long_values) {
  const std::string most = many('7', 200), more = many('7', 201);
  EXPECT_EQ(plain_words("--keys " + most + " is above"), "--keys " + most + " is above");
  EXPECT_EQ(plain_words("--keys " + more + " is above"), "--keys " + most + "... is above");
  EXPECT_EQ(plain_words("--keys '" + most + "': it is empty"), "--keys '" + most + "': it is empty");
  EXPECT_EQ(plain_words("--keys '" + more + "': it is empty"), "--keys '" + most + "...': it is empty");
  EXPECT_EQ(plain_words(more), most + "...");
}

TEST(plain_words, cut_quotations_with_blanks_in_them) {
  const std::string most = many('a', 99) + " " + many('b', 100);
  for (const char* mark : {"'", "\""}) {
    for (const char* before : {"", "config ", "(", "=", ":"}) {
      for (const char* behind : {"", " is", ".", ",", ":", ";", ")", "?"}) {
        EXPECT_EQ(plain_words(before + (mark + most) + "x" + mark + behind),
                  before + (mark + most) + "..." + mark + behind);
        EXPECT_EQ(plain_words(before + (mark + most) + mark + behind), before + (mark + most) + mark + behind);
      }
    }
  }
  EXPECT_EQ(plain_words("it's " + most + "x isn't"), "it's " + most + "x isn't") << "no quotation";
  EXPECT_EQ(plain_words("'" + most + "x'y' z"), "'" + most + "...' z") << "the mark within is none";
  EXPECT_EQ(plain_words("'" + most + "x"), "'" + most + "x") << "a quotation that does not end is words";
}

TEST(plain_words, do_not_cut_a_letter_apart) {
  EXPECT_EQ(plain_words(many('a', 198) + "ä"), many('a', 198) + "ä");
  EXPECT_EQ(plain_words(many('a', 199) + "ä"), many('a', 199) + "...");
  EXPECT_EQ(plain_words(many('a', 198) + "漢"), many('a', 198) + "...");
  EXPECT_EQ(plain_words(many('a', 197) + "漢" + "b"), many('a', 197) + "漢...");
}

TEST(plain_words, end) {
  std::string words;
  while (words.size() < 4000) words += "words and ";
  EXPECT_EQ(plain_words(words), words);
  EXPECT_EQ(plain_words(words + "more"), words + "...");
}

TEST(plain_lines, keep_the_lines_below_words) {
  EXPECT_EQ(plain_lines(""), "");
  EXPECT_EQ(plain_lines("one line"), "one line");
  EXPECT_EQ(plain_lines("words:\n  first\n  second"), "words:\n  first\n  second");
  EXPECT_EQ(plain_lines("words:\n  "), "words:\n  ");
  EXPECT_EQ(plain_lines("a\nb 'c\n d'\n\te"), "a\\x0Ab 'c\\x0A d'\\x0A\\x09e") << "what a value has in it";
  EXPECT_EQ(plain_lines("a\x1B:\n  b\x1B\n     c"), "a\\x1B:\n  b\\x1B\n     c");
  std::string words = "The log:";
  const std::string line = "\n  " + many('7', 150);
  for (int i = 0; i < 100; ++i) words += line;
  EXPECT_EQ(plain_lines(words), words) << "each line has its own length";
  EXPECT_EQ(plain_lines("w:\n  " + many('7', 201) + "\n  x"), "w:\n  " + many('7', 200) + "...\n  x");
}

TEST(plain_lines, are_made_of_a_log) {
  EXPECT_EQ(lines_below(""), "");
  EXPECT_EQ(lines_below("\n \n\n"), "");
  EXPECT_EQ(lines_below("a"), "\n  a");
  EXPECT_EQ(lines_below("a(1): error\n\n    b\n      ^\n\n1 error\n"),
            "\n  a(1): error\n      b\n        ^\n  1 error");
}

}  // namespace
}  // namespace pivotscope
