// Numbers of one's own: as text, in a workload's line, and as keys and batches.
#include "core/workload/own_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
constexpr key_width u32w = key_width::u32, u64w = key_width::u64;

std::vector<u64> values_of(const key_array& keys) {
  std::vector<u64> values;
  for (u64 i = 0; i < keys.size(); ++i) values.push_back(keys[i]);
  return values;
}
std::string text_problem(std::string_view text, key_width width = u32w, u64 most = 100) {
  const auto numbers = numbers_from_text(text, width, most);
  return numbers ? "" : numbers.error().words;
}
std::string line_problem(const std::string& line) {
  const auto load = workload_from_line(line);
  return load ? "" : load.error().words;
}

TEST(own_numbers, are_parted_by_anything_usual) {
  for (const char* text : {"1 5 9", "1,5,9", "1, 5, 9,", "[1; 5; 9]",
                           "\xef\xbb\xbf"
                           "1\r\n5\r\n9\r\n",
                           "{1|5|9}", "\"1\"\t'5'\n\n (9)", "0x1 0X5 0x9"}) {
    const auto numbers = numbers_from_text(text, u32w, 3);
    ASSERT_TRUE(numbers.ok()) << text << ": " << numbers.error().words;
    EXPECT_THAT(*numbers, ElementsAre(1, 5, 9)) << text;
  }
  EXPECT_THAT(*numbers_from_text("18446744073709551615 0xffffffffffffffff", u64w, 9),
              ElementsAre(greatest_key<u64>(), greatest_key<u64>()));
}

TEST(own_numbers, what_is_no_number_is_said_with_its_line) {
  EXPECT_EQ(text_problem("1\n2\n-3"), "line 3: '-3' has a minus sign; keys are unsigned");
  EXPECT_EQ(text_problem("key\n2"), "line 1: 'key' is not an unsigned integer");
  EXPECT_EQ(text_problem("1.5"), "line 1: '1.5' is not an unsigned integer");
  EXPECT_EQ(text_problem("7..9"), "line 1: '7..9' is not an unsigned integer");
  EXPECT_EQ(text_problem("0x"), "line 1: '0x' is not an unsigned integer");
  EXPECT_EQ(text_problem("0x5g"), "line 1: '0x5g' is not an unsigned integer");
  EXPECT_EQ(text_problem(""), "there is no number in it");
  EXPECT_EQ(text_problem(" ,\n[]"), "there is no number in it");
  EXPECT_EQ(text_problem("1\n4294967296"),
            "line 2: '4294967296' is too great for keys=u32, whose keys end at 4294967295; take keys=u64 in the config "
            "for greater ones");
  EXPECT_THAT(text_problem("0x100000000"), HasSubstr("'0x100000000' is too great for keys=u32"));
  EXPECT_EQ(text_problem("18446744073709551616", u64w),
            "line 1: '18446744073709551616' is too great for keys=u64, whose keys end at 18446744073709551615");
  EXPECT_EQ(text_problem("1 2\n3 4", u32w, 3), "line 2: more than 3 numbers; put them into a file");
}

TEST(own_numbers, lookups_are_typed_as_keys_or_as_ranges) {
  const auto keys = lookups_from_text("9, 12 15", u32w);
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ(keys->kind, operation::find);
  EXPECT_THAT(keys->numbers.list, ElementsAre(9, 12, 15));
  EXPECT_TRUE(keys->highs.empty());
  EXPECT_EQ(text_of(*keys), "9 12 15");
  const auto ranges = lookups_from_text("9 7..20 5..0x1", u32w);
  ASSERT_TRUE(ranges.ok());
  EXPECT_EQ(ranges->kind, operation::range);
  EXPECT_THAT(ranges->numbers.list, ElementsAre(9, 7, 5));
  EXPECT_THAT(ranges->highs, ElementsAre(9, 20, 1));
  EXPECT_EQ(text_of(*ranges), "9..9 7..20 5..1");
  for (const auto& [text, words] : {std::pair{"7..", "line 1: '7..' has no high end"},
                                    {"..7", "line 1: '..7' has no low end"},
                                    {"7..x", "line 1: 'x' is not an unsigned integer"},
                                    {"7...9", "line 1: '.9' is not an unsigned integer"},
                                    {"", "there is no number in it"}}) {
    const auto refused = lookups_from_text(text, u32w);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().words, words);
  }
  std::string many;
  for (std::size_t i = 0; i <= max_listed; ++i) many += "7 ";
  EXPECT_EQ(lookups_from_text(many, u32w).error().words, "line 1: more than 64 lookups; put them into a file");
}

TEST(own_numbers, stand_in_the_workload_s_line) {
  for (const char* line :
       {"key_list=1,5,9 seed=1 lookups=64 hits=1", "key_list=5 seed=7 lookup_list=1,2",
        "keys_from=/a%20b/k%25.csv keys_column=id%20no seed=1 lookups=0 hits=0.5",
        "keys=2^20 distribution=uniform seed=1 lookups_from=/l lookups_column=2",
        "keys=14 distribution=paper seed=1 ranges_from=/r", "key_list=3 seed=1 range_list=7..20,9..9",
        "key_list=3 seed=1 lookups=0 hits=1 ranges=10 range_hits=4",
        "key_list=18446744073709551615 seed=1 lookups=1 hits=1"}) {
    const auto load = workload_from_line(line);
    ASSERT_TRUE(load.ok()) << line << ": " << load.error().words;
    EXPECT_EQ(to_line(*load), line);
  }
  const workload own = *workload_from_line("key_list=1,5,9 range_list=7..20");
  EXPECT_EQ(own.keys, 3u);
  EXPECT_EQ(own.ranges, 1u);
  EXPECT_EQ(own.lookups, 0u);
  EXPECT_EQ(operation_of(own), operation::range);
  EXPECT_TRUE(is_whole_line(own));
  const workload file = *workload_from_line("keys_from=/a%20b");
  EXPECT_EQ(file.own_keys.file, "/a b");
  EXPECT_EQ(file.keys, 0u) << "not read yet";
  EXPECT_FALSE(is_whole_line(file));
}

TEST(own_numbers, a_line_that_says_two_things_is_refused) {
  EXPECT_THAT(line_problem("key_list=1 keys=5"), HasSubstr("keys_from and key_list bring the keys"));
  EXPECT_THAT(line_problem("key_list=1 distribution=dense"), HasSubstr("do not go with them"));
  EXPECT_THAT(line_problem("key_list=1 keys_from=/a"), HasSubstr("do not go together"));
  EXPECT_THAT(line_problem("lookup_list=1 range_list=1..2"), HasSubstr("do not go together"));
  EXPECT_THAT(line_problem("lookup_list=1 lookups=4"), HasSubstr("does not go with it"));
  EXPECT_THAT(line_problem("keys_column=a keys=4"), HasSubstr("a column of which file?"));
  EXPECT_THAT(line_problem("lookups_column=a lookup_list=4"), HasSubstr("a column of which file?"));
  EXPECT_THAT(line_problem("lookups_column=a ranges_from=/r"), HasSubstr("a column is of a file of lookups"));
  EXPECT_EQ(line_problem("key_list="), "key_list: a number is missing");
  EXPECT_EQ(line_problem("key_list=1,,2"), "key_list: a number is missing");
  EXPECT_EQ(line_problem("key_list=1,-2"), "key_list: '-2' has a minus sign; keys are unsigned");
  EXPECT_EQ(line_problem("range_list=7"), "range_list: '7' is no range; a range is LOW..HIGH");
  EXPECT_THAT(line_problem("keys_from=/a%2"), HasSubstr("two hexadecimal digits"));
  EXPECT_THAT(line_problem("keys_from=/a%zz"), HasSubstr("two hexadecimal digits"));
  EXPECT_EQ(line_problem("keys_from="), "keys_from: a name is wanted, and it is empty");
  std::string many = "key_list=0";
  for (std::size_t i = 0; i < max_listed; ++i) many += ",1";
  EXPECT_EQ(line_problem(many), "key_list has more than 64 numbers; a file may have more");
}

TEST(own_numbers, are_checked_as_a_value) {
  workload w = with_keys({}, {.list = {1, 5, greatest_key<u64>()}});
  EXPECT_EQ(check(w, u64w), std::nullopt);
  EXPECT_THAT(check(w, u32w).value_or(""), HasSubstr("too great for keys=u32"));
  w.keys = 4;
  EXPECT_EQ(check(w, u64w), "keys=4, but 3 are listed");
  workload asked = with_batch({}, {.numbers = {.list = {1}}, .kind = operation::range, .highs = {}});
  EXPECT_EQ(check(asked, u64w), "a range has a low and a high end");
  asked = with_batch({}, {.numbers = {.list = {1, 2}}});
  EXPECT_EQ(check(asked, u64w), std::nullopt);
  asked.lookups = 3;
  EXPECT_EQ(check(asked, u64w), "the listed lookups are not as many as the workload says");
  workload both = with_keys({}, {.file = "/a", .list = {1}});
  EXPECT_EQ(check(both, u64w), "keys come from a file or a list, not from both");
}

TEST(own_numbers, are_the_keys_and_the_batch) {
  const workload own = *workload_from_line("key_list=5,3,5 lookup_list=3,4");
  EXPECT_THAT(values_of(*make_keys(own, u32w)), ElementsAre(5, 3, 5));
  EXPECT_THAT(values_of(*make_lookups(own, u64w)), ElementsAre(3, 4));
  EXPECT_THAT(values_of(make_batch(own, u32w)->keys), ElementsAre(3, 4));
  const batch ranges = *make_batch(*workload_from_line("key_list=5 range_list=1..9,7..2"), u32w);
  EXPECT_EQ(ranges.kind, operation::range);
  EXPECT_THAT(values_of(ranges.keys), ElementsAre(1, 7));
  EXPECT_THAT(values_of(ranges.highs), ElementsAre(9, 2));
}

// What is drawn is drawn from the keys that there are, whichever way they come.
TEST(own_numbers, lookups_and_ranges_are_drawn_from_them) {
  const scratch_folder folder;
  const std::string file = folder.write("keys", "10\n20\n30\n");
  for (const std::string& keys : {std::string("key_list=10,20,30"), "keys_from=" + file}) {
    const workload all = *workload_from_line(keys + " lookups=100 hits=1");
    for (const u64 key : values_of(*make_lookups(all, u32w))) EXPECT_TRUE(key == 10 || key == 20 || key == 30);
    EXPECT_EQ(values_of(make_batch(all, u32w)->keys), values_of(*make_lookups(all, u32w)));
    for (const u64 key : values_of(make_batch(*workload_from_line(keys + " lookups=100 hits=0"), u32w)->keys))
      EXPECT_FALSE(key == 10 || key == 20 || key == 30);
    const batch ranges = *make_batch(*workload_from_line(keys + " ranges=20 range_hits=3"), u32w);
    EXPECT_EQ(ranges.size(), 20u);
    for (u64 i = 0; i < ranges.size(); ++i) EXPECT_EQ(ranges.keys[i] * 3, ranges.highs[i]);
  }
}

TEST(own_numbers, of_a_file_are_what_the_command_line_reads) {
  const scratch_folder folder;
  const std::string table = folder.write("t.csv", "id,key\n1,70\n2,50\n"), ranges = folder.write("r", "1 2\n3,4\n");
  workload w = with_keys({}, {.file = table, .column = "key"});
  w = with_batch(w, {.numbers = {.file = table, .column = "1"}});
  EXPECT_THAT(values_of(*make_keys(w, u32w)), ElementsAre(70, 50));
  EXPECT_THAT(values_of(make_batch(w, u32w)->keys), ElementsAre(1, 2));
  w = with_batch(w, {.numbers = {.file = ranges}, .kind = operation::range});
  const batch asked = *make_batch(w, u64w);
  EXPECT_EQ(asked.kind, operation::range);
  EXPECT_THAT(values_of(asked.highs), ElementsAre(2, 4));
  w.own_keys.file = (folder / "none").string();
  EXPECT_THAT(make_keys(w, u32w).error().words, HasSubstr("cannot open"));
}

}  // namespace
}  // namespace pivotscope
