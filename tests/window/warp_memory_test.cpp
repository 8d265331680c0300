// The views of what a warp reads together, and of memory byte by byte.
#include <imgui_internal.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/models/warp_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

window_options start_with(const char* line, u64 keys) {
  window_options start;
  const outcome<index_config> config = config_from_line(line);
  EXPECT_TRUE(config.ok()) << line;
  start.config = config.ok() ? *config : default_config();
  start.load = workload{.keys = keys, .dist = keys == 14 ? distribution::paper : distribution::uniform, .lookups = 512};
  return start;
}

// The middle of a thread's cell in the warp's grid, as drawn.
ImVec2 middle_of(const ImGuiTestItemInfo& item, float share_x, float share_y) {
  const ImRect r = item.RectFull;
  return {r.Min.x + r.GetWidth() * share_x, r.Min.y + r.GetHeight() * share_y};
}

TEST_F(window_test, AWarpIsShownStepByStepAndItsCellsLeadToItsLookups) {
  open(start_with("EO+BS", 1 << 16));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Warp");
    ASSERT_TRUE(
        until([&] { return view().warp.study && view().warp.study->of(true) && view().warp.study->of(false); }));
    EXPECT_EQ(view().warp.study->number(), 0u);
    hand.ItemClick(panel_item(panel::warp, "warp after").c_str());
    hand.ItemClick(panel_item(panel::warp, "sorted").c_str());
    ASSERT_TRUE(until([&] {
      return view().warp.study->number() == 1 && view().warp.study->of(true) && view().warp.study->of(false);
    }));
    EXPECT_EQ(view().warp.sorted, true);
    EXPECT_LT(view().warp.study->of(true)->sectors, view().warp.study->of(false)->sectors);
    draw_frames(3);
    take_picture("warp-sorted");
    hand.ItemClick(panel_item(panel::warp, "as they come").c_str());

    // A click on a thread's number: its lookup's path.
    const auto before = now().path;
    hand.MouseMove(panel_item(panel::warp, "threads").c_str());
    hand.MouseClick();
    ASSERT_TRUE(until([&] { return now().path && now().path != before; }));
    ASSERT_TRUE(until_settled());
    const u64 key = now().choice.key->key;
    const auto at = viz::serves(*view().tile.study, key, false);
    ASSERT_TRUE(at);
    EXPECT_EQ(at->warp, view().warp.number) << "it stays at the warp";

    // A click into the row of a step: that step.
    const u32 rows = static_cast<u32>(view().warp.study->of(false)->rounds[0].size());
    ImGuiTestItemInfo grid;
    ImGuiWindow* warp = hand.WindowInfo("//Warp").Window;
    for (ImGuiWindow* child : warp->DC.ChildWindows)
      if (std::string(child->Name).find("steps") != std::string::npos) grid = hand.ItemInfo(child->GetID("grid"));
    ASSERT_NE(grid.ID, 0u);
    hand.MouseMoveToPos(middle_of(grid, 0.02f, 4.5f / static_cast<float>(rows)));
    hand.MouseClick();
    EXPECT_EQ(step(), 4u);
    hand.MouseMoveToPos(middle_of(grid, 0.3f, 2.5f / static_cast<float>(rows)));
    draw_frames(2);
    ASSERT_TRUE(view().pointed.sector) << "other views point it out";
    hand.MouseClick();
    ASSERT_TRUE(until([&] { return now().choice.key->key != key; }));
    ASSERT_TRUE(until_settled());
    ASSERT_TRUE(viz::serves(*view().tile.study, now().choice.key->key, false));
    draw_frames(3);
    take_picture("warp");
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(window_test, AWarpsRoundsAreThoseOfItsGroups) {
  open(start_with("EO+KS fanout=9 lanes=8 reorder=double", 1 << 12));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Warp");
    ASSERT_TRUE(
        until([&] { return view().warp.study && view().warp.study->of(true) && view().warp.study->of(false); }));
    EXPECT_EQ(view().warp.study->group(), 8u);
    const u32 round = view().warp.round;
    hand.ItemClick(panel_item(panel::warp, round == 7 ? "round before" : "round after").c_str());
    EXPECT_EQ(view().warp.round, round == 7 ? 6 : round + 1);
    draw_frames(3);
    take_picture("warp-rounds");
    // An index of other lanes has fewer rounds; one without lookups, or of ranges, or of no keys, has no warp.
    for (const char* line : {"EO+BS", "PLAIN", "AO+PB+KS fanout=5 lanes=4", "AO+BS pin=full scratch=64"}) {
      state().choose_config(*config_from_line(line));
      ASSERT_TRUE(until_settled());
      draw_frames(5);
      EXPECT_LT(view().warp.round, group_threads(now().index->config()));
    }
    for (const workload& load : {workload{.keys = 100, .dist = distribution::dense, .lookups = 0},
                                 workload{.keys = 0, .dist = distribution::dense},
                                 workload{.keys = 100, .dist = distribution::dense, .lookups = 0, .ranges = 10},
                                 workload{.keys = 1, .dist = distribution::dense, .lookups = 1}}) {
      state().choose_workload(load);
      ASSERT_TRUE(until_settled());
      draw_frames(5);
    }
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(window_test, MemoryFollowsTheStepAndTheMapLeadsThroughIt) {
  open(start_with("EO+BS layout=soa", 1 << 16));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Memory");
    ASSERT_TRUE(until([&] { return view().tile.study && view().tile.study->complete(); }));
    const auto in_view = [&](const trace_step& s) {
      for (const memory_access& a : s.accesses) {
        const double row = static_cast<double>(a.byte_offset / view().memory.row_bytes);
        if (a.array == view().memory.array && row >= view().memory.first_row && row < view().memory.first_row + 20)
          return true;
      }
      return false;
    };
    for (u32 s = 0; s + 1 < steps(); ++s) {
      draw_frames(2);
      EXPECT_TRUE(in_view(now().path->trace.steps[step()])) << "step " << step();
      hand.KeyPress(ImGuiKey_RightArrow);
    }
    draw_frames(3);
    take_picture("memory");
    hand.ItemClick(panel_item(panel::memory, "32 B").c_str());
    EXPECT_EQ(view().memory.row_bytes, 32u);
    hand.ItemClick(panel_item(panel::memory, "array rows").c_str());
    EXPECT_EQ(view().memory.array, region_id{1});
    hand.ItemClick(panel_item(panel::memory, "64 B").c_str());
    const double before = view().memory.first_row;
    hand.ItemClick(panel_item(panel::memory, "map").c_str());
    draw_frames(2);
    EXPECT_NE(view().memory.first_row, before);
    EXPECT_NEAR(view().memory.first_row, (1 << 16) * 4 / 64 / 2, (1 << 16) * 4 / 64 / 10) << "the middle";
    hand.MouseMove(panel_item(panel::memory, "rows").c_str());
    draw_frames(2);
    EXPECT_TRUE(view().pointed.sector);
    const double there = view().memory.first_row;
    hand.MouseWheelY(-1);
    draw_frames(2);
    EXPECT_EQ(view().memory.first_row, there + 3);
    const u64 key = now().choice.key->key;
    hand.MouseClick();
    ASSERT_TRUE(until([&] { return now().choice.key->key != key; })) << "the row id's key is looked for";
    ASSERT_TRUE(until_settled());
    take_picture("memory-rows");
    for (const char* line : {"AO+PB+KS fanout=9", "PLAIN", "EO+KS keys=u64"}) {
      state().choose_config(*config_from_line(line));
      ASSERT_TRUE(until_settled());
      draw_frames(5);
      EXPECT_NE(now().index->bytes(view().memory.array), 0u);
    }
    state().choose_workload({.keys = 1, .dist = distribution::dense});
    ASSERT_TRUE(until_settled());
    draw_frames(5);
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(window_test, APanelThatIsNewGoesBesideLayout) {
  open();
  ASSERT_TRUE(until_settled());
  remembered_ = bench_->to_remember();
  close();
  // As an earlier version left it.
  for (const char* name : {"Warp", "Memory"}) {
    const std::string head = std::string("[Window][") + name + "]";
    const std::size_t begin = remembered_.panels.find(head);
    ASSERT_NE(begin, std::string::npos);
    remembered_.panels.erase(begin, remembered_.panels.find("\n\n", begin) + 2 - begin);
  }
  open();
  draw_frames(5);
  const ImGuiWindow *layout = ImGui::FindWindowByName("Layout"), *warp = ImGui::FindWindowByName("Warp");
  ASSERT_TRUE(layout && warp);
  EXPECT_NE(layout->DockId, 0u);
  EXPECT_EQ(warp->DockId, layout->DockId);
  EXPECT_EQ(ImGui::FindWindowByName("Memory")->DockId, layout->DockId);
}

}  // namespace
}  // namespace pivotscope
