// Regions that neither row of Layout has: each is a strip of its own, with its own scale.
#include <imgui_internal.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

TEST_F(window_test, EveryRegionIsAStripWithItsOwnScale) {
  window_options start;
  start.config = *config_from_line("PACKED");
  start.load = {.keys = 3000, .dist = distribution::nested, .lookups = 64};
  open(start);
  ASSERT_TRUE(until_settled());
  view().preset = 1, view().reset_layout = true;
  draw_frames(8);
  const auto is_drawn = [&](const char* words) {
    return std::ranges::any_of(
        watch_.texts(), [&](const drawn_text& t) { return t.window == "Layout" && t.words == words && !t.hidden(); });
  };
  for (const char* title : {"leaves", "prefix blocks", "listed keys"}) EXPECT_TRUE(is_drawn(title)) << title;
  take_picture("region-strips");
  perform([&](ImGuiTestContext& hand) {
    const viz::strip_camera lower = view().layout.lower.camera, upper = view().layout.upper.camera;
    ImGuiTestItemInfo strip;
    for (u32 id = 1; id < 8; ++id) {
      strip =
          hand.ItemInfo((std::string("//Layout/$$") + std::to_string(id) + "/lists").c_str(), ImGuiTestOpFlags_NoError);
      if (strip.ID != 0) break;
    }
    ASSERT_NE(strip.ID, 0u);
    hand.MouseMove(strip.ID);
    hand.MouseWheelY(3);
    draw_frames(3);
    EXPECT_EQ(view().layout.lower.camera.cell_width(), lower.cell_width());
    EXPECT_EQ(view().layout.upper.camera.cell_width(), upper.cell_width());
    EXPECT_TRUE(std::ranges::any_of(view().layout.others, [](const viz::strip_state& other) {
      return other.camera.cells() > 0 && !other.camera.shows_all();
    }));
  });
}

// The words "hit" and "miss" below boxes: as signs where the cells are narrower.
TEST_F(window_test, WhatARayMetIsToldWithoutWordsOverWords) {
  window_options start;
  start.config = *config_from_line("CGRX keys=u64 bucket=2 wide=8");
  start.load = {.keys = 120, .dist = distribution::uniform, .lookups = 64};
  start.key = question(9'000'000'000'000'000'001);
  open(start, 1280, 720);
  ASSERT_TRUE(until_settled());
  bool met_several = false;
  for (u32 step = 0; step < steps(); ++step) {
    view().transport.step = step;
    draw_frames(3);
    met_several |= now().path->trace.steps[step].compared.size() > 3;
    const std::vector<drawn_text>& texts = watch_.texts();
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(texts[i].window == "Layout" && texts[j].window == "Layout" && texts[i].words == "miss" &&
                     overlap(texts[i], texts[j]))
            << texts[i].words << " over " << texts[j].words << ", step " << step + 1;
  }
  EXPECT_TRUE(met_several);
}

}  // namespace
}  // namespace pivotscope
