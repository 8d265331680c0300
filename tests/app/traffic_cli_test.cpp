// pivotscope traffic from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;

TEST(traffic_command, counts_a_row_a_config) {
  const program_result text = run_program({"traffic", "--keys", "5000", "--config", "AO+BS", "--config",
                                           "EO+KS fanout=9 lanes=2 keys=u64", "--sample", "300"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_EQ(text.err, "");
  for (const char* part : {"\nAO+BS ", "\nEO+KS ", "model: ", "model ms", "L2 of 60 MiB", "512 sampled"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\nin: " << text.out;
  }
}

TEST(traffic_command, prints_json) {
  const program_result result = run_program({"traffic", "--keys", "2^14", "--lookups", "2^20", "--l2", "1Ki",
                                             "--config", "EO+BS pin=full scratch=1KiB", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const json j = json::parse(result.out);
  EXPECT_EQ(j["format"], 1);
  EXPECT_EQ(j["wrong"], 0);
  EXPECT_EQ(j["modelled"]["l2_bytes"], 1024);
  const json& one = j["results"][0];
  EXPECT_EQ(one["config"]["method"], "EO+BS");
  EXPECT_EQ(one["lookups"], 4096);
  EXPECT_EQ(one["fill_bytes_a_block"], 1024);
  EXPECT_GT(one["per_lookup"]["steps"], 10);
  EXPECT_GT(one["per_lookup"]["past_l2"]["sectors"], 0);
  EXPECT_GT(one["per_lookup"]["dram_atoms"], 0);
  EXPECT_GT(one["per_lookup"]["scratch_bytes"], 0);
  EXPECT_EQ(one["model"]["lookups"], 1 << 20);
  EXPECT_GT(one["model"]["ms"], 0);
  EXPECT_TRUE(one["model"]["words"].get<std::string>().starts_with("model: "));
}

TEST(traffic_command, counts_how_far_lookups_go) {
  const std::vector<std::string> asked = {"traffic",  "--lengths", "--keys",   "5000",      "--hits",   "0.5",
                                          "--config", "HT+OA",     "--config", "HT+CUCKOO", "--config", "GPH"};
  const program_result text = run_program(asked);
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* part : {"\nHT+OA", "windows", "\nHT+CUCKOO", "\nGPH", "buckets", "  hits", "  misses", "mean"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\nin: " << text.out;
  EXPECT_EQ(text.out.find("sectors"), std::string::npos) << "in place of bytes";
  std::vector<std::string> as_json = asked;
  as_json.emplace_back("--json");
  const program_result result = run_program(as_json);
  EXPECT_EQ(result.status, 0) << result.err;
  const json j = json::parse(result.out);
  ASSERT_EQ(j["results"].size(), 3u);
  for (const json& one : j["results"]) {
    const json& lengths = one["lengths"];
    for (const char* of : {"hits", "misses"}) {
      u64 lookups = 0, sum = 0;
      for (std::size_t i = 0; i < lengths[of]["of_length"].size(); ++i)
        lookups += lengths[of]["of_length"][i].get<u64>(), sum += i * lengths[of]["of_length"][i].get<u64>();
      EXPECT_EQ(lengths[of]["lookups"], lookups);
      EXPECT_NEAR(lengths[of]["mean"].get<double>(), static_cast<double>(sum) / static_cast<double>(lookups), 1e-9);
    }
    EXPECT_EQ(lengths["hits"]["lookups"].get<u64>() + lengths["misses"]["lookups"].get<u64>(), one["lookups"]);
  }
  EXPECT_EQ(j["results"][2]["lengths"]["unit"], "bucket");
  EXPECT_LT(j["results"][2]["lengths"]["hits"]["mean"], 1.05);
}

TEST(traffic_command, takes_the_batch_from_files) {
  const scratch_folder folder;
  const std::string keys = folder.write("keys", "5\n7\n9\n"), lookups = folder.write("lookups", "7\n8\n");
  const program_result result = run_program(
      {"traffic", "--keys-from", keys, "--lookups-from", lookups, "--json", "--config", "AO+PB+KS fanout=3 lanes=1"});
  EXPECT_EQ(result.status, 0) << result.err;
  const json j = json::parse(result.out);
  EXPECT_EQ(j["results"][0]["lookups"], 2);
  EXPECT_EQ(j["results"][0]["model"]["lookups"], 2);
}

TEST(traffic_command, refuses_what_it_cannot_use) {
  expect_refused({"traffic", "--sample", "0"}, {"--sample 0 is below the least, 1"});
  expect_refused({"traffic", "--l2", "much"}, {"--l2 'much': it is not a whole number"});
  expect_refused({"traffic", "--config", "EO+BS lanes=9"},
                 {"--config \"EO+BS lanes=9\": the config EO+BS lanes=9 is refused: lanes=9 is outside 1 to 1"});
  expect_refused({"traffic", "--config", "EO+BS colour=red"},
                 {"--config \"EO+BS colour=red\": unknown setting 'colour' in a config"});
  expect_refused({"traffic", "--keys", "no"}, {"--keys 'no': it is not a whole number"});
  expect_refused({"traffic", "--workload", "keys=100 ranges=5"},
                 {"traffic counts point lookups; leave the ranges out"});
  expect_refused({"traffic", "--machine", "tpu"}, {"--machine: 'tpu' is not a machine"});
}

}  // namespace
}  // namespace pivotscope
