// The ranges of verify's cases, and what becomes of a machine that answers one wrong.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <set>

#include "app/cli/run_configs.hpp"
#include "app/cli/verify_cases.hpp"
#include "core/config/config_text.hpp"
#include "core/reference/answer_checker.hpp"
#include "core/reference/reference.hpp"
#include "tests/app/lying_machine.hpp"

namespace pivotscope {
namespace {

TEST(case_ranges, reach_the_corners) {
  const case_generator generator({.seed = 4, .most_keys = 3000});
  std::set<u64> counts;
  bool backwards = false, all = false, to_the_end = false;
  u32 rows = 0;
  for (u64 i = 0; i < 300; ++i) {
    const verify_case c = generator.draw(i);
    rows += c.range_rows;
    const key_array keys = *make_keys(c.load, c.config.keys);
    const range_array ranges = *case_ranges(c, keys);
    const reference truth(keys);
    const u64 greatest = c.config.keys == key_width::u32 ? 0xFFFFFFFFull : ~0ull;
    for (u64 r = 0; r < ranges.size(); ++r) {
      const u64 low = ranges.low[r], high = ranges.high[r], count = truth.range(low, high).count;
      counts.insert(count);
      backwards = backwards || low > high;
      all = all || (keys.size() > 100 && count == keys.size());
      to_the_end = to_the_end || (low == greatest && high == greatest);
    }
  }
  for (const u64 n : {0, 1, 2, 31, 32, 33, 63, 64, 65}) EXPECT_TRUE(counts.contains(n)) << n;
  EXPECT_TRUE(backwards && all && to_the_end);
  EXPECT_EQ(rows, 100u);
}

// The last entry of every range that reaches beyond 9 is overlooked.
void forget_an_entry(range_result& result, const range_array& ranges) {
  for (u64 i = 0; i < ranges.size(); ++i) {
    if (result.answers[i].count > 0 && ranges.high[i] > 9) --result.answers[i].count;
  }
}

void mistake_a_row(range_result& result, const range_array&) {
  for (u32& row : result.rows) row ^= row % 7 == 3;
}

const verify_case dense_case{*config_from_line("EO+KS fanout=5"),
                             {.keys = 3000, .dist = distribution::dense, .seed = 9, .lookups = 100}};

TEST(check_case, finds_a_wrong_range_and_makes_it_small) {
  range_liar liar(forget_an_entry);
  case_counts counts;
  const outcome<std::optional<case_failure>> failure = check_case(liar, dense_case, counts);
  ASSERT_TRUE(failure.ok() && failure->has_value());
  ASSERT_TRUE((*failure)->range_to.has_value());
  EXPECT_NE((*failure)->words.find("entries with row sum"), std::string::npos) << (*failure)->words;
  const auto smallest = shrink_case(liar, dense_case, **failure);
  ASSERT_TRUE(smallest.ok());
  EXPECT_EQ(smallest->first.load.keys, 1u);
  const std::string line = trace_command_line(smallest->first, smallest->second, machine_kind::cpu);
  EXPECT_TRUE(
      line.starts_with("pivotscope trace --config \"EO+KS fanout=5\" --keys 1 --distribution dense --seed 9 "
                       "--machine cpu --lookup 0 --range-to "))
      << line;
}

TEST(check_case, looks_at_row_ids_where_it_is_to) {
  range_liar liar(mistake_a_row);
  case_counts counts;
  verify_case c = dense_case;
  EXPECT_FALSE(check_case(liar, c, counts)->has_value());
  c.range_rows = true;
  const auto failure = check_case(liar, c, counts);
  ASSERT_TRUE(failure.ok() && failure->has_value());
  EXPECT_NE((*failure)->words.find("listed other row ids"), std::string::npos);
}

// Words for a batch of ranges that `lie` made wrong.
std::string words_for(void (*lie)(range_result&, const range_array&)) {
  range_liar liar(lie);
  case_counts counts;
  verify_case c = dense_case;
  c.range_rows = true;
  const auto failure = check_case(liar, c, counts);
  if (!failure.ok() || !failure->has_value()) return "no failure";
  EXPECT_TRUE((*failure)->range_to.has_value());
  return (*failure)->words;
}

TEST(check_case, says_how_row_ids_are_wrong) {
  const key_array keys = *make_keys(dense_case.load, key_width::u32);
  const range_array ranges = *case_ranges(dense_case, keys);
  const reference truth(keys);
  static u64 first;  // of the ranges with several entries
  u64 begin = 0, count = 0;
  for (first = 0; count < 2; ++first) {
    begin += count;
    count = truth.range(ranges.low[first], ranges.high[first]).count;
  }
  --first;
  const std::string range = "range " + std::to_string(first) + " from " + std::to_string(ranges.low[first]) + " to " +
                            std::to_string(ranges.high[first]) + " ";
  EXPECT_EQ(words_for([](range_result& r, const range_array&) { --r.begins[first + 1]; }),
            range + "listed " + std::to_string(count - 1) + " row ids, right are " + std::to_string(count));
  EXPECT_EQ(words_for([](range_result& r, const range_array&) { r.rows.resize(r.begins[first] + 1); }),
            range + "listed row ids " + std::to_string(begin) + " to " + std::to_string(begin + count) + " of " +
                std::to_string(begin + 1));
  EXPECT_EQ(
      words_for([](range_result& r, const range_array&) { r.rows[r.begins[first]] = r.rows[r.begins[first] + 1]; }),
      range + "listed other row ids than the right ones");
  const std::string batch = std::to_string(ranges.size()) + " ranges have ";
  EXPECT_EQ(words_for([](range_result& r, const range_array&) { r.answers.pop_back(); }),
            batch + std::to_string(ranges.size() - 1) + " answers");
  EXPECT_EQ(words_for([](range_result& r, const range_array&) { r.begins.pop_back(); }),
            batch + std::to_string(ranges.size()) + " answers");
}

outcome<scenario_report> run_ranges_on(machine& on, bool rows) {
  const workload w{.keys = 1000, .dist = distribution::dense, .ranges = 500, .range_hits = 20};
  const key_array keys = *make_keys(w, key_width::u32);
  return run_scenario(on, *config_from_line("AO+PB+KS"), answer_checker(keys), *on.load(keys, {}),
                      *draw_ranges(keys, w), range_scenario_options{.ranges = {.repeats = 2, .rows = rows}}, {});
}

TEST(range_scenario, reports_what_was_done) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const outcome<scenario_report> report = run_ranges_on(*cpu, true);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->checked && report->of_ranges);
  EXPECT_EQ(report->check.wrong, 0u);
  EXPECT_EQ(report->ranges, 500u);
  EXPECT_EQ(report->lookups, 0u);
  EXPECT_EQ(report->entries, 10'000u);
  EXPECT_EQ(report->range_rows.size(), 10'000u);
  EXPECT_EQ(report->lookup.samples_ms.size(), 2u);
  EXPECT_EQ(report->row_times.size(), 2u);
  EXPECT_NEAR(report->entries_per_second(), 20 * report->ranges_per_second(), 1e-6 * report->entries_per_second());
}

TEST(range_scenario, shows_no_figures_of_a_wrong_index) {
  range_liar forgetful(forget_an_entry), mistaken(mistake_a_row);
  EXPECT_EQ(run_ranges_on(mistaken, false)->check.wrong, 0u);
  for (machine* liar : {static_cast<machine*>(&forgetful), static_cast<machine*>(&mistaken)}) {
    const outcome<scenario_report> report = run_ranges_on(*liar, true);
    ASSERT_TRUE(report.ok());
    EXPECT_GT(report->check.wrong, 0u);
    nlohmann::json json;
    to_json(json, *report);
    EXPECT_EQ(json["wrong"], report->check.wrong);
    for (const char* figure : {"times", "ranges_per_second", "entries_per_second", "entries", "bytes", "found"}) {
      EXPECT_FALSE(json.contains(figure));
    }
    const std::string table = reports_table({*report});
    EXPECT_NE(table.find("AO+PB+KS  wrong answers\n"), std::string::npos) << table;
  }
}

}  // namespace
}  // namespace pivotscope
