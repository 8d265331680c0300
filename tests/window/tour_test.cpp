// README's five minutes, step by step from the state that the step before left: each deed is the one that is written there.
#include <fstream>
#include <iterator>

#include "core/index/config_text.hpp"
#include "core/workload/question_text.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class tour : public window_test {
 protected:
  // That this stands in README.
  void says(const std::string& words) {
    EXPECT_NE(readme_.find(words), std::string::npos) << "README does not say: " << words;
  }
  void bring(ImGuiTestContext& hand, panel which) {
    hand.WindowFocus(("//" + std::string(viz::name_of(which))).c_str());
    hand.Yield(4);
    EXPECT_TRUE(view().seen[static_cast<std::size_t>(which)]) << viz::name_of(which);
  }
  void choose(ImGuiTestContext& hand, const char* knob) {
    bring(hand, panel::index);
    hand.ItemClick(panel_item(panel::index, knob).c_str());
    ASSERT_TRUE(until_settled());
  }
  std::string key() { return now().choice.key ? to_text(*now().choice.key) : ""; }
  bool no_faults() {
    for (const viz::notice& n : now().notices)
      if (n.fault) return false;
    return true;
  }

 private:
  std::string readme_ = [] {
    std::ifstream file(testing::source_folder() / "README.md");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
};

TEST_F(tour, OfTheReadmeGoesFromStepToStep) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    says(
        "1. `./app/run`. The window opens on the 14 keys of the papers' worked example, in Eytzinger order, looking "
        "for 9");
    EXPECT_EQ(to_line(now().choice.config), "EO+BS");
    EXPECT_EQ(now().choice.load.keys, 14u);
    EXPECT_EQ(key(), "9");

    says("2. Press space, or → and ←");
    hand.KeyPress(ImGuiKey_Space);
    EXPECT_TRUE(view().transport.playing);
    hand.KeyPress(ImGuiKey_Space);
    EXPECT_FALSE(view().transport.playing);
    const u32 before = step();
    hand.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(step(), before + 1);
    hand.KeyPress(ImGuiKey_LeftArrow);
    EXPECT_EQ(step(), before);
    bring(hand, panel::source);

    says("3. Choose another **method**");
    choose(hand, "method/AO+BS");
    choose(hand, "method/EO+KS");
    says("Change **K**");
    choose(hand, "fanout/5");
    EXPECT_EQ(to_line(now().choice.config).substr(0, 14), "EO+KS fanout=5");
    says("Press ctrl B: the build");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    EXPECT_TRUE(view().build.on);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    EXPECT_FALSE(view().build.on);

    says("4. Type `9..12`");
    hand.KeyChars("9..12");
    hand.Yield(12);
    hand.KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(key(), "9..12");
    ASSERT_TRUE(now().path && now().path->trace.range);
    EXPECT_EQ(now().path->trace.range->answer.count, 4u);
    says("`=7`: all rows of 7; `>9`: the next key.");
    hand.KeyPress(ImGuiKey_Escape);
    hand.KeyChars("=7");
    hand.Yield(12);
    hand.KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(key(), "=7");
    EXPECT_EQ(now().path->trace.range->answer.count, 2u);
    hand.KeyPress(ImGuiKey_Escape);
    hand.KeyChars(">9");
    hand.Yield(12);
    hand.KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(key(), ">9");

    says("5. Choose PLAIN and press ctrl U: `insert 5 8`, then ctrl Enter");
    choose(hand, "method/PLAIN");
    EXPECT_EQ(key(), "9");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_U);
    hand.Yield(12);
    hand.KeyChars("insert 5 8");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    ASSERT_TRUE(until([&] { return now().updates && now().updates->applied == 1; }));
    ASSERT_TRUE(until_settled());
    says("ctrl Z takes it back");
    hand.KeyPress(ImGuiKey_Escape);
    hand.KeyPress(ImGuiKey_Escape);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_TRUE(until([&] { return now().updates->applied == 0; }));
    says("`+5` where the key stands");
    bring(hand, panel::path);
    hand.ItemInputValue(panel_item(panel::path, "##key").c_str(), "+5");
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(key(), "+5");
    EXPECT_GT(steps(), 0u);

    says("6. Choose EO+BS, and in **Workload** 2^20 keys");
    choose(hand, "method/EO+BS");
    EXPECT_EQ(key(), "5");
    bring(hand, panel::workload);
    hand.ItemInputValue(panel_item(panel::workload, "keys/##keys").c_str(), "2^20");
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.keys, 1u << 20);
    EXPECT_EQ(now().index->keys(), 1u << 20);
    bring(hand, panel::layout);
    EXPECT_TRUE(view().layout.lower.camera.shows_all());
    hand.MouseMove(panel_item(panel::layout, "lower").c_str());
    hand.MouseWheelY(3);
    hand.Yield(4);
    EXPECT_FALSE(view().layout.lower.camera.shows_all());
    says("Press ctrl R: a key that is\n   there is looked for");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_R);
    ASSERT_TRUE(
        until([&] { return now().choice.key && key() != "5" && now().path && now().path->trace.row != not_found; }));
    says("**Advice** says which index suits the workload");
    bring(hand, panel::advice);

    says("7. **Warp** shows 32 lookups at once");
    for (const panel which : {panel::warp, panel::tile, panel::memory}) bring(hand, which);

    says("8. Press ctrl 3: this index is pinned as A. Choose another: both side by side");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_3);
    hand.Yield(12);
    ASSERT_TRUE(view().pinned.has_value());
    choose(hand, "method/AO+BS");
    EXPECT_EQ(to_line(*view().pinned), "EO+BS");

    says("9. **Timings** shows sort, build and lookups");
    for (const panel which : {panel::timings, panel::machine}) bring(hand, which);
    says("10. **Plots** draws a figure of the papers anew");
    bring(hand, panel::plots);
    EXPECT_TRUE(no_faults());
  });
}

}  // namespace
}  // namespace pivotscope
