// Scripts on the command line, from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;
using words = std::vector<std::string>;

constexpr const char* telling_script = "insert 5\ninsert 7\nerase 9\nbegin\nfind 7\nrange 0 20\nend\nfind 9\nfind 7\n";

TEST(run_script_file, answers_in_order_and_prints_a_line_a_batch) {
  const scratch_folder folder;
  const std::string script = folder.write("s", telling_script), keys = folder.write("k", "7\n9\n30\n"),
                    answers = (folder / "answers").string();
  for (const char* config : {"PLAIN", "PLAIN keys=u64 lanes=4"}) {
    const words call = {"run", "--machine", "cpu",  "--config",  config, "--keys-from",
                        keys,  "--script",  script, "--answers", answers};
    const std::string table = expect_right(call).out;
    for (const char* part : {"3 keys, 7 operations in 4 batches", "script_from=", "inserts", "2 added", "erases",
                             "1 erased", "mixed", "lookups"})
      expect_part(table, part);
    EXPECT_EQ(contents_of(answers), "0\n3 7\n-\n0\n") << "rows 0, 3 and 4 lie within 0 to 20";
  }
}

TEST(run_script_file, prints_json) {
  const scratch_folder folder;
  const std::string script = folder.write("s", telling_script);
  const json all = json::parse(expect_right({"run", "--machine", "cpu", "--config", "PLAIN", "--keys", "10",
                                             "--distribution", "dense", "--script", script, "--lookups", "3", "--json"})
                                   .out);
  EXPECT_EQ(all["wrong"], 0);
  const json& one = all["results"][0];
  EXPECT_EQ(one["entries"], 11);
  ASSERT_EQ(one["batches"].size(), 4u) << "the lookups go on with the script's";
  EXPECT_EQ(one["batches"][0]["done"]["added"], 2);
  EXPECT_EQ(one["batches"][1]["done"]["erased"], 1);
  EXPECT_EQ(one["batches"][2]["kind"], "mixed");
  EXPECT_EQ(one["batches"][3]["operations"], 5);
  EXPECT_GT(one["batches"][0]["operations_per_second"].get<double>(), 0);
}

TEST(run_script_file, clears_rebuilds_and_writes_the_entries) {
  const scratch_folder folder;
  const std::string script = folder.write("s", "clear\ninsert 9\ninsert 5\nerase 9\nrebuild\n"),
                    entries = (folder / "entries").string();
  const words call = {"run", "--machine", "cpu",  "--config",  "HT+OA", "--keys",
                      "10",  "--script",  script, "--entries", entries, "--json"};
  const json one = json::parse(expect_right(call).out)["results"][0];
  EXPECT_EQ(contents_of(entries), "5 11\n");
  EXPECT_EQ(one["batches"][0]["kind"], "clear");
  EXPECT_EQ(one["batches"][0]["entries"], 0);
  EXPECT_EQ(one["batches"][3]["kind"], "rebuild");
  EXPECT_EQ(one["entries"], 1);
  expect_refused({"run", "--machine", "cpu", "--config", "EO+BS", "--keys", "10", "--script", script},
                 {"EO+BS is built once, so it has no clear"});
  expect_right({"run", "--machine", "cpu", "--config", "EO+BS", "--keys", "2", "--distribution", "dense", "--lookups",
                "1", "--entries", entries});
  EXPECT_EQ(contents_of(entries).substr(0, 2), "0 ");
}

// 5 5 5 9: a table that keeps no duplicates holds two of the four rows.
TEST(what_an_index_does_not_hold, is_said_wherever_it_is_run) {
  const scratch_folder folder;
  const std::string keys = folder.write("k", "5\n5\n5\n9\n"), lookups = folder.write("l", "5\n1\n"),
                    csv = (folder / "figures.csv").string();
  const std::string held = "HT+OA holds 2 of 4 rows: one a key.";
  const words run = {"run",   "--machine", "cpu",           "--config",    "HT+OA", "--config",
                     "AO+BS", "--config",  "HT+OA lanes=1", "--keys-from", keys};
  const auto with = [](words call, const words& more) {
    call.insert(call.end(), more.begin(), more.end());
    return call;
  };
  const std::string table = expect_right(with(run, {"--lookups-from", lookups, "--csv", csv})).out;
  expect_part(table, "4 keys, 2 lookups");
  expect_part(table, held);
  EXPECT_EQ(table.find("holds"), table.rfind("holds")) << "once, and nothing of AO+BS: " << table;
  const json all = json::parse(expect_right(with(run, {"--lookups-from", lookups, "--json"})).out);
  EXPECT_EQ(all["results"][0]["held"], 2);
  EXPECT_EQ(all["results"][1]["held"], 4);
  const std::string lines = contents_of(csv);
  expect_part(lines, ",found,held,");
  expect_part(lines, ",1,2,");
  expect_part(lines, ",1,4,");

  for (const char* text : {"find 1\n", "erase 999999999\n"}) {
    const words call = {
        "run", "--machine", "cpu", "--config", "HT+OA", "--keys-from", keys, "--script", folder.write("s", text)};
    expect_part(expect_right(call).out, held);
    const json script = json::parse(expect_right(with(call, {"--json"})).out);
    EXPECT_EQ(script["results"][0]["held"], 2) << text;
    EXPECT_EQ(script["results"][0]["entries"], 2) << text;
  }

  const words tune = {"tune",
                      "--machine",
                      "cpu",
                      "--keys",
                      "4",
                      "--distribution",
                      "duplicates",
                      "--repeat-keys",
                      "2",
                      "--lookups",
                      "4096",
                      "--cache-folder",
                      (folder / "cache").string()};
  expect_part(expect_right(tune).out, held);
  expect_part(expect_right(with(tune, {"--kept"})).out, held);
  const json tuned = json::parse(expect_right(with(tune, {"--kept", "--json"})).out);
  for (const json& one : tuned["ranking"]) {
    const index_config config = *config_from_line(one["config_line"].get<std::string>());
    EXPECT_EQ(one["held"], family_of(config).keeps_duplicates(config) ? 4 : 2) << one["config_line"];
  }
}

// 300 batches: inserts and finds in turn.
TEST(run_script_file, of_many_batches_is_told_by_kind) {
  const scratch_folder folder;
  std::string list;
  for (int i = 0; i < 150; ++i) {
    const std::string key = std::to_string(1000 + i);
    list += "insert " + key + "\nfind " + key + "\nfind 7\n";
  }
  const std::string script = folder.write("s", list), csv = (folder / "batches.csv").string();
  words call = {"run",      "--machine",       "cpu",    "--config", "PLAIN",
                "--config", "HT+OA room=2^10", "--keys", "100",      "--distribution",
                "dense",    "--script",        script,   "--csv",    csv};
  const std::string table = expect_right(call).out;
  expect_part(table, "100 keys, 450 operations in 300 batches");
  expect_part(table, "Sums of all batches of a kind");
  expect_part(table, "150 added");
  EXPECT_LT(std::count(table.begin(), table.end(), '\n'), 30) << table;
  EXPECT_EQ(table.find("\n300 "), table.npos) << "no batch has a line: " << table;

  const std::string lines = contents_of(csv);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1 + 2 * 300) << "the names, and each batch of both";
  EXPECT_TRUE(lines.starts_with("config,machine,device,keys,held,key_width,batch,kind,operations,inserts,per_second,"));
  for (const char* part : {",1,inserts,1,1,", ",2,lookups,2,0,", ",299,inserts,1,1,", ",300,lookups,2,0,"})
    expect_part(lines, part);

  call.push_back("--json");
  const json all = json::parse(expect_right(call).out);
  for (const json& one : all["results"]) {
    ASSERT_EQ(one["batches"].size(), 300u);
    ASSERT_EQ(one["kinds"].size(), 2u);
    const json &inserts = one["kinds"][0], &finds = one["kinds"][1];
    EXPECT_EQ(inserts["kind"], "inserts");
    EXPECT_EQ(inserts["batches"], 150);
    EXPECT_EQ(inserts["operations"], 150);
    EXPECT_EQ(inserts["done"]["added"], 150);
    EXPECT_EQ(finds["kind"], "lookups");
    EXPECT_EQ(finds["operations"], 300);
    EXPECT_EQ(finds["checked"], 300);
    EXPECT_EQ(finds["found"], 300);
    // The sums are those of the batches.
    for (const json& kind : one["kinds"]) {
      json sums = {{"batches", 0u}, {"operations", 0u}, {"inserts", 0u}, {"checked", 0u}, {"found", 0u}};
      double ms = 0;
      for (const json& batch : one["batches"]) {
        if (batch["kind"] != kind["kind"]) continue;
        sums["batches"] = sums["batches"].get<u64>() + 1;
        for (const char* name : {"operations", "inserts", "checked", "found"})
          sums[name] = sums[name].get<u64>() + batch[name].get<u64>();
        ms += batch["time"]["median_ms"].get<double>();
      }
      for (const auto& [name, sum] : sums.items()) EXPECT_EQ(kind[name], sum) << kind["kind"] << " " << name;
      EXPECT_NEAR(kind["ms"].get<double>(), ms, 1e-9 * ms);
    }
    EXPECT_EQ(one["entries"], 250);
  }
}

TEST(run_script_file, of_few_batches_is_told_batch_by_batch) {
  const scratch_folder folder;
  const words call = {
      "run", "--machine", "cpu", "--config", "PLAIN", "--keys", "10", "--script", folder.write("s", telling_script)};
  const std::string table = expect_right(call).out;
  EXPECT_EQ(table.find("Sums of all"), table.npos) << table;
  expect_part(table, "\nbatch ");
}

TEST(run_script_made, is_a_part_of_the_workload) {
  const words call = {"run", "--machine", "cpu", "--config",  "PLAIN", "--keys",
                      "500", "--inserts", "100", "--erases",  "60",    "--mix",
                      "0.4", "--batch",   "200", "--lookups", "30"};
  const std::string table = expect_right(call).out;
  expect_part(table, "keys=500 distribution=uniform seed=1 lookups=30 hits=1 inserts=100 erases=60 mix=0.4 batch=200");
  expect_part(table, "430 operations in 3 batches");
  const std::string same = expect_right({"run", "--machine", "cpu", "--config", "PLAIN", "--workload",
                                         "keys=500 lookups=30 inserts=100 erases=60 mix=0.4 batch=200"})
                               .out;
  EXPECT_EQ(table.substr(0, table.find('\n')), same.substr(0, same.find('\n')));
  expect_right({"run", "--machine", "cpu", "--config", "PLAIN", "--keys", "0", "--inserts", "100"});
}

TEST(run_script_made, comes_in_waves_that_are_named_by_their_verb) {
  const std::string table = expect_right({"run", "--machine", "cpu", "--config", "PLAIN", "--keys", "500", "--inserts",
                                          "20", "--erases", "10", "--batch", "10", "--lookups", "0"})
                                .out;
  expect_part(table, "30 operations in 3 batches");
  EXPECT_TRUE(std::regex_search(table, std::regex("\n2 +inserts +10 [^\n]* 10 added\n"))) << table;
  EXPECT_TRUE(std::regex_search(table, std::regex("\n3 +erases +10 "))) << table;
  EXPECT_EQ(table.find("mixed"), table.npos) << table;
}

TEST(run_script_made, and_one_as_a_word_are_whole_lines) {
  const scratch_folder folder;
  const std::string answers = (folder / "answers").string();
  expect_right({"run", "--machine", "cpu", "--config", "PLAIN", "--config", "PLAIN lanes=2", "--workload",
                "key_list=1,5 script=+5,+7/-5/(+3,?1)/0..9"});
  expect_right({"run", "--machine", "cpu", "--config", "PLAIN", "--workload", "key_list=1,5 script=+5,+7/-5/?5,?7/0..9",
                "--answers", answers});
  EXPECT_EQ(contents_of(answers), "-\n3\n2 3\n");
  expect_right({"run", "--machine", "cpu", "--config", "EO+BS", "--workload", "key_list=1,5 script=(?5,>1,0..9)",
                "--answers", answers});
  EXPECT_EQ(contents_of(answers), "1\n5 1\n2 1\n") << "a family that does not change reads";
}

TEST(run_script_made, is_refused_in_words) {
  const scratch_folder folder;
  const std::string bad = folder.write("bad", "insert 5\ninset 6\n"), good = folder.write("good", "insert 5\n");
  const auto refused = [](words call, const words& parts) {
    const words head = {"run", "--machine", "cpu", "--keys", "10"};
    call.insert(call.begin(), head.begin(), head.end());
    expect_refused(call, parts);
  };
  refused({"--config", "PLAIN", "--script", bad},
          {"bad:2: column 1: 'inset' is not an operation", "did you mean 'insert'"});
  refused({"--config", "PLAIN", "--script", "nowhere.txt"}, {"cannot open nowhere.txt"});
  refused({"--script", good}, {"EO+BS is built once, so it has no inserts; ", "PLAIN"});
  refused({"--erases", "5"}, {"EO+BS is built once, so it has no erases"});
  refused({"--config", "PLAIN", "--inserts", "5", "--successors", "5"},
          {"PLAIN has no order, so it has no successors"});
  refused({"--config", "PLAIN", "--script", good, "--inserts", "5"}, {"--script brings the operations"});
  refused({"--config", "PLAIN", "--inserts", "x"}, {"--inserts 'x': it is not a whole number"});
  refused({"--config", "PLAIN", "--inserts", "5", "--mix", "2"}, {"--mix=2 is not between 0 and 1"});
  refused({"--config", "PLAIN", "--inserts", "5", "--batch", "0"}, {"--batch 0 is below the least, 1"});
  refused({"--config", "PLAIN", "--inserts", "2^32"}, {"--inserts 2^32 is above the limit"});
  refused({"--config", "PLAIN", "--inserts", "5", "--ranges", "5", "--rows"}, {"--rows lists the row ids of ranges"});
  expect_refused({"run", "--workload", "keys=5 script=+5", "--inserts", "5"}, {"--workload has a script of its own"});
  for (const char* command : {"tune", "traffic"})
    expect_refused({command, "--workload", "keys=5 inserts=3"},
                   {"inserts, erases and scripts go with `pivotscope run`"});
}

TEST(trace_a_write, says_what_it_changes_and_came_to) {
  const std::string text = expect_right({"trace", "--config", "PLAIN", "--insert", "8"}).out;
  for (const char* part :
       {"inserting 8 with row id 14", "writes entries slot 14", "becomes 8", "8 is inserted: row id 14"})
    expect_part(text, part);
  const json erased = json::parse(expect_right({"trace", "--config", "PLAIN keys=u64", "--erase", "7", "--json"}).out);
  EXPECT_EQ(erased["write"], (json{{"kind", "erase"}, {"row", json()}, {"done", "erased"}}));
  EXPECT_EQ(erased["found"], true);
  EXPECT_EQ(erased["wrong"], 0);
  ASSERT_EQ(erased["steps"][0]["changed"].size(), 2u) << "7 is there twice";
  for (const json& word : erased["steps"][0]["changed"]) {
    EXPECT_EQ(word["after"], 4294967294u);
    EXPECT_EQ(word["access"], "swap");
    EXPECT_EQ(word["done"], true);
  }
  expect_part(expect_right({"trace", "--config", "PLAIN", "--erase", "8"}).out, "nothing is erased");
}

TEST(trace_a_write, is_refused_in_words) {
  expect_refused({"trace", "--insert", "8"}, {"EO+BS is built once, so it has no inserts"});
  expect_refused({"trace", "--config", "PLAIN", "--insert", "8", "--erase", "8"},
                 {"one of these says what to show, and one alone: "});
  expect_refused({"trace", "--config", "PLAIN", "--insert", "8", "--range-to", "9"}, {"--range-to goes with --lookup"});
  expect_refused({"trace", "--config", "PLAIN", "--insert", "4294967296"},
                 {"--insert 4294967296 does not fit keys=u32"});
}

// Before a batch room is made; a trace shows the cell as it would be.
TEST(trace_a_write, finds_room_where_there_is_none_yet) {
  expect_part(expect_right({"trace", "--config", "PLAIN", "--keys", "32", "--insert", "8"}).out,
              "8 is inserted: row id 32, in slot 32");
}

// A machine that reads wrong: the oracle says where, and no figure is printed.
TEST(run_script_over_a_liar, says_wrong) {
  const scratch_folder folder;
  const std::string kept = folder.write("kept", "before");
  const words call = {"run", "--config", "PLAIN", "--workload", "key_list=1,5 script=+5,+7/?1,?5"};
  for (const char* lie : {"wrong row", "false miss", "short batch"}) {
    words with_answers = call;
    with_answers.insert(with_answers.end(), {"--answers", kept});
    const program_result result = run_lying(lie, with_answers);
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(result.err.starts_with("pivotscope: wrong: PLAIN: ")) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(contents_of(kept), "before");
    words as_json = call;
    as_json.push_back("--json");
    const json one = json::parse(run_lying(lie, as_json).out)["results"][0];
    EXPECT_GT(one["wrong"], 0);
    for (const char* figure : {"times", "entries", "bytes"}) EXPECT_FALSE(one.contains(figure)) << figure;
  }
}

}  // namespace
}  // namespace pivotscope
