// A sweep of three small rows, for tests, and how it is measured in fourteen runs.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "core/sweep/run_sweep.hpp"
#include "tests/app/given_machine.hpp"

namespace pivotscope::testing {

inline const workload small{.keys = 300, .dist = distribution::uniform, .lookups = 200};

inline sweep three_rows() {
  sweep_row faster{.id = "faster", .load = small, .configs = {"EO+BS", "AO+BS"}, .advised = false};
  faster.wants = {{measure::rate, 10}, {measure::rate, 1e15}};
  sweep_row slower{.id = "slower", .load = small, .configs = {"AO+BS"}, .advised = false};
  slower.wants = {{measure::rate, 0.66, wanted_in::rate_of_row, "faster"},
                  {measure::rate, 0.25, wanted_in::rate_of_row, "faster"},
                  {measure::time, 1e9},
                  {measure::sort_and_build, 1.15}};
  sweep_row same{.id = "same", .load = small, .configs_of = "faster", .advised = false};
  return {
      .name = "three", .sentence = "for tests", .source = "here", .device = "Given", .rows = {faster, slower, same}};
}

inline constexpr round_plan fourteen_runs{.least = 2, .most = 2, .repeats = 7};

inline std::vector<sweep_point> points_of(const sweep& what, machine& on, u32 scale = 0) {
  std::vector<sweep_point> points;
  const status done = run_sweep(what, on, {}, {.scale = scale, .rounds = fourteen_runs}, {}, points);
  EXPECT_TRUE(done) << done.error().words;
  EXPECT_EQ(points.size(), what.rows.size());
  return points;
}

}  // namespace pivotscope::testing
