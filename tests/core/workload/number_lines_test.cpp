#include "core/workload/files/number_lines.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

// What a line_reader with blocks of a given size makes of a text.
struct lines_read {
  std::vector<std::string> lines;
  std::vector<std::size_t> expected;
  std::string words;  // without the file's name
};

class number_lines : public ::testing::Test {
 protected:
  lines_read read(std::string_view text, std::size_t block_bytes, std::size_t before = 0,
                  const job_control& control = {}) const {
    const std::string path = tree_.write("f", text).string();
    outcome<byte_source> source = byte_source::open(path, "numbers", control);
    EXPECT_TRUE(source.ok());
    std::string first(std::min(before, text.size()), '\0');
    EXPECT_EQ(*source->read(first), first.size());
    lines_read all;
    const auto on_line = [&](std::string_view line) -> std::string {
      all.lines.emplace_back(line);
      return line == "bad" ? "is bad" : "";
    };
    const auto expect = [&](std::size_t lines) { return all.expected.push_back(lines), fine(); };
    const status done = line_reader(*source, "a number", block_bytes).read(first, on_line, expect, control);
    if (!done) all.words = done.error().words;
    if (all.words.starts_with(path)) all.words.erase(0, path.size());
    return all;
  }

  file_tree tree_;
};

using texts = std::vector<std::string>;

// The longest line has 9 bytes and its end: blocks of 11 to 64 bytes cut the text at every place.
TEST_F(number_lines, are_the_same_wherever_a_block_ends) {
  const std::string text = "1\n22\r\n 333 \n4444\t\n55555\n666666\n7777777\n88888888\n123456789\n0\n";
  const texts expected{"1", "22", "333", "4444", "55555", "666666", "7777777", "88888888", "123456789", "0"};
  for (std::size_t block = 11; block <= 64; ++block) {
    for (const std::size_t before : {0, 1, 8, 10}) {
      EXPECT_EQ(read(text, block, before).lines, expected) << block;
      EXPECT_EQ(read(text.substr(0, text.size() - 1), block, before).lines, expected) << block << ", no end";
      EXPECT_EQ(read(text + "\n \r\n\t", block, before).lines, expected) << block << ", blank lines";
      EXPECT_EQ(read(text, block, before).words, "");
    }
  }
}

TEST_F(number_lines, may_be_as_long_as_a_block_less_one_byte) {
  EXPECT_EQ(read("1234567\n", 8).lines, (texts{"1234567"}));
  EXPECT_EQ(read("1\n1234567\n1\n", 8).lines, (texts{"1", "1234567", "1"}));
  EXPECT_EQ(read("1234567", 8).lines, (texts{"1234567"}));
  EXPECT_EQ(read("12345678", 8).words, ":1: '12345678' has more than 8 bytes and no end; a number is wanted");
  EXPECT_EQ(read("1\n2\n12345678\n", 8).words, ":3: '12345678' has more than 8 bytes and no end; a number is wanted");
  EXPECT_EQ(read("1\n2\n123456789\n3\n", 8).lines, (texts{"1", "2"}));
}

TEST_F(number_lines, may_be_empty_at_the_end_only) {
  EXPECT_EQ(read("", 8).lines, texts{});
  EXPECT_EQ(read("\n", 8).lines, texts{});
  EXPECT_EQ(read("\n\n \t\r\n\n\n\n\n\n\n\n\n\n", 8).lines, texts{});
  EXPECT_EQ(read("1\n\n2\n", 16).words, ":2: is empty; a number is wanted");
  EXPECT_EQ(read("1\n\n \n\r\n2\n", 16).words, ":2: is empty; a number is wanted");
  EXPECT_EQ(read("\n1\n", 16).words, ":1: is empty; a number is wanted");
  EXPECT_EQ(read("1\n2\n\n\n\n\n\n\n\n\n\n3", 8).words, ":3: is empty; a number is wanted");
}

// Where empty lines may be, each line still has its number, and the column in which it begins.
TEST_F(number_lines, may_be_empty_anywhere_if_one_says_so) {
  outcome<byte_source> source = byte_source::open(tree_.write("f", "\n \n1\n\r\n\t 22 \n\n333\n\n"), "numbers", {});
  line_reader reader(*source, "a number", 8, empty_lines::anywhere);
  std::vector<std::string> told;
  const auto on_line = [&](std::string_view line) {
    told.push_back(fmt::format("{} at {}:{}", line, reader.number(), reader.column()));
    return std::string();
  };
  const status read = reader.read({}, on_line, [](std::size_t) { return fine(); }, {});
  EXPECT_TRUE(read.ok());
  EXPECT_EQ(told, (texts{"1 at 3:1", "22 at 5:3", "333 at 7:1"}));
}

TEST_F(number_lines, are_counted_from_1) {
  EXPECT_EQ(read("bad\n", 8).words, ":1: is bad");
  EXPECT_EQ(read("1\n2\nbad\n4\n", 8).words, ":3: is bad");
  EXPECT_EQ(read("1\n2\nbad", 8).words, ":3: is bad");
  EXPECT_EQ(read("1\n2\nbad\n4\n", 8).lines, (texts{"1", "2", "bad"}));
}

TEST_F(number_lines, tell_once_how_many_to_expect) {
  // The first block has 3 lines and a beginning: 4 in 8 bytes, of 80 in all.
  std::string text;
  for (int i = 0; i < 40; ++i) text += "1\n";
  EXPECT_EQ(read(text, 8).expected, (std::vector<std::size_t>{static_cast<std::size_t>(5 * 80 / 9.0 * 1.02) + 1}));
  // All in one block: as many as there are, and a little more.
  EXPECT_EQ(read(text, 4096).expected, (std::vector<std::size_t>{static_cast<std::size_t>(41 * 80 / 81.0 * 1.02) + 1}));
  EXPECT_EQ(read("", 8).expected, (std::vector<std::size_t>{1}));
}

TEST_F(number_lines, are_never_expected_to_be_more_than_can_be_read) {
  const std::string path = tree_.write("f", "1\n1\n1\n1\n").string();
  std::vector<std::size_t> expected;
  for (const int power : {32, 36}) {
    if (!tree_.stretch("f", 1ull << power)) GTEST_SKIP() << "no file of 64 GiB, however empty, can be made here";
    outcome<byte_source> source = byte_source::open(path, "numbers", {});
    const auto expect = [&](std::size_t lines) { return expected.push_back(lines), fine(); };
    const status read = line_reader(*source, "a number", 8).read({}, [](auto) { return std::string(); }, expect, {});
    EXPECT_EQ(
        read.ok() ? "" : read.error().words,
        path + ":5: '\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00' has more than 8 bytes and no end; a number is wanted");
  }
  // Five in nine bytes and a fiftieth more; and 2^32 of them.
  EXPECT_EQ(expected,
            (std::vector<std::size_t>{static_cast<std::size_t>(5 * 0x1p32 / 9 * 1.02) + 1, (1ull << 32) + 1}));
}

TEST_F(number_lines, stop_where_they_are_refused_room) {
  outcome<byte_source> source = byte_source::open(tree_.write("f", "1\n2\n"), "numbers", {});
  int lines = 0;
  const status done = line_reader(*source, "a number")
                          .read(
                              {}, [&](std::string_view) { return ++lines, std::string(); },
                              [](std::size_t) -> status { return problem{"no room"}; }, {});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().words, "no room");
  EXPECT_EQ(lines, 0);
}

TEST_F(number_lines, report_how_much_of_the_file_is_read) {
  std::vector<double> told;
  std::string stage;
  const job_control control([&](std::string_view what, double fraction) { stage = what, told.push_back(fraction); });
  EXPECT_EQ(read("1\n2\n3\n4\n5\n6\n7\n8\n", 4, 0, control).lines.size(), 8u);
  EXPECT_EQ(stage, "reading " + (tree_.root() / "f").string());
  EXPECT_EQ(told, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST_F(number_lines, stop_between_blocks_when_cancelled) {
  int told = 0;
  job_control control([&](std::string_view, double) {
    if (++told == 2) control.cancel();
  });
  const lines_read all = read("1\n2\n3\n4\n5\n6\n7\n8\n", 4, 0, control);
  EXPECT_EQ(all.words, "cancelled");
  EXPECT_EQ(all.lines, (texts{"1", "2", "3", "4"}));
}

TEST(excerpt, shows_bytes_as_printable_ascii) {
  EXPECT_EQ(excerpt(""), "");
  EXPECT_EQ(excerpt("a b~ "), "a b~ ");
  EXPECT_EQ(excerpt(std::string_view("\0\x1f\x7f\x80\xff\x1b[m", 8)), "\\x00\\x1f\\x7f\\x80\\xff\\x1b[m");
  EXPECT_EQ(excerpt(std::string(40, 'x')), std::string(40, 'x'));
  EXPECT_EQ(excerpt(std::string(41, 'x')), std::string(40, 'x') + "...");
}

TEST(read_number, takes_the_whole_word) {
  u32 narrow = 7;
  EXPECT_TRUE(read_number<u32>("4294967295", narrow));
  EXPECT_EQ(narrow, 4294967295u);
  EXPECT_FALSE(read_number<u32>("4294967296", narrow));
  EXPECT_TRUE(read_number<u32>("0000000000000000000000000007", narrow));
  EXPECT_EQ(narrow, 7u);
  u64 wide = 7;
  EXPECT_TRUE(read_number<u64>("18446744073709551615", wide));
  EXPECT_EQ(wide, 18446744073709551615u);
  EXPECT_FALSE(read_number<u64>("18446744073709551616", wide));
  for (const char* word : {"", "-1", "+1", "1 ", " 1", "1x", "x", "0x1", "1.0"})
    EXPECT_FALSE(read_number<u64>(word, wide));
}

TEST(refusal, says_what_is_wrong_with_a_word) {
  EXPECT_EQ(refusal<u32>("4294967296"),
            "'4294967296' is too great for keys=u32, whose keys end at 4294967295; take keys=u64 in the config for "
            "greater ones");
  EXPECT_EQ(refusal<u64>("18446744073709551616"),
            "'18446744073709551616' is too great for keys=u64, whose keys end at 18446744073709551615");
  EXPECT_EQ(refusal<u32>("-1"), "'-1' has a minus sign; keys are unsigned");
  EXPECT_EQ(refusal<u64>("1-"), "'1-' is not an unsigned integer");
  EXPECT_EQ(refusal<u64>("/:"), "'/:' is not an unsigned integer");
}

TEST(make_room_for, asks_for_the_memory_of_all_that_grow) {
  const free_memory free(128ull << 20);
  std::vector<u32> first, second;
  EXPECT_TRUE(make_room_for(32u << 20, "f", first).ok());
  EXPECT_EQ(first.capacity(), 32u << 20);
  EXPECT_EQ(make_room_for((32u << 20) + 1, "f", first).error().words,
            "not enough memory: 128 MiB are needed for f, 128 MiB are free; use fewer");
  EXPECT_TRUE(make_room_for(16u << 20, "f", first, second).ok());
  EXPECT_EQ(second.capacity(), 16u << 20);
  EXPECT_FALSE(make_room_for((16u << 20) + 1, "f", first, second).ok());
  std::vector<u64> wide;
  EXPECT_TRUE(make_room_for(16u << 20, "f", wide).ok());
  EXPECT_FALSE(make_room_for((16u << 20) + 1, "f", wide).ok());
}

}  // namespace
}  // namespace pivotscope
