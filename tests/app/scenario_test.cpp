#include "core/machine/scenario.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/cli/run_configs.hpp"
#include "core/config/config_text.hpp"
#include "tests/app/lying_machine.hpp"

namespace pivotscope {
namespace {

const workload standard{.keys = 1000, .dist = distribution::dense, .lookups = 5000, .hits = 0.5};

outcome<scenario_report> run_on(machine& on, const job_control& control = {}) {
  const key_array keys = *make_keys(standard, key_width::u32), lookups = *make_lookups(standard, key_width::u32);
  return run_scenario(on, *config_from_line("AO+PB+KS"), answer_checker(keys), *on.load(keys, {}), lookups,
                      {.lookup = {.repeats = 2}}, control);
}

TEST(scenario, reports_what_was_done) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const outcome<scenario_report> report = run_on(*cpu);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->checked);
  EXPECT_EQ(report->check.wrong, 0u);
  EXPECT_EQ(report->check.checked, 5000u);
  EXPECT_EQ(report->answers.size(), 5000u);
  EXPECT_EQ(report->lookup.samples_ms.size(), 2u);
  EXPECT_EQ(report->index_bytes, report->entry_bytes + report->row_bytes + report->pivot_bytes);
  EXPECT_GT(report->pivot_bytes, 0u);
  EXPECT_GT(report->lookups_per_second(), 0);

  nlohmann::json json;
  to_json(json, *report);
  EXPECT_EQ(json["wrong"], 0);
  EXPECT_EQ(json["config_line"], "AO+PB+KS");
  EXPECT_EQ(json["found"], report->check.found);
  EXPECT_EQ(json["times"].back()["stage"], "lookup");
  EXPECT_EQ(json["times"].back()["samples_ms"].size(), 2u);
}

TEST(scenario, shows_no_figures_of_a_wrong_index) {
  lying_machine liar([](u64 key) { return key == 17; });
  const outcome<scenario_report> report = run_on(liar);
  ASSERT_TRUE(report.ok());
  EXPECT_GT(report->check.wrong, 0u);
  nlohmann::json json;
  to_json(json, *report);
  EXPECT_EQ(json["wrong"], report->check.wrong);
  EXPECT_NE(json["first_wrong"].get<std::string>().find("key 17"), std::string::npos);
  for (const char* figure : {"times", "lookups_per_second", "bytes", "found"}) EXPECT_FALSE(json.contains(figure));

  const std::string table = reports_table({*report});
  EXPECT_NE(table.find("AO+PB+KS  wrong answers\n"), std::string::npos) << table;
  testing::internal::CaptureStderr();
  EXPECT_EQ(complain_about_wrong({*report}), 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("pivotscope: wrong: AO+PB+KS: lookup "), std::string::npos);
}

TEST(scenario, is_cancelled_cleanly) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  job_control control;
  control.cancel();
  const outcome<scenario_report> report = run_on(*cpu, control);
  ASSERT_FALSE(report.ok());
  EXPECT_TRUE(report.error().cancelled);
}

}  // namespace
}  // namespace pivotscope
