// Files of keys and of ranges at their bounds, and every word about them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/workload/files/key_file.hpp"
#include "core/workload/files/range_file.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t text_block = 4 << 20;

class file_bounds : public ::testing::Test {
 protected:
  outcome<key_array> read(std::string_view bytes, key_width width = key_width::u32,
                          const job_control& control = {}) const {
    return read_key_file(tree_.write("f", bytes), width, control);
  }
  // Without the file's name.
  std::string words(std::string_view bytes, key_width width = key_width::u32) const {
    return words_of(read(bytes, width));
  }
  template <class T>
  std::string words_of(const outcome<T>& read) const {
    EXPECT_FALSE(read.ok());
    if (read.ok()) return {};
    EXPECT_FALSE(read.error().cancelled);
    const std::string path = path_.string();
    std::string all = read.error().words;
    if (const std::size_t at = all.find(path); at != all.npos) all.replace(at, path.size(), "F");
    return all;
  }

  file_tree tree_;
  const fs::path path_ = tree_.root() / "f";
};

// The 64-bit count of SOSD's format and whatever follows.
std::string counted(u64 count, std::string_view rest) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &count, 8);
  return bytes.append(rest);
}

// A line of 1024 bytes: 4096 of them fill a block.
std::string line_of(u64 key) {
  std::string digits = std::to_string(key);
  return std::string(1023 - digits.size(), '0') + digits + "\n";
}

TEST_F(file_bounds, a_line_may_lie_across_blocks_or_end_with_one) {
  for (const std::size_t moved : {0, 1, 1023}) {
    std::string text(moved, ' ');
    std::vector<u32> expected;
    while (text.size() < text_block + 5000) {
      expected.push_back(static_cast<u32>(expected.size() * 3));
      text += line_of(expected.back());
    }
    if (moved == 1) text.pop_back();
    const outcome<key_array> keys = read(text);
    ASSERT_TRUE(keys.ok()) << moved;
    EXPECT_TRUE(std::ranges::equal(keys->as<u32>(), expected)) << moved;
  }
}

TEST_F(file_bounds, a_text_may_fill_its_block_exactly) {
  std::string text;
  while (text.size() < text_block) text += line_of(7);
  ASSERT_EQ(text.size(), text_block);
  const auto count = [&](const std::string& all) { return read(all)->size(); };
  EXPECT_EQ(count(text), 4096u);
  EXPECT_EQ(count(text.substr(0, text_block - 1)), 4096u);
  EXPECT_EQ(count(text + "\n"), 4096u);
  EXPECT_EQ(count(text + "1"), 4097u);
  EXPECT_EQ(count(text + text), 8192u);
}

TEST_F(file_bounds, numbers_of_20_digits_are_read_or_refused_by_their_value) {
  const outcome<key_array> keys = read("18446744073709551615\n00000000000000000007\n", key_width::u64);
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ((*keys)[0], ~0ull);
  EXPECT_EQ((*keys)[1], 7u);
  EXPECT_EQ(words("18446744073709551615\n18446744073709551616\n", key_width::u64),
            "F:2: '18446744073709551616' is too great for keys=u64, whose keys end at 18446744073709551615");
  EXPECT_EQ(words("4294967295\n4294967296\n"),
            "F:2: '4294967296' is too great for keys=u32, whose keys end at 4294967295; take keys=u64 in the config "
            "for greater ones");
}

TEST_F(file_bounds, text_has_no_byte_below_the_tab) {
  EXPECT_EQ(words("1\b234567").substr(0, 64), "F has 1 value of 64 bits without a count, or 2 of 32 bits; SOSD'");
  EXPECT_EQ(words("1\t234567").substr(0, 45), "F:1: '1\\x09234567' is not an unsigned integer");
}

TEST_F(file_bounds, bytes_that_are_not_what_they_count_are_told_in_full) {
  EXPECT_EQ(words(counted(2, "1234567890123456")), "F holds 2 values of 64 bits, but the config says keys=u32");
  EXPECT_EQ(words(counted(4, "1234567890123456"), key_width::u64),
            "F holds 4 values of 32 bits, but the config says keys=u64");
  EXPECT_EQ(words(counted(3, "123456789012x")).substr(0, 89),
            "F: its count says 3 values, but 3 values of 32 bits follow, and 1 byte of another; is it ");
  EXPECT_EQ(words(counted(max_lookups, "")).substr(0, 42), "F has 1 value of 64 bits without a count, ");
}

TEST_F(file_bounds, seven_bytes_are_no_count) {
  EXPECT_EQ(words(std::string(7, '\0')).substr(0, 28), "F is binary, and its 7 bytes");
  EXPECT_EQ(read(std::string(8, '\0'))->size(), 0u) << "a count of no values";
  EXPECT_EQ(read("1234567")->size(), 1u);
}

// Files of many values without a byte of them: only their count is written.
TEST_F(file_bounds, more_than_two_to_the_32_values_are_refused) {
  const free_memory free(1ull << 30);
  const auto sparse = [&](u64 count) {
    tree_.write("f", counted(count, ""));
    return tree_.stretch("f", 8 + count * 4);
  };
  ASSERT_TRUE(sparse(1 << 28));
  EXPECT_EQ(words_of(read_key_file(path_, key_width::u64)),
            "F holds 268435456 values of 32 bits, but the config says keys=u64");
  free.set(512 << 20);
  EXPECT_EQ(words_of(read_key_file(path_, key_width::u32)),
            "not enough memory: 1 GiB are needed for F, 512 MiB are free; use fewer");
  if (!sparse(max_lookups + 1)) GTEST_SKIP() << "no file of 16 GiB, however empty, can be made here";
  EXPECT_EQ(words_of(read_key_file(path_, key_width::u32)), "F holds 4294967297 values; at most 2^32 are read");
  ASSERT_TRUE(sparse(max_lookups));
  EXPECT_EQ(words_of(read_key_file(path_, key_width::u32)),
            "not enough memory: 16 GiB are needed for F, 512 MiB are free; use fewer");
}

// The first block of lines lets expect as many in each of the others, of which no byte is there.
TEST_F(file_bounds, text_asks_for_memory_before_it_takes_it) {
  std::string text;
  while (text.size() < text_block) text += std::string(62, ' ') + "7\n";
  tree_.write("f", text);
  ASSERT_TRUE(tree_.stretch("f", 1 << 30));
  const free_memory free(64ull << 20);
  EXPECT_EQ(words_of(read_key_file(path_, key_width::u32)),
            "not enough memory: 65.3 MiB are needed for F, 64 MiB are free; use fewer");
  EXPECT_EQ(words_of(read_key_file(path_, key_width::u64)),
            "not enough memory: 130.6 MiB are needed for F, 64 MiB are free; use fewer");
  EXPECT_EQ(words_of(read_range_file(path_, key_width::u32)),
            "not enough memory: 130.6 MiB are needed for F, 64 MiB are free; use fewer");
}

TEST_F(file_bounds, a_file_that_shrinks_while_it_is_read_is_told) {
  std::vector<double> told;
  const job_control control([&](std::string_view stage, double fraction) {
    EXPECT_EQ(stage, "reading " + path_.string());
    told.push_back(fraction);
    if (fraction > 0) {
      ASSERT_EQ(::truncate(path_.c_str(), text_block + 100), 0);
    }
  });
  const outcome<key_array> keys =
      read(counted(text_block / 2, std::string(2 * text_block, '\1')), key_width::u32, control);
  EXPECT_EQ(words_of(keys), "F became shorter while it was read");
  EXPECT_EQ(told, (std::vector<double>{0, 0.5}));
}

TEST_F(file_bounds, numbers_in_binary_are_read_block_by_block) {
  std::string values(2 * text_block + 4, '\2');
  values.back() = '\3';
  std::vector<double> told;
  const job_control control([&](std::string_view, double fraction) { told.push_back(fraction); });
  const outcome<key_array> keys = read(counted(values.size() / 4, values), key_width::u32, control);
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ(keys->size(), text_block / 2 + 1);
  EXPECT_EQ((*keys)[0], 0x02020202u);
  EXPECT_EQ((*keys)[text_block / 2], 0x03020202u);
  const double all = static_cast<double>(values.size());
  EXPECT_EQ(told, (std::vector<double>{0, text_block / all, 2 * text_block / all, 1}));
}

TEST_F(file_bounds, reading_stops_between_blocks_when_cancelled) {
  for (const std::string& bytes :
       {counted(text_block / 2, std::string(2 * text_block, '\2')), std::string(2 * text_block, ' ')}) {
    int told = 0;
    job_control control([&](std::string_view, double fraction) {
      ++told;
      if (fraction > 0) control.cancel();
    });
    const outcome<key_array> keys = read(bytes, key_width::u32, control);
    ASSERT_FALSE(keys.ok());
    EXPECT_TRUE(keys.error().cancelled);
    EXPECT_EQ(told, 2);
  }
}

}  // namespace
}  // namespace pivotscope
