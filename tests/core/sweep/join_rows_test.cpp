// A hash join's three parts: building on R, probing with S, and writing the row ids of all matches.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/index/config_text.hpp"
#include "core/sweep/plot_lines.hpp"
#include "core/sweep/point_text.hpp"
#include "core/sweep/sweep_figures.hpp"
#include "core/sweep/sweep_result.hpp"
#include "tests/core/sweep/three_rows.hpp"

namespace pivotscope {
namespace {

using testing::fourteen_runs;
using testing::points_of;

constexpr const char* with_duplicates = "keys=300 distribution=duplicates repeat=4 lookups=0 matches=200 hits=0.8";

sweep one_join(const char* load, std::vector<std::string> configs) {
  sweep made{.name = "one",
             .sentence = "for tests",
             .source = "here",
             .rows = {{.id = "row",
                       .load = *workload_from_line(load),
                       .configs = std::move(configs),
                       .advised = false,
                       .series = "table",
                       .tick = 0}},
             .plot = sweep_plot{}};
  made.plot->ticks = {"here"}, made.plot->y = plot_y::join_parts;
  return made;
}

// The r-th time that row ids are written takes r + 10 r ms; their runs count on over all indexes.
class writing_machine final : public honest_machine {
 public:
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    outcome<batch_result> result = honest_machine::run(index, asked, options, control);
    if (result && options.rows && !result->row_times.empty()) {
      ++writes;
      result->row_times = {{"scan counts", {static_cast<double>(writes)}}, {"write rows", {10.0 * writes}}};
    }
    return result;
  }
  int writes = 0;
};

TEST(join_rows, write_all_that_a_table_keeps) {
  for (const char* config :
       {"HT+BUCKET duplicates=on", "AO+PB+KS", "PACKED", "EO+BS", "SA", "BTREE duplicates=on", "PLAIN"}) {
    writing_machine on;
    const sweep_point point = points_of(one_join(with_duplicates, {config}), on)[0];
    ASSERT_NE(point.best(), nullptr) << config << ": " << point.problem;
    EXPECT_TRUE(point.writes_rows()) << config;
    EXPECT_EQ(on.writes, 3) << config;
    ASSERT_TRUE(point.write_ms) << config << ": " << point.problem;
    EXPECT_EQ(*point.write_ms, 22) << config << ": the median of 11, 22 and 33";
    EXPECT_DOUBLE_EQ(*point.join_ms(), *point.ready_ms() + point.median_ms() + 22) << config;
  }
}

// Its answers are row ids as they are.
TEST(join_rows, write_nothing_where_a_key_has_one_row) {
  for (const auto& [load, config] :
       {std::pair(with_duplicates, "HT+OA"),
        {with_duplicates, "GPH"},
        {with_duplicates, "HT+BUCKET duplicates=off"},
        {"keys=300 distribution=duplicates repeat=4 lookups=200", "HT+BUCKET duplicates=on"},
        {"keys=300 distribution=duplicates repeat=4 lookups=0 ranges=200", "AO+BS"}}) {
    writing_machine on;
    const sweep_point point = points_of(one_join(load, {config}), on)[0];
    ASSERT_NE(point.best(), nullptr) << config << ": " << point.problem;
    EXPECT_FALSE(point.writes_rows()) << load << " " << config;
    EXPECT_EQ(on.writes, 0) << load << " " << config;
    EXPECT_EQ(point.write_ms, std::nullopt);
    EXPECT_DOUBLE_EQ(*point.join_ms(), *point.ready_ms() + point.median_ms());
  }
}

// Says so of the row ids alone; or has no room for them.
class row_machine final : public honest_machine {
 public:
  enum class fault : u8 { wrong, refused, dead };
  explicit row_machine(fault with) : with_(with) {}
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    if (options.rows && with_ != fault::wrong)
      return problem{.words = "no room for them", .ends_machine = with_ == fault::dead};
    outcome<batch_result> result = honest_machine::run(index, asked, options, control);
    if (result && options.rows) result->answers.rows.front() = result->answers.rows.back() + 1;
    return result;
  }

 private:
  fault with_;
};

TEST(join_rows, have_no_figures_where_a_row_id_is_wrong) {
  row_machine on(row_machine::fault::wrong);
  const sweep_point point = points_of(one_join(with_duplicates, {"AO+BS"}), on)[0];
  EXPECT_TRUE(point.wrong);
  EXPECT_EQ(point.best(), nullptr);
  EXPECT_EQ(point.write_ms, std::nullopt);
  EXPECT_FALSE(point.problem.empty());
}

TEST(join_rows, that_cannot_be_written_keep_their_other_figures) {
  row_machine on(row_machine::fault::refused);
  const sweep what = one_join(with_duplicates, {"AO+BS"});
  const sweep_point point = points_of(what, on)[0];
  ASSERT_NE(point.best(), nullptr);
  EXPECT_FALSE(point.wrong);
  EXPECT_EQ(point.problem, "its row ids were not written: no room for them");
  EXPECT_EQ(point.join_ms(), std::nullopt) << "not the sum of two of its parts";
  const std::vector<plot_line> lines = plot_lines(what, {&point, 1});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].dots.size(), 1u);
  EXPECT_TRUE(lines[2].dots.empty());

  row_machine dead(row_machine::fault::dead);
  std::vector<sweep_point> points;
  const status done = run_sweep(what, dead, {}, {.rounds = fourteen_runs}, {}, points);
  EXPECT_FALSE(done);
  EXPECT_TRUE(points.empty()) << "another process measures it";
}

TEST(join_rows, are_told_by_files_as_they_were_measured) {
  writing_machine on;
  const sweep what = one_join(with_duplicates, {"AO+BS"});
  const std::vector<sweep_point> points = points_of(what, on);
  const auto again = point_from_text(point_text(points[0]), what.rows[0]);
  ASSERT_TRUE(again) << again.error().words;
  EXPECT_EQ(again->write_ms, points[0].write_ms);
  EXPECT_EQ(std::get<double>(figure_of(figures_of(what, points[0], 0)[0], "write_ms").value), 22);
  const sweep_head head{.program = "p", .commit = "c", .machine = on.info()};
  const auto result = sweep_result_from_json(sweep_json(what, head, points));
  ASSERT_TRUE(result) << result.error().words;
  EXPECT_EQ(result->points[0].write_ms, points[0].write_ms);

  sweep_point without = points[0];
  without.write_ms.reset();
  EXPECT_EQ(point_from_text(point_text(without), what.rows[0])->write_ms, std::nullopt);
}

// Of every row of the join, at a 2^12th of its size: its parts are its whole, and who asks for one row writes none.
TEST(join_rows, of_gph_have_all_their_parts) {
  const auto cpu = detail::open_cpu();
  constexpr u32 bits = 12;
  for (const char* name : {"gph-12b", "gph-12-matches"}) {
    const sweep& what = **find_sweep(name);
    std::vector<sweep_point> points;
    const sweep_options options{.scale = bits, .rounds = {.least = 1, .most = 1, .repeats = 1}};
    ASSERT_TRUE(run_sweep(what, *cpu, {}, options, {}, points));
    ASSERT_EQ(points.size(), what.rows.size());
    for (const sweep_point& point : points) {
      SCOPED_TRACE(point.row.id);
      ASSERT_NE(point.best(), nullptr) << point.problem;
      EXPECT_EQ(point.problem, "");
      EXPECT_EQ(point.write_ms.has_value(), point.row.series.ends_with(", all rows"));
      const auto part = [&](std::size_t which) { return plotted(plot_y::join_parts, point, which); };
      const auto whole = plotted(plot_y::join_ms, point);
      ASSERT_TRUE(whole && part(0) && part(1));
      EXPECT_EQ(part(2).has_value(), point.write_ms.has_value());
      EXPECT_NEAR(whole->value, part(0)->value + part(1)->value + point.write_ms.value_or(0), 1e-9 * whole->value);
      EXPECT_LE(whole->low, whole->value * (1 + 1e-9));
      EXPECT_GE(whole->high, whole->value * (1 - 1e-9));
    }
    sweep drawn = what;
    drawn.plot->y = plot_y::join_parts;
    std::size_t lines = 0;
    for (const std::string& series : series_of(what)) lines += series.ends_with(", all rows") ? 3 : 2;
    EXPECT_EQ(plot_lines(drawn, points).size(), lines);
  }
}

// A cell of the index that has no room for its keys spills them, and a table that spills is larger than it was asked to be.
TEST(load_factors, of_gph_are_what_its_shape_allows) {
  const auto cpu = detail::open_cpu();
  const sweep& what = **find_sweep("gph-15a");
  std::vector<sweep_point> points;
  const sweep_options options{.scale = 11, .rounds = {.least = 1, .most = 1, .repeats = 1}};
  ASSERT_TRUE(run_sweep(what, *cpu, {}, options, {}, points));
  ASSERT_EQ(points.size(), what.rows.size());
  const auto reached = [&](const char* id) {
    const sweep_point* point = point_of(points, id);
    EXPECT_NE(point, nullptr) << id;
    return point == nullptr ? 0 : plotted(plot_y::load_factor, *point)->value;
  };
  for (const sweep_point& point : points) {
    SCOPED_TRACE(point.row.id);
    ASSERT_NE(point.best(), nullptr) << point.problem;
    const double asked = point.row.series == "load 70" ? 0.70 : 0.95,
                 factor = plotted(plot_y::load_factor, point)->value;
    EXPECT_LT(factor, asked) << "its index takes bytes, too";
    EXPECT_DOUBLE_EQ(factor * point.sorted_array_share(), 1);
    EXPECT_GT(factor, 0.2);
  }
  EXPECT_LT(reached("load 95 at 2 x 4"), reached("load 95 at 8 x 16") - 0.2);
  EXPECT_LT(reached("load 95 at 2 x 4"), reached("load 95, 4 keys a cell at 2 x 4"));
  EXPECT_GT(reached("load 70 at 8 x 16"), 0.6);
}

}  // namespace
}  // namespace pivotscope
