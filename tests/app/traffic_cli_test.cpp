// pivotscope traffic from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
