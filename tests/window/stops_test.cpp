// Stepping as with a debugger: stops set by the mouse, playing and running to them, and from lookup to lookup.
#include <fmt/format.h>
#include <imgui_internal.h>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/tile_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;
using viz::stop_mark;

TEST_F(window_test, PlayingHaltsAtAStopThatTheMouseSet) {
  window_options start;
  start.load = workload{.keys = 1 << 12, .dist = distribution::uniform, .lookups = 256};
  open(start);
  ASSERT_TRUE(until_settled());
  ASSERT_GT(steps(), 5u);
  perform([&](ImGuiTestContext& hand) {
    // A right click on the fourth step's row: a stop at its level.
    hand.MouseMove(panel_item(panel::path, "$$3/step").c_str());
    hand.MouseClick(ImGuiMouseButton_Right);
    hand.ItemClick("//$FOCUSED/Stop at level 3");
    ASSERT_EQ(view().transport.stops, (std::vector<stop_mark>{{stop_mark::kind::level, 3}}));
    hand.KeyPress(ImGuiKey_F5);
    EXPECT_EQ(step(), 3u);
    hand.KeyPress(ImGuiKey_F5);
    EXPECT_EQ(step(), steps() - 1) << "no further stop: the end";
    hand.KeyPress(ImGuiMod_Shift | ImGuiKey_F5);
    EXPECT_EQ(step(), 3u);
    hand.KeyPress(ImGuiMod_Shift | ImGuiKey_F5);
    EXPECT_EQ(step(), 0u);
    view().transport.steps_per_second = 50;
    hand.KeyPress(ImGuiKey_Space);
    ASSERT_TRUE(until([&] { return !view().transport.playing; }));
    EXPECT_EQ(step(), 3u);
    draw_frames(3);
    take_picture("stops");
    hand.ItemClick(panel_item(panel::path, "$$0/stop").c_str());
    EXPECT_TRUE(view().transport.stops.empty());

    // The menu of a cell: its four stops, and where else to see it.
    hand.WindowFocus("//Memory");
    hand.MouseMove(panel_item(panel::memory, "rows").c_str());
    hand.MouseClick(ImGuiMouseButton_Right);
    draw_frames(3);
    ASSERT_TRUE(view().menu_at);
    take_picture("cell-menu");
    const u64 cell = view().menu_at->cell;
    hand.ItemClick(fmt::format("//$FOCUSED/Stop at slot {} of entries", cell).c_str());
    ASSERT_EQ(view().transport.stops, (std::vector<stop_mark>{{stop_mark::kind::slot, cell, region_id{0}}}));
    hand.MouseMove(panel_item(panel::memory, "rows").c_str());
    hand.MouseClick(ImGuiMouseButton_Right);
    hand.ItemClick("//$FOCUSED/Show it in Layout");
    EXPECT_TRUE(until([&] {
      const ImGuiWindow* layout = ImGui::FindWindowByName("Layout");
      return layout && layout->Active && !layout->Hidden;
    }));
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(window_test, NGoesFromLookupToLookupOfTheTile) {
  window_options start;
  start.config = *config_from_line("EO+BS reorder=lookup");
  start.load = workload{.keys = 1 << 12, .dist = distribution::uniform, .lookups = 256};
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    std::vector<u64> seen;
    const auto press = [&](ImGuiKeyChord chord) {
      const auto before = now().choice.key;
      hand.KeyPress(chord);
      ASSERT_TRUE(until(
          [&] { return now().choice.key != before && now().path && now().path->trace.key == now().choice.key->key; }));
      seen.push_back(now().choice.key->key);
    };
    press(ImGuiMod_Ctrl | ImGuiKey_N);
    const viz::tile_study& tile = *view().tile.study;
    const u32 first = view().tile.last_served;
    EXPECT_EQ(seen.back(), tile.key(tile.place_of(first)));
    for (u32 i = 1; i < 4; ++i) {
      press(ImGuiMod_Ctrl | ImGuiKey_N);
      EXPECT_EQ(seen.back(), tile.key(tile.place_of((first + i) % tile.size()))) << "in the order of service";
    }
    press(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_N);
    EXPECT_EQ(seen.back(), seen[2]);
  });
}

}  // namespace
}  // namespace pivotscope
