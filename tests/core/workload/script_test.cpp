// Scripts and their text: batches, lines, and words for what is wrong.
#include "core/workload/script.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/workload/script_text.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

class script_file : public ::testing::Test {
 protected:
  script read(std::string_view text, key_width width = key_width::u32) const {
    const outcome<script> s = read_script(tree_.write("s", text), width);
    EXPECT_TRUE(s.ok()) << (s.ok() ? "" : s.error().words);
    return s.ok() ? *s : script();
  }
  // Without the file's name; and the same of typed text, whose words say "line" in its place.
  std::string words(std::string_view text, key_width width = key_width::u32) const {
    const std::string path = tree_.write("s", text).string();
    const outcome<script> s = read_script(path, width);
    EXPECT_FALSE(s.ok());
    const std::string all = s.ok() ? "" : s.error().words;
    EXPECT_TRUE(all.starts_with(path + ":")) << all;
    const std::string said = all.substr(std::min(all.size(), path.size() + 1));
    const outcome<script> typed = script_from_text(text, width);
    EXPECT_EQ(typed.ok() ? "" : typed.error().words, "line " + said);
    return said;
  }
  // "insert:2 mixed:3": each batch with its size.
  static std::string batches(const script& s) {
    std::string text;
    for (const script_batch& one : s.batches())
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ",
                          one.mixed ? "mixed" : operation_verb(s.verb_of(one.begin)), one.size());
    return text;
  }

  file_tree tree_;
};

TEST_F(script_file, has_a_batch_for_lines_of_one_verb) {
  const script s =
      read("insert 5\ninsert 7\n\n# one more\ninsert 9\nfind 5\nrange 3 9\nrange 9 3\nsuccessor 5\nerase 7\n");
  EXPECT_EQ(batches(s), "insert:3 find:1 range:2 successor:1 erase:1");
  EXPECT_EQ(s[2], (question{operation::insert, 9}));
  EXPECT_EQ(s[5], (question{operation::range, 9, 3}));
  EXPECT_EQ(s[6], (question{operation::successor, 5}));
  EXPECT_EQ(s.inserts(), 3u);
  EXPECT_EQ(s.line(1), 2u);
  EXPECT_EQ(s.line(2), 5u);
  EXPECT_EQ(s.line(7), 10u);
}

TEST_F(script_file, has_a_mixed_batch_between_begin_and_end) {
  const script s = read("insert 1\nbegin\ninsert 2\ninsert 3\nend\nbegin\nfind 2\nerase 2\nend\ninsert 4\ninsert 5");
  EXPECT_EQ(batches(s), "insert:1 mixed:2 mixed:2 insert:2");
  EXPECT_EQ(s.batches()[1].inserts_before, 1u);
  EXPECT_EQ(s.batches()[3].inserts_before, 3u);
  EXPECT_EQ(s.line(1), 3u);
  EXPECT_EQ(s.line(3), 7u);
}

TEST_F(script_file, is_the_same_with_other_blanks_and_comments) {
  const script s = read("insert 5\nbegin\nfind 5\nerase 5\nend\n");
  EXPECT_EQ(read("insert 5\r\nbegin\r\nfind 5\r\nerase 5\r\nend\r\n"), s);
  EXPECT_EQ(read("insert 5\nbegin\nfind 5\nerase 5\nend"), s);
  EXPECT_EQ(read("\xef\xbb\xbf\n \t\ninsert\t5#five\n  begin # all at once\nfind  5\n#\n\nerase 5 #\nend#"), s);
  EXPECT_NE(read("insert 5\nfind 5\nerase 5\n"), s);
  EXPECT_EQ(read("# nothing\n\n").size(), 0u);
  EXPECT_EQ(read("").batches().size(), 0u);
}

TEST_F(script_file, takes_every_key_of_the_width) {
  EXPECT_EQ(read("range 0 4294967295\n")[0], (question{operation::range, 0, 4294967295}));
  EXPECT_EQ(read("insert 18446744073709551615\n", key_width::u64)[0].key, ~0ull);
  EXPECT_EQ(read("insert 007\n")[0].key, 7u);
}

TEST_F(script_file, a_typed_line_may_have_several_keys) {
  const auto typed = [](std::string_view text) {
    const outcome<script> s = script_from_text(text, key_width::u32, keys_a_line::several);
    return s ? to_text(*s) : s.error().words;
  };
  EXPECT_EQ(typed("insert 5 7 9\nerase 5\nrange 1 2 3 4"),
            "insert 5\ninsert 7\ninsert 9\nerase 5\nrange 1 2\nrange 3 4\n");
  EXPECT_EQ(typed("begin\ninsert 5 7 # two\nfind 5\nend\n"), "begin\ninsert 5\ninsert 7\nfind 5\nend\n");
  EXPECT_EQ(typed("find 1\ninsert 5 x 9"), "line 2: column 10: 'x' is not an unsigned integer");
  EXPECT_EQ(typed("range 1 2 3"),
            "line 1: column 12: a key is missing behind range; a range takes its low and its high end: range A B");
  const script s = *script_from_text("insert 5 7\n\nerase 5", key_width::u32, keys_a_line::several);
  EXPECT_EQ(s.line(0), 1u);
  EXPECT_EQ(s.line(1), 1u);
  EXPECT_EQ(s.line(2), 3u);
}

TEST_F(script_file, says_where_and_what_is_wrong_with_an_operation) {
  EXPECT_EQ(words("insert 5\ninset 7\n"), "2: column 1: 'inset' is not an operation; did you mean 'insert'?");
  EXPECT_EQ(words("  17\n"),
            "1: column 3: '17' is not an operation; there are find, range, successor, match, lower, insert, erase, "
            "clear, rebuild, begin and end");
  EXPECT_EQ(words("find\n"), "1: column 5: a key is missing behind find; it takes one key");
  EXPECT_EQ(words(" range 5  # to\n"),
            "1: column 9: a key is missing behind range; a range takes its low and its high end: range A B");
  EXPECT_EQ(words("erase 5 6\n"), "1: column 9: '6' is too much for erase; it takes one key");
  EXPECT_EQ(words("range 5 6 7\n"),
            "1: column 11: '7' is too much for range; a range takes its low and its high end: range A B");
  EXPECT_EQ(words("range 5,6\n"), "1: column 7: '5,6' is not an unsigned integer");
  EXPECT_EQ(words("find -5\n"), "1: column 6: '-5' has a minus sign; keys are unsigned");
  EXPECT_EQ(words("\n\nfind five\n"), "3: column 6: 'five' is not an unsigned integer");
  EXPECT_EQ(words("insert 4294967296\n"),
            "1: column 8: '4294967296' is too great for keys=u32, whose keys end at 4294967295; take keys=u64 in the "
            "config for greater ones");
  EXPECT_EQ(words("insert 99999999999999999999\n", key_width::u64),
            "1: column 8: '99999999999999999999' is too great for keys=u64, whose keys end at 18446744073709551615");
  EXPECT_EQ(words("\x1b\x7f"),
            "1: column 1: '\\x1b\\x7f' is not an operation; there are find, range, successor, match, lower, insert, "
            "erase, clear, rebuild, begin and end");
}

TEST_F(script_file, says_what_is_wrong_with_a_mixed_batch) {
  EXPECT_EQ(words("begin\nfind 5\nbegin\n"), "3: begin within the mixed batch that line 1 began; put end before it");
  EXPECT_EQ(words("find 5\nend\n"),
            "2: end without begin; put begin before the batch's first operation, or leave end out");
  EXPECT_EQ(words("find 5\nbegin\nfind 6\n"), "2: begin has no end; put end behind the last operation of its batch");
  EXPECT_EQ(words("\nbegin"), "2: begin has no end; put end behind the last operation of its batch");
  EXPECT_EQ(words("begin\n\n# nothing\nend\n"),
            "4: the mixed batch that line 1 began is empty; put operations between, or leave both lines out");
  EXPECT_EQ(words("begin 5\n"), "1: column 7: '5' behind begin, which stands alone in its line");
  EXPECT_EQ(words("begin\nfind 5\nend 5\n"), "3: column 5: '5' behind end, which stands alone in its line");
}

TEST_F(script_file, tells_why_a_file_cannot_be_read) {
  const auto words_of = [](const outcome<script>& s) { return s.ok() ? "" : s.error().words; };
  EXPECT_NE(words_of(read_script(tree_.root() / "none", key_width::u32)).find("No such file"), std::string::npos);
  EXPECT_NE(words_of(read_script(tree_.root(), key_width::u32)).find("is a folder; a file of operations is wanted"),
            std::string::npos);
  EXPECT_NE(words_of(read_script(tree_.write("z", "\x1f\x8b\x08  gz"), key_width::u32)).find("gzip"),
            std::string::npos);
  EXPECT_NE(words_of(read_script(tree_.write("l", std::string(5 << 20, '7')), key_width::u32))
                .find("has more than 4194304 bytes and no end; an operation is wanted"),
            std::string::npos);
}

TEST_F(script_file, stops_when_cancelled) {
  job_control control;
  control.cancel();
  const outcome<script> s = read_script(tree_.write("s", "find 5\n"), key_width::u32, control);
  ASSERT_FALSE(s.ok());
  EXPECT_TRUE(s.error().cancelled);
}

TEST_F(script_file, says_how_much_memory_it_wants) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "insert 7\n";
  const auto path = tree_.write("s", text);
  if (!tree_.stretch("s", 1ull << 33)) GTEST_SKIP() << "no file of 8 GiB, however empty, can be made here";
  const free_memory memory(1ull << 30);
  const outcome<script> s = read_script(path, key_width::u64);
  ASSERT_FALSE(s.ok());
  EXPECT_TRUE(s.error().words.starts_with("not enough memory: ")) << s.error().words;
}

// A million lines over several blocks, and a fault in the last of them.
TEST_F(script_file, may_be_long) {
  script expected(key_width::u32);
  for (u32 i = 0; i < 1'000'000; ++i) {
    if (i % 1000 == 0) expected.begin_mixed();
    expected.add({all_operations[i % 5], i * 2654435761u, all_operations[i % 5] == operation::range ? i : 0});
    if (i % 1000 == 499) expected.end_mixed();
  }
  EXPECT_EQ(expected.batches().size(), 1000u * 501);
  const std::string text = to_text(expected);
  const script s = read(text);
  EXPECT_TRUE(s == expected);
  EXPECT_EQ(s.line(999'999), 1'002'000u);
  EXPECT_EQ(expected.line(999'999), 1'002'000u);
  const std::string path = tree_.write("t", text + "fnd 7").string();
  const outcome<script> wrong = read_script(path, key_width::u32);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().words, path + ":1002001: column 1: 'fnd' is not an operation; did you mean 'find'?");
}

TEST(script, says_the_verb_that_all_of_a_batch_have) {
  script s;
  s.add({operation::find, 1});
  s.begin_mixed();
  s.add({operation::insert, 2});
  s.add({operation::insert, 3});
  s.end_mixed();
  s.begin_mixed();
  s.add({operation::insert, 4});
  s.add({operation::erase, 4});
  s.end_mixed();
  s.add(maintenance::rebuild);
  ASSERT_EQ(s.batches().size(), 4u);
  EXPECT_EQ(s.one_verb(s.batches()[0]), operation::find);
  EXPECT_EQ(s.one_verb(s.batches()[1]), operation::insert) << "though it was begun as mixed";
  EXPECT_EQ(s.one_verb(s.batches()[2]), std::nullopt);
  EXPECT_EQ(s.one_verb(s.batches()[3]), std::nullopt);
}

TEST(script, takes_no_more_room_than_its_keys) {
  script s(key_width::u32);
  s.add({operation::insert, 7});
  s.add({operation::find, 9});
  EXPECT_EQ(s.columns().highs.size(), 0u);
  s.add({operation::range, 1, 4});
  s.add({operation::erase, 7});
  ASSERT_EQ(s.columns().highs.size(), 4u);
  EXPECT_EQ(s[1], (question{operation::find, 9}));
  EXPECT_EQ(s[2], (question{operation::range, 1, 4}));
  EXPECT_EQ(s[3], (question{operation::erase, 7}));
}

TEST(script, has_as_many_rows_as_there_are_row_ids) {
  EXPECT_FALSE(check_rows(max_rows - 2, 2));
  EXPECT_FALSE(check_rows(max_rows, 0));
  EXPECT_TRUE(check_rows(max_rows + 1, 0));
  EXPECT_EQ(check_rows(max_rows - 1, 2).value_or(""),
            "4294967292 keys and 2 inserts are more than 4294967293 = 2^32 - 3 rows: row ids are 32 bits wide; insert "
            "fewer");
}

}  // namespace
}  // namespace pivotscope
