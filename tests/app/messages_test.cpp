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

TEST(messages, say_what_is_wrong_and_what_to_do) {
  const scratch_folder folder;
  const std::string cache = (folder / "cache").string(), answers = (folder / "answers").string();
  for (const auto& [arguments, words] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"advise", "--key-width", "u16"}, "--key-width: 'u16' is no width of keys; there are u32 and u64"},
           {{"tune", "--key-width", "u16"}, "--key-width: 'u16' is no width of keys; there are u32 and u64"},
           {{"run", "lanes=2"},
            "unexpected 'lanes=2'; a config is one argument, in quotes: --config \"EO+KS lanes=2\""},
           {{"run", "this"}, "unexpected 'this'; see pivotscope run --help"},
           {{"run", "--quuxquux"}, "unknown option '--quuxquux' of run; see pivotscope run --help"},
           {{"--quuxquux"}, "unknown option '--quuxquux'; see pivotscope --help"},
           {{"run", "--keys", "1", "--keys", "2"}, "--keys is given more than once"},
           {{"run", "--keys"}, "--keys needs a value"},
           {{"run", "--rows"},
            "--rows lists the row ids of ranges or matches; add --ranges N, --matches N or a file of them"},
           {{"run", "--config", "AO+BS", "--config", "EO+BS", "--answers", answers},
            "--answers goes with one --config: each has its own answers"},
           {{"trace", "--lookup", "4294967296"},
            "--lookup 4294967296 does not fit keys=u32, whose keys end at 4294967295; put keys=u64 into the config"},
           {{"tune", "--kept", "--machine", "cpu", "--keys", "77", "--lookups", "5", "--cache-folder", cache},
            "nothing was tuned yet for keys=77 distribution=uniform seed=1 lookups=5 hits=1 on cpu; without --kept it "
            "is "
            "measured"},
       }) {
    const program_result result = run_program(arguments);
    SCOPED_TRACE(::testing::PrintToString(arguments));
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "pivotscope: " + words + "\n");
  }
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
