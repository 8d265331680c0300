// Two sides, figure by figure: which is less, and when runs tell nothing.
#include "viz/compare_model.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "viz/tile_model.hpp"

namespace pivotscope::viz {
namespace {

TEST(Compare, RunsAreToldApartWhenTheirMiddleHalvesDoNotOverlap) {
  const std::vector<double> slow = {10, 10.1, 10.2, 10.3}, fast = {9, 9.1, 9.2, 9.3}, wide = {8, 9.9, 10.2, 12};
  EXPECT_EQ(compare_runs(slow, fast), verdict::better);
  EXPECT_EQ(compare_runs(fast, slow), verdict::worse);
  EXPECT_EQ(compare_runs(slow, wide), verdict::no_telling);
  EXPECT_EQ(compare_runs(slow, slow), verdict::no_telling);
  EXPECT_EQ(compare_runs({10}, {1}), verdict::no_telling) << "one run each tells nothing";
  EXPECT_EQ(compare_runs({10, 10}, {1, 1}), verdict::no_telling);
  EXPECT_EQ(compare_runs({}, {1, 1, 1}), verdict::unknown);
  EXPECT_EQ(compare_runs({1, 1, 1}, {}), verdict::unknown);
}

struct side {
  session_view session;
  lookup_trace trace;
  std::unique_ptr<tile_study> tile;

  compared_side view() const { return {session, &trace, tile.get()}; }
};

side side_of(const char* line, std::vector<double> samples, provenance origin) {
  side s;
  const workload load{.keys = 1 << 12, .dist = distribution::uniform, .lookups = 256};
  s.session.choice.config = testing::config_of(line);
  s.session.choice.load = load;
  const key_array keys = *make_keys(load, s.session.choice.config.keys);
  s.session.index = testing::build_on_cpu(s.session.choice.config, keys);
  s.trace = *trace_lookup(*s.session.index, keys[99]);
  s.tile = std::make_unique<tile_study>(s.session.index, load, 0);
  while (s.tile->go_on(1)) {
  }
  session_run run;
  run.load = load;
  run.origin = origin;
  run.record.config = s.session.choice.config;
  run.record.operations = 256;
  run.record.time.samples_ms = std::move(samples);
  s.session.runs = std::make_shared<const std::vector<session_run>>(std::vector{run});
  return s;
}

std::map<std::string, compared> by_name(const std::vector<compared>& rows) {
  std::map<std::string, compared> out;
  for (const compared& row : rows) out[row.name] = row;
  EXPECT_EQ(out.size(), rows.size());
  return out;
}

TEST(Compare, EveryFigureIsThatOfItsSide) {
  const side a = side_of("AO+BS", {2, 2, 2}, provenance::measured);
  const side b = side_of("EO+BS reorder=lookup", {1, 1, 1}, provenance::measured);
  auto rows = by_name(compare(a.view(), b.view()));
  const auto expect = [&](const char* name, u64 of_a, u64 of_b) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(rows.contains(name));
    EXPECT_EQ(rows[name].a, std::to_string(of_a));
    EXPECT_EQ(rows[name].b, std::to_string(of_b));
    EXPECT_EQ(rows[name].of_b, of_b < of_a ? verdict::better : of_b > of_a ? verdict::worse : verdict::same);
    EXPECT_EQ(rows[name].origin, provenance::modelled);
  };
  expect("steps", a.trace.steps.size(), b.trace.steps.size());
  expect("requests", a.trace.requests, b.trace.requests);
  expect("distinct sectors", a.trace.distinct_sectors, b.trace.distinct_sectors);
  expect("distinct lines", a.trace.distinct_lines, b.trace.distinct_lines);
  expect("bytes loaded", a.trace.bytes, b.trace.bytes);
  ASSERT_LT(b.tile->sectors_a_warp(true), a.tile->sectors_a_warp(false));
  EXPECT_EQ(rows["sectors a warp"].of_b, verdict::better) << "in the order in which each is served";
  EXPECT_EQ(rows["lookups a second"].of_b, verdict::better);
  EXPECT_EQ(rows["lookups a second"].origin, provenance::measured);
  EXPECT_TRUE(rows["lookups a second"].timed);
  EXPECT_EQ(rows["build"].of_b, verdict::no_telling) << "built once";
}

TEST(Compare, WhatIsNotThereIsADashAndNotCompared) {
  const side a = side_of("AO+BS", {2, 2, 2}, provenance::live);
  session_view empty;
  empty.runs = std::make_shared<const std::vector<session_run>>();
  for (const compared& row : compare(a.view(), {empty, nullptr, nullptr})) {
    EXPECT_EQ(row.b, "\xE2\x80\x93") << row.name;
    EXPECT_NE(row.a, row.b) << row.name;
    EXPECT_EQ(row.of_b, verdict::unknown) << row.name;
    EXPECT_FALSE(row.meaning.empty());
  }
  // A run of another workload, or a wrong one, is none of this choice's.
  side other = side_of("EO+BS", {1, 1, 1}, provenance::live);
  other.session.choice.load.seed = 5;
  EXPECT_EQ(by_name(compare(a.view(), other.view()))["lookups a second"].b, "\xE2\x80\x93");
  side wrong = side_of("EO+BS", {1, 1, 1}, provenance::live);
  std::vector<session_run> runs = *wrong.session.runs;
  runs.back().record.check.wrong = 1;
  wrong.session.runs = std::make_shared<const std::vector<session_run>>(runs);
  EXPECT_EQ(by_name(compare(a.view(), wrong.view()))["lookups a second"].b, "\xE2\x80\x93");
  const side live = side_of("EO+BS", {1, 1, 1}, provenance::live);
  EXPECT_EQ(by_name(compare(a.view(), live.view()))["lookups a second"].origin, provenance::live);
}

}  // namespace
}  // namespace pivotscope::viz
