// A scenario that is copied carries what one looks at: the panel, and the cells that Layout shows.
#include <imgui.h>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/state/opening.hpp"

namespace pivotscope {
namespace {

using viz::panel;

TEST_F(window_test, ACopiedLineOpensAtItsPanelStepAndCells) {
  window_options start;
  start.load = workload{.keys = 1 << 16, .dist = distribution::uniform, .lookups = 64};
  start.config = *config_from_line("EO+BS");
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    const auto lower = [&]() -> viz::strip_camera& { return view().layout.lower.camera; };
    hand.WindowFocus("//Layout");
    for (int i = 0; i < 5; ++i) hand.KeyPress(ImGuiKey_RightArrow);
    hand.Yield(3);
    lower().go_to(3000, 3040);
    lower().advance(0, true);
    hand.Yield(3);
    const u64 first = lower().first_visible(), end = lower().end_visible();
    ASSERT_FALSE(lower().shows_all());
    hand.WindowFocus("//Memory");
    hand.Yield(2);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    hand.Yield(2);
    const std::string line = ImGui::GetClipboardText();
    EXPECT_TRUE(line.ends_with(" step=6 panel=memory cells=" + std::to_string(first) + ".." + std::to_string(end)))
        << line;

    hand.WindowFocus("//Path");
    hand.KeyPress(ImGuiKey_Home);
    lower().fit();
    hand.Yield(3);
    ASSERT_TRUE(lower().shows_all());
    ASSERT_EQ(view().looked_at, panel::path);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ASSERT_TRUE(until([&] { return !view().opening && view().looked_at == panel::memory; }));
    hand.Yield(5);
    EXPECT_EQ(step(), 5u);
    EXPECT_NEAR(static_cast<double>(lower().first_visible()), static_cast<double>(first), 4);
    EXPECT_NEAR(static_cast<double>(lower().end_visible()), static_cast<double>(end), 4);
    ImGui::SetClipboardText("EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9 step=2 cells=100..120");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ASSERT_TRUE(until([&] { return !view().opening && step() == 1; }));
    ASSERT_TRUE(until([&] { return !now().notices.empty(); }));
    EXPECT_TRUE(now().notices.back().words.starts_with("The scenario is here, but there is no cell 100: "))
        << now().notices.back().words;
    // A line from before leaves both as they are.
    hand.WindowFocus("//Path");
    ImGui::SetClipboardText("EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9 step=3");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ASSERT_TRUE(until([&] { return !view().opening && step() == 2; }));
    EXPECT_EQ(view().looked_at, panel::path);
  });
}

}  // namespace
}  // namespace pivotscope
