// The Plots panel: points come as they are measured, say what they are, and open as the scenario.
#include "core/index/config_text.hpp"
#include "tests/app/given_machine.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/app/program.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/parts/sweep_plot.hpp"

namespace pivotscope {
namespace {

using viz::panel;

bool swept(const viz::session_view& v, const char* name, std::size_t points) {
  return v.sweeps && v.sweeps->contains(name) && !v.sweeping.running && v.sweeps->at(name).points->size() == points;
}

// Plots in front, at its usual size.
class plots_window : public window_test {
 protected:
  void show_plots(ImGuiTestContext& hand, const std::string& sweep, std::optional<u64> scale) {
    view().preset = 2, view().reset_layout = true;
    draw_frames(12);
    hand.WindowFocus("//Plots");
    view().plots.sweep = std::string(sweep), view().plots.scale = scale;
    draw_frames(3);
  }
  void measure(ImGuiTestContext& hand, const char* name, std::size_t points) {
    hand.ItemClick(panel_item(panel::plots, "measure sweep").c_str());
    ASSERT_TRUE(until([&] { return swept(now(), name, points); }));
    draw_frames(3);
  }
};

TEST_F(plots_window, AFigureOfThePapersIsMeasuredPointByPoint) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    show_plots(hand, view().plots.sweep, view().plots.scale);
    take_picture("plots-empty");
    show_plots(hand, "lightweight-1a", 16);
    // Once the last point is there, the sweep still runs for a moment: so what counts is that a part was seen.
    bool saw_a_part = false;
    hand.ItemClick(panel_item(panel::plots, "measure sweep").c_str());
    ASSERT_TRUE(until([&] {
      const viz::session_view v = now();
      if (v.sweeping.running && v.sweeps) {
        const std::size_t points = v.sweeps->at("lightweight-1a").points->size();
        saw_a_part = saw_a_part || (points > 0 && points < 56);
      }
      return swept(v, "lightweight-1a", 56);
    }));
    EXPECT_TRUE(saw_a_part) << "points are there before the last one is";
    draw_frames(3);
    hand.MouseMoveToPos({700, 60});
    take_picture("plots");
    view().light = true;
    draw_frames(3);
    take_picture("plots-light");
    view().light = false;
    view().plots.sweep = "short-6", view().plots.scale = 16;
    draw_frames(2);
    hand.ItemClick(panel_item(panel::plots, "measure sweep").c_str());
    ASSERT_TRUE(until([&] { return swept(now(), "short-6", 18); }));
    EXPECT_TRUE(swept(now(), "lightweight-1a", 56)) << "they stay";
    draw_frames(3);
    hand.MouseMoveToPos({700, 60});
    take_picture("plots-blocks");
  });
}

// Who has no GPU sees what one does: the repository's curves of an H100 and an H200, named, behind one's own points.
TEST_F(plots_window, TheCurvesOfGpusLieBehindOnesOwn) {
  open();
  ASSERT_TRUE(until_settled());
  ASSERT_TRUE(until([&] { return now().curves != nullptr && now().machines != nullptr; }));
  ASSERT_TRUE(now().curves->contains("lightweight-20a"));
  ASSERT_TRUE(now().curves->contains("gph-10"));
  const auto says = [&](const std::string& words) {
    draw_frames(3);
    for (const drawn_text& t : watch_.texts())
      if (t.window == "Plots" && t.words == words) return true;
    return false;
  };
  perform([&](ImGuiTestContext& hand) {
    show_plots(hand, "lightweight-20a", std::nullopt);
    hand.MouseMoveToPos({700, 60});
    EXPECT_TRUE(says("H100") && says("H200"));
    take_picture("plots-of-gpus");
    view().light = true;
    draw_frames(3);
    take_picture("plots-of-gpus-light");
    view().light = false;
    for (const char* device : {"H100", "H200"})
      hand.ItemClick(panel_item(panel::plots, std::string("behind ") + device).c_str());
    EXPECT_EQ(view().plots.hidden, (std::vector<std::string>{"H100", "H200"}));
    hand.ItemClick(panel_item(panel::plots, "behind H200").c_str());
    EXPECT_EQ(view().plots.hidden, std::vector<std::string>{"H100"});
    // At the scale that it opens with the largest array does not fit the cache.
    u64 cache = 0;
    for (const machine_report& report : *now().machines)
      if (report.kind == machine_kind::cpu) cache = report.info.l2_bytes;
    if (cache == 0) cache = 32 << 20;
    const std::string scale = view().plots.scale_field.text;
    ASSERT_FALSE(scale.empty());
    EXPECT_GE((u64{1} << (28 - std::stoul(scale))) * 8, std::min<u64>(2 * cache, 64 << 20)) << scale;
    show_plots(hand, "lightweight-1b", 16);
    view().plots.hidden.clear();
    measure(hand, "lightweight-1b", 8);
    hand.MouseMoveToPos({700, 60});
    take_picture("plots-before-gpus");
  });
}

// The mouse goes to where a point is, as the panel itself says; a click opens it.
TEST_F(plots_window, APointSaysWhatItIsAndOpens) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    show_plots(hand, "lightweight-1b", 16);
    measure(hand, "lightweight-1b", 8);
    const std::optional<ImVec2> at = view().plots.first_dot;
    ASSERT_TRUE(at);
    hand.MouseMoveToPos(*at);
    draw_frames(3);
    take_picture("plots-pointed");
    const sweep_point point = now().sweeps->at("lightweight-1b").points->front();
    ASSERT_EQ(point.row.series, "HT (open)");
    hand.MouseClick();
    ASSERT_TRUE(until([&] {
      const viz::session_view v = now();
      return !v.job.running && v.index && v.choice.config == point.best()->config &&
             v.index->config() == v.choice.config;
    }));
    EXPECT_EQ(now().choice.load, point.row.load);
  });
}

// What was measured is drawn by another value, and not measured again.
TEST_F(plots_window, AFigureIsDrawnByTheSectorsOfItsLookups) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    show_plots(hand, "lightweight-1b", 16);
    measure(hand, "lightweight-1b", 8);
    const std::optional<ImVec2> by_time = view().plots.first_dot;
    hand.ItemClick(panel_item(panel::plots, "y sectors").c_str());
    draw_frames(3);
    EXPECT_EQ(view().plots.other_y, plot_y::sectors);
    EXPECT_TRUE(swept(now(), "lightweight-1b", 8)) << "it is not measured again";
    for (const sweep_point& point : *now().sweeps->at("lightweight-1b").points)
      EXPECT_GT(point.sectors, 0) << point.row.id;
    ASSERT_TRUE(view().plots.first_dot && by_time);
    EXPECT_NE(view().plots.first_dot->y, by_time->y);
    hand.MouseMoveToPos({700, 60});
    take_picture("plots-sectors");
    hand.MouseMoveToPos(*view().plots.first_dot);
    draw_frames(3);
    take_picture("plots-sectors-pointed");
    hand.ItemClick(panel_item(panel::plots, "##which sweep").c_str());
    hand.ItemClick("//$FOCUSED/lightweight-20b: lookups a second and byte by n, each method at its best");
    draw_frames(3);
    EXPECT_EQ(view().plots.sweep, "lightweight-20b");
    EXPECT_EQ(view().plots.other_y, std::nullopt) << "another figure is drawn as its paper draws it";
  });
}

// A script stands in for Nsight Compute: the fewer lanes, the fewer instructions.
TEST_F(plots_window, WhatTheGpuCountsIsDrawnAsAScatter) {
  const scratch_folder folder;
  const std::string ncu = folder.write("ncu", R"x(#!/bin/sh
case "$*" in *lanes=8*) ei=216,46; ;; *lanes=2*) ei=129,80; ;; *lanes=1*) ei=95,140; ;; *) ei=168,52; ;; esac
echo '"ID","sm__warps_active.avg.pct_of_peak_sustained_active","smsp__inst_executed.sum","smsp__average_warp_latency_per_inst_issued.ratio","l1tex__t_sector_hit_rate.pct","lts__t_sector_hit_rate.pct","l1tex__t_bytes.sum.per_second","lts__t_bytes.sum.per_second","dram__bytes.sum.per_second"'
echo '"","%","inst","inst","%","%","byte/second","byte/second","byte/second"'
echo "\"0\",\"82\",\"${ei%,*}0000000\",\"${ei#*,}\",\"20\",\"55\",\"4${ei#*,}0000000000\",\"3${ei#*,}0000000000\",\"2${ei#*,}0000000000\""
)x");
  std::filesystem::permissions(ncu, std::filesystem::perms::owner_all);
  const char* there = std::getenv("PATH");
  const std::string before = there != nullptr ? there : "";
  ::setenv("PATH", (std::filesystem::path(ncu).parent_path().string() + ":" + before).c_str(), 1);
  window_options start;
  start.machine = machine_kind::cuda;
  start.from.open = [](machine_kind kind, const machine_options&) -> outcome<std::unique_ptr<machine>> {
    return std::unique_ptr<machine>(std::make_unique<given_machine>(kind));
  };
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    show_plots(hand, "gph-3", 16);
    measure(hand, "gph-t2", 9);
    for (const sweep_point& point : *now().sweeps->at("gph-t2").points)
      EXPECT_TRUE(point.counters) << point.row.id << ": " << point.counters_problem;
    hand.MouseMoveToPos({700, 60});
    take_picture("plots-scatter");
    ASSERT_TRUE(view().plots.first_dot);
    hand.MouseMoveToPos(*view().plots.first_dot);
    draw_frames(3);
    take_picture("plots-scatter-pointed");
    hand.ItemClick(panel_item(panel::plots, "y AO").c_str());
    EXPECT_EQ(view().plots.other_y, plot_y::occupancy);
    hand.ItemClick(panel_item(panel::plots, "y hit rates").c_str());
    EXPECT_EQ(view().plots.other_y, plot_y::hit_rates);
    hand.ItemClick(panel_item(panel::plots, "##which sweep").c_str());
    hand.ItemClick("//$FOCUSED/gph-t2: lookups by table, and what the GPU counts meanwhile");
    draw_frames(3);
    hand.ItemClick(panel_item(panel::plots, "y bytes\\/s").c_str());
    EXPECT_EQ(view().plots.other_y, plot_y::memory_rates);
    hand.MouseMoveToPos({700, 60});
    take_picture("plots-memories");
    hand.MouseMoveToPos(*view().plots.first_dot);
    draw_frames(3);
    take_picture("plots-memories-pointed");
  });
  ::setenv("PATH", before.c_str(), 1);
}

TEST_F(plots_window, APlotOfOnesOwnHasTheConfigsThatAreAdded) {
  window_options start;
  start.load = uniform_keys(1 << 14);
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    show_plots(hand, "", view().plots.scale);
    take_picture("plots-own-empty");
    hand.ItemClick(panel_item(panel::plots, "pin config").c_str());
    ASSERT_EQ(view().plots.configs.size(), 1u);
    view().plots.configs.push_back(*config_from_line("AO+BS"));
    hand.ItemClick(panel_item(panel::plots, "y ms").c_str());
    EXPECT_EQ(view().plots.y, plot_y::batch_ms);
    hand.ItemClick(panel_item(panel::plots, "x n").c_str());
    draw_frames(2);
    measure(hand, "own", 2 * 11);
    hand.MouseMoveToPos({700, 60});
    take_picture("plots-own");
    view().plots.configs.push_back(*config_from_line("HT+OA"));
    hand.ItemClick(panel_item(panel::plots, "x K").c_str());
    draw_frames(3);
    take_picture("plots-own-missing");
    hand.ItemClick(panel_item(panel::plots, "drop 2").c_str());
    EXPECT_EQ(view().plots.configs.size(), 2u);
  });
}

TEST_F(plots_window, NoPointOfAWrongAnswerIsDrawn) {
  window_options start;
  start.from.open = [](machine_kind, const machine_options&) -> outcome<std::unique_ptr<machine>> {
    return std::unique_ptr<machine>(std::make_unique<lying_machine>([](u64) { return true; }));
  };
  start.load = workload{.lookups = 0};
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    show_plots(hand, "lightweight-1b", 18);
    measure(hand, "lightweight-1b", 8);
    EXPECT_EQ(view().plots.first_dot, std::nullopt);
    hand.MouseMoveToPos({700, 60});
    take_picture("plots-wrong");
  });
}

}  // namespace
}  // namespace pivotscope
