#include "viz/parts/spotlight.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <vector>

namespace pivotscope::viz {
namespace {

struct wanted_spot {
  lesson_pointer what;
  bool into_view = false;
  bool met = false;
};

struct met_spot {
  ImGuiWindow* in = nullptr;  // of this frame
  box at = {};
};

// The frame's own, as the theme is.
std::vector<wanted_spot> wanted;
std::vector<met_spot> met;

bool same_window(const std::string& name, const char* window) {
  const std::string_view full = window;
  // A bar's window has a name for the sidebar, too.
  return full == name || (full.starts_with(name) && full.substr(name.size()).starts_with("##"));
}

void outline(ImDrawList& draw, const box& at, float strength) {
  const ImU32 ink = theme().accent;
  const float out = px(2);
  draw.AddRect({at.low.x - out, at.low.y - out}, {at.high.x + out, at.high.y + out}, with_alpha(ink, 0.25f * strength),
               px(7), px(3));
  draw.AddRect(at.low, at.high, with_alpha(ink, strength), px(6), px(2));
}

}  // namespace

void ask_for_spots(std::span<const lesson_pointer> asked, bool into_view) {
  met.clear();
  const auto same = [](const wanted_spot& w, const lesson_pointer& p) {
    return w.what.window == p.window && w.what.item == p.item;
  };
  if (into_view || !std::equal(wanted.begin(), wanted.end(), asked.begin(), asked.end(), same)) {
    wanted.clear();
    for (const lesson_pointer& p : asked) wanted.push_back({p, true});
  }
  for (wanted_spot& w : wanted) w.met = false;
}

void spot(std::string_view name) {
  if (wanted.empty()) return;
  spot(name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

void spot(std::string_view name, const box& at) {
  if (wanted.empty()) return;
  ImGuiWindow* window = ImGui::GetCurrentWindowRead();
  for (wanted_spot& w : wanted) {
    if (w.what.item.empty() || !name.starts_with(w.what.item)) continue;
    if (!same_window(w.what.window, window->RootWindow->Name)) continue;
    w.met = true;
    const box around{{at.low.x - px(4), at.low.y - px(3)}, {at.high.x + px(4), at.high.y + px(3)}};
    met.push_back({window, around});
    if (!w.into_view) continue;
    w.into_view = false;
    if (!window->InnerClipRect.Contains(ImRect(at.low, at.high)))
      ImGui::ScrollToRect(window, ImRect(around.low, around.high), ImGuiScrollFlags_KeepVisibleCenterY);
  }
}

void draw_spots(float strength) {
  for (wanted_spot& w : wanted) {
    if (!w.what.item.empty()) continue;
    for (ImGuiWindow* window : GImGui->Windows) {
      if (window->ParentWindow != nullptr && window->RootWindow != window) continue;
      if (!same_window(w.what.window, window->Name) || !window->Active || window->Hidden) continue;
      ImRect r = window->Rect();
      r.Min.y = std::max(r.Min.y, window->InnerRect.Min.y);  // below its tab
      met.push_back({window, {{r.Min.x + px(4), r.Min.y + px(4)}, {r.Max.x - px(4), r.Max.y - px(4)}}});
      w.met = true;
      break;
    }
  }
  for (const met_spot& m : met) {
    // Into the list of the panel's window, so that cards, menus and what floats above it stay above.
    ImDrawList& draw = *m.in->DrawList;
    const ImRect clip = m.in->OuterRectClipped;
    draw.PushClipRect(clip.Min, clip.Max);
    outline(draw, m.at, strength);
    draw.PopClipRect();
  }
}

bool all_spots_met() {
  return std::all_of(wanted.begin(), wanted.end(), [](const wanted_spot& w) { return w.met; });
}

}  // namespace pivotscope::viz
