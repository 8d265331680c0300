// Lookups by rays in sweeps: what building a scene is made of, and what the rays take of a lookup.
#include <gtest/gtest.h>

#include <set>

#include "core/index/check.hpp"
#include "core/sweep/measured_curves.hpp"
#include "core/sweep/plot_lines.hpp"
#include "core/sweep/point_text.hpp"
#include "core/sweep/sweep_figures.hpp"
#include "core/sweep/sweep_result.hpp"
#include "tests/core/sweep/three_rows.hpp"

namespace pivotscope {
namespace {

const sweep_options small_sizes{.scale = 14, .rounds = {.least = 1, .most = 1, .repeats = 1}};

std::vector<sweep_point> measured(const sweep& what) {
  const auto cpu = detail::open_cpu();
  std::vector<sweep_point> points;
  const status done = run_sweep(what, *cpu, {}, small_sizes, {}, points);
  EXPECT_TRUE(done) << done.error().words;
  EXPECT_EQ(points.size(), what.rows.size());
  return points;
}

// Stages that a scene of one triangle does not have are no dots.
TEST(ray_rows, have_the_stages_of_their_build_and_the_rays_of_their_lookups) {
  const sweep& builds = **find_sweep("cgrx-10a-parts");
  const sweep& lookups = **find_sweep("cgrx-10b-parts");
  const std::vector<sweep_point> points = measured(builds);
  std::set<std::size_t> seen;
  for (const sweep_point& point : points) {
    SCOPED_TRACE(point.row.id);
    ASSERT_NE(point.best(), nullptr) << point.problem;
    ASSERT_TRUE(point.rays_ms);
    double build_ms = 0;
    for (const named_time& stage : point.best()->build_stages) build_ms += stage.ms;
    EXPECT_NEAR(build_ms, point.best()->build_ms, 1e-9 * build_ms);
    for (std::size_t stage = 0; stage < plot_y_parts(plot_y::scene_parts).size(); ++stage)
      if (plotted(plot_y::scene_parts, point, stage)) seen.insert(stage);
    EXPECT_EQ(plotted(plot_y::lookup_parts, point, 0)->value, *point.rays_ms);
  }
  EXPECT_EQ(seen, (std::set<std::size_t>{0, 1, 2, 3, 4, 5})) << "each stage is one of the build's";
  EXPECT_EQ(plot_lines(builds, points).size(), 6u);
  EXPECT_EQ(plot_lines(lookups, points).size(), 2u);
}

TEST(ray_rows, are_told_by_files_as_they_were_measured) {
  sweep what = **find_sweep("cgrx-10a-parts");
  what.rows.resize(2);
  const std::vector<sweep_point> points = measured(what);
  const sweep_point& one = points[0];
  ASSERT_TRUE(one.rays_ms);
  ASSERT_GE(one.best()->build_stages.size(), 4u);
  const auto same = [&](const sweep_point& again, const char* from) {
    SCOPED_TRACE(from);
    ASSERT_TRUE(again.rays_ms);
    EXPECT_DOUBLE_EQ(*again.rays_ms, *one.rays_ms);
    EXPECT_EQ(again.best()->build_stages, one.best()->build_stages);
  };
  const auto from_text = point_from_text(point_text(one), one.row);
  ASSERT_TRUE(from_text) << from_text.error().words;
  same(*from_text, "a point's file");

  const sweep_head head{.program = "p", .commit = "c", .machine = one.machine};
  const auto from_json = sweep_result_from_json(sweep_json(what, head, points));
  ASSERT_TRUE(from_json) << from_json.error().words;
  same(from_json->points[0], "JSON");
  const auto curves = curves_from_csv(what, sweep_csv(what, head, points), "here");
  ASSERT_TRUE(curves) << curves.error().words;
  ASSERT_EQ(curves->points.size(), 2u);
  same(curves->points[0], "CSV");

  sweep_point without = one;
  without.rays_ms.reset();
  EXPECT_EQ(point_from_text(point_text(without), one.row)->rays_ms, std::nullopt);
}

TEST(ray_rows, are_timed_where_a_sweep_asks_for_it) {
  sweep what = **find_sweep("cgrx-10a");
  what.rows.resize(1);
  EXPECT_EQ(measured(what)[0].rays_ms, std::nullopt);
  what.rays = true;
  EXPECT_TRUE(measured(what)[0].rays_ms);
  what.rows[0].configs = {"AO+BS"};
  EXPECT_EQ(measured(what)[0].rays_ms, std::nullopt) << "it casts none";
}

}  // namespace
}  // namespace pivotscope
