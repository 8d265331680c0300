// What a message suggests: a slip of the finger finds its option, and a word that means something else finds none.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/help_text.hpp"

namespace pivotscope {
namespace {

std::string words_for(const std::string& command, const std::string& option) {
  std::vector<std::string> call = {option};
  if (!command.empty()) call.insert(call.begin(), command);
  const program_result result = run_program(call);
  EXPECT_EQ(result.status, 2) << command << " " << option;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  return result.err;
}

// Each option with its last two letters exchanged, and without the second one.
TEST(hints, find_an_option_behind_a_slip) {
  for (const char* command : {"run", "sweep", "picture", "interleave"})
    for (const option_in_help& option : options_of(command)) {
      const std::string& name = option.name;
      if (!name.starts_with("--") || name.size() < 6) continue;
      std::string swapped = name, shorter = name;
      std::swap(swapped[name.size() - 1], swapped[name.size() - 2]);
      shorter.erase(3, 1);
      for (const std::string& slip : {swapped, shorter})
        if (slip != name) expect_part(words_for(command, slip), "did you mean '" + name + "'?");
    }
}

// Words of the field that are no options, and that some option looks like.
TEST(hints, are_none_where_the_meaning_is_far) {
  for (const char* option : {"--predecessors-from",
                             "--predecessors",
                             "--latency",
                             "--throughput",
                             "--threads",
                             "--gpu",
                             "--device",
                             "--size",
                             "--output",
                             "--file",
                             "--time",
                             "--verbose",
                             "--quiet",
                             "--width",
                             "--index",
                             "--method",
                             "--memory",
                             "--delete",
                             "--update",
                             "--cores",
                             "--error",
                             "--rate"}) {
    const std::string words = words_for("run", option);
    EXPECT_EQ(words.find("did you mean"), words.npos) << words;
    expect_part(words, "unknown option '" + std::string(option) + "' of run");
  }
  const std::string words = words_for("trace", "--predecessor");
  EXPECT_EQ(words.find("did you mean"), words.npos) << words;
}

TEST(hints, say_where_a_knob_of_the_index_stands) {
  expect_part(words_for("run", "--lanes"), "it stands in the config: --config \"METHOD lanes=...\"");
  expect_part(words_for("trace", "--fanout=9"), "it stands in the config: --config \"METHOD fanout=...\"");
  expect_part(words_for("floor", "--lanes"), "see pivotscope floor --help");
}

// A command that is printed to be copied runs as it stands.
TEST(hints, quote_paths_in_commands) {
  const scratch_folder place;
  const std::string odd = (place / "it's $5 a.md").string();
  const program_result kept = run_program({"run", "--machine", "cpu", "--keys", "10", "--lookups", "10", "--json"});
  place.write("r.json", kept.out);
  place.write("it's $5 a.md", "<!-- table: r.json -->\n<!-- end -->\n");
  const program_result checked = run_program({"measurements", odd, "--check"});
  EXPECT_EQ(checked.status, 1);
  const std::size_t begin = checked.err.find('`'), end = checked.err.find('`', begin + 1);
  ASSERT_NE(end, checked.err.npos) << checked.err;
  std::string command = checked.err.substr(begin + 1, end - begin - 1);
  ASSERT_TRUE(command.starts_with("pivotscope ")) << command;
  command = testing::program_path("pivotscope").string() + command.substr(10) + " >/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  EXPECT_EQ(run_program({"measurements", odd, "--check"}).status, 0);
  expect_refused({"--cache-folder", "$x y", "run"}, {"pivotscope run --cache-folder '$x y'"});
}

}  // namespace
}  // namespace pivotscope
