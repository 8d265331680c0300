// What is told has a place of its own, and goes with what it was told of.
#include "app/files/settings_keeper.hpp"
#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class notices_window : public window_test {
 protected:
  static std::string place_of(const char* window) {
    const ImGuiWindow* found = ImGui::FindWindowByName(window);
    if (!found) return "";
    return std::to_string(found->Pos.x) + " " + std::to_string(found->Pos.y) + " " + std::to_string(found->Size.y);
  }
};

TEST_F(notices_window, NothingMovesWhenSomethingIsTold) {
  open();
  ASSERT_TRUE(until_settled());
  const std::string path = place_of("Path"), layout = place_of("Layout");
  ASSERT_NE(path, "");
  for (const char* words : {"one", "another", "and a third"}) {
    state().tell({words, true});
    draw_frames(4);
    EXPECT_EQ(place_of("Path"), path) << words;
    EXPECT_EQ(place_of("Layout"), layout) << words;
  }
  take_picture("notices");
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick("//notices/more notices");
    hand.Yield(4);
    take_picture("notices-all");
    hand.KeyPress(ImGuiKey_Escape);
    for (int left = 3; left > 0; --left) {
      EXPECT_EQ(now().notices.size(), static_cast<std::size_t>(left));
      hand.ItemClick(("//notices/$$" + std::to_string(left - 1) + "/dismiss").c_str());
      hand.Yield(2);
    }
  });
  EXPECT_TRUE(now().notices.empty());
}

// A home that cannot be written is told at once, and the window works on.
TEST_F(notices_window, SettingsThatCannotBeKeptAreTold) {
  open();
  ASSERT_TRUE(until_settled());
  settings_keeper keeper("/dev/null/pivotscope/window.json", {}, [&](const std::string& words) {
    state().tell({words, false});
  });
  ASSERT_TRUE(until([&] { return !now().notices.empty(); }));
  draw_frames(3);
  EXPECT_TRUE(std::ranges::any_of(watch_.texts(), [](const drawn_text& t) {
    return t.words.find("The settings are not kept: ") != std::string::npos && !t.hidden();
  }));
  take_picture("settings-not-kept");
  state().choose_key(10);
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(now().path->trace.key, 10u);
  EXPECT_EQ(now().notices.size(), 1u) << "said once";
}

TEST_F(notices_window, AQuestionThatAMethodLacksIsAskedOfItsNumberAndTheRemarkGoesWithTheMethod) {
  open();
  ASSERT_TRUE(until_settled());
  state().choose_key(question(operation::successor, 9));
  ASSERT_TRUE(until_settled());
  EXPECT_TRUE(now().notices.empty());
  for (const char* without : {"PLAIN", "HT+OA"}) {
    state().choose_key(question(operation::successor, 9));
    state().choose_config(*config_from_line(without));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.key, question(9)) << without;
    ASSERT_EQ(now().notices.size(), 1u) << without;
    EXPECT_FALSE(now().notices[0].fault);
    EXPECT_NE(now().notices[0].words.find("9 is looked for instead of >9"), std::string::npos)
        << now().notices[0].words;
    state().choose_config(*config_from_line("EO+BS"));
    ASSERT_TRUE(until_settled());
    EXPECT_TRUE(now().notices.empty());
  }
}

TEST_F(notices_window, ARefusalGoesWithTheNextChoiceAndNewsOfTheProgramStay) {
  open();
  ASSERT_TRUE(until_settled());
  state().tell({"the file of settings is kept aside", false});
  EXPECT_FALSE(state().open_scenario("no scenario at all").has_value());
  ASSERT_EQ(now().notices.size(), 2u);
  EXPECT_TRUE(now().notices[1].fault);
  state().choose_key(7);
  ASSERT_TRUE(until_settled());
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_EQ(now().notices[0].words, "the file of settings is kept aside");
}

TEST_F(notices_window, AFieldForgetsItsFaultWhenAnotherScenarioComes) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    const auto type = [&](panel where, const char* field, const char* words) {
      hand.WindowFocus(("//" + std::string(viz::name_of(where))).c_str());
      hand.ItemInputValue(panel_item(where, field).c_str(), words);
      hand.Yield(2);
    };
    type(panel::path, "##key", "12..9");
    EXPECT_NE(view().key.problem.find("12..9 is no range"), std::string::npos) << view().key.problem;
    type(panel::workload, "keys/##keys", "many");
    EXPECT_NE(view().keys_count.problem, "");
    ImGui::SetClipboardText("AO+BS keys=1000 distribution=dense lookups=64 lookup=77");
    hand.KeyPress(ImGuiKey_Escape);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ASSERT_TRUE(until_settled());
    hand.Yield(4);
    EXPECT_EQ(now().choice.load.keys, 1000u);
    EXPECT_EQ(view().key.problem, "");
    EXPECT_EQ(view().key.text, "77");
    EXPECT_EQ(view().keys_count.problem, "");
    EXPECT_EQ(view().keys_count.text, "1000");
    // Nor does it outlive a key that is chosen elsewhere.
    type(panel::path, "##key", "x");
    EXPECT_NE(view().key.problem, "");
    state().choose_key(5);
    hand.Yield(4);
    EXPECT_EQ(view().key.problem, "");
  });
}

}  // namespace
}  // namespace pivotscope
