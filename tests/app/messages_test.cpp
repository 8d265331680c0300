// What is refused is quoted, and may be anything: no terminal must take it for orders, nor be flooded.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "app/session/board.hpp"
#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

bool plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
}

TEST(messages, show_no_escape_sequences) {
  const std::string red = "\x1B[31mred\xC2\x9Bm\xFF", shown = "\\x1B[31mred\\xC2\\x9Bm\\xFF";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {red},
           {"run", red},
           {"run", "--" + red},
           {"run", "--keys", red},
           {"run", "--config", red},
           {"run", "--workload", red},
           {"run", "--machine", red},
           {"run", "--distribution", red},
           {"run", "--hits", red},
           {"run", "--keys-from", red},
           {"run", "--answers", "no/" + red},
           {"run", "--cache-folder", "/dev/null/" + red},
           {"trace", "--lookup", red},
           {"tune", "--key-width", red},
           {"--lookup", red},
           {"--machine", red, "run"},
       }) {
    const program_result result = run_program(arguments);
    SCOPED_TRACE(::testing::PrintToString(arguments));
    EXPECT_EQ(result.status, 2);
    expect_part(result.err, shown);
    EXPECT_TRUE(plain(result.err)) << ::testing::PrintToString(result.err);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  }
}

TEST(messages, cut_long_values) {
  const std::string value(5000, '7'), shown = std::string(200, '7') + "...";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{value},
                                                                                         {"run", value},
                                                                                         {"run", "--keys", value},
                                                                                         {"run", "--config", value},
                                                                                         {"run", "--workload", value},
                                                                                         {"run", "--keys-from", value},
                                                                                         {"--machine", value, "run"}}) {
    const program_result result = run_program(arguments);
    SCOPED_TRACE(::testing::PrintToString(arguments));
    EXPECT_EQ(result.status, 2);
    expect_part(result.err, "777...");
    EXPECT_LT(result.err.size(), 1000u);
  }
  expect_part(run_program({"run", "--keys", value}).err, "--keys " + shown + " is above the limit");
}

TEST(messages, name_files_in_plain_words_in_results_too) {
  const scratch_folder folder;
  const std::string keys = folder.write("k\x1B[2Jeys", "5\n6\n"), lookups = folder.write("l\x1Books", "5\n");
  const std::string ranges = folder.write(
      "r\x1B"
      "anges",
      "5 6\n");
  const program_result text =
      expect_right({"run", "--machine", "cpu", "--keys-from", keys, "--lookups-from", lookups, "--repeats", "1"});
  EXPECT_TRUE(plain(text.out)) << text.out;
  expect_part(text.out, "/k\\x1B[2Jeys, lookups of /");
  expect_part(text.out, "/l\\x1Books\n");
  expect_part(expect_right({"run", "--machine", "cpu", "--keys-from", keys, "--ranges-from", ranges}).out,
              "/r\\x1B"
              "anges\n");
  EXPECT_TRUE(plain(expect_right({"run", "--machine", "cpu", "--keys-from", keys, "--json"}).out));
}

TEST(notices, are_plain_words_once) {
  board told(
      {}, [] {}, std::chrono::steady_clock::now);
  told.tell({"cannot read \x1B[31m", true});
  told.tell({"cannot read \\x1B[31m", true});
  ASSERT_EQ(told.copy().notices.size(), 1u);
  EXPECT_EQ(told.copy().notices[0].words, "cannot read \\x1B[31m");
}

}  // namespace
}  // namespace pivotscope
