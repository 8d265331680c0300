// What the window does with what takes long: jobs that are stopped, overtaken, left behind by closing, and measured.
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/scripted_machines.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

TEST_F(window_test, AJobIsCancelledAndAnotherRuns) {
  open();
  ASSERT_TRUE(until_settled());
  state().choose_workload(uniform_keys(1 << 24, 1 << 23));
  ASSERT_TRUE(until([&] { return now().job.running; }));
  perform([&](ImGuiTestContext& hand) { hand.ItemClick("//top line/stop job"); });
  ASSERT_TRUE(until([&] { return !now().job.running; }));
  EXPECT_TRUE(now().job.stopped);
  EXPECT_TRUE(now().notices.empty()) << "to be stopped is not a fault";
  state().choose_workload(uniform_keys(1 << 12));
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(shape_of(*now().index).keys, 1u << 12);
}

TEST_F(window_test, WhatWasThereStaysWhenItsSuccessorIsStopped) {
  open();
  ASSERT_TRUE(until_settled());
  state().choose_workload(uniform_keys(1 << 24, 0));
  ASSERT_TRUE(until([&] { return now().job.running; }));
  state().cancel();
  ASSERT_TRUE(until([&] { return !now().job.running; }));
  EXPECT_TRUE(now().job.stopped);
  ASSERT_TRUE(now().index);
  EXPECT_EQ(shape_of(*now().index).keys, 14u);
  state().run_again();
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(shape_of(*now().index).keys, 1u << 24);
}

TEST_F(window_test, ANewChoiceOvertakesTheJobOfAnOldOne) {
  open();
  ASSERT_TRUE(until_settled());
  state().choose_workload(uniform_keys(1 << 25, 64));
  ASSERT_TRUE(until([&] { return now().job.running; }));
  for (u64 n : {1u << 13, 1u << 14, 1u << 15}) {
    state().choose_workload(uniform_keys(n));
    draw_frames(1);
  }
  bool old_one_seen = false;
  ASSERT_TRUE(until([&] {
    const viz::session_view v = now();
    old_one_seen = old_one_seen || (v.index && shape_of(*v.index).keys == 1u << 25);
    return !v.job.running && v.index && shape_of(*v.index).keys == 1u << 15;
  }));
  EXPECT_FALSE(old_one_seen);
  ASSERT_TRUE(until_settled());
}

TEST_F(window_test, ClosingInTheMiddleOfAJobIsQuickAndClean) {
  for (const int frames : {0, 3, 30}) {
    window_options start;
    start.load = uniform_keys(1 << 25, 1 << 20);
    open(start);
    draw_frames(frames);
    const double began = processor_seconds();
    close();
    EXPECT_LT(processor_seconds() - began, 2) << frames << " frames";
  }
}

TEST_F(window_test, ClosingDoesNotWaitForWhatDoesNotLookAtItsControl) {
  testing::script script;
  script.hold("cpu: open");  // has none
  window_options start;
  start.from = script.machines();
  open(start);
  ASSERT_TRUE(script.wait_until_held());
  EXPECT_FALSE(bench_->ends_within(std::chrono::milliseconds(0)));
  script.let_go();
  close();
  EXPECT_EQ(script.calls(), std::vector<std::string>{"cpu: open"}) << "nothing was begun after it";
}

TEST_F(window_test, MeasuringRepeatsTheLookups) {
  window_options start;
  start.load = uniform_keys(1 << 12, 1 << 10);
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Timings");
    hand.ItemClick(panel_item(panel::timings, "measure").c_str());
    ASSERT_TRUE(until([&] { return now().runs->back().origin == viz::provenance::measured; }));
  });
  EXPECT_GE(now().runs->back().record.time.samples_ms.size(), 5u);
  EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
  draw_frames(3);
  take_picture("measured");
}

}  // namespace
}  // namespace pivotscope
