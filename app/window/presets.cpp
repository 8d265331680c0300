#include "app/window/presets.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <initializer_list>

#include "viz/state/view_state.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {
namespace {

using viz::panel;
using viz::px;

// Tabs in this order, at every start and after every reset: a window that is there has an order from before, and one that
// comes has none.
void dock(ImGuiID node, std::initializer_list<panel> tabs) {
  short place = 0;
  for (const panel which : tabs) {
    const char* const name = viz::name_of(which);
    ImGui::DockBuilderDockWindow(name, node);
    if (ImGuiWindow* const window = ImGui::FindWindowByName(name))
      window->DockOrder = place++;
    else if (ImGuiWindowSettings* const coming = ImGui::FindWindowSettingsByID(ImHashStr(name)))
      coming->DockOrder = place++;
  }
}

// Splits `units` off a node's side, and leaves at least half of it.
ImGuiID split(ImGuiID& node, ImGuiDir side, float units) {
  const ImGuiDockNode* made = ImGui::DockBuilderGetNode(node);
  const float whole = side == ImGuiDir_Left || side == ImGuiDir_Right ? made->Size.x : made->Size.y;
  ImGuiID rest = 0;
  const ImGuiID off = ImGui::DockBuilderSplitNode(node, side, std::clamp(px(units) / std::max(whole, 1.0f), 0.1f, 0.5f),
                                                  nullptr, &rest);
  node = rest;
  return off;
}

ImGuiID split_share(ImGuiID& node, ImGuiDir side, float share) {
  ImGuiID rest = 0;
  const ImGuiID off = ImGui::DockBuilderSplitNode(node, side, share, nullptr, &rest);
  node = rest;
  return off;
}

// A lesson and the knobs that it asks for are seen side by side: what says "choose EO+BS" must not hide it.
ImGuiID split_for_lesson(ImGuiID column, bool lesson_first) {
  if (lesson_first) dock(split_share(column, ImGuiDir_Up, 0.58f), {panel::lesson});
  return column;
}

void learn(ImGuiID all, ImVec2 size, bool lesson_first) {
  ImGuiID middle = all;
  const ImGuiID left = split(middle, ImGuiDir_Left, lesson_first ? 352.0f : 312.0f),
                right = split(middle, ImGuiDir_Right, 352);
  const ImGuiID top = split_share(middle, ImGuiDir_Up, 0.42f);
  // Both sets of knobs at once where they fit.
  if (lesson_first) {
    dock(split_for_lesson(left, true), {panel::index, panel::workload, panel::advice});
  } else if (size.y > px(1080)) {
    ImGuiID lower = left;
    dock(split_share(lower, ImGuiDir_Up, 0.55f), {panel::index, panel::advice, panel::lesson});
    dock(lower, {panel::workload});
  } else {
    dock(left, {panel::index, panel::workload, panel::advice, panel::lesson});
  }
  dock(top, {panel::tree, panel::scene, panel::source, panel::updates, panel::plots, panel::values});
  dock(middle, {panel::layout, panel::warp, panel::memory, panel::tile, panel::probes, panel::fill, panel::interleave,
                panel::verify, panel::snapshots});
  dock(right, {panel::path, panel::timings, panel::machine, panel::compare});
}

void learn_narrow(ImGuiID all, bool lesson_first) {
  ImGuiID middle = all;
  const ImGuiID left = split(middle, ImGuiDir_Left, 300);
  const ImGuiID top = split_share(middle, ImGuiDir_Up, 0.42f);
  const ImGuiID lower = split_for_lesson(left, lesson_first);
  dock(lower,
       {panel::path, panel::index, panel::workload, panel::advice, panel::timings, panel::machine, panel::compare});
  if (!lesson_first) dock(lower, {panel::lesson});
  dock(top, {panel::tree, panel::scene, panel::source, panel::updates, panel::plots, panel::values});
  dock(middle, {panel::layout, panel::warp, panel::memory, panel::tile, panel::probes, panel::fill, panel::interleave,
                panel::verify, panel::snapshots});
}

void tune(ImGuiID all) {
  ImGuiID middle = all;
  ImGuiID left = split(middle, ImGuiDir_Left, 288), right = split(middle, ImGuiDir_Right, 336);
  const ImGuiID top = split_share(middle, ImGuiDir_Up, 0.52f);
  const ImGuiID knobs = split_share(left, ImGuiDir_Up, 0.54f);
  const ImGuiID machine = split_share(right, ImGuiDir_Up, 0.36f);
  dock(knobs, {panel::index});
  dock(left, {panel::workload});
  dock(top, {panel::timings, panel::plots, panel::updates, panel::values, panel::scene});
  dock(middle, {panel::layout, panel::warp, panel::memory, panel::tile, panel::probes, panel::fill, panel::tree,
                panel::source, panel::interleave, panel::verify, panel::snapshots});
  dock(machine, {panel::machine, panel::path, panel::compare});
  dock(right, {panel::advice, panel::lesson});
}

// The two indexes beside each other; the table of their figures at the left.
void compare(ImGuiID all) {
  ImGuiID middle = all;
  ImGuiID left = split(middle, ImGuiDir_Left, 340);
  const ImGuiID knobs = split_share(left, ImGuiDir_Up, 0.5f);
  dock(knobs, {panel::index, panel::workload, panel::advice, panel::path, panel::values});
  dock(left, {panel::compare, panel::timings, panel::machine, panel::lesson});
  ImGuiID a = split_share(middle, ImGuiDir_Left, 0.5f);
  const ImGuiID tree_a = split_share(a, ImGuiDir_Up, 0.46f), tree_b = split_share(middle, ImGuiDir_Up, 0.46f);
  ImGui::DockBuilderDockWindow("Tree of A", tree_a);
  ImGui::DockBuilderDockWindow("Scene of A", tree_a);
  ImGui::DockBuilderDockWindow("Layout of A", a);
  dock(tree_b,
       {panel::tree, panel::scene, panel::source, panel::updates, panel::interleave, panel::fill, panel::plots});
  dock(middle,
       {panel::layout, panel::warp, panel::memory, panel::tile, panel::probes, panel::verify, panel::snapshots});
}

}  // namespace

void arrange_panels(int preset, ImGuiID dock_space, ImVec2 size, bool lesson_first) {
  ImGui::DockBuilderRemoveNode(dock_space);
  ImGui::DockBuilderAddNode(dock_space, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace));
  ImGui::DockBuilderSetNodeSize(dock_space, size);
  // Three columns want room; below that, two.
  if (preset == 2)
    tune(dock_space);
  else if (preset == 3)
    compare(dock_space);
  else if (size.x < px(1080))
    learn_narrow(dock_space, lesson_first);
  else
    learn(dock_space, size, lesson_first);
  ImGui::DockBuilderFinish(dock_space);
}

std::span<const viz::panel> front_panels(int preset) {
  static constexpr panel learning[] = {panel::layout, panel::tree, panel::index, panel::path},
                         tuning[] = {panel::layout, panel::machine, panel::index},
                         comparing[] = {panel::layout, panel::tree, panel::compare, panel::index};
  if (preset == 3) return comparing;
  return preset == 2 ? std::span<const panel>(tuning) : std::span<const panel>(learning);
}

}  // namespace pivotscope
