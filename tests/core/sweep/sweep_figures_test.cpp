// The figures of a sweep's points, over every sweep there is.
#include "core/sweep/sweep_figures.hpp"

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/core/sweep/three_rows.hpp"

namespace pivotscope {
namespace {

std::optional<double> number(const figure_line& line, std::string_view name) {
  const auto* value = std::get_if<double>(&figure_of(line, name).value);
  return value ? std::optional(*value) : std::nullopt;
}

void check_times(const sweep& of, const sweep_point& point) {
  for (const figure_line& line : figures_of(of, point, 0)) {
    const std::optional<double> sort = number(line, "sort_ms"), build = number(line, "build_ms"),
                                sum = number(line, "sort_and_build_ms");
    const tuned_config* best = point.best();
    const bool index = best != nullptr && !point.row.program();
    const std::string words = of.name + ", " + point.row.id + ": " + text_of_figure(line, "config");
    EXPECT_EQ(build.has_value(), index) << words;
    EXPECT_EQ(sort.has_value(), index && point.sort_ms > 0 && family_of(best->config).sorted_input()) << words;
    EXPECT_EQ(sum.has_value(), sort && build) << words;
    if (sum) {
      EXPECT_EQ(*sum, *sort + *build) << words;
    }
  }
}

// Each row of every sweep with each of its configs and each method as the best one, and with none; sorted keys or not.
TEST(sweep_figures, add_up_and_say_nothing_of_what_was_not_done) {
  u64 points = 0, without_sort = 0;
  for (const sweep& of : sweeps()) {
    for (const sweep_row& row : of.rows) {
      std::vector<index_config> configs;
      for (const std::string& line : row.configs) configs.push_back(*config_from_line(line));
      for (const family* f : families()) configs.push_back(f->standard());
      for (const double sort_ms : {0.0, 4.25}) {
        sweep_point point{.row = row, .sort_ms = sort_ms};
        check_times(of, point);
        for (index_config config : configs) {
          config.keys = row.width;
          point.ranking = {
              {.config = config, .index_bytes = 800, .build_ms = 0.7, .operations = 10, .samples_ms = {2}}};
          point.wants = tell_wants(point, {});
          check_times(of, point);
          for (const told_want& told : point.wants) {
            if (told.wanted.what == measure::sort_and_build) {
              EXPECT_TRUE(point.sort_and_build_ms()) << row.id;
            }
          }
          ++points, without_sort += !family_of(config).sorted_input();
        }
      }
    }
  }
  EXPECT_GT(points, 1000u);
  EXPECT_GT(without_sort, 100u);
}

// The keys that a row sorts are there for the next one, whose index wants none sorted.
TEST(sweep_figures, of_a_row_have_no_sort_of_another_rows) {
  given_machine on(machine_kind::cpu);
  sweep what = testing::three_rows();
  what.rows = {{.id = "sorted", .load = testing::small, .configs = {"AO+BS"}, .advised = false},
               {.id = "table", .load = testing::small, .configs = {"HT+OA"}, .advised = false}};
  const std::vector<sweep_point> points = testing::points_of(what, on);
  EXPECT_EQ(number(figures_of(what, points[0], 0).front(), "sort_ms"), 4.0);
  EXPECT_EQ(number(figures_of(what, points[1], 0).front(), "sort_ms"), std::nullopt);
  EXPECT_EQ(points[1].ready_ms(), points[1].best()->build_ms) << "what a plot of building has";
  for (const sweep_point& point : points) check_times(what, point);
}

}  // namespace
}  // namespace pivotscope
