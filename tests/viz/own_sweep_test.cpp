// Plots of one's own, as sweeps.
#include "viz/state/own_sweep.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"

namespace pivotscope {
namespace {

using viz::own_axis;

const workload million{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 16};

std::vector<index_config> three() {
  return {*config_from_line("EO+KS"), *config_from_line("HT+OA"), *config_from_line("AO+PB+BS keys=u64")};
}

std::size_t rows_of(own_axis x) {
  const auto made = viz::own_sweep(x, plot_y::rate, three(), million);
  return made ? made->rows.size() : 0;
}

TEST(own_sweeps, have_a_row_where_a_config_can_be) {
  EXPECT_EQ(rows_of(own_axis::keys), 3u * 15);
  EXPECT_EQ(rows_of(own_axis::hits), 3u * 5);
  EXPECT_EQ(rows_of(own_axis::skew), 3u * 10);
  EXPECT_EQ(rows_of(own_axis::distribution), 3u * 6);
  EXPECT_EQ(rows_of(own_axis::fanout), 2u * 6) << "a table has no fanout";
  EXPECT_EQ(rows_of(own_axis::threads), 3u * 5);
  EXPECT_EQ(rows_of(own_axis::per_thread), 3u * 5);
  EXPECT_EQ(rows_of(own_axis::range_entries), 2u * 8) << "a table has no ranges";
  EXPECT_EQ(rows_of(own_axis::load), 1u * 7);
}

TEST(own_sweeps, can_be_measured) {
  for (std::size_t i = 0; i < viz::own_axis_count; ++i) {
    const auto x = static_cast<own_axis>(i);
    SCOPED_TRACE(viz::name_of(x));
    const auto made = viz::own_sweep(x, plot_y::rate, three(), million);
    ASSERT_TRUE(made);
    ASSERT_TRUE(made->plot);
    EXPECT_EQ(made->rows_of, "");
    for (const sweep_row& row : made->rows) {
      SCOPED_TRACE(row.id);
      outcome<index_config> config = config_from_line(row.configs.at(0));
      ASSERT_TRUE(config);
      config->keys = row.width;
      EXPECT_EQ(check(*config), std::nullopt);
      EXPECT_EQ(check(row.load, row.width), std::nullopt);
      EXPECT_EQ(check_serves(*config, operation_of(row.load)), std::nullopt);
      EXPECT_LT(*row.tick, made->plot->ticks.size());
      EXPECT_EQ(made->row(row.id), &row) << "its name is its own";
    }
    EXPECT_LE(series_of(*made).size() + made->missing.size(), 3u);
    EXPECT_GE(series_of(*made).size() + made->missing.size(), 3u) << "what does not go with it is named";
  }
}

// Of lookups, by Zipf's law; the keys stay as they are.
TEST(own_sweeps, by_skew_ask_for_some_keys_more_often) {
  const std::vector<index_config> one = {*config_from_line("EO+BS")};
  const auto made = viz::own_sweep(own_axis::skew, plot_y::rate, one, million);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->rows.front().load, million) << "all alike";
  EXPECT_EQ(made->plot->ticks.front(), "0");
  EXPECT_EQ(made->plot->ticks.back(), "5");
  EXPECT_EQ(made->plot->x_words, "exponent of Zipf's law, of lookups");
  for (std::size_t i = 1; i < made->rows.size(); ++i) {
    const workload& load = made->rows[i].load;
    EXPECT_EQ(load.dist, distribution::uniform);
    EXPECT_EQ(load.popular, popularity::zipf);
    EXPECT_EQ(fmt::format("{:g}", load.exponent), made->plot->ticks[i]);
  }
}

TEST(own_sweeps, of_no_keys_have_the_least_of_them) {
  const auto made = viz::own_sweep(own_axis::keys, plot_y::rate, three(), {.keys = 0, .dist = distribution::uniform});
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->rows.empty());
  EXPECT_LE(made->rows.size(), 3u);
}

TEST(own_sweeps, say_why_there_is_none) {
  EXPECT_EQ(viz::own_sweep(own_axis::keys, plot_y::rate, {}, million).error().words, "Choose a config to plot.");
  const std::vector<index_config> table = {*config_from_line("HT+OA")};
  EXPECT_EQ(viz::own_sweep(own_axis::fanout, plot_y::rate, table, million).error().words,
            "None of these configs goes with K along x.");
}

TEST(own_sweeps, draw_keys_anew_in_place_of_the_papers) {
  const std::vector<index_config> one = {*config_from_line("EO+BS")};
  const auto made = viz::own_sweep(own_axis::keys, plot_y::rate, one, workload{});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->rows.front().load.dist, distribution::uniform);
  EXPECT_EQ(made->rows.front().load.keys, 16u);
  EXPECT_EQ(made->rows.front().load.lookups, workload{}.lookups);
}

}  // namespace
}  // namespace pivotscope
