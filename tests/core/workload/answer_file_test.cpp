// Answers on their way to a file: their text, and what becomes of the file when something goes wrong.
#include <gtest/gtest.h>

#include <numeric>

#include "core/common/whole_file.hpp"
#include "core/workload/files/key_file.hpp"
#include "core/workload/files/range_file.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/failing_file_calls.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
using files = std::map<std::string, std::string>;

std::vector<u32> many_answers(u32 count) {
  std::vector<u32> answers(count);
  for (u32 i = 0; i < answers.size(); ++i) answers[i] = i % 7 == 0 ? not_found : i * 14'411;
  return answers;
}

std::string text_of(const std::vector<u32>& answers) {
  std::string text;
  for (const u32 answer : answers) text += (answer == not_found ? "-" : std::to_string(answer)) + "\n";
  return text;
}

TEST(answer_file, text_of_many_blocks) {
  const scratch_folder folder;
  const std::vector<u32> answers = many_answers(300'000);
  const std::string text = text_of(answers);
  ASSERT_GT(text.size(), 2u << 20);
  ASSERT_TRUE(write_answers(folder / "answers", answers));
  EXPECT_TRUE(contents_of(folder / "answers") == text);
}

TEST(answer_file, text_of_ranges) {
  const scratch_folder folder;
  const std::vector<range_answer> answers = {{2, 8}, {0, 0}, {1, ~0ull}};
  ASSERT_TRUE(write_range_answers(folder / "answers", answers, {}, {}));
  EXPECT_EQ(contents_of(folder / "answers"), "2 8\n0 0\n1 18446744073709551615\n");
  const std::vector<u64> begins = {0, 2, 2, 3};
  const std::vector<u32> rows = {7, 1, 4294967294};
  ASSERT_TRUE(write_range_answers(folder / "answers", answers, begins, rows));
  EXPECT_EQ(contents_of(folder / "answers"), "2 8 1 7\n0 0\n1 18446744073709551615 4294967294\n");
}

TEST(answer_file, text_of_successors) {
  const scratch_folder folder;
  const std::vector<successor_answer> answers = {{9, 3}, {}, {~0ull, 4294967293}, {0, 0}};
  ASSERT_TRUE(write_successor_answers(folder / "answers", answers));
  EXPECT_EQ(contents_of(folder / "answers"), "9 3\n-\n18446744073709551615 4294967293\n0 0\n");
}

// A block ends in the middle of a number's line, wherever its end falls.
TEST(answer_file, text_of_long_lines) {
  const scratch_folder folder;
  for (u32 shift = 0; shift < 12; shift += 5) {
    std::vector<u32> rows(100'000, 1'234'567'890);
    for (u32 i = 0; i < shift; ++i) rows[i] = 5;  // ascending: these come first
    const std::vector<range_answer> answers = {{rows.size(), 1}};
    const std::vector<u64> begins = {0, rows.size()};
    std::string text = "100000 1";
    for (const u32 row : rows) text += " " + std::to_string(row);
    ASSERT_TRUE(write_range_answers(folder / "answers", answers, begins, rows));
    EXPECT_TRUE(contents_of(folder / "answers") == text + "\n") << shift;
  }
}

TEST(answer_file, progress_says_the_file_and_how_much_is_written) {
  const scratch_folder folder;
  std::vector<double> fractions;
  const job_control control([&](std::string_view stage, double fraction) {
    EXPECT_EQ(stage, "writing " + (folder / "answers").string());
    fractions.push_back(fraction);
  });
  ASSERT_TRUE(write_answers(folder / "answers", std::vector<u32>(1 << 16), control));
  EXPECT_EQ(fractions, (std::vector<double>{0, 0.25, 0.5, 0.75}));
}

TEST(answer_file, cancelled_in_the_middle_leaves_the_old_one_alone) {
  const scratch_folder folder;
  folder.write("answers", "before");
  job_control* asked = nullptr;
  bool written_beside = false;
  job_control control([&](std::string_view, double fraction) {
    if (fraction < 0.5) return;
    written_beside = has_temporaries(folder / "");
    asked->cancel();
  });
  asked = &control;
  const status written = write_answers(folder / "answers", many_answers(150'000), control);
  ASSERT_FALSE(written);
  EXPECT_TRUE(written.error().cancelled);
  EXPECT_TRUE(written_beside);
  EXPECT_EQ(files_of(folder / ""), (files{{"answers", "before"}}));
}

TEST(answer_file, a_failure_leaves_the_old_one_alone) {
  const scratch_folder folder;
  const std::vector<u32> answers = many_answers(150'000);
  const std::string text = text_of(answers);
  with_every_fault(
      [&] {
        fs::remove_all(folder / "");
        fs::create_directory(folder / "");
        folder.write("answers", "before");
      },
      [&] { return write_answers(folder / "answers", answers); },
      [&](const status& written, const file_fault& fault, const failing_file_calls& calls) {
        if (written) {
          EXPECT_TRUE(files_of(folder / "") == (files{{"answers", text}}));
          return;
        }
        EXPECT_FALSE(written.error().cancelled);
        if (calls.crashed()) {
          EXPECT_EQ(contents_of(folder / "answers"), "before");
          let_writers_die(folder / "");
          EXPECT_TRUE(write_answers(folder / "answers", std::vector<u32>{3}));
          EXPECT_EQ(files_of(folder / ""), (files{{"answers", "3\n"}}));
          return;
        }
        EXPECT_EQ(files_of(folder / ""), (files{{"answers", "before"}}));
        expect_part(written.error().words, "cannot write " + (folder / "answers").string() + ": ");
        expect_part(written.error().words, system_words(fault.number));
      });
}

TEST(answer_file, waiting_for_a_pipes_reader_can_be_cancelled) {
  const scratch_folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  job_control control;
  control.cancel();
  const status written = write_answers(folder / "pipe", std::vector<u32>{1}, control);
  ASSERT_FALSE(written);
  EXPECT_TRUE(written.error().cancelled);
}

}  // namespace
}  // namespace pivotscope
