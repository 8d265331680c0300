// Range lookups on the command line, from outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/common/portable.hpp"
#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;

std::string out_of(const std::vector<std::string>& arguments) { return expect_right(arguments).out; }

TEST(run_ranges, prints_a_table_with_both_rates) {
  const std::string table = out_of({"run", "--config", "EO+KS scan=cooperative", "--config", "AO+BS", "--machine",
                                    "cpu", "--keys", "5000", "--ranges", "300", "--hits", "100"});
  expect_part(table, "lookups=0 hits=1 ranges=300 range_hits=100");
  expect_part(table, "5000 keys, 300 ranges");
  for (const char* column : {"range ms", " ranges ", "entries", " 30000\n"}) expect_part(table, column);
  EXPECT_EQ(table.find("lookup ms"), std::string::npos);
  EXPECT_EQ(table.find("rows ms"), std::string::npos);
  expect_part(out_of({"run", "--keys", "5000", "--ranges", "300", "--rows", "--machine", "cpu"}), "rows ms");
}

TEST(run_ranges, prints_json) {
  const json all =
      json::parse(out_of({"run", "--machine", "cpu", "--keys", "5000", "--ranges", "300", "--rows", "--json"}));
  EXPECT_EQ(all["wrong"], 0);
  const json& one = all["results"][0];
  EXPECT_EQ(one["ranges"], 300);
  EXPECT_EQ(one["lookups"], 0);
  EXPECT_EQ(one["entries"], 300 * 64);
  EXPECT_EQ(one["found"], 300);
  EXPECT_GT(one["ranges_per_second"].get<double>(), 0);
  EXPECT_GT(one["entries_per_second"].get<double>(), one["ranges_per_second"].get<double>());
  EXPECT_FALSE(one.contains("lookups_per_second"));
  EXPECT_EQ(one["times"].back()["stage"], "write rows");
}

TEST(run_ranges, takes_the_share_of_empty_ones_from_the_line) {
  const json all = json::parse(
      out_of({"run", "--machine", "cpu", "--json", "--workload", "keys=1000 hits=0.5 ranges=1000 range_hits=10"}));
  const u64 found = all["results"][0]["found"];
  EXPECT_NEAR(static_cast<double>(found), 500, 80);
  EXPECT_EQ(all["results"][0]["entries"], 10 * found);
}

TEST(run_ranges, takes_no_keys) {
  for (const char* count : {"0", "1", "2"}) {
    const json all = json::parse(out_of(
        {"run", "--machine", "cpu", "--config", "EO+KS", "--keys", count, "--ranges", "50", "--rows", "--json"}));
    EXPECT_EQ(all["wrong"], 0);
    EXPECT_EQ(all["results"][0]["entries"], 50 * (count[0] - '0'));
  }
}

TEST(run_ranges, answers_for_data_of_ones_own) {
  const scratch_folder folder;
  const std::string keys = folder.write("keys", "30\n10\n4294967295\n0\n10\n");
  const std::string ranges = folder.write("ranges", "10 30\n11,29\r\n0 4294967295\n30 10\n31 , 4294967295\n");
  const std::string answers = (folder / "answers").string();
  for (const char* config : {"AO+BS", "EO+KS fanout=3 scan=cooperative", "AO+PB+BS layout=soa", "EO+BS keys=u64"}) {
    const std::vector<std::string> call = {"run", "--machine",     "cpu",  "--config",  config, "--keys-from",
                                           keys,  "--ranges-from", ranges, "--answers", answers};
    expect_part(out_of(call), "ranges of " + ranges);
    EXPECT_EQ(contents_of(answers), "3 5\n0 0\n5 10\n0 0\n1 2\n") << config;
    std::vector<std::string> with_rows = call;
    with_rows.push_back("--rows");
    out_of(with_rows);
    EXPECT_EQ(contents_of(answers), "3 5 0 1 4\n0 0\n5 10 0 1 2 3 4\n0 0\n1 2 2\n") << config;
  }
  const std::string none = folder.write("none", "");
  expect_part(out_of({"run", "--machine", "cpu", "--keys-from", keys, "--ranges-from", none, "--rows"}), "0 ranges");
  out_of({"run", "--machine", "cpu", "--keys-from", keys, "--ranges", "100", "--hits", "2"});
}

TEST(run_ranges, refuses_what_does_not_go_together) {
  const scratch_folder folder;
  const std::string file = folder.write("ranges", "1 2\n3\n");
  expect_refused({"run", "--ranges", "5", "--lookups", "5"}, {"--lookups and --ranges", "leave one of them out"});
  expect_refused({"run", "--rows"}, {"--rows", "add --ranges N, --matches N or a file of them"});
  expect_refused({"run", "--ranges-from", file, "--hits", "5"}, {"--ranges-from brings the ranges"});
  expect_refused({"run", "--ranges-from", file, "--ranges", "5"}, {"--ranges-from brings the ranges"});
  expect_refused({"run", "--ranges-from", file, "--lookups-from", file}, {"--lookups-from and --ranges-from"});
  expect_refused({"run", "--lookups-from", file, "--ranges", "5"}, {"--lookups-from brings the lookups"});
  expect_refused({"run", "--ranges-from", file}, {"ranges:2: '3' is one number"});
  expect_refused({"run", "--ranges", "5", "--hits", "0.5"}, {"--hits '0.5'", "number of entries"});
  expect_refused({"run", "--ranges", "0"}, {"--ranges 0", "below the least, 1"});
  expect_refused({"run", "--ranges", "2^33"}, {"--ranges 2^33", "4294967296"});
  expect_refused({"run", "--ragnes", "5"}, {"did you mean '--ranges'?"});
  expect_refused({"run", "--workload", "rangs=5"}, {"did you mean 'ranges'?"});
}

TEST(trace_range, shows_a_range_and_checks_it) {
  for (const char* config : {"AO+BS", "EO+KS fanout=5 scan=cooperative", "AO+PB+KS"}) {
    out_of({"trace", "--config", config, "--lookup", "4", "--range-to", "12"});
    out_of({"trace", "--config", config, "--lookup", "12", "--range-to", "4"});
    EXPECT_EQ(json::parse(out_of(
                  {"trace", "--config", config, "--lookup", "0", "--range-to", "4294967295", "--json"}))["wrong"],
              0);
  }
  expect_refused({"trace", "--lookup", "4", "--range-to", "4294967296"}, {"--range-to 4294967296", "keys=u64"});
  expect_refused({"trace", "--lookup", "4", "--range-to", "far"}, {"--range-to 'far'"});
}

TEST(trace_range, says_whether_an_entry_was_found) {
  const json some = json::parse(out_of({"trace", "--lookup", "4", "--range-to", "12", "--json"}));
  EXPECT_EQ(some["found"], true);
  EXPECT_EQ(some["range"], (json{{"low", 4}, {"high", 12}, {"count", 8}, {"row_sum", 48}}));
  EXPECT_TRUE(some["row"].is_null() && some["slot"].is_null());
  EXPECT_EQ(json::parse(out_of({"trace", "--lookup", "8", "--range-to", "8", "--json"}))["found"], false);
  EXPECT_EQ(json::parse(out_of({"trace", "--lookup", "12", "--range-to", "4", "--json"}))["found"], false);
}

TEST(verify_ranges, are_counted) {
  const json result = json::parse(out_of({"verify", "--machine", "cpu", "--cases", "60", "--json"}));
  EXPECT_EQ(result["wrong"], 0);
  EXPECT_GT(result["ranges"].get<u64>(), 60 * 20u);
}

}  // namespace
}  // namespace pivotscope
