// What the mouse is over in one view, the others and the transport point out.
#include <imgui_internal.h>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/models/warp_model.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {
namespace {

using viz::panel;

TEST_F(window_test, ALevelALaneAndAnArrayAreAnsweredByEveryView) {
  window_options start;
  start.config = *config_from_line("EO+KS fanout=9 lanes=4 layout=soa");
  start.load = workload{.keys = 1 << 10, .dist = distribution::uniform, .lookups = 256};
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    ASSERT_TRUE(until([&] { return view().tile.study && view().tile.study->complete(); }));
    hand.KeyPress(ImGuiKey_RightArrow);
    // Only what the mouse is over is pointed at, and that at once.
    const auto points = [&](const viz::pointing& what) {
      draw_frames(3);
      EXPECT_EQ(view().pointed, what);
    };
    hand.MouseMove("//Layout/$$1/level");
    points({.level = 1});
    take_picture("pointed-level");
    // Path's third disc of four.
    ImGuiTestItemInfo lanes = hand.ItemInfo(panel_item(panel::path, "lanes").c_str());
    hand.MouseMoveToPos({lanes.RectFull.Min.x + viz::px(18) * 2.5f, lanes.RectFull.GetCenter().y});
    points({.lane = 2});
    take_picture("pointed-lane");
    // A level's name in Tree stands at its left edge.
    ImGuiWindow* tree = hand.WindowInfo("//Tree").Window;
    hand.MouseMoveToPos({tree->ContentRegionRect.Min.x + viz::px(20), 0});
    for (float y = tree->ContentRegionRect.Min.y; y < tree->ContentRegionRect.Max.y && !view().pointed.level; y += 6) {
      hand.MouseMoveToPos({tree->ContentRegionRect.Min.x + viz::px(20), y});
      draw_frames(2);
    }
    EXPECT_EQ(view().pointed.level, 0u);
    hand.WindowFocus("//Memory");
    hand.MouseMove(panel_item(panel::memory, "array rows").c_str());
    points({.array = region_id{1}});
    // A row of bytes: its sector, and who reads it.
    hand.MouseMove(panel_item(panel::memory, "rows").c_str());
    draw_frames(3);
    EXPECT_TRUE(view().pointed.sector && view().pointed.cell && view().pointed.rank);
    take_picture("pointed-sector");
    // A thread of the warp; one of the path's lookup is a lane of it.
    hand.WindowFocus("//Warp");
    ASSERT_TRUE(
        until([&] { return view().warp.study && view().warp.study->of(true) && view().warp.study->of(false); }));
    hand.MouseMove(panel_item(panel::warp, "threads").c_str());
    const u64 key = now().choice.key->key;
    hand.MouseClick();
    ASSERT_TRUE(until([&] { return now().choice.key->key != key; }));
    ASSERT_TRUE(until_settled());
    const auto at = viz::serves(*view().tile.study, now().choice.key->key, false);
    ASSERT_TRUE(at);
    ASSERT_EQ(at->warp, view().warp.number);
    const u32 thread = at->thread / 4 * 4 + 2;  // of its four
    ImGuiTestItemInfo numbers = hand.ItemInfo(panel_item(panel::warp, "threads").c_str());
    hand.MouseMoveToPos(
        {numbers.RectFull.Min.x + numbers.RectFull.GetWidth() * (static_cast<float>(thread) + 0.5f) / 32,
         numbers.RectFull.GetCenter().y});
    points({.lane = 2, .thread = thread});
    take_picture("pointed-thread");
    hand.MouseMove("//transport/scrub");
    points({});
  });
  EXPECT_TRUE(now().notices.empty());
}

}  // namespace
}  // namespace pivotscope
