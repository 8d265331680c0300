// Successors on the command line, from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;
using words = std::vector<std::string>;

TEST(run_successors, prints_a_table_and_json) {
  const words call = {"run",    "--config", "EO+KS",        "--config", "AO+BS",  "--machine", "cpu",
                      "--keys", "5000",     "--successors", "300",      "--hits", "0.5"};
  const std::string table = expect_right(call).out;
  expect_part(table, "lookups=0 hits=0.5 successors=300");
  expect_part(table, "5000 keys, 300 successors");
  for (const char* column : {"successor ms", " successors ", "found"}) expect_part(table, column);
  words as_json = call;
  as_json.push_back("--json");
  const json all = json::parse(expect_right(as_json).out);
  EXPECT_EQ(all["wrong"], 0);
  EXPECT_EQ(all["results"].size(), 2u);
  for (const json& one : all["results"]) {
    EXPECT_EQ(one["successors"], 300);
    EXPECT_EQ(one["lookups"], 0);
    EXPECT_EQ(one["ranges"], 0);
    EXPECT_LE(one["found"], 300);
    EXPECT_GT(one["found"], 290) << "behind few keys there is none";
    EXPECT_GT(one["successors_per_second"].get<double>(), 0);
    EXPECT_FALSE(one.contains("lookups_per_second") || one.contains("entries"));
  }
}

TEST(run_successors, answers_for_data_of_ones_own) {
  const scratch_folder folder;
  const std::string keys = folder.write("keys", "30\n10\n4294967295\n0\n20\n");
  const std::string asked = folder.write("asked", "0\n10\n15\n30\n4294967294\n4294967295\n");
  const std::string answers = (folder / "answers").string();
  for (const char* config : {"AO+BS", "EO+KS fanout=3", "AO+PB+BS layout=soa", "EO+BS keys=u64"}) {
    const words call = {"run", "--machine",         "cpu", "--config",  config, "--keys-from",
                        keys,  "--successors-from", asked, "--answers", answers};
    expect_part(expect_right(call).out, "successors of " + asked);
    EXPECT_EQ(contents_of(answers), "10 1\n20 4\n20 4\n4294967295 2\n4294967295 2\n-\n") << config;
  }
  // Drawn from the file's keys, and a line's own.
  expect_part(expect_right({"run", "--machine", "cpu", "--keys-from", keys, "--successors", "100"}).out,
              "100 successors drawn from them");
  expect_right({"run", "--machine", "cpu", "--workload", "key_list=5,9,12 successor_list=5,12", "--answers", answers});
  EXPECT_EQ(contents_of(answers), "9 1\n-\n");
}

TEST(run_successors, takes_no_keys) {
  for (const char* count : {"0", "1", "2"}) {
    const json all =
        json::parse(expect_right({"run", "--machine", "cpu", "--keys", count, "--successors", "50", "--json"}).out);
    EXPECT_EQ(all["wrong"], 0);
    EXPECT_EQ(all["results"][0]["found"].get<u64>() == 0, count[0] != '2') << "the other one, of one of two keys";
  }
}

// Of a file's ranges and lists the line alone says how many there are: they are asked for, not drawn.
TEST(run_successors, and_ranges_of_a_line_are_its_own) {
  const scratch_folder folder;
  const std::string answers = (folder / "answers").string();
  expect_right(
      {"run", "--machine", "cpu", "--workload", "key_list=5,9,12 range_list=5..9,20..30", "--answers", answers});
  EXPECT_EQ(contents_of(answers), "2 1\n0 0\n");
}

constexpr const char* refused = "PLAIN has no order, so it has no successors; AO+BS, AO+KS, ";

TEST(a_family_without_successors, is_refused_before_any_work) {
  expect_refused({"run", "--config", "PLAIN", "--successors", "5", "--keys", "2^31"}, {refused});
  expect_refused({"run", "--config", "EO+BS", "--config", "PLAIN", "--workload", "keys=2^31 successors=5"}, {refused});
  expect_refused({"trace", "--config", "PLAIN", "--successor", "5"}, {refused});
}

TEST(a_family_without_successors, is_not_tuned_for_them) {
  const scratch_folder folder;
  const json all = json::parse(expect_right({"tune", "--machine", "cpu", "--keys", "300", "--successors", "2^12",
                                             "--cache-folder", (folder / "cache").string(), "--json"})
                                   .out);
  EXPECT_EQ(all["wrong"], 0);
  EXPECT_EQ(all["successors"], 1 << 12);
  EXPECT_GT(all["ranking"].size(), 5u);
  for (const json& one : all["ranking"]) EXPECT_FALSE(one["config_line"].get<std::string>().starts_with("PLAIN"));
}

TEST(trace_successor, refuses_what_does_not_go_together) {
  for (const words& call : {words{"trace"}, words{"trace", "--lookup", "5", "--successor", "5"}})
    expect_refused(call, {"one of these says what to show, and one alone: --lookup, --successor, "});
  expect_refused({"trace", "--successor", "5", "--range-to", "7"}, {"--range-to goes with --lookup"});
  expect_refused({"trace", "--successor", "4294967296"}, {"--successor 4294967296 does not fit keys=u32"});
  expect_refused({"traffic", "--workload", "keys=10 successors=5"}, {"leave the successors out"});
  expect_refused({"run", "--successors", "5", "--rows"}, {"--rows lists the row ids of ranges"});
}

TEST(trace_successor, is_right_at_the_ends) {
  const auto next = [](const char* key, const char* keys, const char* config) {
    return json::parse(expect_right({"trace", "--config", config, "--keys", keys, "--distribution", "dense",
                                     "--successor", key, "--json"})
                           .out)["successor"];
  };
  for (const char* config : {"AO+BS", "EO+BS", "EO+KS", "AO+PB+KS"}) {
    EXPECT_EQ(next("0", "20", config), (json{{"of", 0}, {"key", 1}}));
    EXPECT_EQ(next("19", "20", config), (json{{"of", 19}, {"key", json()}}));
    EXPECT_EQ(next("4294967295", "20", config)["key"], json());
    EXPECT_EQ(next("5", "0", config)["key"], json());
  }
}

}  // namespace
}  // namespace pivotscope
