#include "core/workload/files/file_signature.hpp"

#include <gtest/gtest.h>

#include "core/workload/files/key_file.hpp"
#include "core/workload/files/range_file.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

using namespace std::string_literals;

struct known_file {
  std::string first, words;
};

// The first bytes of each kind of file, as its own program writes them; F stands for the file's name.
const known_file known_files[] = {
    {"\x1f\x8b\x08\x00\x00\x00\x00\x00"s,
     "F is gzip-compressed; convert it first, or on the way: gunzip -c F | pivotscope ... with /dev/stdin as the file"},
    {"\x28\xb5\x2f\xfd\x04\x58\x59\x00"s,
     "F is compressed by zstd; convert it first, or on the way: zstd -dc F | pivotscope ... with /dev/stdin as the "
     "file"},
    {"\xfd\x37\x7a\x58\x5a\x00\x00\x04"s,
     "F is compressed by xz; convert it first, or on the way: xz -dc F | pivotscope ... with /dev/stdin as the file"},
    {"BZh91AY&"s,
     "F is compressed by bzip2; convert it first, or on the way: bunzip2 -c F | pivotscope ... with /dev/stdin as the "
     "file"},
    {"\x04\x22\x4d\x18\x64\x40\xa7\x01"s,
     "F is compressed by lz4; convert it first, or on the way: lz4 -dc F | pivotscope ... with /dev/stdin as the file"},
    {"PK\x03\x04\x0a\x00\x00\x00"s,
     "F is a zip archive; convert it first, or on the way: unzip -p F | pivotscope ... with /dev/stdin as the file"},
    {"\xff\xfe\x31\x00\x0a\x00\x32\x00"s,
     "F is text in UTF-16; convert it first, or on the way: iconv -f UTF-16 -t UTF-8 F | pivotscope ... with "
     "/dev/stdin as the file"},
    {"\xfe\xff\x00\x31\x00\x0a\x00\x32"s,
     "F is text in UTF-16; convert it first, or on the way: iconv -f UTF-16 -t UTF-8 F | pivotscope ... with "
     "/dev/stdin as the file"},
    {"\x7f\x45\x4c\x46\x02\x01\x01\x00"s, "F is a program (ELF); write its numbers to a text file, one a line"},
    {"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a"s, "F is a PNG picture; write its numbers to a text file, one a line"},
    {"\x89\x48\x44\x46\x0d\x0a\x1a\x0a"s, "F is an HDF5 file; write its numbers to a text file, one a line"},
    {"\x41\x52\x52\x4f\x57\x31\x00\x00"s, "F is an Apache Arrow table; write its numbers to a text file, one a line"},
    {"\x37\x7a\xbc\xaf\x27\x1c\x00\x04"s, "F is a 7-Zip archive; write its numbers to a text file, one a line"},
    {"SQLite format 3\0\x10"s,
     "F is an SQLite database; name a table's column: sqlite3 F 'select COLUMN from TABLE' | pivotscope ... with "
     "/dev/stdin as the file"},
    {"PAR1\x15\x04\x15\x10"s, "F is an Apache Parquet table; write its numbers to a text file, one a line"},
};

TEST(file_signature, says_what_a_file_is_and_what_to_do) {
  for (const known_file& file : known_files) EXPECT_EQ(signature_words("F", file.first), file.words);
}

TEST(file_signature, has_a_command_that_can_be_copied) {
  EXPECT_EQ(signature_words("a b's", "\x1f\x8b"s).substr(0, 84),
            "a b's is gzip-compressed; convert it first, or on the way: gunzip -c \"a b's\" | pivot");
}

TEST(file_signature, is_whole_or_not_there) {
  EXPECT_EQ(signature_words("F", ""s), "");
  EXPECT_EQ(signature_words("F", "SQLite format 4\0"s), "");
  EXPECT_EQ(signature_words("F", "12345678"s), "");
  EXPECT_EQ(signature_words("F", "\x1f"s), "");
  EXPECT_EQ(signature_words("F", "\x1f\x8a"s), "");
  EXPECT_EQ(signature_words("F", "\xfd\x37zXZ\x01"s), "");
  EXPECT_EQ(signature_words("F", " PAR1"s), "");
  EXPECT_EQ(signature_words("F", std::string(utf8_mark) + "1\n"), "");
  EXPECT_NE(signature_words("F", "\x1f\x8b"s), "");
}

TEST(file_signature, is_told_of_keys_and_of_ranges) {
  const file_tree tree;
  for (const known_file& file : known_files) {
    const std::string path = tree.write("f", file.first + "and more").string();
    const std::string words = signature_words(path, file.first);
    for (const key_width width : {key_width::u32, key_width::u64}) {
      EXPECT_EQ(read_key_file(path, width).error().words, words);
      EXPECT_EQ(read_range_file(path, width).error().words, words);
    }
  }
  const std::string path = tree.write("f", "\x1f\x8b"s).string();
  EXPECT_EQ(read_key_file(path, key_width::u32).error().words, signature_words(path, "\x1f\x8b"s));
}

// 0x8b1f = 35615 values of 4 bytes: the count is right, so these are keys.
TEST(file_signature, does_not_come_before_a_count_that_is_right) {
  const file_tree tree;
  std::string bytes("\x1f\x8b\0\0\0\0\0\0"s);
  bytes.resize(8 + 35615 * 4, '\1');
  const outcome<key_array> keys = read_key_file(tree.write("f", bytes), key_width::u32);
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ(keys->size(), 35615u);
}

TEST(byte_order_mark, of_utf8_is_skipped) {
  const file_tree tree;
  const std::string mark(utf8_mark);
  for (const char* text : {"", "5\n", "5", "1234\n5\n", "12345\n6\n", "123456\n7\n", "\n", "  7 \r\n8"}) {
    const outcome<key_array> keys = read_key_file(tree.write("f", mark + text), key_width::u32);
    const outcome<key_array> plain = read_key_file(tree.write("f", text), key_width::u32);
    ASSERT_TRUE(keys.ok()) << text;
    ASSERT_TRUE(plain.ok()) << text;
    EXPECT_TRUE(std::ranges::equal(keys->as<u32>(), plain->as<u32>())) << text;
  }
  const outcome<batch> ranges = read_range_file(tree.write("f", mark + "1 2\n"), key_width::u32);
  ASSERT_TRUE(ranges.ok());
  EXPECT_EQ(ranges->keys[0], 1u);
  EXPECT_EQ(ranges->highs[0], 2u);
}

TEST(byte_order_mark, is_skipped_once_and_at_the_beginning_only) {
  const file_tree tree;
  const std::string mark(utf8_mark);
  const std::string place = (tree.root() / "f").string();
  EXPECT_EQ(read_key_file(tree.write("f", mark + mark + "5\n"), key_width::u32).error().words,
            place + ":1: '\\xef\\xbb\\xbf5' is not an unsigned integer");
  EXPECT_EQ(read_key_file(tree.write("f", "4\n" + mark + "5\n"), key_width::u32).error().words,
            place + ":2: '\\xef\\xbb\\xbf5' is not an unsigned integer");
  EXPECT_EQ(read_key_file(tree.write("f", "\xef\xbb"s), key_width::u32).error().words,
            place + ":1: '\\xef\\xbb' is not an unsigned integer");
}

}  // namespace
}  // namespace pivotscope
