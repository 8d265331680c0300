#include "core/workload/files/binary_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/workload/files/key_file.hpp"
#include "core/workload/files/range_file.hpp"
#include "core/workload/own_numbers.hpp"
#include "core/workload/script_text.hpp"
#include "tests/support/binary_files.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

using testing::big_endian;
using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::numpy_file;
using testing::with_count;

constexpr key_width narrow = key_width::u32, wide = key_width::u64;

class binary_numbers_file : public ::testing::Test {
 protected:
  std::vector<u64> read(std::string_view bytes, key_width width) const {
    const outcome<key_array> keys = read_key_file(tree_.write("f", bytes), width);
    EXPECT_TRUE(keys.ok()) << (keys.ok() ? "" : keys.error().words);
    std::vector<u64> values;
    for (u64 i = 0; keys.ok() && i < keys->size(); ++i) values.push_back((*keys)[i]);
    return values;
  }
  // With F for the file's name.
  std::string words(std::string_view bytes, key_width width = narrow) const {
    return words_of(read_key_file(tree_.write("f", bytes), width));
  }
  template <class T>
  std::string words_of(const outcome<T>& read) const {
    EXPECT_FALSE(read.ok());
    std::string all = read.ok() ? "" : read.error().words;
    const std::string path = path_.string();
    for (std::size_t at = all.find(path); at != all.npos; at = all.find(path)) all.replace(at, path.size(), "F");
    return all;
  }

  file_tree tree_;
  const std::filesystem::path path_ = tree_.root() / "f";
};

// Keys far from each other, in order.
template <class Key>
std::vector<Key> spread(std::size_t count) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < count; ++i) keys.push_back(static_cast<Key>(147705264 + i * 1200001));
  return keys;
}
// Hashes: in no order, of any size.
std::vector<u64> hashes(std::size_t count) {
  std::vector<u64> keys;
  u64 state = 0x9dfbac6e7687a66e;
  for (std::size_t i = 0; i < count; ++i) keys.push_back(state = state * 6364136223846793005u + 1442695040888963407u);
  return keys;
}

TEST_F(binary_numbers_file, values_without_a_count_are_told) {
  EXPECT_EQ(words(bytes_of(spread<u64>(1000))),
            "F has 1000 values of 64 bits without a count; SOSD's format has it before them: { perl -e 'print pack "
            "\"Q<\", 1000'; cat F; } > F-mended.sosd");
  EXPECT_THAT(words(bytes_of(spread<u32>(1001)), wide), HasSubstr("F has 1001 values of 32 bits without a count; "));
  EXPECT_THAT(words(bytes_of(spread<u32>(1000))), HasSubstr("F has 1000 values of 32 bits without a count; "));
  EXPECT_THAT(words(bytes_of(std::vector<u32>{0, 1, 2, 3, 4, 5})),
              HasSubstr("F has 6 values of 32 bits without a count; "));
  EXPECT_THAT(words(bytes_of(std::vector<u64>{0, 1, 2, 3, 4, 5})),
              HasSubstr("F has 6 values of 64 bits without a count; "));
  EXPECT_THAT(words(bytes_of(hashes(500))), HasSubstr("F has 500 values of 64 bits without a count, or 1000 of 32"));
  EXPECT_THAT(words(std::string(100, '\xff')), HasSubstr("F has 25 values of 32 bits without a count"));
}

TEST_F(binary_numbers_file, a_count_that_does_not_fit_is_told) {
  const std::string keys = bytes_of(spread<u64>(1000));
  for (const u64 count : {100u, 200000000u, 999u, 1001u})
    EXPECT_THAT(words(with_count(count, keys)),
                HasSubstr(fmt::format("F: its count says {} values, but 1000 values of 64 bits follow; is it whole? To "
                                      "take what is there: {{ perl -e 'print pack \"Q<\", 1000'; tail -c +9 F; }} > "
                                      "F-mended.sosd",
                                      count)));
  EXPECT_THAT(words(with_count(200000000, bytes_of(hashes(1000))), wide),
              HasSubstr("its count says 200000000 values, but 1000 values of 64 bits follow"));
  EXPECT_THAT(words(with_count(5, bytes_of(spread<u32>(1000))), wide),
              HasSubstr("its count says 5 values, but 1000 values of 32 bits follow"));
  EXPECT_THAT(
      words(with_count(3, keys.substr(0, 23)), wide),
      HasSubstr("its count says 3 values, but 2 values of 64 bits follow, and 7 bytes of another; is it whole?"));
}

TEST_F(binary_numbers_file, a_count_of_32_bits_is_told) {
  EXPECT_EQ(words(bytes_of(std::vector<u32>{3}) + bytes_of(spread<u32>(3))),
            "F has 3 values of 32 bits behind a count of 32 bits, and SOSD's has 64: { perl -e 'print pack \"Q<\", 3'; "
            "tail -c +5 F; } > F-mended.sosd");
  EXPECT_THAT(words(bytes_of(std::vector<u32>{3}) + bytes_of(spread<u64>(3))), HasSubstr("F has 3 values of 64 bits"));
}

TEST_F(binary_numbers_file, big_endian_is_told) {
  std::vector<u64> keys = spread<u64>(1000);
  EXPECT_EQ(words(big_endian(std::vector<u64>{1000}) + big_endian(keys)),
            "F is big-endian: 1000 values of 64 bits behind their count; turn it round: perl -0777 -ne 'print pack "
            "\"Q<Q<*\", unpack \"Q>Q>*\", $_' F > F-mended.sosd");
  EXPECT_THAT(words(big_endian(std::vector<u64>{7}) + big_endian(spread<u32>(7))),
              HasSubstr("F is big-endian: 7 values of 32 bits behind their count; turn it round: perl -0777 -ne 'print "
                        "pack \"Q<L<*\", unpack \"Q>L>*\", $_' F"));
}

TEST_F(binary_numbers_file, floating_point_is_told) {
  const std::vector<double> places = {-179.98, -106.4, -74.0, -0.13, 0, 2.35, 13.4, 77.2};
  const std::vector<float> sizes = {1.5f, 2.25f, 1e6f, 3.0f, 0.001f};
  EXPECT_THAT(words(bytes_of(places)),
              HasSubstr("F seems to be 8 values of float64: keys are unsigned integers; scale"));
  EXPECT_THAT(words(with_count(200, bytes_of(places))), HasSubstr("8 values of float64"));
  EXPECT_THAT(words(bytes_of(sizes)), HasSubstr("5 values of float32"));
}

TEST_F(binary_numbers_file, what_is_no_numbers_is_told_with_its_size) {
  EXPECT_EQ(words(std::string(7, '\0')),
            "F is binary, and its 7 bytes are no numbers that can be read; write them to a text file, one a line");
  EXPECT_THAT(words(std::string("\0\1\2\3\4\5\6\7\7", 9)), HasSubstr("its 9 bytes are no numbers"));
}

// 2613 is "5", a line's end and zeros.
TEST_F(binary_numbers_file, a_first_value_that_is_a_line_of_digits_makes_no_text) {
  EXPECT_THAT(words(bytes_of(std::vector<u64>{2613, 2614, 7, 9})), HasSubstr("F has 4 values of 64 bits"));
  EXPECT_THAT(words(bytes_of(std::vector<u32>{2613, 2614, 7})), HasSubstr("F has 3 values of 32 bits"));
}

// Text in an old encoding, in colours, or with a stray byte behind its first line is text, and has lines.
TEST_F(binary_numbers_file, text_is_not_taken_for_binary) {
  EXPECT_THAT(words("Gr\xf6\xdf"
                    "e der Schl\xfcssel, wie sie im Jahr davor gemessen worden sind\n5\n"),
              HasSubstr("F:1: "));
  EXPECT_THAT(words("\xd0\xba\xd0\xbb\xd1\x8e\xd1\x87\n5\n"), HasSubstr("F:1: "));
  EXPECT_THAT(words("\x1b[1mkey\x1b[0m\n5\n"), HasSubstr("F:1: "));
  EXPECT_THAT(words("12345678\nkey\x01name\n"), HasSubstr("F:2: "));
  EXPECT_THAT(words("\n 5 \r\n\x01\n"), HasSubstr("F:1: is empty"));
}

TEST_F(binary_numbers_file, where_text_is_wanted_is_called_binary) {
  const std::string keys = bytes_of(spread<u64>(10)), array = numpy_file("'<u8'", "(10,)", keys);
  const auto path = tree_.write("f", keys);
  EXPECT_EQ(words_of(read_range_file(path, wide)), "F is binary, and here text is wanted");
  EXPECT_EQ(words_of(read_script(path, wide)), "F is binary, and here text is wanted");
  EXPECT_THAT(words_of(read_key_column(path, "1", wide)), HasSubstr("F has 10 values of 64 bits without a count"));
  tree_.write("f", with_count(10, keys));
  EXPECT_EQ(words_of(read_key_column(path, "1", wide)),
            "F holds numbers in binary, and no columns: leave the column out");
  tree_.write("f", array);
  EXPECT_EQ(words_of(read_range_file(path, wide)), "F is a NumPy file, and here text is wanted");
  EXPECT_THAT(words_of(read_key_column(path, "1", wide)), HasSubstr("leave the column out"));
}

TEST_F(binary_numbers_file, of_numpy_has_keys_of_either_width) {
  const std::vector<u64> keys = {3, 1, 4294967295};
  EXPECT_EQ(read(numpy_file("'<u8'", "(3,)", bytes_of(keys)), wide), keys);
  EXPECT_EQ(read(numpy_file("'<u8'", "(3,)", bytes_of(keys)), narrow), keys);
  EXPECT_EQ(read(numpy_file("'<i8'", "(3,)", bytes_of(keys)), wide), keys);
  EXPECT_EQ(read(numpy_file("'<u4'", "(3,)", bytes_of<u32>({3, 1, 4294967295})), narrow), keys);
  EXPECT_EQ(read(numpy_file("'<u4'", "(3,)", bytes_of<u32>({3, 1, 4294967295})), wide), keys);
  EXPECT_THAT(read(numpy_file("'<i4'", "(2,)", bytes_of<u32>({3, 2147483647})), narrow), ElementsAre(3, 2147483647));
  EXPECT_TRUE(read(numpy_file("'<u8'", "(0,)", ""), wide).empty());
  const std::vector<u64> many = spread<u64>(1'500'000);
  EXPECT_EQ(read(numpy_file("'<u8'", "(1500000,)", bytes_of(many)), wide), many);
  const std::string one = numpy_file("'<u8'", "(1,)", bytes_of<u64>({7}));
  std::string second = one.substr(0, 8) + one.substr(8, 2) + std::string(2, '\0') + one.substr(10);
  second[6] = 2;
  EXPECT_THAT(read(second, wide), ElementsAre(7)) << "format 2, with a header's length of 32 bits";
}

TEST_F(binary_numbers_file, of_numpy_that_are_no_keys_are_refused) {
  EXPECT_EQ(words(numpy_file("'<i8'", "(3,)", bytes_of<u64>({3, 1, ~u64{4}})), wide),
            "F: value 2: '-5' has a minus sign; keys are unsigned");
  EXPECT_EQ(words(numpy_file("'<i4'", "(1,)", bytes_of<u32>({~0u})), wide),
            "F: value 0: '-1' has a minus sign; keys are unsigned");
  EXPECT_THAT(words(numpy_file("'<u8'", "(2,)", bytes_of<u64>({3, 4294967296}))),
              HasSubstr("F: value 1: '4294967296' is too great for keys=u32"));
  const std::pair<const char*, const char*> others[] = {
      {"'<f8'", "float64"}, {"'<f4'", "float32"},     {"'|u1'", "uint8"}, {"'<i2'", "int16"},
      {"'|b1'", "bool"},    {"'<c16'", "complex128"}, {"'<U5'", "<U5"},   {"'<M8[ns]'", "<M8[ns]"}};
  for (const auto& [type, name] : others)
    EXPECT_EQ(
        words(numpy_file(type, "(1,)", std::string(8, '\1'))),
        fmt::format("F is a NumPy file of {}: keys are unsigned integers; make them uint32 or uint64 and save that",
                    name));
  EXPECT_THAT(words(numpy_file("[('a', '<u8'), ('b', '<f8')]", "(1,)", std::string(16, '\1'))),
              HasSubstr("F is a NumPy file of records: "));
  EXPECT_EQ(words(numpy_file("'>u8'", "(1,)", std::string(8, '\1'))),
            "F is a NumPy file of big-endian uint64; save it little-endian: array.astype('<u8')");
  EXPECT_THAT(words(numpy_file("'<u8'", "(1, 1)", std::string(8, '\1'))),
              HasSubstr("of 2 dimensions, and keys have one"));
  EXPECT_THAT(words(numpy_file("'<u8'", "()", std::string(8, '\1'))), HasSubstr("of 0 dimensions"));
  EXPECT_EQ(words(numpy_file("'<u8'", "(2,)", std::string(15, '\1'))),
            "F is a NumPy file of 2 uint64, and 15 bytes follow its header: it is not whole");
  const std::string good = numpy_file("'<u8'", "(1,)", bytes_of<u64>({7}));
  for (const std::size_t length : {6, 9, 11, 40, 100})
    EXPECT_EQ(words(good.substr(0, length)),
              "F begins as a NumPy file, but its header cannot be read; numpy.save writes it")
        << length;
}

TEST_F(binary_numbers_file, of_lookups_has_keys_and_sums) {
  // Keys 5 5 5 9: rows 0 + 1 + 2, and row 3.
  const key_array keys(std::vector<u64>{5, 5, 5, 9});
  const auto asked = [&](const std::vector<u64>& pairs) {
    const std::string path = tree_.write("f", with_count(pairs.size() / 2, bytes_of(pairs))).string();
    return make_batch(with_batch({}, {.numbers = {.file = path}}), keys);
  };
  const outcome<batch> right = asked({9, 3, 5, 3, 7, 0, 5, 3});
  ASSERT_TRUE(right.ok()) << right.error().words;
  EXPECT_THAT(std::vector<u64>(right->keys.as<u64>().begin(), right->keys.as<u64>().end()), ElementsAre(9, 5, 7, 5));
  EXPECT_THAT(right->row_sums, ElementsAre(3, 3, 0, 3));
  EXPECT_EQ(words_of(asked({9, 3, 5, 0})),
            "F: lookup 1 of key 5: its rows sum to 0 there, and over these keys to 3; were the lookups made for other "
            "keys?");
  EXPECT_THAT(words_of(asked({8, 1})),
              HasSubstr("lookup 0 of key 8: its rows sum to 1 there, and over these keys to 0"));
  EXPECT_EQ(words_of(read_key_file(path_, wide)),
            "F has SOSD's lookups, 1 keys and the sum of each one's rows: --lookups-from reads it");
  tree_.write("f", with_count(1, bytes_of<u64>({1ull << 32, 0})));
  EXPECT_THAT(words_of(read_lookup_file(path_, narrow)),
              HasSubstr("F: lookup 0: '4294967296' is too great for keys=u32"));
}

TEST_F(binary_numbers_file, of_lookups_are_checked_over_generated_keys) {
  const workload w = *workload_from_line("keys=1000 distribution=dense seed=1");
  const key_array keys = *make_keys(w, narrow);
  tree_.write("f", with_count(1, bytes_of<u64>({keys[17], 17})));
  EXPECT_TRUE(make_batch(with_batch(w, {.numbers = {.file = path_.string()}}), narrow).ok());
  tree_.write("f", with_count(1, bytes_of<u64>({keys[17], 18})));
  EXPECT_THAT(words_of(make_batch(with_batch(w, {.numbers = {.file = path_.string()}}), narrow)), HasSubstr("17"));
}

TEST_F(binary_numbers_file, say_their_width) {
  const auto width = [&](std::string_view bytes, std::string column = "") {
    const std::string path = tree_.write("f", bytes).string();
    const auto told = width_of_own(with_keys({}, {.file = path, .column = std::move(column)}));
    EXPECT_TRUE(told.ok()) << (told.ok() ? "" : told.error().words);
    return told.ok() ? *told : narrow;
  };
  EXPECT_EQ(width(with_count(2, bytes_of<u64>({1, 2}))), wide) << "small values, but 64 bits";
  EXPECT_EQ(width(with_count(2, bytes_of<u32>({1, 2}))), narrow);
  EXPECT_EQ(width(with_count(0, "")), narrow);
  EXPECT_EQ(width(numpy_file("'<i8'", "(1,)", bytes_of<u64>({7}))), wide);
  EXPECT_EQ(width(numpy_file("'<u4'", "(1,)", bytes_of<u32>({7}))), narrow);
  EXPECT_EQ(width("7\n4294967295\n"), narrow);
  EXPECT_EQ(width("7\n4294967296\n"), wide);
  EXPECT_EQ(width("a;b\n1;4294967296\n", "b"), wide);
  EXPECT_EQ(width("a;b\n1;4294967296\n", "a"), narrow);
  EXPECT_EQ(*width_of_own(*workload_from_line("key_list=5,4294967296")), wide);
  EXPECT_EQ(*width_of_own(*workload_from_line("key_list=5 range_list=1..4294967296")), wide);
  EXPECT_EQ(*width_of_own(*workload_from_line("key_list=5 lookup_list=1")), narrow);
  EXPECT_EQ(*width_of_own(*workload_from_line("keys=100 distribution=uniform lookups=7")), narrow);
  EXPECT_FALSE(width_of_own(with_keys({}, {.file = tree_.write("f", "x\n").string()})).ok());
}

}  // namespace
}  // namespace pivotscope
