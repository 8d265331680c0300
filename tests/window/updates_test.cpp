// The Updates panel: a batch is typed or drawn, applied, undone and redone, by clicks and by keys.
#include "core/index/config_text.hpp"
#include "core/run/stored_entries.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class updates_window : public window_test {
 protected:
  void open_plain(int width = 1600, int height = 1000) {
    window_options start;
    start.config = *config_from_line("PLAIN");
    start.load = workload{};
    start.key = 9;
    open(start, width, height);
    ASSERT_TRUE(until_applied(0));
  }
  // Anywhere in the panel: it has columns where it is wide.
  static std::string item(const std::string& name) { return "//Updates/**/" + name; }
  bool until_applied(std::size_t batches) {
    return until([&] {
      const viz::session_view v = now();
      return !v.job.running && v.updates && v.updates->applied == batches && !v.runs->empty() &&
             v.runs->back().load == v.choice.load && v.runs->back().record.config == v.choice.config;
    });
  }
  void type(ImGuiTestContext& hand, const char* text) {
    hand.ItemClick(item("##typed").c_str());
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    hand.KeyChars(text);
    draw_frames(2);
  }
  bool holds(u64 key) {
    const std::vector<stored_entry> all = *stored_entries(*now().index);
    return std::any_of(all.begin(), all.end(), [&](const stored_entry& e) { return e.key == key; });
  }
};

TEST_F(updates_window, ABatchIsTypedAppliedUndoneAndRedone) {
  open_plain();
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Updates");
    take_picture("updates-empty");
    type(hand, "inset 5");
    EXPECT_EQ(view().updates.typed.problem, "line 1: column 1: 'inset' is not an operation; did you mean 'insert'?");
    take_picture("updates-fault");
    hand.ItemClick(item("apply").c_str());
    EXPECT_EQ(now().updates->batches.size(), 0u);
    type(hand, "successor 5");
    EXPECT_NE(view().updates.typed.problem.find("line 1: PLAIN has no order"), std::string::npos);
    type(hand, "insert 5 8\nerase 9");
    EXPECT_EQ(view().updates.typed.problem, "");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    ASSERT_TRUE(until_applied(2));
    EXPECT_TRUE(view().updates.typed.text.empty());
    EXPECT_EQ(now().choice.load.own_script.list, "+5,+8/-9");
    EXPECT_TRUE(holds(5) && !holds(9));
    hand.MouseMoveToPos({700, 20});
    take_picture("updates-applied");
    // By a click on a state, by the buttons and by keys.
    hand.ItemClick(item("$$0/state").c_str());
    ASSERT_TRUE(until_applied(0));
    EXPECT_FALSE(holds(5));
    hand.ItemClick(item("redo").c_str());
    ASSERT_TRUE(until_applied(1));
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y);
    ASSERT_TRUE(until_applied(2));
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_TRUE(until_applied(1));
    hand.ItemClick(item("undo").c_str());
    ASSERT_TRUE(until_applied(0));
    hand.ItemClick(item("$$1/state").c_str());
    ASSERT_TRUE(until_applied(1));
    hand.ItemClick(item("copy script").c_str());
    EXPECT_STREQ(ImGui::GetClipboardText(), "insert 5\ninsert 8\n");
    hand.MouseMoveToPos({700, 20});
    take_picture("updates-undone");
    view().light = true;
    take_picture("updates-undone-light");
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(updates_window, AnIndexIsClearedAndRebuiltByButtonsAndByText) {
  open_plain();
  const auto held = [&] { return stored_entries(*now().index)->size(); };
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Updates");
    hand.ItemClick(item("clear").c_str());
    ASSERT_TRUE(until_applied(1));
    EXPECT_EQ(held(), 0u);
    type(hand, "insert 5\nrebuild");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    ASSERT_TRUE(until_applied(3));
    EXPECT_EQ(held(), 1u);
    EXPECT_EQ(now().choice.load.own_script.list, "-*/+5/@");
    hand.ItemClick(item("undo").c_str());
    ASSERT_TRUE(until_applied(2));
    hand.ItemClick(item("$$0/state").c_str());
    ASSERT_TRUE(until_applied(0));
    EXPECT_GT(held(), 0u);
    hand.ItemClick(item("rebuild").c_str());
    ASSERT_TRUE(until_applied(1));
    EXPECT_EQ(now().updates->batches[0].kind, "rebuild");
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(updates_window, WhatATableDoesNotHoldIsSaid) {
  window_options start;
  start.config = *config_from_line("HT+OA");
  start.load = *workload_from_line("key_list=5,5,5,9 seed=1 lookups=4");
  open(start);
  ASSERT_TRUE(until_applied(0));
  const auto says = [&](std::string_view part) {
    draw_frames(3);
    return std::any_of(watch_.texts().begin(), watch_.texts().end(),
                       [&](const drawn_text& t) { return t.words.find(part) != std::string::npos; });
  };
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Timings");
    EXPECT_TRUE(says("the index holds 2 of 4 rows: one a key"));
    hand.WindowFocus("//Updates");
    EXPECT_TRUE(says("As built: holds 2 of 4 rows: one a key"));
    state().choose_config(*config_from_line("PLAIN"));
    ASSERT_TRUE(until_applied(0));
    EXPECT_TRUE(says("As built: 4 keys"));
    hand.WindowFocus("//Timings");
    EXPECT_FALSE(says("holds 2 of 4"));
  });
}

TEST_F(updates_window, DrawnBatchesAreTheWorkloadsRecipe) {
  open_plain(1280, 720);
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Updates");
    hand.ItemInputValue(item("inserts/##value").c_str(), "20");
    hand.ItemInputValue(item("erases/##value").c_str(), "many");
    EXPECT_NE(view().updates.erases.problem, "");
    hand.ItemInputValue(item("erases/##value").c_str(), "6");
    hand.ItemClick(item("draw").c_str());
    ASSERT_TRUE(until_applied(2));
    EXPECT_EQ(now().choice.load.recipe, (script_recipe{.inserts = 20, .erases = 6}));
    hand.ItemClick(item("mixed").c_str());
    hand.ItemClick(item("next seed").c_str());
    hand.ItemClick(item("draw").c_str());
    ASSERT_TRUE(until_applied(3));
    EXPECT_EQ(now().updates->batches[2].kind, "mixed");
    EXPECT_EQ(now().updates->batches[2].record.operations, 26u);
    hand.MouseMoveToPos({700, 20});
    take_picture("updates-drawn");
    view().light = true;
    take_picture("updates-drawn-light");
  });
  for (const viz::applied_batch& batch : now().updates->batches) EXPECT_EQ(batch.record.check.wrong, 0u);
}

TEST_F(updates_window, WhatDoesNotChangeNamesWhatDoes) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Updates");
    take_picture("updates-refused");
    hand.ItemClick("//Updates/PLAIN");
    ASSERT_TRUE(until([&] { return to_line(now().index->config()) == "PLAIN"; }));
    ASSERT_TRUE(until_applied(0));
    EXPECT_EQ(to_line(now().choice.config), "PLAIN");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_U);
    draw_frames(3);
    hand.KeyChars("insert 2");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    ASSERT_TRUE(until_applied(1));
    EXPECT_TRUE(holds(2));
  });
}

TEST_F(updates_window, AnInsertIsSteppedThroughBeforeItIsDone) {
  open_plain();
  const auto index = now().index;
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Path");
    hand.ItemInputValue("//Path/##key", "+5");
    ASSERT_TRUE(until([&] { return now().path && now().path->trace.write; }));
    ASSERT_TRUE(until([&] { return view().transport.path == now().path; }));
    hand.KeyPress(ImGuiKey_End);
    EXPECT_EQ(step() + 1, steps());
    EXPECT_FALSE(now().path->trace.steps.back().changed.empty());
    take_picture("updates-traced");
    hand.KeyPress(ImGuiKey_Home);
    EXPECT_EQ(step(), 0u);
    EXPECT_EQ(now().index, index);
    EXPECT_FALSE(holds(5));
    hand.ItemClick("//Path/apply write");
    ASSERT_TRUE(until_applied(1));
    EXPECT_TRUE(holds(5));
    EXPECT_EQ(now().choice.key, question(5));
    ASSERT_TRUE(until([&] { return now().path && now().path->index == now().index; }));
    EXPECT_NE(now().path->trace.row, not_found);
    hand.ItemInputValue("//Path/##key", "-9");
    ASSERT_TRUE(until([&] { return now().path && now().path->trace.write; }));
    EXPECT_TRUE(holds(9));
    hand.ItemClick("//Path/apply write");
    ASSERT_TRUE(until_applied(2));
    EXPECT_FALSE(holds(9));
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(updates_window, CellsThatABatchChangedFlashWhereMotionIsOn) {
  open_plain();
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Updates");
    for (const bool motion : {false, true}) {
      view().motion = motion;
      const u64 before = now().updates ? now().updates->applied : 0;
      type(hand, "insert 5 8\nerase 9");
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
      ASSERT_TRUE(until([&] { return view().layout.index == now().index && now().updates->applied == before + 2; }));
      ASSERT_NE(view().layout.changes, nullptr);
      EXPECT_FALSE(view().layout.changes->cells.empty());
      EXPECT_EQ(view().layout.changed_at >= 0, motion);
    }
    take_picture("updates-flash");
  });
}

}  // namespace
}  // namespace pivotscope
