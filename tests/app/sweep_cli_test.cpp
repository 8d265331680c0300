// pivotscope sweep as people use it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/expectations.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

TEST(sweep_cli, lists_the_sweeps) {
  const std::string list = expect_right({"sweep", "--list"}).out;
  expect_part(list, "\npacked             48  what PACKED is to reach");
  expect_part(list, "\nlightweight-14a    74  AO+BS: pinning and reordering by block, static schedule");
  expect_part(list, "static schedule                                           B+, HT (buckets)\n");
}

TEST(sweep_cli, says_what_a_sweep_is_made_of) {
  const std::string words = expect_right({"sweep", "lightweight-21b", "--list"}).out;
  for (const char* part :
       {"sweep lightweight-21b: bytes by n\nlightweight, Section 6, Figure 21b\nx: keys: 2^15; ", "; 2^28\n",
        "\ny: bytes of the index\nseries: HT (open) 50%; ",
        "measured as lightweight-20a, of which it is another plot\n",
        "\nmissing: B+ half full: the B+-tree is not built here yet\n",
        "\nthe paper saw: The lightweight indexes are the", "\nEO+KS at 2^20 ", "EO+KS fanout=33 layout=soa"})
    expect_part(words, part);
  expect_part(expect_right({"sweep", "packed", "--list"}).out, "that of hits 2^16");
}

TEST(sweep_cli, measures_a_figure) {
  const scratch_folder folder;
  const std::string json_file = (folder / "a.json").string();
  const program_result result =
      expect_right({"sweep", "lightweight-1a", "--scale", "15", "--machine", "cpu", "--json", json_file});
  expect_part(result.out, "28 of 28 rows in ");
  expect_part(result.out, "missing: B+: the B+-tree is not built here yet\n");
  expect_part(result.out, "\nthe paper saw, on its machine: All indexes are faster over fewer keys");
  const nlohmann::json all = nlohmann::json::parse(contents_of(json_file));
  ASSERT_EQ(all["rows"].size(), 28u);
  EXPECT_EQ(all["rows"][27]["series"], "AO+BS");
  EXPECT_EQ(all["rows"][27]["tick"], "2^28");
  EXPECT_EQ(all["rows"][27]["keys"], 1u << 13);
  EXPECT_GT(all["rows"][27]["sort_and_build_ms"], all["rows"][27]["build_ms"]);
  EXPECT_EQ(all["rows"][26]["series"], "HT (open)");
  EXPECT_EQ(all["rows"][26]["sort_and_build_ms"], all["rows"][26]["build_ms"]) << "a table sorts nothing";
  EXPECT_DOUBLE_EQ(all["rows"][26]["per_second_per_byte"].get<double>(),
                   all["rows"][26]["per_second"].get<double>() / all["rows"][26]["index_bytes"].get<double>());
  EXPECT_EQ(all["missing"].size(), 2u);
  EXPECT_EQ(all["missing"][0]["series"], "B+");
  EXPECT_EQ(all["plot"]["x"], "keys");
}

TEST(sweep_cli, refuses_bad_input) {
  expect_refused({"sweep"}, {"which sweep?", "--list"});
  expect_refused({"sweep", "packd"}, {"'packd' is not a sweep", "did you mean 'packed'?"});
  expect_refused({"sweep", "packed", "--scale", "33"}, {"--scale 33 is above the limit, 32"});
  expect_refused({"sweep", "packed", "--scale", "x"}, {"--scale"});
  expect_refused({"sweep", "packed", "--rows", "2^99"}, {"--rows: no row of packed has '2^99' in its name"});
  expect_refused({"sweep", "packed", "--machine", "tpu"}, {"'tpu' is not a machine"});
  expect_refused({"sweep", "packed", "--csv", "/nowhere/at/all.csv"}, {"/nowhere/at/all.csv"});
  expect_refused({"sweep", "packed", "more"}, {"unexpected 'more'"});
}

TEST(sweep_cli, measures_and_writes) {
  const scratch_folder folder;
  const std::string csv = (folder / "a.csv").string(), json_file = (folder / "a.json").string();
  const program_result result =
      expect_right({"sweep", "packed", "--scale", "20", "--machine", "cpu", "--csv", csv, "--json", json_file});
  for (const char* part : {"sweep packed: ", "\npivotscope ", ", commit ", "\non cpu, ", "\nclocks: before ",
                           "48 of 48 rows in ", "every answer was checked", "not judged: counts are cut by 20 bits",
                           "\nmisses inside 2^16 ", "\nstd::lower_bound", " of it"})
    expect_part(result.out, std::string_view(part) == "\nstd::lower_bound" ? "std::lower_bound" : part);
  const nlohmann::json all = nlohmann::json::parse(contents_of(json_file));
  EXPECT_EQ(all["complete"], true);
  EXPECT_EQ(all["wrong"], 0);
  EXPECT_EQ(all["scale"], 20);
  EXPECT_EQ(all["rows"].size(), 49u) << "two wants of the last";
  const std::string lines = contents_of(csv);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 50);
  EXPECT_TRUE(lines.starts_with("row,keys,key_width,workload,"));
}

TEST(sweep_cli, measures_a_part) {
  const program_result result =
      expect_right({"sweep", "packed", "--scale", "20", "--machine", "cpu", "--rows", "sorted"});
  expect_part(result.out, "2 of 2 rows in ");
}

// A wrong answer: no figure of its row, and exit 1.
TEST(sweep_cli, shows_no_figure_of_a_liar) {
  const scratch_folder folder;
  const std::string json_file = (folder / "a.json").string();
  const program_result result = run_lying("wrong row", {"sweep", "packed", "--scale", "20", "--json", json_file});
  EXPECT_EQ(result.status, 1);
  expect_part(result.err, "pivotscope: wrong: hits 2^16: ");
  expect_part(result.out, "wrong answers");
  const nlohmann::json all = nlohmann::json::parse(contents_of(json_file));
  EXPECT_EQ(all["wrong"], 20) << "the others lean on these, or ask for ranges";
  for (const nlohmann::json& row : all["rows"]) {
    if (row["row"].get<std::string>().starts_with("ranges") || row["row"] == "cpu std::lower_bound 2^24") continue;
    EXPECT_TRUE(row["per_second"].is_null()) << row["row"];
    EXPECT_TRUE(row["candidates"].empty()) << row["row"];
  }
}

TEST(sweep_cli, keeps_what_was_measured_when_it_is_stopped) {
  const scratch_folder folder;
  const std::string json_file = (folder / "a.json").string();
  const program_result result = run_lying("ctrl-C", {"sweep", "packed", "--scale", "20", "--json", json_file});
  EXPECT_EQ(result.status, 130);
  expect_part(result.err, "cancelled");
  expect_part(result.out, "0 of 48 rows in ");
  const nlohmann::json all = nlohmann::json::parse(contents_of(json_file));
  EXPECT_EQ(all["complete"], false);
  EXPECT_EQ(all["rows"].size(), 0u);
}

}  // namespace
}  // namespace pivotscope
