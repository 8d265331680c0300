// A record's figures by name, which the table, CSV, JSON and the window all render.
#include "core/run/run_figures.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/run/json_parts.hpp"

#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

double number(const figure_line& line, std::string_view name) {
  const auto* value = std::get_if<double>(&figure_of(line, name).value);
  return value ? *value : -1;
}

run_record measured() {
  run_record record{.config = testing::config_of("EO+BS"), .keys = 1000, .operations = 3000, .index_bytes = 8000};
  record.time.samples_ms = {1, 2, 3, 4, 90};
  record.sort = {"sort", {0.5}};
  record.builds = {{"build entries", {1, 3, 50}}, {"empty pivots", {0.25}}};
  record.checked = true, record.check = {3000, 0, 2900, {}};
  return record;
}

TEST(run_figures, are_by_the_median_and_the_quartiles) {
  const figure_line line = figures_of(measured());
  EXPECT_EQ(text_of_figure(line, "config"), "EO+BS");
  EXPECT_EQ(number(line, "median_ms"), 3);
  EXPECT_EQ(number(line, "per_second"), 1e6);
  EXPECT_EQ(number(line, "lower_quartile"), 3000 / 4.0 * 1e3) << "the slower runs'";
  EXPECT_EQ(number(line, "upper_quartile"), 3000 / 2.0 * 1e3);
  EXPECT_EQ(number(line, "sort_ms"), 0.5);
  EXPECT_EQ(number(line, "build_ms"), 3.25);
  EXPECT_EQ(std::get<u64>(figure_of(line, "runs").value), 5u);
  EXPECT_EQ(std::get<u64>(figure_of(line, "found").value), 2900u);
  EXPECT_FALSE(figure_of(line, "entries").known()) << "only ranges have these";
  EXPECT_FALSE(figure_of(line, "rows_ms").known());
}

TEST(run_figures, have_the_same_names_whatever_was_asked) {
  run_record ranges = measured(), wrong = measured();
  ranges.kind = operation::range, ranges.entries = 70, ranges.row_times = {{"scan counts", {1}}, {"write rows", {2}}};
  wrong.check.wrong = 1;
  const figure_line names = figures_of(run_record{}), of_ranges = figures_of(ranges);
  EXPECT_EQ(number(of_ranges, "rows_ms"), 3);
  EXPECT_EQ(std::get<u64>(figure_of(of_ranges, "entries").value), 70u);
  for (const figure_line& line : {figures_of(measured()), of_ranges, figures_of(wrong)}) {
    ASSERT_EQ(line.size(), names.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_EQ(line[i].name, names[i].name);
      EXPECT_EQ(line[i].hint, names[i].hint) << names[i].name;
    }
  }
}

TEST(run_figures, of_a_wrong_index_are_words_alone) {
  run_record wrong = measured();
  wrong.check = {3000, 2, 2900, "lookup 7 answered \"no\", but row 3 holds it"};
  const figure_line line = figures_of(wrong);
  for (const char* name : {"per_second", "median_ms", "build_ms", "sort_ms", "index_bytes", "noise", "found", "runs"})
    EXPECT_FALSE(figure_of(line, name).known()) << name;
  EXPECT_EQ(std::get<u64>(figure_of(line, "wrong").value), 2u);
  EXPECT_EQ(text_of_figure(line, "problem"), wrong.check.first_wrong);
}

TEST(run_figures, are_columns_of_csv) {
  run_record odd = measured();
  odd.machine.name = "a \"fast\" chip, new";
  odd.machine.driver = "580.1";
  const run_head head{
      {"pivotscope 1", "abc"}, "keys=1000 seed=7", 7, {.warm_ups = 2, .until = stopping_options{}, .cold = true}};
  const std::string text = run_csv(std::vector<run_record>{measured(), odd}, head);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_TRUE(text.starts_with("config,machine,device,keys,")) << text;
  EXPECT_NE(text.find("EO+BS,cpu,\"a \"\"fast\"\" chip, new\",1000,"), text.npos) << text;
  // What it takes to measure them again.
  EXPECT_NE(text.find(",driver,workload,seed,repeats,most_noise,most_seconds,warm_ups,cold,program,commit\n"),
            text.npos);
  EXPECT_TRUE(text.ends_with(",580.1,keys=1000 seed=7,7,auto,0.005,10,2,true,pivotscope 1,abc\n")) << text;
  const std::string fixed = run_csv(std::vector<run_record>{odd}, {.batch = {.repeats = 5}});
  EXPECT_TRUE(fixed.ends_with(",580.1,,0,5,,,0,false,,\n")) << fixed;
}

TEST(run_figures, are_in_the_json_with_their_hints) {
  const run_record record = measured();
  const nlohmann::json json = record;
  const figure_line line = figures_of(record);
  ASSERT_EQ(json["figures"].size(), line.size() - 1) << "all but the problem";
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    ASSERT_NE(line[i].name, "problem");
    EXPECT_EQ(json["figures"][i]["name"], line[i].name);
    EXPECT_EQ(json["figures"][i]["hint"], hint_name(line[i].hint)) << line[i].name;
    EXPECT_EQ(json["figures"][i]["value"], json_value(line[i])) << line[i].name;
  }
  // What stands beside the list is of the list.
  EXPECT_EQ(json["lookups_per_second"], json_value(figure_of(line, "per_second")));
}

TEST(run_figures, of_a_stage_are_its_times) {
  stage_time time{"lookup", {3, 1, 2, 5, 4, 100}, {.why = stop_reason::fixed, .thrown_away = 2}};
  const figure_line line = figures_of(time);
  EXPECT_EQ(text_of_figure(line, "stage"), "lookup");
  EXPECT_EQ(std::get<double>(figure_of(line, "median_ms").value), 3.5);
  EXPECT_EQ(std::get<double>(figure_of(line, "greatest_ms").value), 100);
  EXPECT_EQ(std::get<u64>(figure_of(line, "runs").value), 6u);
  EXPECT_EQ(std::get<u64>(figure_of(line, "thrown_away").value), 2u);
  EXPECT_EQ(figure_of(line, "noise").hint, figure_hint::share);
  const nlohmann::json json = time_json(time);
  for (const figure& f : line) EXPECT_EQ(json.at(std::string(f.name)), json_value(f)) << f.name;
  time.samples_ms = {1};
  EXPECT_FALSE(figure_of(figures_of(time), "noise").known());
}

// As of a pass over no slots, or of keys that were sorted before.
TEST(run_figures, of_what_was_not_done_are_none) {
  const figure_line stage = figures_of(stage_time{"sort", {}});
  for (const figure& f : stage)
    if (f.hint == figure_hint::milliseconds) {
      EXPECT_FALSE(f.known()) << f.name;
    }
  EXPECT_EQ(std::get<u64>(figure_of(stage, "runs").value), 0u);
  EXPECT_TRUE(time_json({"sort", {}})["median_ms"].is_null());
  run_record record = measured();
  record.sort.samples_ms.clear();
  EXPECT_FALSE(figure_of(figures_of(record), "sort_ms").known());
  record.time.samples_ms.clear();
  for (const char* name : {"per_second", "lower_quartile", "upper_quartile", "median_ms", "least_ms", "greatest_ms",
                           "noise", "entries_per_second"})
    EXPECT_FALSE(figure_of(figures_of(record), name).known()) << name;
}

}  // namespace
}  // namespace pivotscope
