// Arrangements: tabs stay in their order.
#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

// The names of the tabs that a panel is among, from left to right.
std::vector<std::string> tabs_beside(viz::panel which) {
  std::vector<std::string> names;
  const ImGuiWindow* const window = ImGui::FindWindowByName(viz::name_of(which));
  if (!window || !window->DockNode || !window->DockNode->TabBar) return names;
  for (const ImGuiTabItem& tab : window->DockNode->TabBar->Tabs)
    if (tab.Window) names.emplace_back(tab.Window->Name);
  return names;
}

TEST_F(window_test, ResetLeavesTheOrderOfTabsAsItWasAtTheFirstStart) {
  open();
  ASSERT_TRUE(until_settled());
  draw_frames(12);
  const std::vector<std::string> first = tabs_beside(viz::panel::layout);
  EXPECT_EQ(first, (std::vector<std::string>{"Layout", "Warp", "Memory", "Tile", "Probes", "Fill", "Interleave",
                                             "Verify", "Snapshots"}));
  const std::vector<std::string> above = tabs_beside(viz::panel::tree);
  for (int again = 0; again < 2; ++again) {
    view().reset_layout = true;
    draw_frames(12);
    EXPECT_EQ(tabs_beside(viz::panel::layout), first);
    EXPECT_EQ(tabs_beside(viz::panel::tree), above);
  }
  // There and back, and from tabs that were moved.
  view().preset = 2, view().reset_layout = true;
  draw_frames(12);
  ImGuiTabBar* const bar = ImGui::FindWindowByName(viz::name_of(viz::panel::layout))->DockNode->TabBar;
  ImGui::TabBarQueueReorder(bar, &bar->Tabs[0], 2);
  draw_frames(3);
  view().preset = 1, view().reset_layout = true;
  draw_frames(12);
  EXPECT_EQ(tabs_beside(viz::panel::layout), first);
}

TEST_F(window_test, AWindowFitsTheScreenThatItOpensOn) {
  open({}, 9000, 7000, false);
  int x = 0, y = 0, wide = 0, high = 0;
  glfwGetMonitorWorkarea(glfwGetPrimaryMonitor(), &x, &y, &wide, &high);
  ASSERT_GT(wide, 0);
  draw_frames(3);
  EXPECT_LE(window_->width(), wide);
  EXPECT_LE(window_->height(), high);
}

}  // namespace
}  // namespace pivotscope
