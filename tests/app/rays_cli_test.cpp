// pivotscope rays from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;

TEST(rays_command, has_a_table_a_config_and_a_line_a_tracer) {
  const program_result text =
      expect_right({"rays", "--keys", "5000", "--lookups", "3000", "--hits", "0.5", "--config", "RX", "--config",
                    "CGRX keys=u64 bucket=4 form=naive", "--tracer", "own", "--tracer", "embree"});
  for (const char* part : {"\nRX: 5000 triangles, built in ", "\nCGRX keys=u64 bucket=4 form=naive: ",
                           " of 3000 lookups: ", "\nown boxes ", "\nEmbree 3.", "build ms", "trace ms", " M/s"})
    expect_part(text.out, part);
  EXPECT_EQ(text.out.find("ulkan"), std::string::npos) << "not asked for";
}

TEST(rays_command, prints_json) {
  const program_result result =
      expect_right({"rays", "--keys", "5000", "--lookups", "3000", "--config", "CGRX keys=u64 bucket=4 form=naive",
                    "--tracer", "own", "--tracer", "embree", "--repeats", "2", "--json"});
  const json j = json::parse(result.out);
  EXPECT_EQ(j["format"], 1);
  const json& one = j["results"][0];
  EXPECT_EQ(one["config"]["method"], "CGRX");
  EXPECT_EQ(one["lookups"], 3000);
  EXPECT_GE(one["triangles"], 1250);
  ASSERT_EQ(one["rounds"].size(), 5u) << "sparse keys: rays along all axes";
  EXPECT_GT(one["rounds"][0], 2900);
  u64 rays = 0;
  for (const json& round : one["rounds"]) rays += round.get<u64>();
  ASSERT_EQ(one["tracers"].size(), 2u);
  EXPECT_EQ(one["tracers"][0]["tracer"], "own");
  EXPECT_EQ(one["tracers"][1]["tracer"], "embree");
  for (const json& tracer : one["tracers"]) {
    EXPECT_EQ(tracer["wrong"], 0);
    EXPECT_GT(tracer["bytes"], 1250 * 16);
    const double seconds = tracer["trace_ms"].get<double>() / 1000;
    EXPECT_NEAR(tracer["rays_per_second"].get<double>() * seconds, static_cast<double>(rays),
                1e-3 * static_cast<double>(rays));
    EXPECT_NEAR(tracer["lookups_per_second"].get<double>() * seconds, 3000, 3);
  }
}

// Without a driver there is no Vulkan: that is said, and is no fault.
TEST(rays_command, says_which_tracer_is_not_here) {
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) ::setenv(name, "/dev/null", 1);
  const program_result text = expect_right({"rays", "--keys", "500", "--lookups", "500"});
  const program_result asked = expect_right({"rays", "--keys", "500", "--lookups", "500", "--json"});
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) ::unsetenv(name);
  expect_part(text.out, "\nvulkan         not here");
  expect_part(text.out,
              "\nvulkan: Vulkan failed at starting: VK_ERROR_INCOMPATIBLE_DRIVER (-9): no driver is installed");
  const json tracers = json::parse(asked.out)["results"][0]["tracers"];
  ASSERT_EQ(tracers.size(), 4u);
  EXPECT_EQ(tracers[3]["tracer"], "vulkan");
  EXPECT_TRUE(tracers[3].contains("why_not"));
  EXPECT_FALSE(tracers[3].contains("trace_ms"));
  EXPECT_TRUE(tracers[0].contains("trace_ms"));
}

// Embree is there, and does not reach as far as the scene.
TEST(rays_command, says_which_tracer_failed) {
  const std::vector<std::string> wide = {
      "rays",     "--keys", "500",      "--lookups", "500", "--config", "CGRX keys=u64 bucket=4 y_scale=23 z_scale=46",
      "--tracer", "own",    "--tracer", "embree"};
  const program_result text = run_program(wide);
  EXPECT_EQ(text.status, 1) << "it was named";
  expect_part(text.err, "embree failed: Embree takes coordinates");
  expect_part(text.out, "\nembree     failed");
  expect_part(text.out, "\nembree: Embree takes coordinates up to 1.844e+18");
  EXPECT_EQ(text.out.find("not here"), std::string::npos);
  std::vector<std::string> as_json = wide;
  as_json.push_back("--json");
  const json tracers = json::parse(run_program(as_json).out)["results"][0]["tracers"];
  ASSERT_EQ(tracers.size(), 2u);
  EXPECT_EQ(tracers[1]["failed"].get<std::string>().rfind("Embree takes coordinates", 0), 0u);
  EXPECT_FALSE(tracers[1].contains("why_not"));
  EXPECT_FALSE(tracers[1].contains("trace_ms"));
  EXPECT_FALSE(tracers[0].contains("failed"));
  const program_result all = expect_right({wide.begin(), wide.begin() + 7});
  expect_part(all.out, "\nembree     failed");
}

TEST(rays_command, takes_keys_and_lookups_of_ones_own) {
  const scratch_folder folder;
  const std::string keys = folder.write("keys.txt", "5\n90\n7\n12\n1\n"),
                    lookups = folder.write("lookups.txt", "7\n8\n91\n");
  const program_result result = expect_right(
      {"rays", "--keys-from", keys, "--lookups-from", lookups, "--config", "RX", "--tracer", "own", "--json"});
  const json one = json::parse(result.out)["results"][0];
  EXPECT_EQ(one["triangles"], 5);
  EXPECT_EQ(one["rounds"], json::array({2})) << "91 is above the greatest key and casts none";
}

TEST(rays_command, takes_nothing) {
  const program_result result = expect_right({"rays", "--keys", "0", "--lookups", "0", "--tracer", "own", "--json"});
  EXPECT_EQ(json::parse(result.out)["results"][0]["rounds"], json::array());
}

TEST(rays_command, refuses_in_words) {
  expect_refused({"rays", "--config", "EO+BS"},
                 {"--config \"EO+BS\": its lookups are no rays; take one of ", "RX", "CGRX"});
  expect_refused({"rays", "--config", "CGRX bucket=1"}, {"bucket=1 is outside 2 to 65536 entries"});
  expect_refused({"rays", "--tracer", "optix"},
                 {"--tracer: 'optix' is not a tracer; there are own, embree, cuda, vulkan"});
  expect_refused({"rays", "--machine", "tpu"}, {"tpu"});
  expect_refused({"rays", "--repeats", "0"}, {"--repeats 0 is below the least, 1"});
  expect_refused({"rays", "--workload", "keys=100 ranges=5"}, {"rays are traced of point lookups; leave the range"});
}

}  // namespace
}  // namespace pivotscope
