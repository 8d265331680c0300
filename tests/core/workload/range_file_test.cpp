#include "core/workload/files/range_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include "core/workload/files/key_file.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// A folder of the test's own, gone afterwards.
class range_file : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "pivotscope-range-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(std::string_view bytes) const {
    std::ofstream(folder_ / "ranges", std::ios::binary) << bytes;
    return folder_ / "ranges";
  }
  std::vector<std::pair<u64, u64>> read(std::string_view bytes, key_width width = key_width::u32) const {
    const outcome<batch> ranges = read_range_file(write(bytes), width);
    EXPECT_TRUE(ranges.ok()) << (ranges.ok() ? "" : ranges.error().words);
    std::vector<std::pair<u64, u64>> pairs;
    for (u64 i = 0; ranges.ok() && i < ranges->size(); ++i) pairs.emplace_back(ranges->keys[i], ranges->highs[i]);
    return pairs;
  }
  // Without the file's name.
  std::string words(std::string_view bytes, key_width width = key_width::u32) const {
    const fs::path path = write(bytes);
    const outcome<batch> ranges = read_range_file(path, width);
    EXPECT_FALSE(ranges.ok());
    const std::string all = ranges.ok() ? "" : ranges.error().words;
    EXPECT_TRUE(all.starts_with(path.string() + ":")) << all;
    return all.substr(std::min(all.size(), path.string().size()));
  }
  std::string contents(const fs::path& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

using pairs = std::vector<std::pair<u64, u64>>;

TEST_F(range_file, reads_two_numbers_a_line_however_they_are_separated) {
  const pairs expected{{1, 2}, {3, 4}, {9, 5}};
  EXPECT_EQ(read("1 2\n3 4\n9 5\n"), expected);
  EXPECT_EQ(read("1,2\n3,4\n9,5"), expected);
  EXPECT_EQ(read("  1\t 2 \r\n3 , 4\r\n9,\t5\n\n \n"), expected);
  EXPECT_EQ(read("007 08\n"), (pairs{{7, 8}}));
  EXPECT_EQ(read(""), pairs{});
  EXPECT_EQ(read("\n"), pairs{});
}

TEST_F(range_file, reads_every_value_of_the_width) {
  EXPECT_EQ(read("0 4294967295\n"), (pairs{{0, 4294967295}}));
  EXPECT_EQ(read("18446744073709551615,0\n", key_width::u64), (pairs{{~0ull, 0}}));
}

TEST_F(range_file, reads_many_blocks) {
  std::string text;
  pairs expected;
  for (u64 i = 0; i < 700'000; ++i) {
    expected.emplace_back(i * 2654435761u, i * 2654435761u + i % 100);
    text += std::to_string(expected.back().first) + (i % 2 == 0 ? " " : ",") + std::to_string(expected.back().second) +
            (i % 3 == 0 ? "\r\n" : "\n");
  }
  ASSERT_GT(text.size(), 3u * (4 << 20));
  EXPECT_EQ(read(text, key_width::u64), expected);
  EXPECT_EQ(words(text + "17", key_width::u64),
            ":700001: '17' is one number; two are wanted: a range's low and high end");
}

TEST_F(range_file, names_file_and_line_of_what_is_not_a_range) {
  EXPECT_EQ(words("1 2\n3\n"), ":2: '3' is one number; two are wanted: a range's low and high end");
  EXPECT_EQ(words("1 2\n3,\n"), ":2: '3,' is one number; two are wanted: a range's low and high end");
  EXPECT_EQ(words("1 2 3\n"), ":1: '1 2 3' has more than two numbers; a range has a low and a high end");
  EXPECT_EQ(words("1,2,\n"), ":1: '1,2,' has more than two numbers; a range has a low and a high end");
  EXPECT_EQ(words("1,,2\n"), ":1: '1,,2' has more than one comma");
  EXPECT_EQ(words(",2\n"), ":1: ',2' has no low end before the comma");
  EXPECT_EQ(words("1-2\n"), ":1: '1-2' is not an unsigned integer");
  EXPECT_EQ(words("1 two\n"), ":1: 'two' is not an unsigned integer");
  EXPECT_EQ(words("low high\n"), ":1: 'low' is not an unsigned integer");
  EXPECT_EQ(words("1 -2\n"), ":1: '-2' has a minus sign; keys are unsigned");
  EXPECT_EQ(words("1 2\n\n3 4\n"), ":2: is empty; a range's low and high end is wanted");
  EXPECT_EQ(words("\x1b\x7f"), ":1: '\\x1b\\x7f' is not an unsigned integer");
  EXPECT_EQ(words("1 4294967296\n"),
            ":1: '4294967296' is too great for keys=u32, whose keys end at 4294967295; take keys=u64 in the config for "
            "greater ones");
  EXPECT_EQ(words("99999999999999999999 1\n", key_width::u64),
            ":1: '99999999999999999999' is too great for keys=u64, whose keys end at 18446744073709551615");
  EXPECT_NE(words(std::string(5 << 20, '7')).find("has more than 4194304 bytes and no end"), std::string::npos);
}

TEST_F(range_file, tells_why_a_file_cannot_be_read) {
  EXPECT_NE(read_range_file(folder_ / "none", key_width::u32).error().words.find("No such file"), std::string::npos);
  EXPECT_NE(read_range_file(folder_, key_width::u32).error().words.find("is a folder; a file of ranges is wanted"),
            std::string::npos);
}

TEST_F(range_file, stops_when_cancelled) {
  job_control control;
  control.cancel();
  const outcome<batch> ranges = read_range_file(write("1 2\n"), key_width::u32, control);
  ASSERT_FALSE(ranges.ok());
  EXPECT_TRUE(ranges.error().cancelled);
}

TEST_F(range_file, has_a_line_an_answer) {
  const fs::path path = folder_ / "answers";
  const std::vector<range_answer> answers{{3, 12}, {0, 0}, {1, not_found - 1}};
  ASSERT_TRUE(write_range_answers(path, answers, {}, {}).ok());
  EXPECT_EQ(contents(path), "3 12\n0 0\n1 4294967294\n");
  ASSERT_TRUE(
      write_range_answers(path, answers, std::vector<u64>{0, 3, 3, 4}, std::vector<u32>{7, 0, 5, not_found - 1}).ok());
  EXPECT_EQ(contents(path), "3 12 0 5 7\n0 0\n1 4294967294 4294967294\n");
  ASSERT_TRUE(write_range_answers(path, {}, {}, {}).ok());
  EXPECT_EQ(contents(path), "");
}

// Longer than the writer's block.
TEST_F(range_file, has_lines_of_any_length) {
  std::vector<u32> rows(400'000);
  for (u32 i = 0; i < rows.size(); ++i) rows[i] = static_cast<u32>(rows.size()) - 1 - i;
  std::string expected = "400000 79999800000";
  for (u32 i = 0; i < rows.size(); ++i) expected += " " + std::to_string(i);
  const fs::path path = folder_ / "answers";
  ASSERT_TRUE(write_range_answers(path, std::vector<range_answer>{{rows.size(), 79'999'800'000}},
                                  std::vector<u64>{0, rows.size()}, rows)
                  .ok());
  EXPECT_EQ(contents(path), expected + "\n");
}

TEST_F(range_file, of_answers_tells_a_full_disk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const status written = write_range_answers("/dev/full", std::vector<range_answer>{{1, 1}}, {}, {});
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().words.find("No space left on device"), std::string::npos);
}

}  // namespace
}  // namespace pivotscope
