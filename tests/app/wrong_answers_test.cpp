// Exit statuses from end to end: every command over machines that answer wrong (lying_program.cpp). After a wrong
// answer no figure is printed and no answers are written.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;
using arguments = std::vector<std::string>;

arguments operator+(arguments a, const arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const arguments small_run = {"run", "--keys", "1000", "--lookups", "500", "--hits", "0.5", "--repeats", "1"};
const arguments small_ranges = {"run", "--keys", "1000", "--ranges", "200", "--hits", "10", "--repeats", "1"};

// Exit 1, nothing but words on standard error.
std::string expect_wrong(const char* lie, const arguments& call, const arguments& parts) {
  const program_result result = run_lying(lie, call);
  SCOPED_TRACE(lie + ::testing::PrintToString(call));
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.err.starts_with("pivotscope: wrong")) << result.err;
  for (const std::string& part : parts) expect_part(result.err, part);
  return result.out;
}

void expect_no_figures(const json& one) {
  EXPECT_GT(one["wrong"].get<std::uint64_t>(), 0u);
  EXPECT_EQ(one["checked"], true);
  EXPECT_FALSE(one["first_wrong"].get<std::string>().empty());
  for (const char* figure : {"found", "bytes", "times", "lookups_per_second", "ranges_per_second", "entries_per_second",
                             "entries", "kernels"}) {
    EXPECT_FALSE(one.contains(figure)) << figure;
  }
}

// Text and JSON, with answers asked for: none are written, and those of before stay.
void expect_run_wrong(const char* lie, const arguments& call, const arguments& parts) {
  const scratch_folder folder;
  const std::string kept = folder.write("kept", "before"), fresh = (folder / "fresh").string();
  EXPECT_EQ(expect_wrong(lie, call + arguments{"--answers", kept}, parts), "");
  EXPECT_EQ(contents_of(kept), "before");
  const json all = json::parse(expect_wrong(lie, call + arguments{"--answers", fresh, "--json"}, parts));
  EXPECT_FALSE(std::filesystem::exists(fresh));
  EXPECT_EQ(all["wrong"], all["results"][0]["wrong"]);
  expect_no_figures(all["results"][0]);
}

TEST(run_over_a_liar, says_wrong_and_prints_no_figure) {
  expect_run_wrong("wrong row", small_run, {"lookup 499 of key ", "(1 of 500 answers are wrong)"});
  expect_run_wrong("false miss", {"run", "--keys", "1000", "--lookups", "500"},
                   {"lookup 0 of key ", "answered not found, but the key is in the set (1 of 500 answers are wrong)"});
  expect_run_wrong("false hit", small_run, {"answered row id 0, but row 0 holds key ", " of 500 answers are wrong)"});
  expect_run_wrong("short batch", small_run, {"500 lookups but 499 answers"});
  expect_run_wrong("no answers", small_run, {"500 lookups but 0 answers"});
}

TEST(run_over_a_liar, finds_one_wrong_answer_in_a_million) {
  expect_run_wrong(
      "one in 2^20",
      {"run", "--config", "AO+BS", "--keys", "5000", "--lookups", "2^20", "--repeats", "1", "--warm-ups", "0"},
      {"lookup 777777 of key ", "(1 of 1048576 answers are wrong)"});
}

TEST(run_over_a_liar, says_which_ranges_are_wrong) {
  expect_run_wrong("wrong count", small_ranges,
                   {"range 199 from ", "answered 11 entries", "right is 10 entries", "(1 of 200 answers are wrong)"});
  expect_run_wrong("wrong sum", small_ranges, {"range 199 from ", "(1 of 200 answers are wrong)"});
  expect_run_wrong("short batch", small_ranges, {"200 ranges but 199 answers"});
  expect_run_wrong("no answers", small_ranges, {"200 ranges but 0 answers"});
  const arguments rows = small_ranges + arguments{"--rows"};
  expect_run_wrong("row id missing", rows, {"1999 row ids are not cut into one piece for each of 200 ranges"});
  expect_run_wrong("row id twice", rows, {"range 199 from ", " twice (1 of 200 answers are wrong)"});
  expect_run_wrong("no row ids", rows, {"row ids are missing"});
  EXPECT_EQ(run_lying("row id twice", small_ranges).status, 0) << "no row ids were asked for";
}

TEST(run_over_a_liar, says_which_successors_are_wrong) {
  const arguments call = {"run", "--keys", "1000", "--successors", "200", "--hits", "0.5", "--repeats", "1"};
  expect_run_wrong("wrong next key", call, {"successor 199 of key ", "but the next key is ", "(1 of 200 answers"});
  expect_run_wrong("wrong next row", call, {"successor 199 of key ", " holds key ", "(1 of 200 answers"});
  expect_run_wrong("no next key", call, {"successor 0 of key ", "answered no key, but the next key is "});
  expect_run_wrong("short batch", call, {"200 successors but 199 answers"});
}

TEST(run_over_a_liar, keeps_the_figures_of_the_right_ones) {
  const arguments two = small_run + arguments{"--config", "AO+BS", "--config", "EO+BS keys=u64"};
  const program_result both = run_lying("wrong row", two);
  EXPECT_EQ(both.status, 1);
  EXPECT_EQ(both.out, "") << "all of them are wrong";
  EXPECT_EQ(std::count(both.err.begin(), both.err.end(), '\n'), 2);
  const json all = json::parse(run_lying("wrong row", two + arguments{"--json"}).out);
  EXPECT_EQ(all["wrong"], 2);
  for (const json& one : all["results"]) expect_no_figures(one);

  // The given machine answers fanout=5 wrong.
  const program_result one =
      run_lying("given", small_run + arguments{"--config", "EO+KS fanout=5", "--config", "EO+KS"});
  EXPECT_EQ(one.status, 1);
  expect_part(one.out, "\nEO+KS fanout=5  wrong answers\nEO+KS    ");
  EXPECT_EQ(std::count(one.err.begin(), one.err.end(), '\n'), 1);
}

TEST(trace_over_a_liar, says_wrong) {
  for (const char* lie : {"wrong row", "false miss", "short batch", "no answers"}) {
    expect_wrong(lie, {"trace", "--lookup", "9"}, {});
    EXPECT_EQ(json::parse(expect_wrong(lie, {"trace", "--lookup", "9", "--json"}, {}))["wrong"], 1) << lie;
  }
  expect_wrong("false miss", {"trace", "--lookup", "9"}, {"lookup 0 of key 9 answered not found"});
  expect_wrong("false hit", {"trace", "--lookup", "8"}, {"lookup 0 of key 8 answered row id 0"});
  expect_wrong("memory", {"trace", "--lookup", "9"}, {"lookup 0 of key 9 answered row id 7, but row 7 holds key "});
}

TEST(trace_over_a_liar, says_wrong_of_a_range) {
  const arguments range = {"trace", "--lookup", "4", "--range-to", "12"};
  for (const char* lie : {"wrong count", "wrong sum", "short batch", "no answers", "row id missing", "row id twice",
                          "no row ids", "memory"}) {
    expect_wrong(lie, range, {});
    EXPECT_EQ(json::parse(expect_wrong(lie, range + arguments{"--json"}, {}))["wrong"], 1) << lie;
  }
  expect_wrong("wrong count", range, {"range 0 from 4 to 12 answered 9 entries"});
  expect_wrong("no row ids", range, {"row ids are missing"});
}

TEST(trace_over_a_liar, says_wrong_of_a_successor) {
  const arguments call = {"trace", "--successor", "9"};
  for (const char* lie : {"wrong next key", "wrong next row", "no next key", "short batch", "memory"}) {
    expect_wrong(lie, call, {});
    EXPECT_EQ(json::parse(expect_wrong(lie, call + arguments{"--json"}, {}))["wrong"], 1) << lie;
  }
  expect_wrong("no next key", call, {"successor 0 of key 9 answered no key, but the next key is 10"});
}

TEST(traffic_over_a_liar, says_wrong_and_prints_no_figure) {
  const arguments call = {"traffic", "--keys", "1000", "--sample", "64"};
  EXPECT_EQ(expect_wrong("memory", call, {"wrong: EO+BS: lookup 0 of key ", " answered row id "}), "");
  const json all = json::parse(expect_wrong("memory", call + arguments{"--json"}, {}));
  EXPECT_EQ(all["wrong"], all["results"][0]["wrong"]);
  EXPECT_EQ(all["results"][0].size(), 3u) << "config, config_line and wrong";
}

TEST(verify_over_a_liar, ends_at_the_first_wrong_answer) {
  for (const char* lie :
       {"wrong row", "false miss", "false hit", "short batch", "no answers", "wrong count", "wrong sum",
        "row id missing", "row id twice", "no row ids", "wrong next key", "wrong next row", "no next key", "memory"}) {
    const arguments call = {"verify", "--cases", "40", "--max-keys", "100"};
    const std::string line = expect_wrong(lie, call, {"wrong, case ", " of seed 1: "});
    EXPECT_TRUE(line.starts_with("pivotscope trace --config \"")) << lie << line;
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    const json all = json::parse(expect_wrong(lie, call + arguments{"--json"}, {}));
    EXPECT_EQ(all["wrong"], 1);
    EXPECT_EQ(all["failing"]["command"].get<std::string>() + "\n", line);
    EXPECT_FALSE(all["failing"]["words"].get<std::string>().empty());
  }
}

TEST(tune_over_a_liar, measures_nothing_that_is_wrong) {
  const scratch_folder folder;
  const arguments call = {
      "tune", "--keys", "300", "--lookups", "2^12", "--machine", "cpu", "--cache-folder", (folder / "cache").string()};
  for (const char* lie : {"wrong row", "short batch", "no answers"}) {
    const program_result all = run_lying(lie, call);
    EXPECT_EQ(all.status, 1) << lie;
    EXPECT_EQ(all.out, "");
    expect_part(all.err, "configs could be measured; the first, AO+BS: ");
    expect_part(all.err, "of 4096 answers are wrong: ");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "cache" / "tunings.json")) << "nothing to keep";
}

TEST(tune_over_a_liar, measures_no_ranges_that_are_wrong) {
  const scratch_folder folder;
  const arguments call = {
      "tune", "--keys", "300", "--ranges", "2^12", "--machine", "cpu", "--cache-folder", (folder / "cache").string()};
  for (const char* lie : {"wrong count", "wrong sum", "short batch", "no answers"}) {
    const program_result all = run_lying(lie, call);
    EXPECT_EQ(all.status, 1) << lie;
    EXPECT_EQ(all.out, "");
    expect_part(all.err, "configs could be measured; the first, AO+BS: ");
    expect_part(all.err, "of 4096 answers are wrong: ");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "cache" / "tunings.json")) << "nothing to keep";
}

// Those of the given machine with fanout=5 answer wrong, then and later.
TEST(tune_over_a_liar, remembers_what_was_wrong) {
  const scratch_folder folder;
  const arguments call = {
      "tune", "--keys", "300", "--lookups", "2^12", "--machine", "cpu", "--cache-folder", (folder / "cache").string()};
  for (const arguments& more : {arguments{}, arguments{"--kept"}}) {
    const program_result text = run_lying("given", call + more);
    EXPECT_EQ(text.status, 1);
    EXPECT_EQ(std::count(text.err.begin(), text.err.end(), '\n'), 4) << text.err;
    expect_part(text.err,
                "pivotscope: wrong: EO+KS fanout=5 lanes=1: 1 of 4096 answers are wrong: lookup 4095 of key ");
    EXPECT_EQ(text.out.find("fanout=5"), text.out.npos) << text.out;
    const program_result structured = run_lying("given", call + more + arguments{"--json"});
    EXPECT_EQ(structured.status, 1);
    const json all = json::parse(structured.out);
    EXPECT_EQ(all["wrong"], 4);
    int wrong = 0;
    for (const json& one : all["rejected"]) wrong += one["wrong"].get<bool>();
    EXPECT_EQ(wrong, 4);
    for (const json& one : all["ranking"])
      EXPECT_EQ(one["config_line"].get<std::string>().find("fanout=5"), std::string::npos);
  }
}

TEST(headless_over_a_liar, prints_no_table_and_draws_no_picture) {
  EXPECT_EQ(expect_wrong("no answers", {"--headless", "--screenshot", "x.png"},
                         {"wrong: AO+BS: 1048576 lookups but 0 answers", "wrong: AO+PB+KS: "}),
            "");
}

TEST(ctrl_c, kills_the_program_the_second_time) {
  const program_result result = run_lying("ctrl-C twice", {"run", "--keys", "100"});
  EXPECT_EQ(result.status, 128 + SIGINT) << "by the signal itself";
  EXPECT_EQ(result.err, "");
}

// Neither runs an index.
TEST(advise_and_devices_over_a_liar, have_no_answers_to_get_wrong) {
  EXPECT_EQ(run_lying("wrong row", {"advise", "--keys", "2^20"}).status, 0);
  EXPECT_EQ(run_lying("wrong row", {"devices"}).status, 0);
}

TEST(ctrl_c, ends_every_command_that_runs_something) {
  const scratch_folder folder;
  const std::string answers = folder.write("answers", "before"), cache = (folder / "cache").string();
  for (const arguments& call : {small_run + arguments{"--answers", answers},
                                small_run + arguments{"--json"},
                                small_ranges + arguments{"--rows"},
                                {"trace", "--lookup", "9"},
                                {"trace", "--lookup", "4", "--range-to", "12"},
                                {"traffic", "--keys", "1000"},
                                {"verify", "--cases", "5", "--json"},
                                {"tune", "--keys", "300", "--lookups", "2^12", "--cache-folder", cache},
                                {"tune", "--keys", "300", "--ranges", "2^12", "--cache-folder", cache},
                                {"--headless", "--screenshot", "x.png"}}) {
    const program_result result = run_lying("ctrl-C", call);
    SCOPED_TRACE(::testing::PrintToString(call));
    EXPECT_EQ(result.status, 130);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("pivotscope: cancelled")) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  }
  EXPECT_EQ(contents_of(answers), "before");
  EXPECT_FALSE(std::filesystem::exists(folder / "cache" / "tunings.json"));
  EXPECT_EQ(run_lying("ctrl-C", {"verify", "--cases", "5"}).err,
            "pivotscope: cancelled after 0 of 5 cases, all right\n");
}

}  // namespace
}  // namespace pivotscope
