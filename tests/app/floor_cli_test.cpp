// pivotscope floor from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

class floor_cli : public ::testing::Test {
 protected:
  program_result floor(std::vector<std::string> more = {}, const char* machine = "cuda") const {
    std::vector<std::string> call = {"floor", "--machine", machine, "--cache-folder", (folder_ / "cache").string()};
    call.insert(call.end(), more.begin(), more.end());
    return run_lying("given cuda", call);
  }
  std::string store() const { return (folder_ / "cache" / "floors.json").string(); }

  const scratch_folder folder_;
};

TEST_F(floor_cli, is_measured_once) {
  const program_result first = floor();
  ASSERT_EQ(first.status, 0) << first.err;
  expect_part(first.out, "; measured in ");
  const program_result second = floor();
  EXPECT_EQ(second.status, 0);
  expect_part(second.out, "; kept in " + store());
  EXPECT_EQ(second.out.substr(second.out.find('\n')), first.out.substr(first.out.find('\n')));
  expect_part(floor({"--again"}).out, "; measured in ");
  EXPECT_EQ(nlohmann::json::parse(contents_of(store()))["floors"].size(), 1u);
}

TEST_F(floor_cli, says_that_a_file_is_damaged_and_measures_anew) {
  ASSERT_EQ(floor().status, 0);
  std::ofstream(store()) << "{";
  const program_result anew = floor();
  EXPECT_EQ(anew.status, 0);
  expect_part(anew.out, "; measured in ");
  expect_part(anew.err, "cannot be used (it is no JSON); it is kept as " + store() + ".not-understood-1");
  std::string text = contents_of(store());
  text.replace(text.find("\"gather\""), 8, "\"wander\"");
  std::ofstream(store()) << text;
  const program_result of_one = floor();
  expect_part(of_one.out, "; measured in ");
  expect_part(of_one.err, "1 of 1 entries is damaged, by its checksum, and stays there unread");
  expect_part(floor().out, "; kept in ");
}

TEST_F(floor_cli, writes_the_same_figures) {
  const std::string csv = (folder_ / "f.csv").string(), json = (folder_ / "f.json").string();
  ASSERT_EQ(floor({"--csv", csv, "--json", json}).status, 0);
  const nlohmann::json all = nlohmann::json::parse(contents_of(json));
  EXPECT_EQ(all["format"], 1);
  EXPECT_EQ(all["machine"]["name"], "Given Machine");
  ASSERT_EQ(all["points"].size(), 68u);
  u64 measured = 0;
  for (const nlohmann::json& point : all["points"]) measured += point["runs"] > 0;
  const std::string lines = contents_of(csv);
  EXPECT_EQ(static_cast<u64>(std::count(lines.begin(), lines.end(), '\n')), measured + 1);
  EXPECT_EQ(measured, 60u);
}

TEST_F(floor_cli, refuses_bad_input) {
  expect_refused({"floor", "--machine", "tpu"}, {"--machine: 'tpu' is not a machine"});
  expect_refused({"floor", "gather"}, {"unexpected 'gather'; see pivotscope floor --help"});
  expect_refused({"floor", "--agian"}, {"unknown option '--agian' of floor; did you mean '--again'?"});
  expect_refused({"floor", "--json", (folder_ / "not" / "there.json").string()}, {"there.json"});
}

TEST_F(floor_cli, rates_are_taken_by_the_traffic_model) {
  std::vector<std::string> call = {
      "traffic", "--keys", "1000", "--machine", "cuda", "--cache-folder", (folder_ / "cache").string(), "--no-floor"};
  expect_part(run_lying("given cuda", call).out, "the rates of an NVIDIA H200, which are built in");
  EXPECT_FALSE(std::filesystem::exists(store()));
  ASSERT_EQ(floor().status, 0);
  expect_part(run_lying("given cuda", call).out, "the rates that `pivotscope floor` measured of Given Machine");
}

// Where none is kept of the GPU: once, and by itself.
TEST_F(floor_cli, is_measured_before_the_model_takes_its_rates) {
  const std::vector<std::string> traffic = {
      "traffic", "--keys", "1000", "--machine", "cuda", "--cache-folder", (folder_ / "cache").string()};
  const program_result first = run_lying("given cuda", traffic);
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.err, "");
  expect_part(first.out, "the rates that `pivotscope floor` measured of Given Machine");
  const std::string kept = contents_of(store());
  EXPECT_EQ(nlohmann::json::parse(kept)["floors"].size(), 1u);
  EXPECT_NE(nlohmann::json::parse(kept)["floors"][0]["commit"], "");
  EXPECT_EQ(run_lying("given cuda", traffic).status, 0);
  EXPECT_EQ(contents_of(store()), kept) << "it is not measured again";
  const program_result sweep = run_lying("given cuda", {"sweep", "lightweight-1b", "--scale", "20", "--machine", "cuda",
                                                        "--cache-folder", (folder_ / "swept").string()});
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  expect_part(sweep.out, "by the rates that `pivotscope floor` measured of Given Machine");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "swept" / "floors.json"));
}

TEST_F(floor_cli, is_not_measured_for_a_model_on_a_cpu) {
  const program_result traffic = run_lying(
      "given cuda", {"traffic", "--keys", "1000", "--machine", "cpu", "--cache-folder", (folder_ / "cache").string()});
  EXPECT_EQ(traffic.status, 0) << traffic.err;
  expect_part(traffic.out, "the rates of an NVIDIA H200, which are built in");
  EXPECT_FALSE(std::filesystem::exists(store()));
}

}  // namespace
}  // namespace pivotscope
