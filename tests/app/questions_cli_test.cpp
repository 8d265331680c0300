// Matches and lower bounds on the command line, from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;
using words = std::vector<std::string>;

class questions : public ::testing::Test {
 protected:
  // 10 20 20 30, as the pages have them.
  std::string answers_to(const char* config, const words& asked) {
    words call = {"run", "--machine", "cpu", "--config", config, "--keys-from", keys_, "--answers", answers_};
    call.insert(call.end(), asked.begin(), asked.end());
    expect_right(call);
    return contents_of(answers_);
  }
  scratch_folder folder_;
  const std::string keys_ = folder_.write("keys", "10\n20\n20\n30\n");
  const std::string asked_ = folder_.write("asked", "0\n5\n20\n25\n31\n");
  const std::string answers_ = (folder_ / "answers").string();
};

TEST_F(questions, lower_bounds_of_a_file_are_keys_with_a_row_or_a_dash) {
  for (const char* config : {"AO+BS", "EO+KS fanout=3", "AO+PB+BS layout=soa", "PACKED", "EO+BS keys=u64"}) {
    const std::string said = answers_to(config, {"--lower-bounds-from", asked_});
    EXPECT_TRUE(said == "10 0\n10 0\n20 1\n30 3\n-\n" || said == "10 0\n10 0\n20 2\n30 3\n-\n") << config << said;
  }
}

TEST_F(questions, matches_of_a_file_are_counts_and_sums_and_row_ids) {
  for (const char* config : {"AO+BS", "EO+KS fanout=3", "PACKED", "PLAIN", "EO+BS keys=u64"}) {
    EXPECT_EQ(answers_to(config, {"--matches-from", asked_}), "0 0\n0 0\n2 3\n0 0\n0 0\n") << config;
    const std::string rows = answers_to(config, {"--matches-from", asked_, "--rows"});
    EXPECT_TRUE(rows == "0 0\n0 0\n2 3 1 2\n0 0\n0 0\n" || rows == "0 0\n0 0\n2 3 2 1\n0 0\n0 0\n") << config << rows;
  }
  const std::string one = answers_to("HT+OA", {"--matches-from", asked_, "--rows"});
  EXPECT_TRUE(one == "0 0\n0 0\n1 1 1\n0 0\n0 0\n" || one == "0 0\n0 0\n1 2 2\n0 0\n0 0\n") << "it keeps one a key";
}

TEST_F(questions, a_line_and_a_script_have_them) {
  expect_right(
      {"run", "--machine", "cpu", "--workload", "key_list=10,20,20,30 match_list=20,5", "--answers", answers_});
  EXPECT_EQ(contents_of(answers_), "2 3\n0 0\n");
  expect_right(
      {"run", "--machine", "cpu", "--workload", "key_list=10,20,30 lower_bound_list=11,31", "--answers", answers_});
  EXPECT_EQ(contents_of(answers_), "20 1\n-\n");
  const std::string script = folder_.write("script", "insert 20\nmatch 20\nerase 20\nmatch 20\nbegin\nmatch 10\nend\n");
  EXPECT_EQ(answers_to("PLAIN", {"--script", script}), "3 7\n0 0\n1 0\n");
  expect_refused({"run", "--config", "HT+OA", "--keys-from", keys_, "--script", folder_.write("lower", "lower 5\n")},
                 {"HT+OA has no order, so it has no lower bounds; AO+BS, "});
}

TEST_F(questions, that_are_drawn_are_counted_by_their_names) {
  const json all =
      json::parse(expect_right({"run", "--machine", "cpu", "--config", "AO+BS", "--config", "HT+OA", "--keys", "5000",
                                "--distribution", "duplicates", "--matches", "300", "--json"})
                      .out);
  EXPECT_EQ(all["wrong"], 0);
  for (const json& one : all["results"]) {
    EXPECT_EQ(one["matches"], 300);
    EXPECT_EQ(one["lookups"], 0);
    EXPECT_EQ(one["found"], 300);
    EXPECT_GE(one["entries"].get<u64>(), 300u);
    EXPECT_GT(one["matches_per_second"].get<double>(), 0);
  }
  EXPECT_GT(all["results"][0]["entries"], all["results"][1]["entries"]) << "a table keeps one entry a key";
  const words call = {"run",  "--machine",      "cpu", "--config", "EO+KS", "--config", "PACKED", "--keys",
                      "5000", "--lower-bounds", "300", "--hits",   "0.5"};
  const std::string table = expect_right(call).out;
  expect_part(table, "lookups=0 hits=0.5 lower_bounds=300");
  expect_part(table, "5000 keys, 300 lower bounds");
  for (const char* column : {"lower bound ms", " lower bounds ", "found"}) expect_part(table, column);
}

TEST_F(questions, are_traced) {
  const auto traced = [](const words& asked) {
    words call = {"trace", "--json"};
    call.insert(call.end(), asked.begin(), asked.end());
    return json::parse(expect_right(call).out);
  };
  // 9 lies in the papers' keys, 11 does not; 4 is there twice.
  for (const char* config : {"AO+BS", "EO+BS", "EO+KS", "AO+PB+KS", "PACKED"}) {
    const json nine = traced({"--config", config, "--lower-bound", "9"}),
               none = traced({"--config", config, "--lower-bound", "999"});
    EXPECT_EQ(nine["asked"], "lower");
    EXPECT_EQ(nine["lower"], (json{{"of", 9}, {"key", 9}})) << config;
    EXPECT_EQ(none["lower"]["key"], json()) << config;
  }
  for (const char* config : {"AO+BS", "EO+BS", "PACKED", "PLAIN"}) {
    const json match = traced({"--config", config, "--match", "9"});
    EXPECT_EQ(match["asked"], "match");
    EXPECT_EQ(match["range"]["count"], 1) << config;
    EXPECT_EQ(match["range"]["high"], 9);
  }
  EXPECT_EQ(traced({"--config", "HT+OA", "--match", "9"})["verdict"].get<std::string>().substr(0, 18),
            "1 entry has key 9;");
}

TEST_F(questions, are_tuned_and_verified) {
  for (const char* asked : {"--matches", "--lower-bounds"}) {
    const json all = json::parse(expect_right({"tune", "--machine", "cpu", "--keys", "300", asked, "2^12",
                                               "--cache-folder", (folder_ / "cache").string(), "--json"})
                                     .out);
    EXPECT_EQ(all["wrong"], 0);
    EXPECT_GT(all["ranking"].size(), 5u);
  }
  const json verified = json::parse(expect_right({"verify", "--cases", "8", "--max-keys", "200", "--json"}).out);
  EXPECT_GT(verified["matches"], 0);
  EXPECT_GT(verified["lower_bounds"], 0);
}

}  // namespace
}  // namespace pivotscope
