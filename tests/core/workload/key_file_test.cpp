#include "core/workload/files/key_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <thread>
#include <vector>

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// A folder of the test's own, gone afterwards.
class key_file : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "pivotscope-key-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(std::string_view bytes, const char* name = "keys") const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::vector<u64> read(std::string_view bytes, key_width width = key_width::u32) const {
    const outcome<key_array> keys = read_key_file(write(bytes), width);
    EXPECT_TRUE(keys.ok()) << (keys.ok() ? "" : keys.error().words);
    std::vector<u64> values;
    for (u64 i = 0; keys.ok() && i < keys->size(); ++i) values.push_back((*keys)[i]);
    return values;
  }
  std::string words(std::string_view bytes, key_width width = key_width::u32) const {
    const outcome<key_array> keys = read_key_file(write(bytes), width);
    EXPECT_FALSE(keys.ok());
    return keys.ok() ? "" : keys.error().words;
  }
  std::string contents(const fs::path& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

using values_read = std::vector<u64>;

template <class Key>
std::string sosd(const std::vector<Key>& keys) {
  const u64 count = keys.size();
  std::string bytes(8 + keys.size() * sizeof(Key), '\0');
  std::memcpy(bytes.data(), &count, 8);
  if (count > 0) std::memcpy(bytes.data() + 8, keys.data(), count * sizeof(Key));
  return bytes;
}

void expect_part(const std::string& words, std::string_view part) {
  EXPECT_NE(words.find(part), std::string::npos) << "wanted: " << part << "\nin: " << words;
}

TEST_F(key_file, reads_text_however_its_lines_end) {
  EXPECT_EQ(read("1\n2\n3\n"), (values_read{1, 2, 3}));
  EXPECT_EQ(read("1\n2\n3"), (values_read{1, 2, 3}));
  EXPECT_EQ(read("1\r\n2\r\n3\r\n"), (values_read{1, 2, 3}));
  EXPECT_EQ(read("1\n2\n3\n\n"), (values_read{1, 2, 3}));
  EXPECT_EQ(read("1\n2\n3\n\n\r\n  \n"), (values_read{1, 2, 3}));
  EXPECT_EQ(read("  7\t\n 007 \n"), (values_read{7, 7}));
  EXPECT_EQ(read("12345678\n"), (values_read{12345678}));
  EXPECT_EQ(read(""), values_read{});
  EXPECT_EQ(read("\n"), values_read{});
  EXPECT_EQ(read("5"), values_read{5});
}

TEST_F(key_file, reads_every_value_of_the_width) {
  EXPECT_EQ(read("0\n4294967295\n"), (values_read{0, 4294967295}));
  EXPECT_EQ(read("0\n18446744073709551615\n", key_width::u64), (values_read{0, ~0ull}));
}

TEST_F(key_file, reads_text_of_many_blocks) {
  std::string text;
  values_read expected;
  for (u64 i = 0; i < 1'200'000; ++i) {
    expected.push_back(i * 2654435761u);
    text += std::to_string(expected.back()) + (i % 3 == 0 ? "\r\n" : "\n");
  }
  ASSERT_GT(text.size(), 3u * (4 << 20));
  EXPECT_EQ(read(text, key_width::u64), expected);
  text += "oops";
  expect_part(words(text, key_width::u64), ":1200001: 'oops'");
}

TEST_F(key_file, reads_sosd_of_both_widths) {
  EXPECT_EQ(read(sosd<u32>({3, 1, 0xFFFFFFFF})), (values_read{3, 1, 0xFFFFFFFF}));
  EXPECT_EQ(read(sosd<u64>({3, 1, ~0ull}), key_width::u64), (values_read{3, 1, ~0ull}));
  EXPECT_EQ(read(sosd<u32>({})), values_read{});
  EXPECT_EQ(read(sosd<u64>({}), key_width::u64), values_read{});
  std::vector<u64> many(1'500'000);
  for (u64 i = 0; i < many.size(); ++i) many[i] = i * i;
  EXPECT_EQ(read(sosd(many), key_width::u64), many);
}

TEST_F(key_file, names_file_and_line_of_what_is_not_a_number) {
  const std::string place = (folder_ / "keys").string();
  EXPECT_EQ(words("1\n2\nthree\n4\n"), place + ":3: 'three' is not an unsigned integer");
  EXPECT_EQ(words("1\n-2\n"), place + ":2: '-2' has a minus sign; keys are unsigned");
  EXPECT_EQ(words("1\n2.5\n"), place + ":2: '2.5' is not an unsigned integer");
  EXPECT_EQ(words("1\n2 3\n"), place + ":2: '2 3' is not an unsigned integer");
  EXPECT_EQ(words("+1\n"), place + ":1: '+1' is not an unsigned integer");
  EXPECT_EQ(words("0x10\n"), place + ":1: '0x10' is not an unsigned integer");
  EXPECT_EQ(words("1\n\n2\n"), place + ":2: is empty; one unsigned integer is wanted");
  EXPECT_EQ(words("\n\n2\n"), place + ":1: is empty; one unsigned integer is wanted");
  EXPECT_EQ(words("12345678\nkey\x01name\n"), place + ":2: 'key\\x01name' is not an unsigned integer");
  expect_part(words("123456789 " + std::string(100, 'x')), "xxx...'");
}

TEST_F(key_file, asks_whether_a_first_line_is_a_tables) {
  const std::string advice =
      "; is this a table? One of its columns is read with --keys-column NAME or NUMBER (in a workload's line "
      "keys_column= or lookups_column=)";
  for (const char* line : {"1 2", "1,2", "1;2", "1|2", "1\t2", "id", "Id,n", "\"id\""})
    EXPECT_TRUE(words(std::string(line) + "\n5\n").ends_with("is not an unsigned integer" + advice)) << line;
  EXPECT_TRUE(words("0x10").ends_with("is not an unsigned integer"));
  EXPECT_TRUE(words("5\nid\n").ends_with("is not an unsigned integer"));
}

TEST_F(key_file, names_the_width_that_a_number_is_past) {
  expect_part(words("1\n4294967296\n"), ":2: '4294967296' is too great for keys=u32, whose keys end at 4294967295");
  expect_part(words("4294967296\n"), "take keys=u64");
  expect_part(words("18446744073709551616\n", key_width::u64), "keys=u64, whose keys end at 18446744073709551615");
  expect_part(words(std::string(60, '9')), "too great for keys=u32");
}

TEST_F(key_file, tells_a_file_of_the_other_width) {
  expect_part(words(sosd<u64>({1, 2})), "holds 2 values of 64 bits, but the config says keys=u32");
  expect_part(words(sosd<u32>({1, 2}), key_width::u64), "holds 2 values of 32 bits, but the config says keys=u64");
}

TEST_F(key_file, tells_bytes_that_are_no_keys_at_all) {
  expect_part(words(std::string(100, '\0')), "25 values of 32 bits without a count");
  expect_part(words(std::string(5 << 20, '7')), "has more than 4194304 bytes and no end");
}

TEST_F(key_file, tells_why_a_file_cannot_be_read) {
  expect_part(read_key_file(folder_ / "none", key_width::u32).error().words, "none: No such file or directory");
  expect_part(read_key_file(folder_, key_width::u32).error().words, "is a folder");
  if (::geteuid() != 0) {
    const fs::path path = write("1\n");
    ::chmod(path.c_str(), 0);
    expect_part(read_key_file(path, key_width::u32).error().words, "Permission denied");
  }
}

TEST_F(key_file, reads_a_pipe_in_either_format) {
  for (const std::string& bytes : {std::string("1\n2\n"), sosd<u32>({1, 2})}) {
    const fs::path pipe = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    const outcome<key_array> keys = read_key_file(pipe, key_width::u32);
    writer.join();
    ASSERT_TRUE(keys.ok());
    EXPECT_EQ(keys->size(), 2u);
    fs::remove(pipe);
  }
}

TEST_F(key_file, stops_when_cancelled) {
  job_control control;
  control.cancel();
  const outcome<key_array> keys = read_key_file(write("1\n"), key_width::u32, control);
  ASSERT_FALSE(keys.ok());
  EXPECT_TRUE(keys.error().cancelled);
}

TEST_F(key_file, answers_are_row_ids_and_dashes) {
  const fs::path path = folder_ / "answers";
  ASSERT_TRUE(write_answers(path, std::vector<u32>{5, not_found, 0, not_found - 1}).ok());
  EXPECT_EQ(contents(path), "5\n-\n0\n4294967294\n");
  ASSERT_TRUE(write_answers(path, std::vector<u32>{}).ok());
  EXPECT_EQ(contents(path), "");
  std::vector<u32> many(200'000);
  for (u32 i = 0; i < many.size(); ++i) many[i] = i;
  ASSERT_TRUE(write_answers(path, many).ok());
  EXPECT_EQ(read(contents(path)).back(), 199'999u);
}

TEST_F(key_file, answers_replace_a_file_only_in_whole) {
  const fs::path path = write("before", "answers");
  ::chmod(path.c_str(), 0640);
  job_control control;
  control.cancel();
  const status cancelled = write_answers(path, std::vector<u32>{1}, control);
  ASSERT_FALSE(cancelled.ok());
  EXPECT_TRUE(cancelled.error().cancelled);
  EXPECT_EQ(contents(path), "before");
  ASSERT_TRUE(write_answers(path, std::vector<u32>{1}).ok());
  EXPECT_EQ(contents(path), "1\n");
  struct stat about {};
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777u, 0640u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "a temporary file was left behind";
}

TEST_F(key_file, answers_go_through_a_symbolic_link) {
  const fs::path path = write("before", "answers");
  fs::create_symlink(path, folder_ / "link");
  ASSERT_TRUE(write_answers(folder_ / "link", std::vector<u32>{1}).ok());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(contents(path), "1\n");
}

TEST_F(key_file, answers_that_cannot_be_written_say_why) {
  expect_part(write_answers(folder_ / "no" / "answers", std::vector<u32>{1}).error().words,
              "No such file or directory");
  expect_part(write_answers(folder_, std::vector<u32>{1}).error().words, "Is a directory");
  expect_part(write_answers("", std::vector<u32>{1}).error().words, "empty");
  if (fs::exists("/dev/full")) {
    expect_part(write_answers("/dev/full", std::vector<u32>{1}).error().words, "No space left on device");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
  }
  if (::geteuid() != 0) {
    ::chmod(folder_.c_str(), 0500);
    expect_part(write_answers(folder_ / "answers", std::vector<u32>{1}).error().words, "Permission denied");
    ::chmod(folder_.c_str(), 0700);
  }
  ASSERT_TRUE(write_answers("/dev/null", std::vector<u32>{1}).ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace pivotscope
