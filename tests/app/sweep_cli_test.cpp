// pivotscope sweep as people use it.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/index/config_text.hpp"
#include "core/sweep/sweep_folder.hpp"
#include "tests/app/expectations.hpp"
#include "tests/app/given_machine.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

TEST(sweep_cli, lists_the_sweeps) {
  const std::string list = expect_right({"sweep", "--list"}).out;
  expect_part(list, "\npacked             56  what PACKED is to reach");
  expect_part(list, "\nlightweight-14a    76  AO+BS: pinning and reordering by block, static schedule");
  expect_part(list, "\nbtree-t3           28  inserts into an index that grows");
  EXPECT_TRUE(std::regex_search(list, std::regex("\ngph-12 +40  a hash join"))) << list;
  EXPECT_TRUE(std::regex_search(list, std::regex("\ngph-15b +4  building[^\n]* 4 bytes\n"))) << list;
}

TEST(sweep_cli, lists_what_is_computed_and_refuses_to_measure_it) {
  EXPECT_TRUE(std::regex_search(expect_right({"sweep", "--list"}).out, std::regex("\ngph-6.1 +-  mappings that")));
  expect_part(expect_right({"sweep", "gph-6.1", "--list"}).out, "Theorem 6.1\ncomputed on the CPU, without times\n");
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{{"--scale", "4"},
                                                                                    {"--rounds", "3"},
                                                                                    {"--into", "a"},
                                                                                    {"--into", "a", "--kept"},
                                                                                    {"--json", "a.json"},
                                                                                    {"--rows", "M"}}) {
    std::vector<std::string> words = {"sweep", "gph-6.1"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, {"gph-6.1 is computed, not measured: it takes --csv, --svg and --png alone"});
  }
  expect_refused({"sweep", "gph-6.1", "--machine", "cuda"}, {"gph-6.1 is computed on the CPU"});
}

TEST(sweep_cli, says_what_a_sweep_is_made_of) {
  const std::string words = expect_right({"sweep", "lightweight-21b", "--list"}).out;
  for (const char* part :
       {"sweep lightweight-21b: bytes by n\nlightweight, Section 6, Figure 21b\nx: keys: 2^15; ", "; 2^28\n",
        "\ny: bytes of the index\nseries: HT (open) 50%; ",
        "measured as lightweight-20a, of which it is another plot\n",
        "\nthe paper saw: The lightweight indexes are the", "\nEO+KS at 2^20 ", "EO+KS fanout=33 layout=soa"})
    expect_part(words, part);
  expect_part(expect_right({"sweep", "packed", "--list"}).out, "that of hits 2^16");
}

TEST(sweep_cli, measures_a_figure) {
  const scratch_folder folder;
  const std::string json_file = (folder / "a.json").string();
  const program_result result =
      expect_right({"sweep", "lightweight-1a", "--scale", "15", "--machine", "cpu", "--json", json_file});
  expect_part(result.out, "56 of 56 rows in ");
  expect_part(result.out, "\nthe paper saw, on its machine: All indexes are faster over fewer keys");
  const nlohmann::json all = nlohmann::json::parse(contents_of(json_file));
  ASSERT_EQ(all["rows"].size(), 56u);
  EXPECT_EQ(all["rows"][54]["series"], "AO+BS");
  EXPECT_EQ(all["rows"][54]["tick"], "2^28");
  EXPECT_EQ(all["rows"][54]["keys"], 1u << 13);
  EXPECT_EQ(all["rows"][54]["sort_and_build_ms"].get<double>(),
            all["rows"][54]["sort_ms"].get<double>() + all["rows"][54]["build_ms"].get<double>());
  EXPECT_EQ(all["rows"][52]["series"], "HT (open)");
  EXPECT_EQ(all["rows"][52]["sort_ms"], nullptr) << "a table sorts nothing";
  EXPECT_GT(all["rows"][52]["build_ms"], 0);
  EXPECT_EQ(all["rows"][52]["sort_and_build_ms"], nullptr);
  EXPECT_DOUBLE_EQ(all["rows"][52]["per_second_per_byte"].get<double>(),
                   all["rows"][52]["per_second"].get<double>() / all["rows"][52]["index_bytes"].get<double>());
  EXPECT_EQ(all["rows"][55]["series"], "B+");
  EXPECT_TRUE(all["missing"].empty());
  EXPECT_EQ(all["plot"]["x"], "keys");
}

// gph-14 is drawn of gph-9's rows, and says so.
TEST(sweep_cli, draws_a_build_rate) {
  const scratch_folder folder;
  const std::string svg = (folder / "a.svg").string();
  const std::string out = expect_right({"sweep", "gph-14", "--scale", "16", "--machine", "cpu", "--svg", svg}).out;
  expect_part(out, "28 of 28 rows in ");
  expect_part(contents_of(svg), ">entries sorted and built a second</text>");
  expect_part(contents_of(svg), ">1.25 GB: 64%</text>");
  expect_part(expect_right({"sweep", "gph-14", "--list"}).out, "measured as gph-9, of which it is another plot\n");
}

// Inserts, and building anew beside them; the table says which operations are timed.
TEST(sweep_cli, measures_writes) {
  const scratch_folder folder;
  const std::string csv = (folder / "a.csv").string(), svg = (folder / "a.svg").string();
  const std::string out =
      expect_right({"sweep", "btree-3", "--scale", "16", "--machine", "cpu", "--csv", csv, "--svg", svg}).out;
  expect_part(out, "72 of 72 rows in ");
  expect_part(out, "every answer was checked");
  expect_part(contents_of(csv),
              "\n\"BTREE, 2^22 inserted at 2^26\",960,u32,keys=960 distribution=uniform seed=1 "
              "lookups=0 hits=1 inserts=64 erases=0 mix=0,\"BTREE, 2^22 inserted\",2^26,cpu,inserts,64,"
              "BTREE,");
  expect_part(contents_of(svg), ">ms of the batch, or of sort and build</text>");
  expect_part(contents_of(svg), ">GPU B-Tree, rebuilt</text>");
}

// A CPU has no such counters: its points have times, and the words why there is no more.
TEST(sweep_cli, says_why_nothing_was_counted) {
  const scratch_folder folder;
  const std::string csv = (folder / "a.csv").string(), svg = (folder / "a.svg").string();
  const std::string out =
      expect_right({"sweep", "gph-3", "--scale", "16", "--machine", "cpu", "--csv", csv, "--svg", svg}).out;
  expect_part(out, "9 of 9 rows in ");
  expect_part(out, "not counted: only a GPU counts what its warps do\n");
  EXPECT_EQ(out.find("counted by the GPU"), out.npos);
  expect_part(contents_of(csv),
              ",occupancy,instructions,cycles_per_instruction,l1_hit_rate,l2_hit_rate,l1_bytes_per_second,"
              "l2_bytes_per_second,dram_bytes_per_second,counters_problem,");
  expect_part(contents_of(csv), ",,,,,,,,,only a GPU counts what its warps do,");
  expect_part(contents_of(svg), ">cycles of all warps (EI x CPI)</text>");
  const std::string trees = expect_right({"sweep", "btree-6", "--scale", "16", "--machine", "cpu", "--svg", svg}).out;
  expect_part(trees, "22 of 22 rows in ");
  expect_part(trees, "not counted: only a GPU counts what its warps do\n");
  expect_part(contents_of(svg), ">bytes a second, by memory</text>");
  expect_part(contents_of(svg), ">BTREE, DRAM: no points</text>");
  expect_part(expect_right({"sweep", "btree-6-hits", "--list"}).out,
              "y: hit rate, by cache\nseries: GPU B-Tree; BTREE\nof each series: L1; L2\n"
              "measured as btree-6, of which it is another plot\n");
}

// Two kept points: one from before memories were counted.
TEST(sweep_cli, prints_and_draws_what_was_counted) {
  const scratch_folder folder;
  const sweep& of = **find_sweep("btree-6");
  folder_head head = head_of(of, 0, {.least = 2, .most = 2, .repeats = 7});
  head.machine = given_info(machine_kind::cuda);
  const auto kept = sweep_folder::open(folder / "6", of, head);
  ASSERT_TRUE(kept) << kept.error().words;
  for (const char* id : {"BTREE at 2^16", "BTREE at 2^17"}) {
    sweep_point point{.row = *of.row(id), .machine = head.machine};
    point.ranking = {{.config = *config_from_line("BTREE"), .operations = 1000, .samples_ms = {2}, .finalist = true}};
    point.counters = {.occupancy = 0.5, .instructions = 1000, .cycles_per_instruction = 2};
    if (point.row.tick == 1u) point.counters->memory = memory_counters{0.83, 0.6, 4.8e12, 1.9e12, 0.4e12};
    ASSERT_TRUE(kept->keep(point));
  }
  const std::string csv = (folder / "a.csv").string(), svg = (folder / "a.svg").string();
  const auto shown = [&](const char* name) {
    return expect_right({"sweep", name, "--into", (folder / "6").string(), "--kept", "--csv", csv, "--svg", svg}).out;
  };
  const std::string out = shown("btree-6");
  expect_part(out,
              "counted by the GPU   AO   EI  CPI  EI x CPI   median  median x AO\n"
              "------------------  ---  ---  ---  --------  -------  -----------\n"
              "BTREE at 2^16       50%  1 k    2       2 k  2.00 ms      1.00 ms\n"
              "BTREE at 2^17       50%  1 k    2       2 k  2.00 ms      1.00 ms\n");
  expect_part(out,
              "counted by the GPU  L1 hits  L2 hits         L1         L2        DRAM\n"
              "------------------  -------  -------  ---------  ---------  ----------\n"
              "BTREE at 2^17           83%      60%  4.80 TB/s  1.90 TB/s  400.0 GB/s\n\n");
  expect_part(contents_of(csv), ",0.5,1000,2,,,,,,,");
  expect_part(contents_of(csv), ",0.5,1000,2,0.83,0.6,4800000000000,1900000000000,400000000000,,");
  expect_part(contents_of(svg), "BTREE at 2^17: BTREE, 1.9 T bytes a second, by memory: L2</title>");
  (void)shown("btree-6-hits");
  expect_part(contents_of(svg), "BTREE at 2^17: BTREE, 0.83 hit rate, by cache: L1</title>");
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
  expect_refused({"sweep", "packed", "--shard", "3"}, {"--shard: '3' is no shard", "as in 3/16"});
  expect_refused({"sweep", "packed", "--kept"}, {"which one? --into DIR"});
  expect_refused({"sweep", "packed", "--svg", "a.svg"}, {"--svg: packed has no plot: it is a table"});
  expect_refused({"sweep", "packed", "--png", "a.png"}, {"--png: packed has no plot: it is a table"});
  expect_refused({"sweep", "lightweight-1a", "--png", "/nowhere/at/all.png"}, {"/nowhere/at/all.png"});
  expect_refused({"sweep", "merge", "a", "--into", "b", "--png", "a.png"}, {"merge takes folders and --into alone"});
  expect_refused({"sweep", "packed", "--kept", "--into", "/nowhere/at/all"}, {"has no head.json"});
  expect_refused({"sweep", "packed", "--kept", "--into", "a", "--scale", "3"}, {"--scale has no effect with --kept"});
  expect_refused({"sweep", "packed", "--scale", "20", "--into", "/proc/none"}, {"cannot make the folder /proc/none"});
  expect_refused({"sweep", "merge"}, {"where to?"});
  expect_refused({"sweep", "merge", "--into", "a"}, {"which folders?"});
  expect_refused({"sweep", "merge", "/nowhere/at/all", "--into", "a"}, {"/nowhere/at/all has no head.json"});
  expect_refused({"sweep", "merge", "a", "--into", "b", "--scale", "2"}, {"merge takes folders and --into alone"});
}

TEST(sweep_cli, measures_and_writes) {
  const scratch_folder folder;
  const std::string csv = (folder / "a.csv").string(), json_file = (folder / "a.json").string();
  const program_result result =
      expect_right({"sweep", "packed", "--scale", "20", "--machine", "cpu", "--csv", csv, "--json", json_file});
  for (const char* part : {"sweep packed: ", "\npivotscope ", ", commit ", "\non cpu, ", "\nclocks: before ",
                           "56 of 56 rows in ", "every answer was checked", "not judged: counts are cut by 20 bits",
                           "\nmisses inside 2^16 ", "\nstd::lower_bound", " of it"})
    expect_part(result.out, std::string_view(part) == "\nstd::lower_bound" ? "std::lower_bound" : part);
  const nlohmann::json all = nlohmann::json::parse(contents_of(json_file));
  EXPECT_EQ(all["complete"], true);
  EXPECT_EQ(all["wrong"], 0);
  EXPECT_EQ(all["scale"], 20);
  EXPECT_EQ(all["rows"].size(), 57u) << "two wants of the last";
  const std::string lines = contents_of(csv);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 58);
  EXPECT_TRUE(lines.starts_with("row,keys,key_width,workload,"));
}

// The given runs differ by far more than what is called quiet.
TEST(sweep_cli, says_where_runs_differ_more_than_is_quiet) {
  const program_result right = run_lying("given", {"sweep", "lightweight-1b", "--rows", "AO+BS", "--scale", "20"});
  EXPECT_EQ(right.status, 0) << right.err;
  expect_part(right.out, " middle half");
  expect_part(right.out, "% > 0.5%");
  expect_part(right.out, "\nnoisy: the runs of 2 of 2 rows differ by more than 0.5%, by ");
}

TEST(sweep_cli, makes_as_many_rounds_as_are_asked_for) {
  const scratch_folder folder;
  const std::string file = folder / "1b.json";
  const program_result right = run_lying(
      "given", {"sweep", "lightweight-1b", "--rows", "AO+BS", "--scale", "20", "--rounds", "3", "--json", file});
  EXPECT_EQ(right.status, 0) << right.err;
  expect_part(right.out, "each candidate in 3 rounds of 7 runs each");
  const nlohmann::json all = nlohmann::json::parse(contents_of(file));
  EXPECT_EQ(all["rounds"], 3);
  EXPECT_EQ(all["most_rounds"], 3);
  for (const nlohmann::json& row : all["rows"]) {
    EXPECT_EQ(row["runs"], 21);
    EXPECT_EQ(row["stopped"], "fixed");
  }
  expect_part(run_lying("given", {"sweep", "lightweight-1b", "--rows", "AO+BS", "--scale", "20"}).out,
              "each candidate in 2 to 12 rounds of 7 runs each");
  for (const char* wrong : {"0", "two", "1001"}) {
    const program_result refused = run_lying("given", {"sweep", "lightweight-1b", "--rounds", wrong});
    EXPECT_EQ(refused.status, 2) << wrong;
    expect_part(refused.err, "--rounds");
  }
  const program_result kept =
      run_lying("given", {"sweep", "lightweight-1b", "--into", folder / "f", "--kept", "--rounds", "2"});
  EXPECT_EQ(kept.status, 2);
  expect_part(kept.err, "--rounds has no effect with --kept");
}

// Whoever comes later says who is at work there, and measures nothing.
TEST(sweep_cli, two_into_one_folder_are_one) {
  const scratch_folder folder;
  const std::string into = (folder / "d").string();
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const pid_t first =
      start_program({"sweep", "packed", "--scale", "8", "--machine", "cpu", "--into", into}, nowhere, nowhere);
  ASSERT_TRUE(wait_until_it_works(first));
  for (int time = 0; time < 2; ++time) {
    const program_result second = run_program({"sweep", "packed", "--scale", "8", "--machine", "cpu", "--into", into});
    EXPECT_EQ(second.status, 2);
    EXPECT_EQ(second.out, "");
    expect_part(second.err, "another sweep is at work in " + into + ": process " + std::to_string(first) + " on ");
  }
  ::kill(first, SIGKILL);
  EXPECT_EQ(wait_for_program(first), 128 + SIGKILL);
  ::close(nowhere);
  // A kill lets go of it.
  const program_result part =
      run_program({"sweep", "packed", "--scale", "8", "--machine", "cpu", "--rows", "sorted 2^16", "--into", into});
  EXPECT_EQ(part.err.find("at work"), std::string::npos) << part.err;
}

TEST(sweep_cli, three_at_once_are_one_that_measures) {
  const scratch_folder folder;
  const std::string into = (folder / "d").string();
  const std::vector<std::string> call = {"sweep", "lightweight-19a", "--scale", "20", "--machine",
                                         "cpu",   "--into",          into};
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  std::vector<pid_t> all;
  for (int i = 0; i < 3; ++i) all.push_back(start_program(call, nowhere, nowhere));
  int measured = 0, stopped = 0;
  for (const pid_t one : all) {
    const int status = wait_for_program(one);
    measured += status == 0, stopped += status == 2;
  }
  ::close(nowhere);
  EXPECT_GE(measured, 1);
  EXPECT_EQ(measured + stopped, 3);
  expect_part(expect_right({"sweep", "lightweight-19a", "--into", into, "--kept"}).out, "20 of 20 rows");
}

TEST(sweep_cli, measures_a_part) {
  const program_result result =
      expect_right({"sweep", "packed", "--scale", "20", "--machine", "cpu", "--rows", "sorted"});
  expect_part(result.out, "2 of 2 rows in ");
}

// A PNG's size, of its header.
std::pair<u32, u32> size_of_png(const std::string& png) {
  const auto number = [&](std::size_t at) {
    u32 all = 0;
    for (std::size_t i = at; i < at + 4; ++i) all = all << 8 | static_cast<unsigned char>(png.at(i));
    return all;
  };
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  return {number(16), number(20)};
}

TEST(sweep_cli, draws_the_figure_in_pixels_without_a_display) {
  const scratch_folder folder;
  const std::string svg = (folder / "a.svg").string(), png = (folder / "a.png").string();
  expect_right({"sweep", "lightweight-19a", "--scale", "22", "--machine", "cpu", "--svg", svg, "--png", png});
  const auto [width, height] = size_of_png(contents_of(png));
  EXPECT_EQ(width, 1920u) << "two dots a unit";
  expect_part(contents_of(svg), "height=\"" + std::to_string(height / 2) + "\"");
}

TEST(sweep_cli, keeps_what_was_measured_where_the_picture_cannot_be_written) {
  const scratch_folder folder;
  const std::string csv = (folder / "a.csv").string(), svg = (folder / "a.svg").string();
  const program_result result = run_program({"sweep", "lightweight-19a", "--scale", "22", "--machine", "cpu", "--csv",
                                             csv, "--svg", svg, "--png", "/dev/full"});
  EXPECT_EQ(result.status, 2);
  expect_part(result.err, "/dev/full");
  expect_part(result.out, "20 of 20 rows in ");
  const std::string lines = contents_of(csv);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 21);
  expect_part(contents_of(svg), "</svg>");
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
  EXPECT_EQ(all["wrong"], 37) << "the others lean on these, or ask for ranges";
  for (const nlohmann::json& row : all["rows"]) {
    if (row["row"].get<std::string>().starts_with("ranges") || row["row"] == "cpu std::lower_bound 2^24") continue;
    EXPECT_TRUE(row["per_second"].is_null()) << row["row"];
    EXPECT_TRUE(row["candidates"].empty()) << row["row"];
  }
}

// kill -9 in place of twenty calls of a file, which a seed draws from all that a run makes: a real process each.
TEST(sweep_cli, killed_at_any_moment_goes_on) {
  const scratch_folder folder;
  const std::string into = (folder / "kept").string();
  const std::vector<std::string> command = {"sweep", "lightweight-20a", "--scale", "24", "--machine",
                                            "cpu",   "--into",          into};
  std::map<std::string, std::string> before;
  u32 killed = 0, seed = 14;
  for (u32 i = 0; i < 20; ++i) {
    seed = seed * 1664525 + 1013904223;
    const std::string lie = "killed " + std::to_string(1 + (seed >> 16) % 24);
    const program_result result = run_lying(lie.c_str(), command);
    killed += result.status == 128 + SIGKILL;
    if (result.status == 128 + SIGKILL) {
      EXPECT_EQ(result.out, "");
    } else {
      EXPECT_EQ(result.status, 0) << result.err;
    }
    std::map<std::string, std::string> now;
    for (const auto& entry : std::filesystem::directory_iterator(into)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".json")) continue;
      now[name] = contents_of(entry.path());
      EXPECT_FALSE(nlohmann::json::parse(now[name], nullptr, false).is_discarded()) << name << " is half written";
    }
    for (const auto& [name, bytes] : before) EXPECT_EQ(now[name], bytes) << name << " was measured again";
    before = now;
  }
  EXPECT_EQ(killed, 20u);
  EXPECT_GT(before.size(), 20u) << "a head, and a row each time at least";
  ASSERT_LT(before.size(), 113u);
  const std::string rows = "168 of 168 rows, " + std::to_string(before.size() - 1) + " of them measured before in ";
  expect_part(expect_right(command).out, rows);
  for (const auto& [name, bytes] : before) EXPECT_EQ(contents_of(std::filesystem::path(into) / name), bytes) << name;
}

TEST(sweep_cli, shards_merge_into_one_whole) {
  const scratch_folder folder;
  const auto in = [&](const char* name) { return (folder / name).string(); };
  const std::vector<std::string> command = {"sweep", "lightweight-19a", "--scale", "20", "--machine", "cpu", "--into"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = command;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  expect_part(expect_right(with({in("1"), "--shard", "1/2"})).out, "10 of 10 rows in ");
  expect_part(expect_right(with({in("2"), "--shard", "2/2"})).out, "10 of 10 rows in ");
  expect_part(expect_right(with({in("3"), "--shard", "30/30"})).out, " of ");
  EXPECT_EQ(expect_right({"sweep", "merge", in("1"), in("2"), "--into", in("all")}).out,
            in("all") + " has 20 of 20 rows of lightweight-19a\n");
  // All of it is there: nothing is measured, and no machine is opened.
  const std::string csv = in("all.csv");
  expect_part(run_lying("given", with({in("all"), "--csv", csv})).out,
              "20 of 20 rows, 20 of them measured before in 0.0 s");
  const std::string svg = in("all.svg");
  expect_right({"sweep", "lightweight-19a", "--into", in("all"), "--kept", "--svg", svg});
  expect_part(contents_of(svg), ">cooperative, soa</text>");
  const std::string lines = contents_of(csv);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 21);
  expect_part(expect_right({"sweep", "lightweight-19a", "--into", in("1"), "--kept"}).out, "10 of 20 rows, 10 of them");
  expect_refused({"sweep", "lightweight-19b", "--into", in("all"), "--kept"},
                 {"has rows of the sweep lightweight-19a, and this program of lightweight-19b"});
  expect_right({"sweep", "lightweight-19a", "--scale", "21", "--machine", "cpu", "--into", in("other")});
  expect_refused({"sweep", "merge", in("1"), in("other"), "--into", in("none")}, {"their workloads differ"});
  expect_right(
      {"sweep", "packed", "--rows", "cpu", "--scale", "20", "--machine", "cpu", "--into", in("cpu"), "--shard", "2/2"});
}

// 21b is another plot of 20a's rows.
TEST(sweep_cli, compares_with_what_was_measured_before) {
  const scratch_folder folder;
  const std::string json_file = (folder / "a.json").string(), into = (folder / "a").string();
  const std::vector<std::string> measure = {"sweep", "lightweight-1b", "--scale", "15", "--machine", "cpu"};
  const auto with = [&](std::vector<std::string> arguments, std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
    return arguments;
  };
  expect_right(with(measure, {"--json", json_file, "--into", into}));
  // With itself, of a file and of a folder: the same runs.
  for (const std::string& result : {json_file, into}) {
    const std::string out =
        expect_right({"sweep", "lightweight-1b", "--into", into, "--kept", "--against", result}).out;
    expect_part(out, "\nbeside " + result + ", of commit ");
    expect_part(out,
                "Of 8 rows 8 can't be told apart, 0 are faster and 0 are slower; the medians are 0% apart in the "
                "middle, 0% at most (HT (open) at unsorted), 8 of them less than 2%.\n");
    expect_part(out, "\nAO+BS at sorted ");
  }
  expect_part(expect_right(with(measure, {"--against", json_file})).out, "\nOf 8 rows ");
  expect_refused(with(measure, {"--against", (folder / "none.json").string()}), {"--against: ", "none.json"});
  expect_refused({"sweep", "lightweight-1b", "--scale", "14", "--machine", "cpu", "--against", json_file},
                 {"--against ", "it was measured with --scale 15, and this is --scale 14"});
  expect_refused({"sweep", "lightweight-1a", "--scale", "15", "--machine", "cpu", "--against", json_file},
                 {"it is of lightweight-1b, and not of lightweight-1a"});
}

TEST(sweep_cli, another_plot_takes_the_rows_that_are_kept) {
  const scratch_folder folder;
  const std::string into = (folder / "a").string();
  const auto command = [&](const char* name) {
    return std::vector<std::string>{"sweep", name, "--scale", "24", "--machine", "cpu", "--into", into};
  };
  expect_part(expect_right(command("lightweight-20a")).out, "168 of 168 rows in ");
  expect_part(expect_right(command("lightweight-21b")).out, "168 of 168 rows, 168 of them measured before in ");
}

TEST(sweep_cli, keeps_what_was_measured_when_it_is_stopped) {
  const scratch_folder folder;
  const std::string json_file = (folder / "a.json").string();
  const program_result result = run_lying("ctrl-C", {"sweep", "packed", "--scale", "20", "--json", json_file});
  EXPECT_EQ(result.status, 130);
  expect_part(result.err, "cancelled");
  expect_part(result.out, "0 of 56 rows in ");
  const nlohmann::json all = nlohmann::json::parse(contents_of(json_file));
  EXPECT_EQ(all["complete"], false);
  EXPECT_EQ(all["rows"].size(), 0u);
}

}  // namespace
}  // namespace pivotscope
