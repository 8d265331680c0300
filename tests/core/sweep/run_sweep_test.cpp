// What a sweep measures and says: over the cpu machine, one whose times are given, and one that lies.
#include "core/sweep/run_sweep.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/index/config_text.hpp"
#include "core/sweep/point_text.hpp"
#include "core/sweep/sweep_figures.hpp"
#include "core/sweep/sweep_result.hpp"
#include "core/traffic/traffic.hpp"
#include "core/tuning/adviser.hpp"
#include "tests/core/sweep/three_rows.hpp"

namespace pivotscope {
namespace {

using testing::points_of;
using testing::small;
using testing::three_rows;

// Counts what is loaded and built.
class counting_machine final : public honest_machine {
 public:
  outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) override {
    ++loads;
    return honest_machine::load(keys, control);
  }
  u32 loads = 0;
};

// Given times: Eytzinger order takes half of the ascending one's.
TEST(run_sweep, finds_the_best_and_says_what_is_reached) {
  given_machine on(machine_kind::cpu);
  const sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_EQ(to_line(points[0].best()->config), "EO+BS");
  EXPECT_EQ(points[0].best()->samples_ms.size(), 14u);
  EXPECT_NEAR(points[0].best()->rate() / points[1].best()->rate(), 2, 1e-9);
  EXPECT_EQ(to_line(points[2].best()->config), "EO+BS") << "that of the row it is about";

  ASSERT_EQ(points[0].wants.size(), 2u);
  EXPECT_TRUE(points[0].wants[0].reached());
  EXPECT_FALSE(points[0].wants[1].reached());
  ASSERT_EQ(points[1].wants.size(), 4u);
  EXPECT_FALSE(points[1].wants[0].reached());
  EXPECT_NEAR(points[1].wants[0].share(), 0.5 / 0.66, 1e-9);
  EXPECT_EQ(points[1].wants[0].words, "0.66 of faster");
  EXPECT_TRUE(points[1].wants[1].reached());
  EXPECT_TRUE(points[1].wants[2].reached()) << "of a time less is more";
  // The keys are sorted in 4 ms, and 0.5 ms builds.
  EXPECT_NEAR(points[1].wants[3].got, 1.125, 1e-9);
  EXPECT_TRUE(points[1].wants[3].reached());

  const std::vector<figure_line> lines = figures_of(what, points[1], 0);
  EXPECT_EQ(text_of_figure(lines[0], "verdict"), "falls short: 0.76 of it");
  EXPECT_EQ(text_of_figure(lines[1], "verdict"), "reached");
  std::vector<std::string> of;
  for (const figure_line& line : lines) of.push_back(text_of_figure(line, "wanted_of"));
  EXPECT_EQ(of, (std::vector<std::string>{"rate", "rate", "time", "sort and build"}));
  EXPECT_EQ(std::get<double>(figure_of(lines[0], "sort_ms").value), 4.0);
  EXPECT_EQ(std::get<double>(figure_of(lines[0], "of_sorted_array").value), points[1].sorted_array_share());
  EXPECT_NEAR(points[1].sorted_array_share(), 1, 0.01);
}

// One whose library sorts in 5 ms what it sorts in 4 itself.
class machine_with_library final : public given_machine {
 public:
  machine_with_library() : given_machine(machine_kind::cpu) {}
  outcome<stage_time> library_sort(const resident_keys&, const job_control&) override {
    ++asked;
    return stage_time{"sort", {5, 5.5, 4.5}};
  }
  u32 asked = 0;
};

TEST(run_sweep, holds_sorting_and_building_against_the_librarys_sort_where_there_is_one) {
  machine_with_library on;
  const sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_EQ(on.asked, 1u) << "of the one row that wants it";
  EXPECT_EQ(points[0].library_sort_ms, 0);
  EXPECT_EQ(points[1].library_sort_ms, 5);
  EXPECT_NEAR(points[1].wants[3].got, 4.5 / 5, 1e-9);
  EXPECT_EQ(points[1].wants[3].words, "times cub::DeviceRadixSort alone, 5 ms");

  const auto again = point_from_text(point_text(points[1]), what.rows[1]);
  ASSERT_TRUE(again) << again.error().words;
  EXPECT_EQ(again->library_sort_ms, 5);
}

TEST(run_sweep, what_falls_short_by_a_hair_is_not_all_of_it) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  what.rows[1].wants = {{measure::rate, 0.502, wanted_in::rate_of_row, "faster"},
                        {measure::rate, 0.5 / 0.99999, wanted_in::rate_of_row, "faster"}};
  const std::vector<figure_line> lines = figures_of(what, points_of(what, on)[1], 0);
  EXPECT_EQ(text_of_figure(lines[0], "verdict"), "falls short: 0.996 of it");
  EXPECT_EQ(text_of_figure(lines[1], "verdict"), "falls short: 0.999 of it");
}

TEST(run_sweep, judges_on_the_device_that_is_meant_and_unscaled) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on, 1);
  EXPECT_EQ(points[0].row.load.keys, 150u);
  EXPECT_EQ(not_judged(what, points[0], 1).value_or(""), "counts are cut by 1 bits");
  EXPECT_EQ(not_judged(what, points[0], 0), std::nullopt);
  EXPECT_EQ(text_of_figure(figures_of(what, points[0], 1)[0], "verdict").find("reached"), std::string::npos);
  what.device = "NVIDIA H200";
  EXPECT_EQ(not_judged(what, points[0], 0).value_or(""), "what is wanted is of NVIDIA H200, and this is Given Machine");
  sweep_point on_cpu = points[0];
  on_cpu.row.on = machine_kind::cpu;  // compared with what ran beside it
  EXPECT_EQ(not_judged(what, on_cpu, 0), std::nullopt);
}

TEST(run_sweep, asks_each_row_its_own_batch) {
  counting_machine on;
  sweep what = three_rows();
  for (sweep_row& row : what.rows) row.wants.clear();
  what.rows[1].load.lookups = 70, what.rows[1].load.hits = 0.5;
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_EQ(on.loads, 1u);
  EXPECT_EQ(points[0].best()->operations, 200u);
  EXPECT_EQ(points[1].best()->operations, 70u);
  EXPECT_EQ(points[2].best()->operations, 200u);
}

// Whatever a batch may ask: measured on the cpu, every answer checked.
TEST(run_sweep, asks_every_question) {
  const auto cpu = detail::open_cpu();
  sweep what = three_rows();
  what.rows.resize(1);
  what.rows[0].wants.clear();
  for (const operation kind : read_operations) {
    set_batch_size(what.rows[0].load, kind, 50);
    const std::vector<sweep_point> points = points_of(what, *cpu);
    ASSERT_NE(points[0].best(), nullptr) << operation_noun(kind);
    EXPECT_EQ(operation_of(points[0].row.load), kind);
    EXPECT_EQ(points[0].best()->operations, 50u);
    EXPECT_FALSE(points[0].wrong) << points[0].problem;
  }
}

TEST(run_sweep, makes_keys_once_for_rows_that_have_the_same) {
  counting_machine on;
  sweep what = three_rows();
  what.rows[1].wants.pop_back();  // of sorting
  points_of(what, on);
  EXPECT_EQ(on.loads, 1u);
  what.rows[1].load.seed = 2;
  points_of(what, on);
  EXPECT_EQ(on.loads, 4u) << "three times more";
  what.rows[1].load.seed = 1, what.rows[1].width = key_width::u64;
  points_of(what, on);
  EXPECT_EQ(on.loads, 7u);
  what.rows[1].width = key_width::u32, what.rows[1].wants = {{measure::sort_and_build, 1.15}};
  points_of(what, on);
  EXPECT_EQ(on.loads, 9u) << "what sorts has keys of its own";
}

// The exponent is of the keys where these are drawn by Zipf's law, and else of the lookups alone.
TEST(run_sweep, makes_other_keys_for_another_exponent_of_theirs) {
  for (const auto& [dist, loads] : {std::pair(distribution::zipf, 3u), {distribution::uniform, 1u}}) {
    counting_machine on;
    sweep what = three_rows();
    for (sweep_row& row : what.rows) {
      row.wants.clear();
      row.load.dist = dist, row.load.popular = popularity::zipf, row.load.exponent = 1;
      row.load.exponent += static_cast<double>(&row - what.rows.data());
    }
    points_of(what, on);
    EXPECT_EQ(on.loads, loads) << distribution_name(dist);
  }
}

TEST(run_sweep, has_no_figures_where_an_answer_is_wrong) {
  given_machine on(machine_kind::cpu);  // which answers fanout=5 wrong
  sweep what = three_rows();
  what.rows[0].configs = {"EO+BS", "EO+KS fanout=5"};
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_TRUE(points[0].wrong);
  EXPECT_EQ(points[0].best(), nullptr);
  EXPECT_TRUE(points[0].wants.empty());
  EXPECT_TRUE(points[0].problem.starts_with("EO+KS fanout=5: 1 of 200 answers are wrong")) << points[0].problem;
  for (const figure_line& line : figures_of(what, points[0], 0))
    for (const figure& f : line)
      if (f.hint == figure_hint::rate || f.hint == figure_hint::milliseconds || f.hint == figure_hint::bytes ||
          f.hint == figure_hint::ratio || f.hint == figure_hint::throughput) {
        EXPECT_FALSE(f.known()) << f.name;
      }
  // What leans on it is not measured, and says why; a want beside it is not told.
  EXPECT_EQ(points[2].problem, "faster was not measured, whose config it is about");
  EXPECT_FALSE(points[2].wrong);
  ASSERT_EQ(points[1].wants.size(), 2u) << "but for the two beside the first row";
}

TEST(run_sweep, all_configs_wrong_is_wrong_too) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  what.rows[0].configs = {"EO+KS fanout=5"};
  EXPECT_TRUE(points_of(what, on)[0].wrong);
}

TEST(run_sweep, goes_on_where_a_row_cannot_be_measured) {
  counting_machine on;
  sweep what = three_rows();
  what.rows[0].load.keys = 3, what.rows[0].load.dist = distribution::dense;
  what.rows[0].load.hits = 0, what.rows[0].load.misses = miss_place::inside;
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_TRUE(points[0].problem.starts_with("misses=inside: ")) << points[0].problem;
  EXPECT_NE(points[1].best(), nullptr);
}

// A machine that does no more work from its call number `last` on: loads, builds, runs, sorts and gathers count.
class dying_machine final : public given_machine {
 public:
  explicit dying_machine(u32 last) : given_machine(machine_kind::cuda), last_(last) {}
  outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) override {
    return alive() ? given_machine::load(keys, control) : gone();
  }
  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> keys,
                                                    const job_control& control) override {
    if (!alive()) return gone();
    return given_machine::build(config, std::move(keys), control);
  }
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    if (!alive()) return gone();
    return given_machine::run(index, asked, options, control);
  }
  outcome<stage_time> library_sort(const resident_keys&, const job_control&) override {
    if (!alive()) return gone();
    return stage_time{"sort", {5}};
  }
  outcome<std::vector<gather_times>> gather(std::span<const gather_question> asked, const batch_options& options,
                                            const job_control& control) override {
    if (!alive()) return gone();
    return given_machine::gather(asked, options, control);
  }
  u32 calls = 0;

 private:
  static problem gone() { return {.words = "the GPU failed", .ends_machine = true}; }
  bool alive() { return ++calls < last_; }
  u32 last_;
};

// All that is told of points, but for the clocks and the load, which are the computer's own.
std::string told_of(const sweep& what, std::vector<sweep_point> points) {
  for (sweep_point& point : points) point.clocks = point.governor = "", point.load.reset();
  return sweep_json(what, {}, points);
}

// Wherever it gives up: what was measured before is as it would have been, the row in work is not kept, and who goes on with
// another machine measures that one and those behind it, and comes to the same.
TEST(run_sweep, ends_where_the_machine_does_no_more_work_and_goes_on_there) {
  sweep what = three_rows();
  workload ranges = small;
  set_batch_size(ranges, operation::range, 20);
  what.rows.push_back({.id = "ranges", .load = ranges, .configs = {"AO+BS"}, .advised = false});
  what.rows.push_back({.id = "loads", .load = small, .gather_lanes = 8, .advised = false});
  const sweep_options options{.rounds = testing::fourteen_runs,
                              .now = [] { return std::chrono::steady_clock::time_point{}; }};
  using names = std::vector<std::string>;
  const auto sweep_on = [&](u32 last, std::vector<sweep_point>& points, names& told) {
    dying_machine on(last);
    const status done = run_sweep(what, on, {}, options, {}, points, [&](const sweep_point& point) {
      told.push_back(point.row.id);
      return fine();
    });
    return std::pair(done ? std::string() : done.error().words, on.calls);
  };
  std::vector<sweep_point> whole;
  names all;
  const auto [no_problem, calls] = sweep_on(~0u, whole, all);
  ASSERT_EQ(no_problem, "");
  ASSERT_EQ(all, (names{"faster", "slower", "same", "ranges", "loads"}));
  for (const sweep_point& point : whole) ASSERT_NE(point.best(), nullptr) << point.problem;
  ASSERT_GT(calls, 30u);
  names kept_at;
  for (u32 last = 1; last <= calls; ++last) {
    SCOPED_TRACE(fmt::format("call {} of {}", last, calls));
    std::vector<sweep_point> points;
    names before, behind;
    EXPECT_EQ(sweep_on(last, points, before).first, "the GPU failed");
    ASSERT_LT(points.size(), whole.size());
    ASSERT_EQ(before, names(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(points.size())));
    EXPECT_EQ(told_of(what, points),
              told_of(what, {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(points.size())}));
    kept_at.push_back(fmt::format("{}", points.size()));
    EXPECT_EQ(sweep_on(~0u, points, behind).first, "");
    EXPECT_EQ(behind, names(all.begin() + static_cast<std::ptrdiff_t>(before.size()), all.end()));
    EXPECT_EQ(told_of(what, points), told_of(what, whole));
  }
  EXPECT_TRUE(std::is_sorted(kept_at.begin(), kept_at.end())) << "the longer it works, the more there is";
  EXPECT_EQ(kept_at.front(), "0");
  EXPECT_EQ(kept_at.back(), "4");
}

// As of a row whose file was removed.
TEST(run_sweep, rows_that_lean_on_one_that_comes_later_have_their_wants) {
  given_machine on(machine_kind::cpu);
  const sweep what = three_rows();
  std::vector<sweep_point> points = points_of(what, on);
  ASSERT_EQ(points[1].wants.size(), 4u);
  points.erase(points.begin());
  for (sweep_point& point : points) point.wants = tell_wants(point, points);
  EXPECT_EQ(points[0].wants.size(), 2u) << "nothing to compare with";
  ASSERT_TRUE(run_sweep(what, on, {}, {}, {}, points));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].wants.size(), 4u);
}

TEST(run_sweep, keeps_what_was_measured_before_it_is_cancelled) {
  counting_machine on;
  const sweep what = three_rows();
  job_control control;
  std::vector<sweep_point> points;
  u32 told = 0;
  std::vector<double> fractions;
  std::vector<std::string> rows;  // that are told, each once
  const sweep_options options{.report = [&](const sweep_progress& now) {
    fractions.push_back(now.fraction);
    const std::string row = now.words.substr(0, now.words.find(','));
    if (rows.empty() || rows.back() != row) rows.push_back(row);
  }};
  const status done = run_sweep(what, on, {}, options, control, points, [&](const sweep_point&) {
    if (++told == 2) control.cancel();
    return fine();
  });
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().cancelled);
  EXPECT_EQ(points.size(), 2u);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_LE(fractions.back(), 1.0);
  EXPECT_EQ(rows, (std::vector<std::string>{"row 1 of 3", "row 2 of 3", "row 3 of 3"}));
  // Who goes on is at the beginning of what is left, and comes to the end of it.
  fractions.clear();
  ASSERT_TRUE(run_sweep(what, on, {}, options, {}, points));
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.front(), 0);
  EXPECT_GT(fractions.back(), 0.9);
  EXPECT_LE(fractions.back(), 1);
}

TEST(run_sweep, measures_the_advisers_choice_beside) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  what.rows = {{.id = "one", .load = small, .configs = {"AO+BS"}},
               {.id = "two", .load = small, .configs = {"AO+PB+KS"}}};
  const std::vector<sweep_point> points = points_of(what, on);
  ASSERT_TRUE(points[0].advised);
  EXPECT_EQ(*points[0].advised, advise(facts_of(small, key_width::u32), on.info()).best());
  EXPECT_EQ(to_line(*points[0].advised), "AO+PB+KS");
  ASSERT_EQ(points[0].ranking.size(), 1u) << "it is none of the row's configs, whether it is faster or not";
  EXPECT_EQ(to_line(points[0].best()->config), "AO+BS");
  EXPECT_NEAR(points[0].advised_share(), 0.3, 1e-9);
  EXPECT_EQ(to_line(points[1].best()->config), "AO+PB+KS");
  EXPECT_EQ(points[1].advised_share(), 1);
}

TEST(run_sweep, compares_with_the_standard_search) {
  counting_machine on;
  sweep what = three_rows();
  workload load = small;
  load.hits = 0.5;
  what.rows = {{.id = "standard", .load = load, .standard_search = true, .on = machine_kind::cpu},
               {.id = "ours",
                .load = load,
                .configs = {"AO+BS"},
                .on = machine_kind::cpu,
                .wants = {{measure::rate, 1e-9, wanted_in::rate_of_row, "standard"}}}};
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_EQ(points[0].name_of(*points[0].best()), "std::lower_bound");
  EXPECT_EQ(points[0].best()->samples_ms.size(), 14u);
  EXPECT_EQ(points[0].best()->index_bytes, 300u * 8);
  ASSERT_EQ(points[1].wants.size(), 1u);
  EXPECT_TRUE(points[1].wants[0].reached());
}

TEST(run_sweep, compares_ranges_with_streaming_them) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  workload load = small;
  set_batch_size(load, operation::range, 50);
  load.range_hits = 20;
  what.rows = {{.id = "ranges",
                .load = load,
                .configs = {"AO+BS"},
                .advised = false,
                .wants = {{measure::time, 1.2, wanted_in::stream_of_all}}}};
  const std::vector<sweep_point> points = points_of(what, on);
  ASSERT_EQ(points[0].wants.size(), 1u);
  // 50 ranges of 20 entries of 8 bytes, but for what the array has beyond them.
  EXPECT_NEAR(points[0].wants[0].limit, 1.2 * 8000 / h200_stream_bytes_per_second * 1e3, 1e-9);
}

// What is wanted of every row of every sweep, beside points of which each has figures: a limit that leans on something says on what.
TEST(run_sweep, every_want_has_a_limit_and_words_for_what_it_is_relative_to) {
  const index_config config = *config_from_line("AO+BS");
  u64 of_rows = 0, of_streams = 0, of_sorts = 0, of_themselves = 0;
  for (const sweep& of : sweeps()) {
    std::vector<sweep_point> points;
    for (const sweep_row& row : of.rows) {
      sweep_point point{.row = row, .sort_ms = 8, .library_sort_ms = points.size() % 2 == 0 ? 4.0 : 0.0};
      const double ms = 2 + static_cast<double>(points.size() % 3);
      point.ranking = {{.config = config, .index_bytes = 800, .build_ms = 1, .operations = 3000, .samples_ms = {ms}}};
      points.push_back(std::move(point));
    }
    for (const sweep_point& point : points) {
      const std::vector<told_want> told = tell_wants(point, points);
      ASSERT_EQ(told.size(), point.row.wants.size()) << point.row.id;
      for (std::size_t i = 0; i < told.size(); ++i) {
        SCOPED_TRACE(of.name + ", " + point.row.id);
        const want& wanted = point.row.wants[i];
        const told_want& one = told[i];
        EXPECT_GT(one.limit, 0);
        EXPECT_GT(one.got, 0);
        EXPECT_DOUBLE_EQ(one.share(), wanted.what == measure::rate ? one.got / one.limit : one.limit / one.got);
        if (wanted.in == wanted_in::rate_of_row) {
          ++of_rows;
          EXPECT_EQ(one.words, fmt::format("{:g} of {}", wanted.value, wanted.row));
          EXPECT_DOUBLE_EQ(one.limit, wanted.value * point_of(points, wanted.row)->best()->rate());
        } else if (wanted.in == wanted_in::stream_of_all) {
          ++of_streams;
          const u64 bytes = point.row.load.ranges * point.row.load.range_hits * 8;
          EXPECT_EQ(one.words, fmt::format("{:g} of streaming {:.3g} GB at {:.2f} TB/s", wanted.value,
                                           static_cast<double>(bytes) / 1e9, h200_stream_bytes_per_second / 1e12));
          EXPECT_DOUBLE_EQ(one.limit, wanted.value * static_cast<double>(bytes) / h200_stream_bytes_per_second * 1e3);
        } else {
          EXPECT_EQ(one.limit, wanted.value);
          const bool library = wanted.what == measure::sort_and_build && point.library_sort_ms > 0;
          ++(wanted.what == measure::sort_and_build ? of_sorts : of_themselves);
          EXPECT_EQ(one.words, library ? "times cub::DeviceRadixSort alone, 4 ms" : "");
          if (wanted.what == measure::sort_and_build) {
            EXPECT_DOUBLE_EQ(one.got, library ? 9.0 / 4 : 9.0 / 8);
          }
        }
      }
    }
  }
  for (const u64 count : {of_rows, of_streams, of_sorts, of_themselves}) EXPECT_GT(count, 0u);
}

// On a GPU the traffic model stands beside each rate, and says why one falls short.
TEST(run_sweep, says_what_the_model_allows_on_a_gpu) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  what.rows = {what.rows[0]};
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_GT(points[0].model_rate, 0);
  const std::vector<figure_line> lines = figures_of(what, points[0], 0);
  EXPECT_EQ(text_of_figure(lines[0], "why"), "") << "it is reached";
  EXPECT_TRUE(text_of_figure(lines[1], "why").starts_with("by the model ")) << text_of_figure(lines[1], "why");
  given_machine cpu(machine_kind::cpu);
  EXPECT_EQ(points_of(what, cpu)[0].model_rate, 0);
  // Every point of lookups: those of a batch in order, and those of which half ask for one key.
  what.rows[0].load.order = lookup_order::sorted;
  EXPECT_GT(points_of(what, on)[0].model_rate, 0);
  what.rows[0].load.order = lookup_order::random, what.rows[0].load.dist = distribution::half;
  EXPECT_GT(points_of(what, on)[0].model_rate, 0);
  what.rows[0].load = small;
  set_batch_size(what.rows[0].load, operation::range, 50);
  what.rows[0].load.range_hits = 20, what.rows[0].wants = {};
  EXPECT_EQ(points_of(what, on)[0].model_rate, 0) << "ranges are not modelled";
}

// Counted, and so of a CPU's points too, and of lookups that the model has nothing to say of.
TEST(run_sweep, counts_the_sectors_of_every_lookup) {
  given_machine gpu(machine_kind::cuda), cpu(machine_kind::cpu);
  sweep what = three_rows();
  what.rows = {what.rows[0]};
  what.rows[0].configs = {"AO+BS"}, what.rows[0].advised = false;
  const double sectors = points_of(what, cpu)[0].sectors;
  EXPECT_GT(sectors, 1);
  EXPECT_EQ(points_of(what, gpu)[0].sectors, sectors) << "the same warps";
  EXPECT_EQ(std::get<double>(figure_of(figures_of(what, points_of(what, cpu)[0], 0)[0], "sectors").value), sectors);
  what.rows[0].configs = {"EO+KS fanout=9"};
  EXPECT_LT(points_of(what, cpu)[0].sectors, sectors) << "a node's keys lie together";
  what.rows[0].load.popular = popularity::zipf;
  EXPECT_GT(points_of(what, gpu)[0].sectors, 0);
  EXPECT_EQ(points_of(what, gpu)[0].model_rate, 0) << "the model has no favourites";
  what.rows[0].load = small;
  set_batch_size(what.rows[0].load, operation::range, 50);
  what.rows[0].load.range_hits = 20, what.rows[0].wants = {};
  const sweep_point ranges = points_of(what, cpu)[0];
  EXPECT_EQ(ranges.sectors, 0) << "ranges are not counted";
  EXPECT_FALSE(figure_of(figures_of(what, ranges, 0)[0], "sectors").known());
}

TEST(run_sweep, tells_the_model_s_error_and_whose_rates_it_took) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on);
  for (const sweep_point& point : points) {
    ASSERT_TRUE(point.model_error());
    EXPECT_DOUBLE_EQ(*point.model_error(), point.model_rate / point.best()->rate() - 1);
    EXPECT_EQ(point.model_words, "the rates of an NVIDIA H200, which are built in");
    EXPECT_EQ(std::get<double>(figure_of(figures_of(what, point, 0)[0], "model_error").value), *point.model_error());
  }
  std::vector<sweep_point> measured;
  const sweep_options options{.rates = {.device = "a GPU", .built_in = false, .l1_lines = 1e3}};
  ASSERT_TRUE(run_sweep(what, on, {}, options, {}, measured));
  EXPECT_EQ(measured[0].model_bound, "L1");
  EXPECT_LT(measured[0].model_rate, points[0].model_rate);
  EXPECT_EQ(model_words(measured), std::vector<std::string>{"the rates that `pivotscope floor` measured of a GPU"});

  // The middle and the worst, whichever way: +50%, -20%, and a row that was not modelled.
  std::vector<sweep_point> three = points;
  three[0].model_rate = 1.5 * three[0].best()->rate(), three[1].model_rate = 0.8 * three[1].best()->rate();
  three[2].model_rate = 0;
  const std::optional<model_errors> errors = tell_model_errors(three);
  ASSERT_TRUE(errors);
  EXPECT_EQ(errors->points, 2u);
  EXPECT_NEAR(errors->median, 0.35, 1e-12);
  EXPECT_NEAR(errors->worst, 0.5, 1e-12);
  EXPECT_EQ(errors->worst_row, "faster");
  const nlohmann::json json = nlohmann::json::parse(sweep_json(what, {}, three));
  EXPECT_NEAR(json["model"]["median_error"].get<double>(), 0.35, 1e-12);
  given_machine cpu(machine_kind::cpu);
  EXPECT_FALSE(tell_model_errors(points_of(what, cpu)));
  EXPECT_TRUE(nlohmann::json::parse(sweep_json(what, {}, points_of(what, cpu)))["model"].is_null());
}

TEST(sweep_files, have_the_same_values) {
  given_machine on(machine_kind::cpu);
  const sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on);
  sweep_head head{.program = "p", .commit = "c", .machine = on.info()};
  head.rounds = {.least = 2, .most = 12, .repeats = 7};
  const std::string csv = sweep_csv(what, head, points);
  const nlohmann::json json = nlohmann::json::parse(sweep_json(what, head, points));
  EXPECT_EQ(json["rows"].size(), 2u + 4u + 1u);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 + 4 + 1);
  std::string again;
  const figure_line names = figures_of(what, points[0], 0)[0];
  for (const figure& f : names) again += (again.empty() ? "" : ",") + std::string(f.name);
  again += ",sweep,seed,device,driver,scale,rounds,most_rounds,repeats,program,commit\n";
  for (const nlohmann::json& row : json["rows"]) {
    EXPECT_EQ(row.size(), names.size() + 1) << "and its candidates";
    for (std::size_t i = 0; i < names.size(); ++i) {
      const nlohmann::json& value = row.at(std::string(names[i].name));
      std::string cell = value.is_null() ? "" : value.is_string() ? value.get<std::string>() : "";
      if (value.is_number_float()) cell = fmt::format("{}", value.get<double>());
      if (value.is_number_unsigned()) cell = fmt::format("{}", value.get<u64>());
      if (cell.find(',') != cell.npos) cell = "\"" + cell + "\"";
      again += (i == 0 ? "" : ",") + cell;
    }
    again += "," + what.name + ",1,Given Machine,1.2,0,2,12,7,p,c\n";
  }
  EXPECT_EQ(csv, again);
  EXPECT_EQ(json["machine"]["driver"], "1.2");
  EXPECT_EQ(json["rows"][0]["candidates"].size(), 2u);
}

}  // namespace
}  // namespace pivotscope
