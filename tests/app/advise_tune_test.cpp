// advise and tune from outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/index/config_text.hpp"
#include "tests/app/expectations.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;

TEST(advise_command, says_a_config_and_why) {
  const program_result text = run_program({"advise", "--keys", "2^31", "--machine", "cpu"});
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(text.err, "");
  expect_part(text.out, "2^31 keys of 32 bits, on cpu");
  expect_part(text.out, "\nEO+KS\n");
  expect_part(text.out, "2^31 keys and their row ids take 16 GiB, more than");
  expect_part(text.out, "(lightweight, Section 6.1)");

  const json j = json::parse(
      run_program({"advise", "--keys", "1000", "--key-width", "u64", "--ascending", "--machine", "cpu", "--json"}).out);
  EXPECT_EQ(j["format"], 1);
  EXPECT_EQ(j["config"]["method"], "AO+BS");
  EXPECT_EQ(j["config"]["keys"], "u64");
  EXPECT_EQ(j["facts"]["ascending"], true);
  EXPECT_EQ(j["facts"]["input_bytes"], 16000);
  EXPECT_TRUE(j["measured"].is_null()) << "64-bit keys were not timed";
  EXPECT_GE(j["reasons"].size(), 2u);
  EXPECT_TRUE(config_from_line(j["config_line"].get<std::string>()).ok());

  const json ranges =
      json::parse(run_program({"advise", "--keys", "2^31", "--range-size", "64", "--machine", "cpu", "--json"}).out);
  EXPECT_EQ(ranges["config_line"], "AO+PB+KS");
  EXPECT_TRUE(ranges["measured"].is_null()) << "nothing better than the paper's";
}

TEST(advise_command, refuses_what_it_cannot_use) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"advise", "--key-width", "u16"},
                                             {"advise", "--range-size", "-1"},
                                             {"advise", "--keys", "no"},
                                             {"advise", "--machine", "tpu"},
                                             {"tune", "--key-width", "u16"},
                                             {"tune", "--keys", "2^33"},
                                             {"tune", "--keys", "10", "--lookups", "0", "--machine", "cpu"}}) {
    const program_result result = run_program(arguments);
    SCOPED_TRACE(::testing::PrintToString(arguments));
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("pivotscope: ")) << result.err;
  }
}

TEST(tune_command, measures_ranks_and_keeps) {
  const scratch_folder folder;
  const std::string cache = (folder / "cache").string();
  const std::vector<std::string> question = {"--keys",    "2000", "--lookups",      "4096",
                                             "--machine", "cpu",  "--cache-folder", cache};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), question.begin(), question.end());
    return run_program(more);
  };
  const program_result before = with({"tune", "--kept"});
  EXPECT_EQ(before.status, 2);
  expect_part(before.err, "nothing was tuned yet for keys=2000");

  const program_result measured = with({"tune", "--json"});
  EXPECT_EQ(measured.status, 0) << measured.err;
  EXPECT_EQ(measured.err, "");
  const json j = json::parse(measured.out);
  EXPECT_EQ(j["wrong"], 0);
  EXPECT_EQ(j["keys"], 2000);
  EXPECT_EQ(j["lookups"], 4096);
  EXPECT_GT(j["ranking"].size(), 15u);
  EXPECT_GE(j["tied_with_winner"], 1);
  EXPECT_TRUE(j["ranking"][0]["finalist"]);
  for (const json& one : j["ranking"]) EXPECT_TRUE(config_from_line(one["config_line"].get<std::string>()).ok());

  const program_result again = with({"tune", "--kept"});
  EXPECT_EQ(again.status, 0) << again.err;
  expect_part(again.out, j["ranking"][0]["config_line"].get<std::string>());
  expect_part(again.out, "every answer was checked");
  EXPECT_EQ(with({"tune", "--kept", "--ascending"}).status, 2);

  folder.write("cache/tunings.json", "{nonsense");
  const program_result damaged = with({"tune", "--kept"});
  EXPECT_EQ(damaged.status, 2);
  expect_part(damaged.err, "cannot be used (it is no JSON)");
}

TEST(tune_command, refuses_a_batch_too_small_to_time) {
  const scratch_folder folder;
  const std::string cache = (folder / "cache").string(), few = folder.write("ranges", "5 7\n8 100\n9 1\n");
  const std::pair<std::vector<std::string>, const char*> calls[] = {
      {{"--keys", "2^20", "--lookups", "64"}, "pivotscope: 64 lookups over 2^20 keys are too few to time: "},
      {{"--keys", "2^20", "--lookups", "64"}, ". From 2^16 on they tell: nothing is tuned\n"},
      {{"--keys", "9", "--ranges-from", few}, "pivotscope: 3 ranges over 9 keys are too few to time: "}};
  for (const auto& [more, words] : calls) {
    std::vector<std::string> call = {"tune", "--machine", "cpu", "--cache-folder", cache};
    call.insert(call.end(), more.begin(), more.end());
    const program_result refused = run_program(call);
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.out, "");
    expect_part(refused.err, words);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "cache" / "tunings.json"));
}

TEST(tune_command, measures_ranges_and_keeps_them_apart_from_lookups) {
  const scratch_folder folder;
  const std::string cache = (folder / "cache").string();
  const auto tuned = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"tune", "--keys", "2000", "--machine", "cpu", "--cache-folder", cache});
    return run_program(more);
  };
  const std::vector<std::string> ranges = {"--ranges", "1024", "--hits", "16"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), ranges.begin(), ranges.end());
    return tuned(more);
  };
  EXPECT_EQ(with({"--kept"}).status, 2);
  const program_result measured = with({"--json"});
  EXPECT_EQ(measured.status, 0) << measured.err;
  const json j = json::parse(measured.out);
  EXPECT_EQ(j["wrong"], 0);
  EXPECT_EQ(j["ranges"], 1024);
  EXPECT_FALSE(j.contains("lookups"));
  EXPECT_GT(j["ranking"].size(), 15u);
  EXPECT_EQ(j["ranking"][0]["ranges"], 1024);
  EXPECT_GT(j["ranking"][0]["ranges_per_second"], 0);
  EXPECT_FALSE(j["ranking"][0].contains("lookups_per_second"));
  const program_result again = with({"--kept"});
  EXPECT_EQ(again.status, 0) << again.err;
  expect_part(again.out, "2000 keys, 2^10 ranges; ");
  const program_result by_line = run_program(
      {"tune", "--kept", "--machine", "cpu", "--cache-folder", cache, "--workload", j["workload"].get<std::string>()});
  EXPECT_EQ(by_line.out, again.out);
  EXPECT_EQ(tuned({"--kept"}).status, 2);
  EXPECT_EQ(tuned({"--kept", "--ranges", "1024", "--hits", "17"}).status, 2);
}

TEST(tune_command, measures_over_ranges_of_a_file_and_keeps_nothing) {
  const scratch_folder folder;
  const std::string cache = (folder / "cache").string();
  std::string many;
  for (int i = 0; i < 1 << 12; ++i) many += i % 3 == 0 ? "5 7\n" : i % 3 == 1 ? "8 100\n" : "9 1\n";
  const std::string keys = folder.write("keys", "5\n7\n9\n7\n"), ranges = folder.write("ranges", many);
  const program_result measured = run_program(
      {"tune", "--keys-from", keys, "--ranges-from", ranges, "--machine", "cpu", "--cache-folder", cache, "--json"});
  EXPECT_EQ(measured.status, 0) << measured.err;
  const json j = json::parse(measured.out);
  EXPECT_EQ(j["keys"], 4);
  EXPECT_EQ(j["ranges"], 1 << 12);
  EXPECT_EQ(j["wrong"], 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "cache" / "tunings.json")) << "files may change under the same name";
  const std::string none = folder.write("none", "");
  const program_result refused =
      run_program({"tune", "--keys", "9", "--ranges-from", none, "--machine", "cpu", "--cache-folder", cache});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "pivotscope: There are no ranges to time: a workload to tune for needs some\n");
}

TEST(tune_command, helps_a_stranger) {
  for (const char* command : {"advise", "tune"}) {
    const program_result help = run_program({command, "--help"});
    EXPECT_EQ(help.status, 0);
    expect_part(help.out, "Usage: pivotscope " + std::string(command));
    expect_part(help.out, "Examples:");
    expect_part(help.out, "--ascending");
    expect_part(help.out, "Exit status");
  }
}

}  // namespace
}  // namespace pivotscope
