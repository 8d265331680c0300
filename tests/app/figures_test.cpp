// Figures against samples that are given: nothing here depends on a clock.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/cli/options/machine_options.hpp"
#include "app/cli/run_configs.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/app/given_machine.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;

TEST(machines, have_names_and_an_order) {
  EXPECT_EQ(machine_name(machine_kind::cpu), "cpu");
  EXPECT_EQ(machine_name(machine_kind::cuda), "cuda");
  const auto report = [](machine_kind kind, bool available) { return machine_report{kind, available, {}, {}}; };
  constexpr auto cpu = machine_kind::cpu, cuda = machine_kind::cuda;
  EXPECT_EQ(best_of({report(cuda, true), report(cpu, true)}), cuda);
  EXPECT_EQ(best_of({report(cuda, false), report(cpu, true)}), cpu);
  EXPECT_EQ(best_of({report(cuda, false)}), cpu);
  EXPECT_EQ(best_of({}), cpu);
  const std::vector<machine_report> found = find_machines();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, cuda);
  EXPECT_EQ(found[1].kind, cpu);
  EXPECT_TRUE(found[1].available);
  EXPECT_EQ((*open_machine(cpu))->info().kind, cpu);
}

TEST(machines, are_described) {
  machine_info info = given_info(machine_kind::cpu);
  EXPECT_EQ(machine_words(info), "cpu, Given Machine, 8 GiB of memory");
  info.memory_bytes = 0;
  EXPECT_EQ(machine_words(info), "cpu, Given Machine");
  info = given_info(machine_kind::cuda);
  EXPECT_EQ(machine_words(info), "cuda, Given Machine, 7 multiprocessors, 8 GiB of memory");
}

TEST(machines, take_ranges_that_fit) {
  const auto array = [](key_width width, u64 n) { return key_array(width, n); };
  constexpr auto narrow = key_width::u32, wide = key_width::u64;
  const index_config config = default_config();
  const auto words = [&](key_array low, key_array high) {
    const status fit = check_batch_fits(config, {operation::range, std::move(low), std::move(high)});
    return fit ? std::string() : fit.error().words;
  };
  EXPECT_EQ(words(array(narrow, 2), array(narrow, 2)), "");
  EXPECT_EQ(words(array(wide, 2), array(narrow, 2)), "the ranges' key width is not that of the index");
  EXPECT_EQ(words(array(narrow, 2), array(wide, 2)), "the ranges' key width is not that of the index");
  EXPECT_EQ(words(array(narrow, 2), array(narrow, 3)), "the ranges have more ends of one kind than of the other");
}

TEST(machine_choice, opens_what_it_names) {
  machine_kind opened = machine_kind::cpu;
  std::string folder;
  const machine_source machines{
      [] {
        return std::vector<machine_report>{{machine_kind::cuda, true, {}, {}}, {machine_kind::cpu, true, {}, {}}};
      },
      [&](machine_kind kind, const machine_options& options) -> outcome<std::unique_ptr<machine>> {
        opened = kind, folder = options.cache_folder;
        return problem{"opened"};
      }};
  const scratch_folder scratch;
  const std::string caches = (scratch / "caches").string();
  EXPECT_EQ(machine_choice{}.open(machines).error().words, "opened");
  EXPECT_EQ(opened, machine_kind::cuda) << "the best";
  EXPECT_EQ((machine_choice{"cpu", caches}.open(machines).error().words), "opened");
  EXPECT_EQ(opened, machine_kind::cpu);
  EXPECT_EQ(folder, caches);
  EXPECT_TRUE(std::filesystem::is_directory(caches)) << "it was made";
  EXPECT_TRUE(std::filesystem::is_empty(caches)) << "and nothing left in it";
  EXPECT_EQ((machine_choice{"cuda", {}}.open(machines).error().words), "opened");
  EXPECT_EQ(opened, machine_kind::cuda);
  EXPECT_EQ(folder, "");
  EXPECT_EQ((machine_choice{"CPU", {}}.open(machines).error().words),
            "--machine: 'CPU' is not a machine; there are cpu, cuda (an NVIDIA GPU) and best");
  EXPECT_EQ((machine_choice{"cpu", ""}.open(machines).error().words),
            "--cache-folder is empty; name a folder that can be written to");
  const std::string file = scratch.write("file", "");
  EXPECT_EQ((machine_choice{"cpu", file + "/x"}.open(machines).error().words),
            "--cache-folder " + file + "/x: Not a directory; name a folder that can be written to");
  EXPECT_EQ((machine_choice{"cpu", "/proc"}.open(machines).error().words),
            "--cache-folder /proc: No such file or directory; name a folder that can be written to");
}

const workload points{.keys = 1000, .dist = distribution::dense, .lookups = 500, .hits = 0.5};

outcome<run_results> run_on_given(run_request request) {
  given_machine on(machine_kind::cuda);
  terminal_job job;
  return run_configs(on, request, job);
}

json timed_once(const char* stage, double ms) {
  return {{"stage", stage},
          {"median_ms", ms},
          {"lower_quartile_ms", ms},
          {"upper_quartile_ms", ms},
          {"least_ms", ms},
          {"greatest_ms", ms},
          {"noise", nullptr},
          {"stopped", ""},
          {"thrown_away", 0},
          {"held_back", false},
          {"drift", 0.0},
          {"samples_ms", {ms}},
          {"runs", 1}};
}

// AO+PB+KS: a factor of 9 + 1 upon the given times, of which warm-ups took the first ones.
TEST(a_run, has_the_figures_of_its_samples) {
  const outcome<run_results> results = run_on_given(
      {.configs = {*config_from_line("AO+PB+KS keys=u64")}, .load = points, .batch = {.repeats = 4, .warm_ups = 2}});
  ASSERT_TRUE(results);
  const run_record& record = results->records[0];
  EXPECT_EQ(record.time.samples_ms, (std::vector<double>{10, 20, 50, 40}));
  EXPECT_DOUBLE_EQ(record.operations_per_second(), 500 / 0.030);
  EXPECT_EQ(record.entries_per_second(), 0);
  EXPECT_EQ(record.answers, batch_answers{}) << "they were not asked for";
  json one;
  to_json(one, record);
  EXPECT_EQ(one["times"], json::array({timed_once("sort", 4), timed_once("build entries", 0.5),
                                       timed_once("empty pivots", 0.25), json::parse(R"(
    {"stage": "lookup", "median_ms": 30.0, "lower_quartile_ms": 17.5, "upper_quartile_ms": 42.5, "least_ms": 10.0,
     "greatest_ms": 50.0, "noise": null, "stopped": "fixed", "thrown_away": 0, "held_back": false, "drift": 0.0,
     "runs": 4, "samples_ms": [10.0, 20.0, 50.0, 40.0]})")}));
  // 1000 entries of 16 bytes in leaves of 8; pivots over 125 leaves: 14 nodes and the root above them, of 8 keys.
  EXPECT_EQ(one["bytes"]["entries"], 16000);
  EXPECT_EQ(one["bytes"]["rows"], 0);
  EXPECT_EQ(one["bytes"]["index"], one["bytes"]["entries"].get<u64>() + one["bytes"]["pivots"].get<u64>());
  EXPECT_EQ(one["keys"], 1000);
  EXPECT_EQ(one["lookups"], 500);
  EXPECT_EQ(one["ranges"], 0);
  EXPECT_DOUBLE_EQ(one["lookups_per_second"], 500 / 0.030);
  EXPECT_EQ(one["kernels"], json::parse(R"([
    {"name": "build entries", "registers": 20, "shared_bytes": 1024, "local_bytes": 16, "blocks_per_sm": 8,
     "occupancy": 0.75, "compile_ms": 12.5, "origin": "disk cache"},
    {"name": "lookup", "registers": 40, "shared_bytes": 1024, "local_bytes": 16, "blocks_per_sm": 8,
     "occupancy": 0.75, "compile_ms": 12.5, "origin": "disk cache"}])"));
  EXPECT_EQ(one["machine"],
            json::parse(R"({"kind": "cuda", "name": "Given Machine", "detail": "made for tests", "driver": "1.2",
    "processors": 7, "memory_bytes": 8589934592, "l2_bytes": 3145728, "compute_capability": 90})"));
  u64 found = 0;
  const key_array lookups = *make_lookups(points, key_width::u64);
  for (u64 i = 0; i < lookups.size(); ++i) found += lookups[i] < 1000;  // dense: 0 to 999 are there
  EXPECT_EQ(one["found"], found);
}

TEST(a_run_of_ranges, has_the_figures_of_its_samples) {
  const workload ranges{.keys = 1000, .dist = distribution::dense, .ranges = 300, .range_hits = 20};
  const outcome<run_results> results = run_on_given(
      {.configs = {*config_from_line("EO+BS")}, .load = ranges, .batch = {.repeats = 3, .warm_ups = 1, .rows = true}});
  ASSERT_TRUE(results);
  const run_record& record = results->records[0];
  EXPECT_EQ(record.time.samples_ms, (std::vector<double>{4.5, 1.5, 3}));
  EXPECT_DOUBLE_EQ(record.operations_per_second(), 300 / 0.003);
  EXPECT_DOUBLE_EQ(record.entries_per_second(), 6000 / 0.003);
  EXPECT_EQ(record.answers, batch_answers{});
  EXPECT_EQ(records_table(results->records),
            "config     index  sort ms  build ms  range ms  least  greatest  runs  noise  rows ms   ranges   entries  "
            "found\n"
            "------  --------  -------  --------  --------  -----  --------  ----  -----  -------  -------  --------  "
            "-----\n"
            "EO+BS   7.82 KiB     4.00     0.500      3.00   1.50      4.50     3      -     2.13  100 k/s  2.00 M/s   "
            "6000\n");
}

TEST(sampling, is_told_where_a_rule_ended_it_or_runs_did_not_count) {
  const auto told = [](sampling how, u64 wrong = 0) {
    run_record record{.config = *config_from_line("EO+BS"), .time = {"lookup", std::vector<double>(10, 1.0), how}};
    record.check.wrong = wrong;
    return sampling_text({record});
  };
  EXPECT_EQ(told({}), "");
  EXPECT_EQ(told({.why = stop_reason::fixed}), "");
  EXPECT_EQ(told({.why = stop_reason::quiet}), "\nEO+BS: the noise is 0.0%.\n");
  EXPECT_EQ(told({.why = stop_reason::quiet}, 1), "") << "it has no figures";
  EXPECT_EQ(told({.why = stop_reason::time}), "\nin doubt, EO+BS: time was up, with a noise of 0.0%.\n");
  EXPECT_EQ(told({.why = stop_reason::fixed, .thrown_away = 2}),
            "\nEO+BS: 10 runs, as asked for; 2 on a clock that was held back do not count.\n");
  EXPECT_EQ(told({.why = stop_reason::fixed, .held_back = true}),
            "\nin doubt, EO+BS: 10 runs, as asked for; the clock was held back in all of them.\n");
}

TEST(a_wrong_run, has_words_in_place_of_figures) {
  for (const operation kind : {operation::find, operation::range}) {
    const run_record wrong{.config = *config_from_line("AO+PB+KS"),
                           .kind = kind,
                           .operations = 500,
                           .time = {"lookup", {1.5}},
                           .checked = true,
                           .check = {500, 2, 400, "lookup 7 of key 17 answered not found, but the key is in the set"}};
    const std::string table = records_table({wrong});
    EXPECT_NE(table.find("AO+PB+KS  wrong answers\n"), std::string::npos) << table;
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(complain_about_wrong({wrong}), 1);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "pivotscope: wrong: AO+PB+KS: lookup 7 of key 17 answered not found, but the key is in the set (2 of 500 "
              "answers are wrong)\n");
  }
}

TEST(per_second, is_nothing_without_time) {
  run_record record;
  record.operations = 5;
  EXPECT_EQ(record.operations_per_second(), 0);
  record.time.samples_ms = {0.0};
  EXPECT_EQ(record.operations_per_second(), 0);
  record.time.samples_ms = {2.0};
  EXPECT_EQ(record.operations_per_second(), 2500);
}

TEST(kernels, say_where_they_came_from) {
  run_record record;
  for (const auto origin : {kernel_info::source::none, kernel_info::source::compiled, kernel_info::source::disk_cache,
                            kernel_info::source::memory_cache}) {
    record.kernels.push_back({.name = "k", .origin = origin});
  }
  json one;
  to_json(one, record);
  std::vector<std::string> origins;
  for (const json& kernel : one["kernels"]) origins.push_back(kernel["origin"]);
  EXPECT_EQ(origins, (std::vector<std::string>{"none", "compiled", "disk cache", "memory cache"}));
  EXPECT_EQ(one["checked"], false);
  EXPECT_FALSE(one.contains("found")) << "nobody looked";
}

TEST(run_configs, makes_keys_once_for_neighbours_of_one_width) {
  const auto config = [](const char* line) { return *config_from_line(line); };
  const workload few{.keys = 20, .dist = distribution::dense, .lookups = 10};
  const auto made = [&](std::vector<index_config> configs) {
    const outcome<run_results> results = run_on_given({.configs = {configs.begin(), configs.end()}, .load = few});
    std::vector<key_width> widths;
    for (const made_workload& one : results->made) {
      EXPECT_GE(one.keys_ms, 0);
      EXPECT_GE(one.batch_ms, 0);
      widths.push_back(one.width);
    }
    return widths;
  };
  constexpr auto narrow = key_width::u32, wide = key_width::u64;
  using widths = std::vector<key_width>;
  EXPECT_EQ(made({config("EO+BS"), config("AO+BS")}), (widths{narrow}));
  EXPECT_EQ(made({config("EO+BS"), config("AO+BS keys=u64"), config("EO+BS keys=u64")}), (widths{narrow, wide}));
  EXPECT_EQ(made({config("EO+BS"), config("AO+BS keys=u64"), config("AO+BS")}), (widths{narrow, wide, narrow}));
}

TEST(run_configs, keeps_answers_where_it_is_to) {
  const workload few{.keys = 20, .dist = distribution::dense, .lookups = 10};
  EXPECT_EQ(
      run_on_given({.configs = {default_config()}, .load = few, .keep_answers = true})->records[0].answers.found.size(),
      10u);
  const workload ranges{.keys = 20, .dist = distribution::dense, .ranges = 5, .range_hits = 2};
  const outcome<run_results> kept =
      run_on_given({.configs = {default_config()}, .load = ranges, .batch = {.rows = true}, .keep_answers = true});
  EXPECT_EQ(kept->records[0].answers.ranges.size(), 5u);
  EXPECT_EQ(kept->records[0].answers.begins.size(), 6u);
  EXPECT_EQ(kept->records[0].answers.rows.size(), 10u);
}

}  // namespace
}  // namespace pivotscope
