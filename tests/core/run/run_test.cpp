// The way through: an index and a batch in, a record out, on an honest machine and on those that lie.
#include "core/run/run.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/index/config_text.hpp"
#include "tests/app/lying_machine.hpp"

namespace pivotscope {
namespace {

const workload of_lookups{.keys = 1000, .dist = distribution::dense, .lookups = 5000, .hits = 0.5};
const workload of_ranges{.keys = 1000, .dist = distribution::dense, .ranges = 500, .range_hits = 20};

std::shared_ptr<const key_set> keys_on(machine& on) {
  return *key_set::load(on, *make_keys(of_lookups, key_width::u32), {});
}

outcome<run_record> run_on(machine& on, const workload& w, const run_options& options,
                           const job_control& control = {}) {
  return run_config(on, *config_from_line("AO+PB+KS"), *keys_on(on), *make_batch(w, key_width::u32), options, control);
}

TEST(run, records_what_was_done) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const outcome<run_record> record = run_on(*cpu, of_lookups, {.batch = {.repeats = 2}});
  ASSERT_TRUE(record.ok());
  EXPECT_TRUE(record->checked);
  EXPECT_EQ(record->check.wrong, 0u);
  EXPECT_EQ(record->check.checked, 5000u);
  EXPECT_EQ(record->keys, 1000u);
  EXPECT_EQ(record->kind, operation::find);
  EXPECT_EQ(record->operations, 5000u);
  EXPECT_EQ(record->entries, 0u);
  EXPECT_EQ(record->answers.found.size(), 5000u);
  EXPECT_EQ(record->time.samples_ms.size(), 2u);
  ASSERT_EQ(record->regions.size(), 3u);
  u64 bytes = 0;
  for (const index_region& region : record->regions) bytes += region.bytes();
  EXPECT_EQ(record->index_bytes, bytes);
  EXPECT_EQ(record->regions[2].name, "pivots");
  EXPECT_GT(record->regions[2].bytes(), 0u);
  EXPECT_GT(record->operations_per_second(), 0);

  nlohmann::json json;
  to_json(json, *record);
  EXPECT_EQ(json["wrong"], 0);
  EXPECT_EQ(json["config_line"], "AO+PB+KS");
  EXPECT_EQ(json["found"], record->check.found);
  EXPECT_EQ(json["times"].back()["stage"], "lookup");
  EXPECT_EQ(json["times"].back()["samples_ms"].size(), 2u);
}

TEST(run, shows_no_figures_of_a_wrong_index) {
  lying_machine liar([](u64 key) { return key == 17; });
  const outcome<run_record> record = run_on(liar, of_lookups, {});
  ASSERT_TRUE(record.ok());
  EXPECT_GT(record->check.wrong, 0u);
  nlohmann::json json;
  to_json(json, *record);
  EXPECT_EQ(json["wrong"], record->check.wrong);
  EXPECT_NE(json["first_wrong"].get<std::string>().find("key 17"), std::string::npos);
  for (const char* figure : {"times", "lookups_per_second", "bytes", "found"}) EXPECT_FALSE(json.contains(figure));
}

TEST(run, is_cancelled_cleanly) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  job_control control;
  control.cancel();
  const outcome<run_record> record = run_on(*cpu, of_lookups, {}, control);
  ASSERT_FALSE(record.ok());
  EXPECT_TRUE(record.error().cancelled);
}

// The batch is over when the check begins: what it has seen until then is no verdict.
TEST(run, cancelled_while_it_checks_has_no_record) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  for (const workload& w : {of_lookups, of_ranges}) {
    std::unique_ptr<job_control> control;
    control = std::make_unique<job_control>([&](std::string_view stage, double) {
      if (stage == "checking" || stage.starts_with("sorting the keys to check")) control->cancel();
    });
    const outcome<run_record> record = run_on(*cpu, w, {}, *control);
    ASSERT_FALSE(record.ok());
    EXPECT_TRUE(record.error().cancelled);
  }
}

TEST(run, checks_nothing_where_it_is_not_to) {
  lying_machine liar([](u64 key) { return key == 17; });
  const outcome<run_record> record = run_on(liar, of_lookups, {.check = false});
  ASSERT_TRUE(record.ok());
  EXPECT_FALSE(record->checked);
  EXPECT_EQ(record->check.checked, 0u);
  EXPECT_EQ(record->check.wrong, 0u);
  nlohmann::json json;
  to_json(json, *record);
  EXPECT_EQ(json["checked"], false);
  EXPECT_FALSE(json.contains("found"));
}

TEST(run, of_a_config_is_a_build_and_a_run_of_the_batch) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const index_config config = *config_from_line("AO+PB+BS");
  const auto keys = keys_on(*cpu);
  const batch asked = *make_batch(of_lookups, key_width::u32);
  const auto index = *cpu->build(config, keys->resident(), {});
  const outcome<run_record> own = run_batch(*cpu, *index, *keys, asked, {}, {});
  const outcome<run_record> whole = run_config(*cpu, config, *keys, asked, {}, {});
  ASSERT_TRUE(own.ok() && whole.ok());
  EXPECT_EQ(own->answers, whole->answers);
  EXPECT_EQ(own->config, config);
  EXPECT_EQ(own->index_bytes, whole->index_bytes);
  EXPECT_EQ(own->builds.size(), 2u);
  EXPECT_EQ(own->builds[0].samples_ms, index->build_times()[0].samples_ms);
  EXPECT_EQ(own->sort.samples_ms, keys->resident()->sort_time().samples_ms);
  EXPECT_EQ(own->machine.name, cpu->info().name);
  EXPECT_DOUBLE_EQ(own->build_ms(), own->builds[0].median() + own->builds[1].median());
}

// ... though the keys were sorted for another before.
TEST(run, of_a_family_that_wants_no_sort_tells_of_none) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const auto keys = keys_on(*cpu);
  const batch asked = *make_batch(of_lookups, key_width::u32);
  const auto stages = [&](const char* line) {
    const outcome<run_record> record = run_config(*cpu, *config_from_line(line), *keys, asked, {}, {});
    EXPECT_EQ(record->check.wrong, 0u);
    nlohmann::json json;
    to_json(json, *record);
    std::vector<std::string> names;
    for (const nlohmann::json& time : json["times"]) names.push_back(time["stage"]);
    return names;
  };
  using names = std::vector<std::string>;
  EXPECT_EQ(stages("PLAIN"), (names{"build entries", "lookup"}));
  EXPECT_EQ(stages("EO+BS"), (names{"sort", "build entries", "lookup"}));
  EXPECT_EQ(stages("PLAIN"), (names{"build entries", "lookup"}));
}

TEST(run, says_what_the_machine_refuses) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const auto keys = keys_on(*cpu);
  const batch wide{operation::find, key_array(key_width::u64, 3)};
  EXPECT_EQ(run_config(*cpu, *config_from_line("EO+BS keys=u64"), *keys, wide, {}, {}).error().words,
            "the config's key width is not that of the keys on the machine");
  EXPECT_EQ(run_config(*cpu, *config_from_line("EO+BS"), *keys, wide, {}, {}).error().words,
            "the lookups' key width is not that of the index");
}

// Which answers were found right is all that the second run needs to know.
TEST(run, of_answers_that_are_known_to_be_right_needs_no_second_check) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  lying_machine liar([](u64 key) { return key % 16 == 1; });
  for (const workload& w : {of_lookups, of_ranges}) {
    const run_record first = *run_on(*cpu, w, {});
    u32 checks = 0;
    const job_control counts([&](std::string_view stage, double) { checks += stage == "checking"; });
    const run_record second = *run_on(*cpu, w, {.right = &first}, counts);
    EXPECT_EQ(checks, 0u);
    EXPECT_TRUE(second.checked);
    EXPECT_EQ(second.check.checked, w.ranges != 0 ? 500u : 5000u);
    EXPECT_EQ(second.check.found, first.check.found);
    EXPECT_EQ(second.check.wrong, 0u);
    EXPECT_GT(run_on(liar, w, {.right = &first}, counts)->check.wrong, 0u) << "other answers are checked";
    EXPECT_GT(checks, 0u);
  }
}

TEST(a_run_of_ranges, records_what_was_done) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const outcome<run_record> record = run_on(*cpu, of_ranges, {.batch = {.repeats = 2, .rows = true}});
  ASSERT_TRUE(record.ok());
  EXPECT_TRUE(record->checked);
  EXPECT_EQ(record->kind, operation::range);
  EXPECT_EQ(record->check.wrong, 0u);
  EXPECT_EQ(record->operations, 500u);
  EXPECT_EQ(record->entries, 10'000u);
  EXPECT_TRUE(record->answers.found.empty());
  EXPECT_EQ(record->answers.ranges.size(), 500u);
  EXPECT_EQ(record->answers.rows.size(), 10'000u);
  EXPECT_EQ(record->time.samples_ms.size(), 2u);
  EXPECT_EQ(record->row_times.size(), 2u);
  EXPECT_NEAR(record->entries_per_second(), 20 * record->operations_per_second(), 1e-6 * record->entries_per_second());
  nlohmann::json json;
  to_json(json, *record);
  EXPECT_EQ(json["lookups"], 0);
  EXPECT_EQ(json["ranges"], 500);
}

// The last entry of every range that reaches beyond 9 is overlooked.
void forget_an_entry(batch_answers& answers, const batch& ranges) {
  for (u64 i = 0; i < ranges.size(); ++i) {
    if (answers.ranges[i].count > 0 && ranges.highs[i] > 9) --answers.ranges[i].count;
  }
}

void mistake_a_row(batch_answers& answers, const batch&) {
  for (u32& row : answers.rows) row ^= row % 7 == 3;
}

TEST(a_run_of_ranges, shows_no_figures_of_a_wrong_index) {
  batch_liar forgetful(operation::range, forget_an_entry), mistaken(operation::range, mistake_a_row);
  EXPECT_EQ(run_on(mistaken, of_ranges, {})->check.wrong, 0u);
  for (machine* liar : {static_cast<machine*>(&forgetful), static_cast<machine*>(&mistaken)}) {
    const outcome<run_record> record = run_on(*liar, of_ranges, {.batch = {.rows = true}});
    ASSERT_TRUE(record.ok());
    EXPECT_GT(record->check.wrong, 0u);
    nlohmann::json json;
    to_json(json, *record);
    EXPECT_EQ(json["wrong"], record->check.wrong);
    for (const char* figure : {"times", "ranges_per_second", "entries_per_second", "entries", "bytes", "found"}) {
      EXPECT_FALSE(json.contains(figure));
    }
  }
}

TEST(a_run_of_ranges, misses_row_ids_that_were_asked_for) {
  batch_liar without(operation::range,
                     [](batch_answers& answers, const batch&) { answers.begins.clear(), answers.rows.clear(); });
  EXPECT_EQ(run_on(without, of_ranges, {})->check.wrong, 0u) << "nobody asked";
  const outcome<run_record> record = run_on(without, of_ranges, {.batch = {.rows = true}});
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->check.wrong, 500u);
  EXPECT_EQ(record->check.first_wrong, "row ids are missing");
}

}  // namespace
}  // namespace pivotscope
