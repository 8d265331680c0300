#include "core/workload/files/csv.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/plain_csv.hpp"

namespace pivotscope {
namespace {

// All that a reader tells of a text, on one line: 1[a][b] is a row that begins on line 1.
class row_teller final : public csv_rows {
 public:
  void take_field(std::string_view text, u64 line) override { row_ += fmt::format("[{}:{}]", line, text); }
  void end_row(u64 line) override { all += fmt::format("{}{} ", line, std::exchange(row_, {})); }
  std::string all;

 private:
  std::string row_;
};

// In parts of so many bytes.
std::string told_of(std::string_view text, char separator = ',', std::size_t part = 1000) {
  row_teller rows;
  csv_reader reader(separator, rows);
  std::optional<csv_fault> fault;
  for (; !text.empty() && !fault; text.remove_prefix(std::min(part, text.size())))
    fault = reader.read(text.substr(0, part));
  if (!fault) fault = reader.end();
  return fault ? fmt::format("{}{}: {}", rows.all, fault->line, fault->words) : rows.all;
}

TEST(csv, rows_have_fields_and_lines) {
  EXPECT_EQ(told_of("a,b\n1,2\n"), "1[1:a][1:b] 2[2:1][2:2] ");
  EXPECT_EQ(told_of("a,b\r\n1,2"), "1[1:a][1:b] 2[2:1][2:2] ");
  EXPECT_EQ(told_of("a\r1\r"), "1[1:a] 2[2:1] ");
  EXPECT_EQ(told_of(",\n"), "1[1:][1:] ");
  EXPECT_EQ(told_of(""), "");
  EXPECT_EQ(told_of("\"x\ny\",2\n\"a\r\nb\rc\",4\n5"), "1[1:x\ny][2:2] 3[3:a\r\nb\rc][5:4] 6[6:5] ");
  EXPECT_EQ(told_of("\"a\"\"b\",\"\"\"\",\"\"\n"), "1[1:a\"b][1:\"][1:] ");
  EXPECT_EQ(told_of(" a , \" b \" ,c d\n"), "1[1:a][1: b ][1:c d] ");
}

TEST(csv, an_empty_line_is_a_row_without_fields) {
  EXPECT_EQ(told_of("a\n\nb\n \n"), "1[1:a] 2 3[3:b] 4 ");
  EXPECT_EQ(told_of("a\r\n\r\n\r\nb"), "1[1:a] 2 3 4[4:b] ");
  EXPECT_EQ(told_of("a\r\r\nb\n\rc"), "1[1:a] 2 3[3:b] 4 5[5:c] ");
}

TEST(csv, a_tab_or_blanks_may_part_the_fields) {
  EXPECT_EQ(told_of("\t5\n \t\n", '\t'), "1[1:][1:5] 2[2:][2:] ");
  EXPECT_EQ(told_of("a  b \n\t1\t \" 2\" \"\"\n  \n", ' '), "1[1:a][1:b] 2[2:1][2: 2][2:] 3 ");
}

TEST(csv, a_quote_out_of_place_is_told_with_its_line) {
  EXPECT_EQ(told_of("a\n\"12\"34,5\n"),
            "1[1:a] 2: '3' follows a closing quote; a quote within a quoted field is doubled");
  EXPECT_EQ(told_of("\"7\" 8"), "1: '8' follows a closing quote; a quote within a quoted field is doubled");
  EXPECT_EQ(told_of("\"7\" \"8\""), "1: '\"' follows a closing quote; a quote within a quoted field is doubled");
  EXPECT_EQ(told_of("a\nb\"c\"\n"),
            "1[1:a] 2: a quote stands within a field that begins without one; quote the whole field, and double the "
            "quote");
  EXPECT_EQ(told_of("a,b\n1,\"x\n2,y\n"), "1[1:a][1:b] 2: a quote is opened here and not closed");
}

TEST(csv, a_field_that_never_ends_is_told_before_the_memory_does) {
  const std::string text = "a\n\"" + std::string(csv_reader::longest_field * 2, 'x');
  EXPECT_EQ(told_of(text, ',', 1 << 20), "1[1:a] 2: a field has more than 4194304 bytes: is its quote not closed?");
  EXPECT_EQ(told_of(std::string(1 << 20, 'x')).size(), (1u << 20) + 6);
}

TEST(csv, is_the_same_wherever_a_part_ends) {
  const std::string text = "a, \"b\"\"c\" ,\"d\r\ne\"\r\n1,2,3\n\n\"\",,\"x,\ny\"\r,\" \"\"\",z";
  for (std::size_t part = 1; part <= text.size(); ++part) EXPECT_EQ(told_of(text, ',', part), told_of(text)) << part;
  for (std::size_t end = 0; end <= text.size(); ++end)
    for (const std::size_t part : {1, 2, 7})
      EXPECT_EQ(told_of(text.substr(0, end), ',', part), told_of(text.substr(0, end))) << end;
}

TEST(csv, the_first_rows_are_those_that_there_are) {
  EXPECT_EQ(first_csv_rows("a,b\n1,2\n3,4\n", ',', 2), (testing::csv_table{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(first_csv_rows("a,b", ',', 2), (testing::csv_table{{"a", "b"}}));
  EXPECT_EQ(first_csv_rows("a\nb\"c\n", ',', 2), (testing::csv_table{{"a"}}));
  EXPECT_TRUE(first_csv_rows("", ',', 2).empty());
}

// Every text of up to 6 of the bytes that matter. Lines of blanks behind a carriage return alone may be missed.
TEST(csv, is_what_a_second_reader_reads_in_every_short_text) {
  const std::string bytes = "1, \"\r\n";
  for (const char separator : {',', ' '}) {
    for (std::size_t length = 0; length <= 6; ++length) {
      u64 texts = 1;
      for (std::size_t i = 0; i < length; ++i) texts *= bytes.size();
      for (u64 number = 0; number < texts; ++number) {
        std::string text;
        for (u64 rest = number; text.size() < length; rest /= bytes.size()) text += bytes[rest % bytes.size()];
        const auto plain = testing::plain_csv(text, separator);
        const std::string told = told_of(text, separator);
        ASSERT_EQ(plain.has_value(), told.find("quote") == told.npos) << text << "\n" << told;
        if (!plain) continue;
        testing::csv_table rows = first_csv_rows(text, separator, 100), expected = *plain;
        std::erase_if(rows, [](const auto& row) { return row.empty(); });
        std::erase_if(expected, [](const auto& row) { return row.empty(); });
        ASSERT_EQ(rows, expected) << text << " parted by '" << separator << "'";
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
