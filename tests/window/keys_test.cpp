// The command palette, the list of keys and what it changes, what a frame at rest costs, and when the next one is due.
#include "core/index/config_text.hpp"
#include "core/workload/question_text.hpp"
#include "tests/app/program.hpp"
#include "tests/window/window_driver.hpp"

#include "app/window/frame_pace.hpp"
#include "viz/state/commands.hpp"

namespace pivotscope {
namespace {

class keys_window : public window_test {
 protected:
  static ImGuiKeyChord keys(const char* id, viz::view_state& view) { return view.keys.of(*viz::find_command(id)); }
  bool draws_at_rest() {  // once what an event left behind has come to its end
    for (int still = 0, drawn = 0; still < 8; ++drawn) {
      if (drawn > 120) return true;
      still = draw_frame() ? 0 : still + 1;
    }
    return false;
  }
};

TEST_F(keys_window, ThePaletteFindsAndDoes) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.Yield(6);
    ASSERT_TRUE(view().palette.open);
    take_picture("palette");
    hand.KeyChars("ao+bs");
    hand.Yield(2);
    take_picture("palette-found");
    hand.KeyPress(ImGuiKey_Enter);
    EXPECT_FALSE(view().palette.open);
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(to_line(now().choice.config), "AO+BS");

    // The arrows choose; of nothing found Enter does nothing.
    const u32 before = step();
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.Yield(6);
    hand.KeyPress(ImGuiKey_DownArrow);
    EXPECT_EQ(view().palette.chosen, 1u);
    hand.KeyPress(ImGuiKey_Enter);
    EXPECT_FALSE(view().palette.open);
    EXPECT_GT(steps(), 1u);
    EXPECT_EQ(step(), before + 1) << "the second of all is a step on";
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.Yield(6);
    hand.KeyChars("qqqq");
    hand.KeyPress(ImGuiKey_Enter);
    EXPECT_TRUE(view().palette.open);
    hand.KeyPress(ImGuiKey_Escape);
    hand.Yield(2);
    EXPECT_FALSE(view().palette.open);
    EXPECT_EQ(step(), before + 1);
    // A click elsewhere leaves it too.
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.Yield(6);
    ASSERT_TRUE(view().palette.open);
    hand.ItemClick(panel_item(viz::panel::index, "keys/u64").c_str());
    EXPECT_FALSE(view().palette.open);

    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.Yield(6);
    hand.KeyChars("panel warp");
    hand.KeyPress(ImGuiKey_Enter);
    hand.Yield(6);
    EXPECT_TRUE(view().seen[static_cast<std::size_t>(viz::panel::warp)]);
  });
}

TEST_F(keys_window, TheListGivesACommandOtherKeysAndTheirOwnBack) {
  const scratch_folder folder;
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiKey_F1);
    hand.Yield(3);
    hand.ItemClick("//Keys/step-on/keys");
    EXPECT_TRUE(view().rebinding.command);
    take_picture("rebinding");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_L);
    hand.Yield(2);
    EXPECT_EQ(keys("step-on", view()), ImGuiMod_Ctrl | ImGuiKey_L);
    EXPECT_EQ(step(), 0u);
    bench_->keep_changed_keys(folder / "keys.json");
    EXPECT_EQ(load_keys(folder / "keys.json").keys, view().keys);
    hand.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(step(), 0u);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_L);
    EXPECT_EQ(step(), 1u);
    // Keys of another command, and escape, change nothing.
    hand.ItemClick("//Keys/fit/keys");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_M);
    hand.Yield(2);
    EXPECT_FALSE(view().rebinding.problem.empty());
    EXPECT_EQ(keys("fit", view()), ImGuiMod_Ctrl | ImGuiKey_E);
    take_picture("rebinding-taken");
    hand.ItemClick("//Keys/fit/keys");
    hand.KeyPress(ImGuiKey_Escape);
    hand.Yield(2);
    EXPECT_EQ(keys("fit", view()), ImGuiMod_Ctrl | ImGuiKey_E);
    EXPECT_TRUE(view().show_keys);
    hand.ItemClick("//Keys/as they were");
    EXPECT_EQ(view().keys, viz::bindings());
    EXPECT_TRUE(view().keys_changed);
  });
}

TEST_F(keys_window, DigitsAreTheKeyThatIsLookedForAndLettersAloneDoNothing) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyChars("customer_id");
    hand.Yield(12);
    EXPECT_FALSE(viz::types_into_field());
    EXPECT_FALSE(view().pinned.has_value());
    hand.KeyChars("13");
    hand.Yield(12);
    EXPECT_TRUE(viz::types_into_field());
    EXPECT_EQ(view().key.text, "13");
    hand.KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(to_text(*now().choice.key), "13");
    hand.KeyChars("/");
    hand.Yield(12);
    hand.KeyChars("5");
    hand.KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(to_text(*now().choice.key), "5");
  });
}

TEST_F(keys_window, NothingIsDrawnWhileNothingMoves) {
  window_options start;
  start.remember = false;
  open(start);
  ASSERT_TRUE(until_settled());
  view().motion = true;
  EXPECT_FALSE(draws_at_rest()) << "the example";
  view().reset_layout = true;
  viz::session_view session = now();
  view().pinned = *config_from_line("EO+KS");
  view().preset = 3;
  ASSERT_TRUE(until([&] { return bench_->pinned_shown().index != nullptr && !bench_->pinned_shown().job.running; }));
  EXPECT_FALSE(draws_at_rest()) << "two indexes compared";
  view().pinned.reset();
  view().preset = 1;
  view().reset_layout = true;
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.Yield(6);
    hand.KeyChars("lesson eytz");
    EXPECT_EQ(view().palette.text.text, "lesson eytz");
    hand.KeyPress(ImGuiKey_Enter);
    EXPECT_FALSE(view().palette.open);
    EXPECT_TRUE(view().lessons.current);
  });
  ASSERT_TRUE(until_settled());
  ASSERT_TRUE(view().lessons.current);
  EXPECT_FALSE(draws_at_rest()) << "a lesson";
  perform([&](ImGuiTestContext& hand) { hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_G), hand.Yield(8); });
  ASSERT_TRUE(viz::types_into_field());
  EXPECT_FALSE(draws_at_rest()) << "a field: its cursor is the pace's";
}

TEST(frame_pace, counts_the_frames_of_a_minute) {
  // What comes: nothing, by a clock of its own.
  const auto frames = [](bool moving, bool typing, double event_every, bool measuring = false) {
    double now = 0, next_event = event_every;
    frame_pace pace(now);
    int drawn = 0;
    for (; now < 60; ++drawn) {
      const double wait = pace.wait(now, moving, typing, measuring), before = now;
      now = next_event < now + wait ? next_event : now + wait;
      if (now == next_event) next_event += event_every;
      pace.waited(before, now, wait);
    }
    return drawn;
  };
  constexpr double never = 1e9;
  const int awake = static_cast<int>(frame_pace::awake_seconds / (frame_pace::frame_seconds / 2));
  EXPECT_NEAR(frames(false, false, never), awake + 30, 3) << "one every two seconds";
  EXPECT_NEAR(frames(false, true, never), awake + 300, 10) << "five a second, for the cursor";
  EXPECT_GT(frames(true, false, never), 60 * 60);
  EXPECT_NEAR(frames(true, true, never, true), 240, 3) << "four a second beside what is measured, whatever moves";
  EXPECT_NEAR(frames(false, false, 10), 6 * awake + 30, 40) << "awake for a while after each event";
}

}  // namespace
}  // namespace pivotscope
