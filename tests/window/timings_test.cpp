// Timings: a measured run is pinned as the baseline, what comes after is compared with it, and only runs of the same
// workload on the same machine stand on one axis.
#include "core/index/config_text.hpp"
#include "tests/support/scripted_machines.hpp"
#include "tests/support/synthetic_samples.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/timings_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class timings_window_test : public window_test {
 protected:
  // Runs of EO+KS are a ninth faster than those of any other index; the noise is half a percent.
  void take_given_times() {
    script_.take_ms([](const index_config& config, u32 runs) {
      const double ms = to_line(config) == "EO+KS" ? 9.0 : 10.0;
      return testing::synthetic(1).many(runs, testing::normal_of(0.005, ms));
    });
  }
  void open_on_script() {
    window_options start;
    start.from = script_.machines();
    start.machine = machine_kind::cpu;
    start.config = *config_from_line("EO+BS");
    start.load = uniform_keys(1 << 12, 1 << 12);
    open(start);
    ASSERT_TRUE(until_settled());
    view().preset = 2;
    view().reset_layout = true;
    view().focus = panel::timings;
    draw_frames(8);
  }
  void measure(ImGuiTestContext& hand) {
    const u64 before = now().runs->back().number;
    hand.ItemClick(panel_item(panel::timings, "measure").c_str());
    ASSERT_TRUE(until([&] {
      return now().runs->back().number > before && now().runs->back().origin == viz::provenance::measured &&
             !now().job.running;
    }));
    draw_frames(3);
  }
  void choose(const char* config) {
    const u64 before = now().runs->back().number;
    state().choose_config(*config_from_line(config));
    ASSERT_TRUE(until([&] { return now().runs->back().number > before && !now().job.running; }));
    draw_frames(3);
  }
  std::string told() { return viz::beside(*view().baseline, now().runs->back()).words; }

  testing::script script_;
};

TEST_F(timings_window_test, AMeasuredRunIsPinnedAndOthersAreComparedWithIt) {
  take_given_times();
  open_on_script();
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick(panel_item(panel::timings, "baseline").c_str());
    draw_frames(2);
    EXPECT_FALSE(view().baseline) << "one run is no baseline";
    measure(hand);
    hand.ItemClick(panel_item(panel::timings, "baseline").c_str());
    draw_frames(2);
    ASSERT_TRUE(view().baseline);
    EXPECT_EQ(view().baseline->number, now().runs->back().number);
    EXPECT_EQ(told(), "This is the baseline");

    choose("EO+KS");
    EXPECT_EQ(told(), "Can't tell: 1 run is too few") << "it is live";
    measure(hand);
    EXPECT_EQ(viz::beside(*view().baseline, now().runs->back()).says, speed_verdict::faster);
    EXPECT_EQ(told().substr(0, 29), "11% faster than the baseline ");
    hand.MouseMoveToPos({2, 2});
    draw_frames(3);
    take_picture("timings-faster");
    expect_no_text_is_cut("faster than the baseline");

    // The other way round: it is let go by its key, and the faster one pinned.
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_M);
    draw_frames(2);
    EXPECT_FALSE(view().baseline);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_M);
    draw_frames(2);
    ASSERT_TRUE(view().baseline);
    choose("AO+BS");
    measure(hand);
    EXPECT_EQ(told().substr(0, 29), "10% slower than the baseline ");
    view().light = true;
    draw_frames(3);
    hand.MouseMoveToPos({2, 2});
    draw_frames(3);
    take_picture("timings-slower-light");
    expect_no_text_is_cut("slower than the baseline");
  });
}

TEST_F(timings_window_test, RunsOfAnotherWorkloadAreLeftOut) {
  take_given_times();
  open_on_script();
  perform([&](ImGuiTestContext& hand) {
    measure(hand);
    hand.ItemClick(panel_item(panel::timings, "baseline").c_str());
    draw_frames(2);
    ASSERT_TRUE(view().baseline);
    const std::size_t before = viz::history_of(*now().runs, 40).runs.size();
    EXPECT_GE(before, 2u);
    state().choose_workload(uniform_keys(1 << 11, 1 << 13));
    ASSERT_TRUE(until([&] { return now().runs->back().load.keys == 1 << 11 && !now().job.running; }));
    draw_frames(3);
    const viz::run_history history = viz::history_of(*now().runs, 40);
    EXPECT_EQ(history.runs.size(), 1u);
    EXPECT_EQ(history.left_out, before);
    EXPECT_EQ(told(), "The baseline is of another workload");
    hand.MouseMoveToPos({2, 2});
    draw_frames(3);
    take_picture("timings-left-out");
    expect_no_text_is_cut("runs of another workload");
    view().preset = 1;
    view().reset_layout = true;
    draw_frames(8);
    hand.WindowFocus("//Timings");
    draw_frames(3);
    take_picture("timings-narrow");
    expect_no_text_is_cut("timings in a narrow panel");
    measure(hand);
    hand.MouseMoveToPos({2, 2});
    draw_frames(3);
    take_picture("timings-narrow-measured");
    expect_no_text_is_cut("timings, measured, in a narrow panel");
  });
}

}  // namespace
}  // namespace pivotscope
