// One column of a CSV file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/workload/files/key_file.hpp"
#include "tests/app/program.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class key_column : public ::testing::Test {
 protected:
  std::vector<u64> read(std::string_view bytes, std::string_view column, key_width width = key_width::u32) const {
    const auto keys = read_key_column(folder_.write("t", bytes), column, width);
    EXPECT_TRUE(keys.ok()) << (keys.ok() ? "" : keys.error().words);
    std::vector<u64> values;
    for (u64 i = 0; keys.ok() && i < keys->size(); ++i) values.push_back((*keys)[i]);
    return values;
  }
  std::string words(std::string_view bytes, std::string_view column, key_width width = key_width::u32) const {
    const std::string path = folder_.write("t", bytes);
    const auto keys = read_key_column(path, column, width);
    EXPECT_FALSE(keys.ok()) << bytes;
    return keys.ok() ? "" : keys.error().words.substr(path.size());
  }
  scratch_folder folder_;
};

TEST_F(key_column, is_found_by_its_name_or_its_number) {
  const char* table = "name,key,price\nanna,7,1.5\n\"b, c\",9,-2\n";
  EXPECT_THAT(read(table, "key"), ElementsAre(7, 9));
  EXPECT_THAT(read(table, "2"), ElementsAre(7, 9));
  EXPECT_THAT(read("1,10\n2,20\n", "2"), ElementsAre(10, 20)) << "without names the first line has values";
  EXPECT_THAT(read("5\n6\n", "1"), ElementsAre(5, 6));
  EXPECT_THAT(read("key\n6", "key"), ElementsAre(6));
  EXPECT_THAT(read("a;b\n1;2\n3;4\n\n", "b"), ElementsAre(2, 4));
  EXPECT_THAT(read("a\tb,c\n1\t2\r\n", "b,c"), ElementsAre(2));
  EXPECT_THAT(read("\xef\xbb\xbf"
                   "a,b\n1,2\n",
                   "a"),
              ElementsAre(1));
  EXPECT_THAT(read(" a , \"b\"\"x\" \n 1 , \"2\" \n", "b\"x"), ElementsAre(2));
  EXPECT_THAT(read("a,b\n1,18446744073709551615\n", "b", key_width::u64), ElementsAre(greatest_key<u64>()));
  EXPECT_THAT(read("a,3d\n1,2\n", "3d"), ElementsAre(2)) << "a name may begin with a digit";
  EXPECT_TRUE(read("a,b\n", "b").empty());
  EXPECT_TRUE(read("", "1").empty());
}

TEST_F(key_column, what_is_no_key_is_refused_with_its_line) {
  EXPECT_EQ(words("name,key\na,7\nb,x\n", "key"), ":3: 'x' is not an unsigned integer");
  EXPECT_EQ(words("name,key\na,-7\n", "key"), ":2: '-7' has a minus sign; keys are unsigned");
  EXPECT_EQ(words("a,-7\n", "2"), ":1: '-7' has a minus sign; keys are unsigned") << "a value, not a name";
  EXPECT_EQ(words("a,1.5\n", "2"), ":1: '1.5' is not an unsigned integer");
  EXPECT_THAT(words("a,b\n1,4294967296\n", "b"), HasSubstr(":2: '4294967296' is too great for keys=u32"));
  EXPECT_EQ(words("5\n6\n", "2"), ":1: has 1 field; column 2 is wanted");
  EXPECT_EQ(words("a,b\n1,\n", "b"), ":2: has nothing in column 2");
  EXPECT_EQ(words("a,b\n\n1,2\n", "b"), ":2: is empty; a row of the table is wanted");
  EXPECT_THAT(words("\x1f\x8b\x08 and so on", "1"), HasSubstr("gzip"));
}

TEST_F(key_column, is_found_whatever_parts_the_fields) {
  EXPECT_THAT(read("packetid|tcpstream|dss\n1|0|17\n2|0|18\n", "dss"), ElementsAre(17, 18));
  EXPECT_THAT(read("SourceID Photons\n41 71\n  42  8 \n", "SourceID"), ElementsAre(41, 42));
  EXPECT_THAT(read("41 71\n42 8\n", "2"), ElementsAre(71, 8));
  EXPECT_THAT(read("sep=;\nid;n\n4;1\n9;2\n", "id"), ElementsAre(4, 9));
  EXPECT_THAT(read("\"sep=|\"\r\n4|1\r\n9|2\r\n", "2"), ElementsAre(1, 2));
  EXPECT_THAT(read("sep=\t\nid\tn\n4\t1\n", "n"), ElementsAre(1));
  EXPECT_THAT(read("the key\n5\n", "the key"), ElementsAre(5)) << "a single column";
  EXPECT_THAT(read("the key\n5\n", "1"), ElementsAre(5));
  EXPECT_EQ(words("sep=;\nid;n\nx;1\n", "id"), ":3: 'x' is not an unsigned integer");
}

TEST_F(key_column, of_separators_that_both_part_the_rows_the_name_chooses) {
  const char* table = "Messwert, kWh;id\n1,5;17\n2,5;18\n";
  EXPECT_THAT(read(table, "id"), ElementsAre(17, 18));
  EXPECT_EQ(words(table, "1"),
            ":1: its fields may be parted by ',' or by ';': say which in a line before it, sep= and that");
  EXPECT_EQ(words(table, "kWh").substr(0, 30), ":1: its fields may be parted b");
  EXPECT_EQ(words("a\tb,c\n1\t2,3\n", "2"),
            ":1: its fields may be parted by a tab or by ',': say which in a line before it, sep= and that");
  EXPECT_THAT(read(std::string("sep=;\n") + table, "2"), ElementsAre(17, 18));
  EXPECT_THAT(read("id;note\n1;a, b\n2;c\n", "1"), ElementsAre(1, 2)) << "commas in some rows part nothing";
}

TEST_F(key_column, of_one_name_twice_is_to_be_taken_by_number) {
  EXPECT_EQ(words("key,key\n1,17\n", "key"), ":1: 2 columns are called 'key': take 1 or 2");
  EXPECT_EQ(words("key,a,key,key\n1,17,2,3\n", "key"), ":1: 3 columns are called 'key': take 1, 3 or 4");
  EXPECT_THAT(read("key,key\n1,17\n2,18\n", "2"), ElementsAre(17, 18));
}

TEST_F(key_column, that_is_not_there_is_told_with_those_that_hold_keys) {
  EXPECT_EQ(words("name,key\nanna,7\n", "kex"), ":1: there is no column 'kex'; did you mean 'key'?");
  EXPECT_EQ(words("name,key\n", "price"), ":1: there is no column 'price'; there are name and key");
  EXPECT_EQ(words("keys,price,id\nx,1.5,2\n", "key"), ":1: there is no column 'key'; there is only id");
  EXPECT_EQ(words("key,price\nx,1.5\n", "kex"),
            ":1: there is no column 'kex', and none of the 2 there holds keys=u32 keys alone");
  EXPECT_EQ(words("id,big\n1,4294967296\n", "bigg"), ":1: there is no column 'bigg'; there is only id");
  EXPECT_EQ(words("7,,\"\"\n8,x,9\n", "id"), ":1: there is no column 'id'; there is only 1");
  EXPECT_EQ(words("k,k,gr\xc3\xb6\xc3\x9f"
                  "e\n1,2,3\n",
                  "id"),
            ":1: there is no column 'id'; there are 1, 2 and 3");
  EXPECT_EQ(words("SourceID Photons\n41 71\n", "SourceId"),
            ":1: there is no column 'SourceId'; did you mean 'SourceID'?");
  EXPECT_EQ(words("a,b\n1,2\n\"3\"x,4\n", "c"),
            ":1: there is no column 'c'; and line 3: 'x' follows a closing quote; a quote within a quoted field is "
            "doubled");
  EXPECT_EQ(words("a,b\n1,2\n3\n", "c").substr(0, 45), ":1: there is no column 'c'; and line 3: has 1");
  EXPECT_EQ(words("", "id"), ":1: there is no column 'id', nor any row");
  EXPECT_THAT(words("1,2\n", "0"), HasSubstr("there is no column '0'"));
  std::string names = "x0", row = "0";
  for (int i = 1; i < 100; ++i) names += ",x" + std::to_string(i), row += ",0";
  EXPECT_EQ(words(names + "\n" + row + "\n", "id"),
            ":1: there is no column 'id'; there are x0, x1, x2, x3, x4, x5, x6, x7 and 92 more");
}

// A separator that should have been quoted, or a field left out, moves the others: which column is meant would be a guess.
TEST_F(key_column, a_row_of_other_fields_than_the_first_is_refused) {
  EXPECT_EQ(words("a,b\n1\n", "b"),
            ":2: has 1 field, and the first row has 2; a separator within a field is put in quotes");
  EXPECT_EQ(words("name,key\nDoe, J.,7\n", "key"),
            ":2: has 3 fields, and the first row has 2; a separator within a field is put in quotes");
  EXPECT_EQ(words("a,b\n1,2,3\n", "a").substr(0, 11), ":2: has 3 f");
}

TEST_F(key_column, a_field_may_be_empty_or_have_lines_and_separators) {
  EXPECT_THAT(read("a\tb\n\t5\n", "b"), ElementsAre(5));
  EXPECT_THAT(read("a\tb\tc\n\t5\t\n", "b"), ElementsAre(5));
  EXPECT_THAT(read("id,note\n1,\"first\n17,second\"\n2,\"ok\"\n", "id"), ElementsAre(1, 2));
  EXPECT_THAT(read("\"i\nd\",n\r\n\"1\",\"\r\"\r\n", "i\nd"), ElementsAre(1));
}

TEST_F(key_column, what_is_wrong_behind_a_field_of_lines_has_its_own_line) {
  EXPECT_EQ(words("n,id\n\"a\nb\",1\n\"c\r\nd\re\",x\n", "id"), ":6: 'x' is not an unsigned integer");
  EXPECT_EQ(words("id,n\n\"12\"34,5\n", "id"),
            ":2: '3' follows a closing quote; a quote within a quoted field is doubled");
  EXPECT_EQ(words("id,n\n1,\"unclosed\n2,b\n", "id"), ":2: a quote is opened here and not closed");
  EXPECT_EQ(words("id,n\nx,\"unclosed\n2,b\n", "n"), ":2: a quote is opened here and not closed")
      << "whichever column is read";
  EXPECT_EQ(words("id,n\nx,1\n2,\"3", "id").substr(0, 8), ":2: 'x' ") << "what comes first";
}

// Fields that begin in one block and end in the next.
TEST_F(key_column, many_blocks_are_one_table) {
  std::string text = "note,id\n";
  std::vector<u64> expected;
  while (text.size() < (9u << 20)) {
    expected.push_back(expected.size() * 7);
    text += "\"a\n\"\"b, " + std::string(expected.size() % 90, 'x') + "\"," + std::to_string(expected.back()) + "\r\n";
  }
  EXPECT_EQ(read(text, "id"), expected);
  EXPECT_EQ(words(text + "\"\",x", "id"),
            ":" + std::to_string(2 * expected.size() + 2) + ": 'x' is not an unsigned integer");
}

TEST_F(key_column, reading_stops_when_cancelled) {
  job_control control;
  control.cancel();
  EXPECT_TRUE(read_key_column(folder_.write("t", "1\n"), "1", key_width::u32, control).error().cancelled);
}

// The first block lets expect as many rows in each of the others, of which no byte is there.
TEST_F(key_column, asks_for_memory_before_it_takes_it) {
  const file_tree tree;
  std::string text;
  while (text.size() < (4u << 20)) text += std::string(62, ' ') + "7\n";
  const auto path = tree.write("t", text);
  ASSERT_TRUE(tree.stretch("t", 1 << 30));
  const free_memory free(64ull << 20);
  EXPECT_THAT(read_key_column(path, "1", key_width::u32).error().words, HasSubstr("65.3 MiB are needed for"));
}

TEST_F(key_column, a_file_that_is_not_there_is_said) {
  EXPECT_THAT(read_key_column((folder_ / "none"), "1", key_width::u32).error().words, HasSubstr("cannot open"));
}

}  // namespace
}  // namespace pivotscope
