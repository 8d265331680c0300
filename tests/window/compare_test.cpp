// Two indexes side by side: one is pinned, the other edited; both have the same keys, lookups and steps.
#include <imgui_internal.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

TEST_F(window_test, AnIndexIsPinnedAndComparedWithTheOneThatIsEdited) {
  window_options start;
  start.config = *config_from_line("AO+BS");
  start.load = workload{.keys = 1 << 12, .dist = distribution::uniform, .lookups = 512};
  open(start);
  ASSERT_TRUE(until_settled());
  const auto settled_both = [&] {
    return until([&] {
      const viz::session_view& a = bench_->pinned_shown();
      const viz::session_view b = now();
      return !b.job.running && b.index && b.index->config() == b.choice.config && b.path && b.path->index == b.index &&
             a.index && a.index->config() == *view().pinned && a.choice.load == b.choice.load && !a.job.running &&
             a.path && a.path->index == a.index && a.path->trace.key == b.path->trace.key &&
             a.path->trace.keys == b.path->trace.keys;
    });
  };
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_3);
    ASSERT_TRUE(until([&] { return view().pinned.has_value(); }));
    EXPECT_EQ(to_line(*view().pinned), "AO+BS");
    state().choose_config(*config_from_line("EO+KS"));
    ASSERT_TRUE(settled_both());
    EXPECT_EQ(to_line(bench_->pinned_shown().index->config()), "AO+BS");
    draw_frames(20);
    take_picture("compare");

    // One transport: as many steps as the longer path has.
    const u32 of_a = static_cast<u32>(bench_->pinned_shown().path->trace.steps.size()), of_b = steps();
    ASSERT_GT(of_a, of_b) << "two ways a step takes more steps than nine";
    for (u32 s = 1; s < of_a; ++s) {
      hand.KeyPress(ImGuiKey_RightArrow);
      EXPECT_EQ(step(), std::min(s, of_b - 1));
      EXPECT_EQ(bench_->pinned_view().transport.step, s);
    }
    hand.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(bench_->pinned_view().transport.step, of_a - 1);
    for (u32 s = of_a - 1; s-- > 0;) {
      hand.KeyPress(ImGuiKey_LeftArrow);
      EXPECT_EQ(step(), std::min(s, of_b - 1));
      EXPECT_EQ(bench_->pinned_view().transport.step, s);
    }

    // A stop at what only A reads, by the menu of a cell of A; and a click into A's tree leads both.
    hand.MouseMove("//Layout of A/lower");
    hand.MouseClick(ImGuiMouseButton_Right);
    draw_frames(3);
    ASSERT_TRUE(bench_->pinned_view().menu_at);
    hand.KeyPress(ImGuiKey_Escape);
    const lookup_trace& path_of_a = bench_->pinned_view().transport.path->trace;
    const u32 stop_step = of_a - 2;
    bench_->pinned_view().transport.stops = {
        {viz::stop_mark::kind::slot, path_of_a.steps[stop_step].accesses.front().slot}};
    ASSERT_EQ(step(), 0u);
    hand.KeyPress(ImGuiKey_F5);
    EXPECT_EQ(bench_->pinned_view().transport.step, stop_step);
    EXPECT_EQ(step(), std::min(stop_step, of_b - 1));
    view().focus = panel::path;
    draw_frames(3);
    take_picture("compare-stop-of-a");
    hand.ItemClick(panel_item(panel::path, "$$0/stop").c_str());
    EXPECT_TRUE(bench_->pinned_view().transport.stops.empty());
    const ImGuiWindow* tree_of_a = ImGui::FindWindowByName("Tree of A");
    hand.MouseMoveToPos({tree_of_a->InnerClipRect.GetCenter().x, tree_of_a->InnerClipRect.Min.y + 60});
    hand.MouseClick();
    draw_frames(3);
    const u32 clicked = bench_->pinned_view().transport.step;
    EXPECT_LT(clicked, stop_step);
    EXPECT_EQ(step(), std::min(clicked, of_b - 1));
    hand.KeyPress(ImGuiKey_Home);

    // Another key, other keys: A goes along.
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_R);
    ASSERT_TRUE(settled_both());
    state().choose_workload({.keys = 1000, .dist = distribution::dense, .lookups = 64});
    ASSERT_TRUE(settled_both());
    EXPECT_EQ(bench_->pinned_shown().index->keys(), 1000u);

    // A zoom in one layout is one in the other.
    hand.MouseMove("//Layout/upper");
    hand.MouseWheelY(4);
    draw_frames(5);
    const viz::strip_camera &b = view().layout.upper.camera, &a = bench_->pinned_view().layout.upper.camera;
    EXPECT_FALSE(b.shows_all());
    EXPECT_NEAR(a.left(), b.left(), 1e-6 * 1000 + 0.5);

    hand.ItemClick(panel_item(panel::compare, "swap").c_str());
    ASSERT_TRUE(settled_both());
    EXPECT_EQ(to_line(*view().pinned), "EO+KS");
    EXPECT_EQ(to_line(now().choice.config), "AO+BS");
    hand.ItemClick(panel_item(panel::compare, "pin again").c_str());
    ASSERT_TRUE(settled_both());
    EXPECT_EQ(to_line(*view().pinned), "AO+BS");
    hand.ItemClick(panel_item(panel::compare, "unpin").c_str());
    ASSERT_TRUE(until([&] { return !view().pinned; }));
    draw_frames(5);
    EXPECT_FALSE(bench_->pinned_shown().index);
    take_picture("compare-nothing");
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(window_test, TwoStepsOfOneLookupAreCompared) {
  window_options start;
  start.config = *config_from_line("EO+KS fanout=5");
  start.load = workload{.keys = 1 << 10, .dist = distribution::uniform, .lookups = 64};
  open(start);
  ASSERT_TRUE(until_settled());
  ASSERT_GE(steps(), 4u);
  perform([&](ImGuiTestContext& hand) {
    // From Path: its second step is A, and the transport stays where it is.
    hand.MouseMove(panel_item(panel::path, "$$1/step").c_str());
    hand.MouseClick(ImGuiMouseButton_Right);
    hand.ItemClick("//$FOCUSED/Compare with this step");
    EXPECT_EQ(view().pinned_step, 1u);
    EXPECT_EQ(step(), 0u);
    ASSERT_TRUE(until([&] { return view().preset == 3 && !view().reset_layout; }));
    const auto is_of_the_same_index = [&] {
      return bench_->pinned_shown().index == now().index && bench_->pinned_view().transport.path == now().path;
    };
    ASSERT_TRUE(until(is_of_the_same_index));
    for (u32 s = 1; s < 4; ++s) {
      hand.KeyPress(ImGuiKey_RightArrow);
      EXPECT_EQ(step(), s);
      EXPECT_EQ(bench_->pinned_view().transport.step, 1u) << "A stays";
    }
    // What the mouse is over in one of the two is outlined in the other.
    hand.MouseMove("//Layout of A/lower");
    draw_frames(3);
    EXPECT_TRUE(view().pointed.rank);
    EXPECT_EQ(view().pointed, bench_->pinned_view().pointed);
    take_picture("compare-steps");
    // Another key: the same steps of its lookup. Four keys of a thousand are found in the first step, which leaves no second one.
    for (int press = 0; press == 0 || (press < 8 && steps() < 2); ++press) {
      const std::optional<question> before = now().choice.key;
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_R);
      ASSERT_TRUE(until([&] { return now().choice.key != before; }));
      ASSERT_TRUE(until_settled());
    }
    ASSERT_GE(steps(), 2u);
    draw_frames(3);
    EXPECT_TRUE(is_of_the_same_index());
    EXPECT_EQ(bench_->pinned_view().transport.step, 1u);
    hand.KeyPress(ImGuiKey_End);
    const u32 last = step();
    hand.ItemClick(panel_item(panel::compare, "swap").c_str());
    draw_frames(2);
    EXPECT_EQ(step(), 1u);
    EXPECT_EQ(bench_->pinned_view().transport.step, last);
    // From the transport, at its left end: the first step.
    ImGuiTestItemInfo scrub = hand.ItemInfo("//transport/scrub");
    hand.MouseMoveToPos({scrub.RectFull.Min.x + 10, scrub.RectFull.GetCenter().y});
    hand.MouseClick(ImGuiMouseButton_Right);
    hand.ItemClick("//$FOCUSED/Compare with this step");
    EXPECT_EQ(view().pinned_step, 0u);
    EXPECT_EQ(step(), 1u);
    hand.ItemClick(panel_item(panel::compare, "unpin").c_str());
    draw_frames(3);
    EXPECT_FALSE(view().pinned_step);
    EXPECT_FALSE(bench_->pinned_shown().index) << "nor is it kept";
    EXPECT_FALSE(bench_->pinned_view().layout.index);
    hand.ItemClick(panel_item(panel::compare, "pin step").c_str());
    EXPECT_EQ(view().pinned_step, 1u);
  });
  EXPECT_TRUE(now().notices.empty());
}

// In whatever arrangement: the transport goes on to the end of A's path, and says whose steps those are.
TEST_F(window_test, WhatIsPinnedIsSeenOnTheTransportAndLetGoThere) {
  window_options start;
  start.config = *config_from_line("EO+KS");
  start.load = workload{.keys = 1 << 12, .dist = distribution::uniform, .lookups = 64};
  open(start);
  ASSERT_TRUE(until_settled());
  const auto says = [&](const std::string& words) {
    draw_frames(2);
    for (const drawn_text& t : watch_.texts())
      if (t.window == "transport" && t.words == words) return true;
    return false;
  };
  perform([&](ImGuiTestContext& hand) {
    EXPECT_FALSE(hand.ItemExists("//transport/let A go"));
    view().pinned = *config_from_line("AO+BS");
    ASSERT_TRUE(until([&] {
      const viz::session_view& a = bench_->pinned_shown();
      return a.path && a.index && a.path->index == a.index && a.path->trace.key == now().path->trace.key;
    }));
    EXPECT_EQ(view().preset, 1);
    ASSERT_GT(bench_->pinned_shown().path->trace.steps.size(), steps());
    EXPECT_TRUE(says("A alone"));
    take_picture("transport-pinned");
    hand.ItemClick("//transport/let A go");
    ASSERT_TRUE(until([&] { return !view().pinned; }));
    EXPECT_FALSE(says("A alone"));
  });
}

TEST_F(window_test, BothAreMeasuredOneAfterTheOther) {
  window_options start;
  start.load = workload{.keys = 1000, .dist = distribution::dense, .lookups = 64};
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    view().pinned = *config_from_line("PLAIN");
    hand.WindowFocus("//Compare");
    // Both have run their batch: while one of them runs the button is not to be pressed.
    ASSERT_TRUE(until([&] {
      const viz::session_view &seen_a = bench_->pinned_shown(), b = now();
      return seen_a.index && !seen_a.runs->empty() && !seen_a.job.running && !b.job.running;
    }));
    hand.ItemClick(panel_item(panel::compare, "measure both").c_str());
    bool together = false;
    const auto measured = [](const viz::session_view& s) {
      return !s.runs->empty() && s.runs->back().origin == viz::provenance::measured;
    };
    ASSERT_TRUE(until([&] {
      const viz::session_view &a = bench_->pinned_shown(), b = now();
      together |= a.job.running && b.job.running;
      return measured(a) && measured(b) && !a.job.running && !b.job.running;
    }));
    EXPECT_FALSE(together);
    draw_frames(5);
    take_picture("compare-measured");
  });
}

}  // namespace
}  // namespace pivotscope
