// Rows of a sweep that write: what counts as their time, and that the oracle's word is the last one.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/sweep/plot_lines.hpp"
#include "core/sweep/point_text.hpp"
#include "tests/core/sweep/three_rows.hpp"

namespace pivotscope {
namespace {

using testing::fourteen_runs;
using testing::points_of;

// Run r of a batch that writes takes 10 (r + 1) ms, of one that reads r + 1.
class timed_machine : public honest_machine {
 public:
  outcome<update_result> update(const built_index& index, const script& s, u64 batch, const batch_options& options,
                                const job_control& control) override {
    outcome<update_result> result = honest_machine::update(index, s, batch, options, control);
    for (std::size_t r = 0; result && r < result->time.samples_ms.size(); ++r)
      result->time.samples_ms[r] = 10.0 * static_cast<double>(r + 1);
    return result;
  }
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    outcome<batch_result> result = honest_machine::run(index, asked, options, control);
    for (std::size_t r = 0; result && r < result->time.samples_ms.size(); ++r)
      result->time.samples_ms[r] = static_cast<double>(r + 1);
    return result;
  }
};

sweep one_row(const char* load, std::vector<std::string> configs) {
  return {.name = "one",
          .sentence = "for tests",
          .source = "here",
          .rows = {{.id = "row", .load = *workload_from_line(load), .configs = std::move(configs), .advised = false}}};
}

TEST(script_rows, take_the_time_of_their_writes) {
  timed_machine on;
  // Four batches of 25.
  const sweep_point point = points_of(one_row("keys=300 lookups=0 inserts=100 mix=1 batch=25", {"BTREE"}), on)[0];
  ASSERT_NE(point.best(), nullptr) << point.problem;
  EXPECT_EQ(point.best()->operations, 100u);
  ASSERT_EQ(point.best()->samples_ms.size(), 14u) << "two rounds of seven";
  EXPECT_EQ(point.best()->samples_ms[0], 40);
  EXPECT_EQ(point.best()->samples_ms[13], 560);
  EXPECT_NEAR(point.best()->rate(), 100 / 0.3, 1e-9) << "by the median, 7.5 x 40 ms";
  EXPECT_GT(point.best()->index_bytes, 400u * 8);
  EXPECT_EQ(point.model_rate, 0);
  EXPECT_EQ(point.sectors, 0);
}

TEST(script_rows, take_the_time_of_lookups_behind_writes) {
  timed_machine on;
  for (const char* asked : {"lookups=60", "lookups=0 ranges=60 range_hits=8", "lookups=0 successors=60"}) {
    const std::string load = std::string("keys=300 inserts=100 mix=1 batch=25 ") + asked;
    const sweep_point point = points_of(one_row(load.c_str(), {"LSM level0=64"}), on)[0];
    ASSERT_NE(point.best(), nullptr) << point.problem;
    EXPECT_EQ(point.best()->operations, 60u);
    EXPECT_EQ(point.best()->samples_ms[0], 1) << asked;
    EXPECT_EQ(point.best()->samples_ms[13], 14) << asked;
  }
}

TEST(script_rows, are_of_every_config_and_say_which_cannot_write) {
  timed_machine on;
  const sweep_point point = points_of(one_row("keys=300 lookups=0 erases=100", {"AO+BS", "SA", "BTREE"}), on)[0];
  ASSERT_EQ(point.ranking.size(), 2u);
  ASSERT_EQ(point.rejected.size(), 1u);
  EXPECT_FALSE(point.wrong);
  EXPECT_TRUE(point.rejected[0].words.starts_with("AO+BS is built once, so it has no erases"))
      << point.rejected[0].words;
  const sweep_point none = points_of(one_row("keys=300 lookups=0 erases=100", {"AO+BS"}), on)[0];
  EXPECT_EQ(none.best(), nullptr);
  EXPECT_EQ(none.problem, point.rejected[0].words);
}

// Says of the last operation of each batch that it was not done.
class idle_machine final : public timed_machine {
 public:
  outcome<update_result> update(const built_index& index, const script& s, u64 batch, const batch_options& options,
                                const job_control& control) override {
    outcome<update_result> result = timed_machine::update(index, s, batch, options, control);
    if (result) result->done.back() = write_done::not_done;
    return result;
  }
};

TEST(script_rows, have_no_figures_of_a_wrong_batch) {
  idle_machine on;
  const sweep_point point = points_of(one_row("keys=300 lookups=0 inserts=100", {"BTREE", "SA"}), on)[0];
  EXPECT_TRUE(point.wrong);
  EXPECT_TRUE(point.ranking.empty());
  EXPECT_NE(point.problem.find("was not done"), std::string::npos) << point.problem;
}

TEST(script_rows, of_the_btree_are_measured_and_kept) {
  const auto cpu = open_machine(machine_kind::cpu);
  ASSERT_TRUE(cpu) << cpu.error().words;
  for (const char* name :
       {"btree-2a", "btree-2b", "btree-2c", "btree-3", "btree-4", "btree-5", "btree-a1", "btree-t3"}) {
    const sweep& of = **find_sweep(name);
    const std::vector<sweep_point> points = points_of(of, **cpu, 16);
    for (const sweep_point& point : points) {
      SCOPED_TRACE(std::string(name) + ", " + point.row.id);
      ASSERT_NE(point.best(), nullptr) << point.problem;
      EXPECT_FALSE(point.wrong);
      const std::optional<plotted_value> y = plotted(of.plot->y, point);
      // Of runs that took the same all three are one time, up to how rates are rounded.
      constexpr double rounding = 1 + 1e-9;
      EXPECT_TRUE(y && y->value > 0 && y->low <= y->value * rounding && y->value <= y->high * rounding);
      const auto again = point_from_text(point_text(point), point.row);
      ASSERT_TRUE(again) << again.error().words;
      EXPECT_EQ(again->best()->samples_ms, point.best()->samples_ms);
    }
    // Latch coupling is measured over few sizes.
    for (const plot_line& line : plot_lines(of, points))
      EXPECT_GE(line.dots.size(), line.series == "latch coupling" ? 2u : 4u) << name << ", " << line.series;
  }
}

// What cgrx-1c shows: lookups behind a batch. That they are slow after a refit, RxUpdates tells by their steps.
TEST(script_rows, of_rx_time_the_lookups_behind_their_writes) {
  const auto cpu = open_machine(machine_kind::cpu);
  ASSERT_TRUE(cpu) << cpu.error().words;
  outcome<sweep> of = part_of(**find_sweep("cgrx-1c"), "RX, re");
  ASSERT_TRUE(of) << of.error().words;
  std::erase_if(of->rows,
                [&](const sweep_row& row) { return *row.tick > 0 && *row.tick + 1 < of->plot->ticks.size(); });
  const std::vector<sweep_point> points = points_of(*of, **cpu, 10);
  ASSERT_EQ(points.size(), 4u) << "the fewest and the most updates";
  for (const sweep_point& point : points) {
    SCOPED_TRACE(point.row.id);
    ASSERT_NE(point.best(), nullptr) << point.problem;
    EXPECT_FALSE(point.wrong);
    EXPECT_EQ(point.best()->operations, point.row.load.lookups);
    EXPECT_EQ(plotted(of->plot->y, point)->value, point.median_ms());
  }
}

// Where both are in one figure, a row that writes shows its batch, and any other what it takes to have its index.
TEST(script_rows, growing_is_the_batch_or_the_build) {
  sweep_point point{.row = one_row("keys=300 lookups=50", {}).rows[0], .sort_ms = 3};
  point.ranking = {{.config = *config_from_line("BTREE"), .build_ms = 4, .operations = 10, .samples_ms = {20}}};
  EXPECT_EQ(plotted(plot_y::growing_ms, point)->value, 7);
  point.row.load.lookups = 0, point.row.load.recipe.inserts = 10;
  EXPECT_EQ(plotted(plot_y::growing_ms, point)->value, 20);
}

}  // namespace
}  // namespace pivotscope
