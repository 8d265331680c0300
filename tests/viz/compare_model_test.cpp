// Two sides, figure by figure: which is less, and when runs tell nothing.
#include "viz/models/compare_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "viz/models/probe_model.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

TEST(Compare, RunsAreToldApartByARankTest) {
  const std::vector<double> slow = {10, 10.1, 10.2, 10.3, 10.4}, fast = {9, 9.1, 9.2, 9.3, 9.4},
                            wide = {8, 9.9, 10, 10.2, 12};
  EXPECT_EQ(compare_runs(slow, fast), verdict::better);
  EXPECT_EQ(compare_runs(fast, slow), verdict::worse);
  EXPECT_EQ(compare_runs(slow, wide), verdict::no_telling);
  EXPECT_EQ(compare_runs(slow, slow), verdict::no_telling);
  EXPECT_EQ(compare_runs({10}, {1}), verdict::no_telling) << "one run each tells nothing";
  EXPECT_EQ(compare_runs({10, 10, 10, 10}, {1, 1, 1, 1}), verdict::no_telling) << "nor do four";
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
  run.record.operations = 1 << 12;
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

TEST(Compare, TablesAreToldApartByHowFarTheirLookupsGo) {
  const side a = side_of("HT+CUCKOO load=95", {}, provenance::measured), b = side_of("GPH", {}, provenance::measured),
             c = side_of("HT+OA", {}, provenance::measured);
  std::vector<std::unique_ptr<probe_study>> studies;
  const auto with_lengths = [&](const side& s) {
    studies.push_back(
        std::make_unique<probe_study>(s.session.index, model_of(*s.session.index), s.session.choice.load));
    while (studies.back()->go_on(1)) {
    }
    compared_side view = s.view();
    view.probes = studies.back().get();
    return view;
  };
  const compared_side of_a = with_lengths(a), of_b = with_lengths(b), of_c = with_lengths(c);
  auto rows = by_name(compare(of_a, of_b));
  for (const char* name : {"a hit reads", "a miss reads"}) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(rows.contains(name));
    EXPECT_TRUE(rows[name].a.ends_with(" buckets"));
    EXPECT_EQ(rows[name].of_b, verdict::better);
    EXPECT_FALSE(rows[name].judged) << "buckets may have different sizes";
  }
  EXPECT_EQ(rows["a miss reads"].a, fmt::format("{:.2f} buckets", studies[0]->misses().mean()));
  rows = by_name(compare(of_a, of_c));
  EXPECT_TRUE(rows["a hit reads"].b.ends_with(" windows"));
  EXPECT_EQ(rows["a hit reads"].of_b, verdict::unknown) << "windows are no buckets";
  rows = by_name(compare(of_a, c.view()));
  EXPECT_EQ(rows["a hit reads"].of_b, verdict::unknown) << "not known yet";
  EXPECT_FALSE(by_name(compare(a.view(), b.view())).contains("a hit reads"));

  // One pair of axes for all.
  const probe_study* const all[] = {of_a.probes, of_c.probes};
  const length_axes axes = length_axes_of(all);
  EXPECT_EQ(axes.longest, std::max({studies[0]->misses().longest(), studies[2]->misses().longest(),
                                    studies[2]->hits().longest(), u64{3}}));
  double sum = 0;
  for (std::size_t read = 1; read <= axes.shown; ++read) {
    EXPECT_LE(axes.share(studies[2]->misses(), read), axes.most_share);
    sum += axes.share(studies[2]->misses(), read);
  }
  EXPECT_NEAR(sum, 100, 1e-9);
}

TEST(Compare, EveryFigureIsThatOfItsSide) {
  const side a = side_of("AO+BS", {2, 2, 2, 2, 2}, provenance::measured);
  const side b = side_of("EO+BS reorder=lookup", {1, 1, 1, 1, 1}, provenance::measured);
  auto rows = by_name(compare(a.view(), b.view()));
  for (const auto& [name, row] : rows) EXPECT_NE(row.meaning, "") << name;
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

// 32 bytes of padding in 8 MiB: not "less" beside the same figure.
TEST(Compare, FiguresThatLookAlikeAreTheSameOrShownInFull) {
  const auto bytes_of = [](const char* line) {
    side s = side_of("AO+BS", {1}, provenance::live);
    const workload load{.keys = 100'000, .dist = distribution::dense, .lookups = 64};
    s.session.index = testing::build_on_cpu(testing::config_of(line), *make_keys(load, key_width::u32));
    return s;
  };
  const side a = bytes_of("AO+BS"), b = bytes_of("EO+KS fanout=9");
  const auto row = by_name(compare(a.view(), b.view()))["bytes of the index"];
  const u64 of_a = a.session.index->bytes(), of_b = b.session.index->bytes();
  if (of_a == of_b) {
    EXPECT_EQ(row.of_b, verdict::same);
    EXPECT_EQ(row.a, row.b);
  } else {
    EXPECT_NE(row.a, row.b);
    EXPECT_NE(row.of_b, verdict::same);
  }
  const auto same = by_name(compare(a.view(), a.view()))["bytes of the index"];
  EXPECT_EQ(same.of_b, verdict::same);
  EXPECT_EQ(same.a, bytes_text(of_a));
}

TEST(Compare, OfTooFewLookupsItSaysNeitherFasterNorSlower) {
  const auto of_many = [](side s, u64 operations) {
    std::vector<session_run> runs = *s.session.runs;
    runs.back().record.operations = operations;
    s.session.runs = std::make_shared<const std::vector<session_run>>(runs);
    return s;
  };
  const auto rate = [&](u64 operations) {
    const side a = of_many(side_of("AO+BS", {2, 2, 2, 2, 2}, provenance::measured), operations);
    const side b = of_many(side_of("EO+BS", {1, 1, 1, 1, 1}, provenance::measured), operations);
    return by_name(compare(a.view(), b.view()))["lookups a second"];
  };
  EXPECT_EQ(rate(1 << 12).of_b, verdict::better);
  EXPECT_EQ(rate(1 << 12).withheld, "");
  EXPECT_EQ(rate(64).of_b, verdict::no_telling);
  EXPECT_EQ(rate(64).withheld.substr(0, 10), "64 lookups");
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

// A figure beside another is as good as the worse of the two: measured where both are.
TEST(Compare, ARateIsMeasuredWhereBothAre) {
  const auto origin_of = [](provenance of_a, provenance of_b) {
    const side a = side_of("AO+BS", {2, 2, 2, 2, 2}, of_a), b = side_of("EO+BS", {1, 1, 1, 1, 1}, of_b);
    auto rows = by_name(compare(a.view(), b.view()));
    EXPECT_EQ(rows["build"].origin, provenance::live) << "built once, whatever was measured over it";
    return rows["lookups a second"].origin;
  };
  for (const provenance a : {provenance::live, provenance::measured})
    for (const provenance b : {provenance::live, provenance::measured})
      EXPECT_EQ(origin_of(a, b), a == b ? a : provenance::live);
}

// The last run is of what is in view, or it is no figure of it: each part of a choice that may have changed since.
TEST(Compare, ARunOfAnotherChoiceIsNoFigureOfThisOne) {
  const side a = side_of("AO+BS", {2, 2, 2, 2, 2}, provenance::measured);
  const std::pair<const char*, void (*)(session_choice&)> changes[] = {
      {"nothing", [](session_choice&) {}},
      {"the key in view", [](session_choice& c) { c.key = 7; }},
      {"the config", [](session_choice& c) { c.config = testing::config_of("EO+BS layout=soa"); }},
      {"the key width", [](session_choice& c) { c.config = testing::config_of("EO+BS keys=u64"); }},
      {"how many keys", [](session_choice& c) { c.load.keys += 1; }},
      {"how many lookups", [](session_choice& c) { c.load.lookups += 1; }},
      {"the seed", [](session_choice& c) { c.load.seed += 1; }},
      {"the script", [](session_choice& c) { c.load.recipe.inserts = 3; }},
      {"the machine", [](session_choice& c) { c.machine = machine_kind::cuda; }}};
  for (const auto& [what, change] : changes) {
    SCOPED_TRACE(what);
    side b = side_of("EO+BS", {1, 1, 1, 1, 1}, provenance::measured);
    const bool same = what == changes[0].first || what == changes[1].first;
    change(b.session.choice);
    auto rows = by_name(compare(a.view(), b.view()));
    for (const char* timed : {"lookups a second", "build"}) {
      EXPECT_EQ(rows[timed].b == "\xE2\x80\x93", !same) << timed;
      EXPECT_EQ(rows[timed].of_b == verdict::unknown, !same) << timed;
      EXPECT_NE(rows[timed].a, "\xE2\x80\x93") << timed;
    }
  }
}

TEST(Compare, TwoStepsOfALookupReadWhatTheirAccessesSay) {
  for (const char* line :
       {"EO+BS", "EO+KS fanout=9 lanes=4 layout=soa", "AO+BS pin=full scratch=64", "PLAIN lanes=8"}) {
    SCOPED_TRACE(line);
    const side s = side_of(line, {1, 1, 1}, provenance::live);
    const lookup_trace& trace = s.trace;
    // Byte by byte.
    const auto blocks = [&](u32 step, u64 size) {
      std::set<std::pair<u64, u64>> out;
      for (const memory_access& a : trace.steps[step].accesses)
        for (u64 b = a.byte_offset; a.space == memory_space::global && b < a.byte_offset + a.bytes; ++b)
          out.insert({number_of(a.array), b / size});
      return out;
    };
    const auto last = static_cast<u32>(trace.steps.size() - 1);
    for (const auto& [a, b] : {std::pair(0u, last), std::pair(last, 0u), std::pair(last / 2, last)}) {
      auto rows = by_name(compare_steps(trace, a, b));
      const auto expect = [&](const char* name, u64 of_a, u64 of_b) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(rows.contains(name));
        EXPECT_EQ(rows[name].a, grouped(of_a));
        EXPECT_EQ(rows[name].b, grouped(of_b));
        EXPECT_EQ(rows[name].of_b, of_b < of_a ? verdict::better : of_b > of_a ? verdict::worse : verdict::same);
        EXPECT_FALSE(rows[name].judged) << "a later step has less to look for, and is not better";
        EXPECT_EQ(rows[name].origin, provenance::modelled);
      };
      const trace_step &x = trace.steps[a], &y = trace.steps[b];
      expect("still possible", x.left_end - x.left_first, y.left_end - y.left_first);
      const auto bytes = [](const trace_step& step, memory_space space) {
        u64 sum = 0;
        for (const memory_access& access : step.accesses)
          if (access.space == space) sum += access.bytes;
        return sum;
      };
      expect("bytes loaded", bytes(x, memory_space::global), bytes(y, memory_space::global));
      const u64 scratch_a = bytes(x, memory_space::scratch), scratch_b = bytes(y, memory_space::scratch);
      EXPECT_EQ(rows.contains("from scratch"), scratch_a + scratch_b > 0);
      if (scratch_a + scratch_b > 0) expect("from scratch", scratch_a, scratch_b);
      for (const auto& [name, shared, size] :
           {std::tuple("sectors", "shared sectors", 32u), std::tuple("lines", "shared lines", 128u)}) {
        const auto in_a = blocks(a, size), in_b = blocks(b, size);
        expect(name, in_a.size(), in_b.size());
        u64 both = 0;
        for (const auto& block : in_a) both += in_b.count(block);
        EXPECT_EQ(rows[shared].a, std::to_string(both) + " of " + std::to_string(in_a.size()));
        EXPECT_EQ(rows[shared].b, std::to_string(both) + " of " + std::to_string(in_b.size()));
        EXPECT_EQ(rows[shared].of_b, verdict::unknown);
      }
      EXPECT_EQ(rows["where"].a, x.where);
      EXPECT_EQ(rows["where"].b, y.where);
    }
    for (const compared& row : compare_steps(trace, 1, 1))
      EXPECT_TRUE(row.of_b == verdict::same || row.of_b == verdict::unknown) << row.name;
    const auto ends = compare_steps(trace, last, last), beyond = compare_steps(trace, last, last + 9);
    for (std::size_t i = 0; i < ends.size(); ++i) EXPECT_EQ(ends[i].b, beyond[i].b);
  }
  EXPECT_TRUE(compare_steps({}, 0, 1).empty());
}

// A table has no levels, and what is left says nothing: its windows do.
TEST(Compare, TwoStepsOfATableAreToldInItsWords) {
  std::vector<u32> keys;
  for (u32 i = 0; i < 400; ++i) keys.push_back(i * 3);
  const auto index =
      testing::build_on_cpu(testing::config_of("HT+OA probing=linear load=90 window=4 lanes=1"), key_array(keys));
  for (u64 key = 0; key < 1200; key += 3) {
    const lookup_trace trace = *trace_lookup(*index, key);
    if (trace.steps.size() < 2) continue;
    const auto last = static_cast<u32>(trace.steps.size() - 1);
    auto rows = by_name(compare_steps(trace, 0, last));
    EXPECT_TRUE(rows["where"].a.starts_with("home window ")) << rows["where"].a;
    EXPECT_TRUE(rows["where"].b.starts_with("window ")) << rows["where"].b;
    EXPECT_EQ(rows["it is"].a, "full");
    EXPECT_EQ(rows["it is"].b, "found");
    EXPECT_EQ(rows["finds"].a, "no match");
    EXPECT_FALSE(rows.contains("still possible"));
    return;
  }
  FAIL() << "no key lies beyond its home";
}

// Eytzinger's way to 9 begins at 10, and ends where it is.
TEST(Compare, WhatStepsFindIsSaidAsOnThePath) {
  const index_config config = testing::config_of("EO+BS");
  const auto index = testing::build_on_cpu(config, *make_keys(workload{}, config.keys));
  const lookup_trace trace = *trace_lookup(*index, 9);
  auto rows = by_name(compare_steps(trace, 0, static_cast<u32>(trace.steps.size() - 1)));
  EXPECT_EQ(rows["finds"].a, "< 10");
  EXPECT_EQ(rows["finds"].b, "= 9");
  EXPECT_EQ(rows["keys compared"].of_b, verdict::same);
}

}  // namespace
}  // namespace pivotscope::viz
