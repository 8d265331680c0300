// One column of a CSV file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/workload/key_file.hpp"
#include "tests/app/program.hpp"

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
  EXPECT_TRUE(read("a,b\n", "b").empty());
  EXPECT_TRUE(read("", "1").empty());
}

TEST_F(key_column, what_is_no_key_is_refused_with_its_line) {
  EXPECT_EQ(words("name,key\na,7\nb,x\n", "key"), ":3: 'x' is not an unsigned integer");
  EXPECT_EQ(words("name,key\na,-7\n", "key"), ":2: '-7' has a minus sign; keys are unsigned");
  EXPECT_EQ(words("a,-7\n", "2"), ":1: '-7' has a minus sign; keys are unsigned") << "a value, not a name";
  EXPECT_EQ(words("a,1.5\n", "2"), ":1: '1.5' is not an unsigned integer");
  EXPECT_THAT(words("a,b\n1,4294967296\n", "b"), HasSubstr(":2: '4294967296' is too great for keys=u32"));
  EXPECT_EQ(words("a,b\n1\n", "b"), ":2: '1' has 1 field; column 2 is wanted");
  EXPECT_EQ(words("a,b\n1,\n", "b"), ":2: '1,' has nothing in column 2");
  EXPECT_EQ(words("a,b\n1,\"2\n", "b"), ":2: has a quote that is not closed");
  EXPECT_EQ(words("name,key\n", "kex"), ":1: there is no column 'kex'; did you mean 'key'?");
  EXPECT_THAT(words("name,key\n", "price"), HasSubstr("there is no column 'price'; there are name and key"));
  EXPECT_THAT(words("1,2\n", "0"), HasSubstr("there is no column '0'"));
  EXPECT_THAT(words("\x1f\x8b\x08 and so on", "1"), HasSubstr("gzip"));
  // A reader of lines takes tabs at a line's ends for blanks.
  EXPECT_THAT(words("a\tb\n\t5\n", "b"), HasSubstr(":2: "));
  EXPECT_THAT(words("a\tb\tc\n\t5\t7\n", "b"), HasSubstr("has not 3 fields"));
}

TEST_F(key_column, a_file_that_is_not_there_is_said) {
  EXPECT_THAT(read_key_column((folder_ / "none"), "1", key_width::u32).error().words, HasSubstr("cannot open"));
}

}  // namespace
}  // namespace pivotscope
