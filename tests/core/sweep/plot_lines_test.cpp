#include "core/sweep/plot_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace pivotscope {
namespace {

plot_dot dot_at(double x, double y) { return {.x = x, .y = {.value = y, .low = y * 0.9, .high = y * 1.2}}; }

sweep_plot plot_of(plot_x x, bool log_y = false) {
  sweep_plot plot;
  plot.x = x, plot.log_y = log_y;
  return plot;
}

// A few lines of a few dots, at powers of two.
std::vector<plot_line> drawn_lines(std::mt19937& source) {
  const auto below = [&](u32 bound) { return static_cast<u32>(source() % bound); };
  std::vector<plot_line> lines(1 + below(3));
  for (plot_line& line : lines) {
    u32 power = 10 + below(4);
    for (u32 i = 1 + below(5); i > 0; --i, power += 1 + below(3))
      line.dots.push_back(dot_at(std::exp2(power), std::pow(10, static_cast<double>(below(6000)) / 1000 - 3)));
  }
  return lines;
}

TEST(plot_ranges, hold_every_dot_and_what_is_around_it_and_little_more) {
  std::mt19937 source(1);
  for (int round = 0; round < 300; ++round) {
    const std::vector<plot_line> lines = drawn_lines(source);
    double least_x = 1e300, most_x = 0, least_y = 1e300, most_y = 0;
    for (const plot_line& line : lines) {
      for (const plot_dot& dot : line.dots) {
        least_x = std::min(least_x, dot.x), most_x = std::max(most_x, dot.x);
        least_y = std::min(least_y, dot.y.low), most_y = std::max(most_y, dot.y.high);
      }
    }
    for (const bool log_y : {false, true}) {
      for (const plot_x kind : {plot_x::keys, plot_x::range_entries}) {
        const plot_range x = x_range(plot_of(kind, log_y), lines);
        EXPECT_LT(x.low, least_x);
        EXPECT_GT(x.low, least_x / 2) << "less than a step of the axis";
        EXPECT_GT(x.high, most_x);
        EXPECT_LT(x.high, most_x * 2);
      }
      const plot_range y = y_range(plot_of(plot_x::keys, log_y), lines);
      EXPECT_GT(y.high, most_y);
      EXPECT_LT(y.high, most_y * 1.5);
      EXPECT_TRUE(log_y ? y.low < least_y && y.low > least_y / 1.5 : y.low == 0) << "lengths are compared: " << y.low;
    }
    const plot_range cycles = x_range(plot_of(plot_x::warp_cycles), lines);
    EXPECT_EQ(cycles.low, 0);
    EXPECT_GT(cycles.high, most_x);
    EXPECT_LT(cycles.high, most_x * 1.5);
  }
}

TEST(plot_ranges, of_no_dots_are_something_to_draw) {
  const std::vector<plot_line> none(2);
  for (const plot_x x : {plot_x::keys, plot_x::range_entries, plot_x::warp_cycles}) {
    for (const bool log_y : {false, true}) {
      const plot_range of_x = x_range(plot_of(x, log_y), none), of_y = y_range(plot_of(x, log_y), none);
      EXPECT_LT(of_x.low, of_x.high);
      EXPECT_LT(of_y.low, of_y.high);
      EXPECT_EQ(of_x.low > 0, is_log_x(plot_of(x)));
      EXPECT_EQ(of_y.low > 0, log_y);
    }
  }
}

// A level holds all along the axis: its place is none.
TEST(plot_ranges, take_no_place_of_a_level_but_its_value) {
  std::vector<plot_line> lines(2);
  lines[0].dots = {dot_at(1024, 10), dot_at(4096, 20)};
  const sweep_plot plot = plot_of(plot_x::keys);
  const plot_range x = x_range(plot, lines);
  lines[1].level = true, lines[1].dots = {dot_at(1 << 20, 500)};
  EXPECT_EQ(x_range(plot, lines).low, x.low);
  EXPECT_EQ(x_range(plot, lines).high, x.high);
  EXPECT_GT(y_range(plot, lines).high, 500);
  EXPECT_EQ(x_ticks(plot, lines, 8).size(), 2u);
}

TEST(plot_ranges, of_places_have_half_a_place_at_each_side) {
  sweep_plot plot = plot_of(plot_x::place);
  plot.ticks = {"a", "b", "c"};
  const plot_range x = x_range(plot, {});
  EXPECT_EQ(x.low, -0.5);
  EXPECT_EQ(x.high, 2.5);
  const std::vector<plot_tick> ticks = x_ticks(plot, {}, 1);
  ASSERT_EQ(ticks.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(ticks[i].at, static_cast<double>(i));
    EXPECT_EQ(ticks[i].words, plot.ticks[i]);
  }
}

// The largest always, and of many each second, third, ... before it.
TEST(plot_ticks, of_x_lie_where_dots_lie) {
  for (std::size_t count = 1; count <= 20; ++count) {
    for (std::size_t most = 1; most <= 22; ++most) {
      std::vector<plot_line> lines(2);
      for (std::size_t i = 0; i < count; ++i) lines[i % 2].dots.push_back(dot_at(std::exp2(10 + i), 1));
      lines[1].dots.push_back(lines[0].dots.front());  // no place twice
      const std::vector<plot_tick> ticks = x_ticks(plot_of(plot_x::keys), lines, most);
      ASSERT_FALSE(ticks.empty());
      EXPECT_LE(ticks.size(), most);
      EXPECT_EQ(ticks.size() == count, count <= most);
      EXPECT_EQ(ticks.back().at, std::exp2(9 + count));
      EXPECT_EQ(ticks.back().words, "2^" + std::to_string(9 + count));
      for (std::size_t i = 1; i < ticks.size(); ++i)
        EXPECT_EQ(ticks[i].at / ticks[i - 1].at, std::exp2((count + most - 1) / most)) << count << " " << most;
    }
  }
}

TEST(plot_ticks, of_y_are_a_few_round_numbers_within) {
  std::mt19937 source(2);
  for (int round = 0; round < 2000; ++round) {
    const double low = std::pow(10, static_cast<double>(source() % 9000) / 1000 - 3);
    const double high = low * std::pow(10, 0.5 + static_cast<double>(source() % 5000) / 1000);
    for (const bool log_y : {false, true}) {
      const double from = log_y ? low : 0;
      const std::vector<plot_tick> ticks = y_ticks(plot_of(plot_x::keys, log_y), from, high);
      EXPECT_GE(ticks.size(), log_y ? 1u : 3u) << from << " " << high;
      EXPECT_LE(ticks.size(), log_y ? 12u : 7u) << from << " " << high;
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        const plot_tick& tick = ticks[i];
        EXPECT_TRUE(tick.at >= from && tick.at <= high * (1 + 1e-9)) << tick.at;
        EXPECT_EQ(tick.words, short_number(tick.at));
        if (i == 0) continue;
        EXPECT_GT(tick.at, ticks[i - 1].at);
        if (log_y || i == 1) continue;
        EXPECT_NEAR(tick.at - ticks[i - 1].at, ticks[1].at - ticks[0].at, high * 1e-9);
      }
    }
  }
  EXPECT_TRUE(y_ticks(plot_of(plot_x::keys), 3, 3).empty());
}

TEST(fits, are_the_line_that_dots_lie_on_and_say_how_well) {
  std::vector<plot_line> lines(2);
  for (int i = 0; i < 5; ++i) lines[static_cast<std::size_t>(i % 2)].dots.push_back(dot_at(i * 3.0, 7 - i * 1.5));
  const std::optional<line_fit> falls = fit_of(lines);
  ASSERT_TRUE(falls);
  EXPECT_EQ(falls->dots, 5u);
  EXPECT_NEAR(falls->slope, -0.5, 1e-12);
  EXPECT_NEAR(falls->at_zero, 7, 1e-12);
  EXPECT_NEAR(falls->correlation, -1, 1e-12);
  // (0, 0), (1, 1), (2, 0): no slope, a third above zero.
  const std::vector<plot_line> hat = {{.series = "", .dots = {dot_at(0, 0), dot_at(1, 1), dot_at(2, 0)}}};
  EXPECT_NEAR(fit_of(hat)->slope, 0, 1e-12);
  EXPECT_NEAR(fit_of(hat)->at_zero, 1 / 3.0, 1e-12);
  EXPECT_NEAR(fit_of(hat)->correlation, 0, 1e-12);
  EXPECT_FALSE(fit_of(std::vector<plot_line>{{.series = "", .dots = {dot_at(1, 1)}}}));
  EXPECT_FALSE(fit_of(std::vector<plot_line>{{.series = "", .dots = {dot_at(1, 1), dot_at(1, 2)}}}));
  EXPECT_FALSE(fit_of(std::vector<plot_line>{{.series = "", .dots = {dot_at(1, 1), dot_at(2, 1)}}}));
}

TEST(short_numbers, have_three_figures_and_the_unit_that_they_round_to) {
  for (const auto& [value, words] : {std::pair{0.0125, "0.0125"},
                                     {1.0, "1"},
                                     {999.4, "999"},
                                     {999.6, "1 k"},
                                     {1500.0, "1.5 k"},
                                     {999'600.0, "1 M"},
                                     {2.5e9, "2.5 G"},
                                     {7e12, "7 T"}})
    EXPECT_EQ(short_number(value), words) << value;
}

}  // namespace
}  // namespace pivotscope
