// The rays of lookups, timed by themselves, on the command line, from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

TEST(run_rays, are_a_column_and_a_stage) {
  const std::vector<std::string> call = {
      "run", "--machine", "cpu", "--config", "CGRX bucket=4", "--keys", "5000", "--lookups", "3000", "--repeats", "3"};
  EXPECT_EQ(expect_right(call).out.find("of it rays"), std::string::npos);
  std::vector<std::string> with_rays = call;
  with_rays.insert(with_rays.end(), {"--rays"});
  expect_part(expect_right(with_rays).out, "of it rays");
  with_rays.emplace_back("--json");
  const nlohmann::json all = nlohmann::json::parse(expect_right(with_rays).out);
  const nlohmann::json& stage = all["results"][0]["times"].back();
  EXPECT_EQ(stage["stage"], "rays");
  EXPECT_EQ(stage["samples_ms"].size(), 3u);
}

TEST(run_rays, are_refused_where_there_are_none) {
  expect_refused({"run", "--rays", "--config", "AO+BS"}, {"--rays: AO+BS", "take a config of CGRX"});
  expect_refused({"run", "--rays", "--config", "CGRX", "--cold"}, {"--rays", "leave out --cold"});
  expect_refused({"run", "--rays", "--config", "CGRX", "--ranges", "5"}, {"--rays", "add --lookups N"});
  expect_refused({"run", "--rays", "--config", "RX", "--inserts", "5"}, {"--rays"});
}

}  // namespace
}  // namespace pivotscope
