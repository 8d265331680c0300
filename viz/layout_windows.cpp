#include "viz/layout_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/format.hpp"
#include "viz/marks.hpp"

namespace pivotscope::viz {
namespace {

constexpr float framed_from = 10;  // pixels of a window: below, frames would be all that is seen
constexpr u32 most_stops = 64;     // that are drawn

box window_box(const frame& f, const layout_picture& p, const probe_windows& windows, u64 window) {
  const strip_camera& camera = f.view.layout.lower.camera;
  const u64 first = window * windows.cells;
  const float from = cell_box(camera, p.lower_area, static_cast<double>(first)).low.x;
  const float to = cell_box(camera, p.lower_area, static_cast<double>(first + windows.cells)).low.x;
  return {{from, p.lower_area.low.y}, {std::max(to, from + 1), p.lower_area.high.y}};
}

bool reads(const trace_step& step, const probe_windows& windows, u64 window) {
  return std::any_of(step.accesses.begin(), step.accesses.end(), [&](const memory_access& a) {
    return a.space == memory_space::global && a.array == main_region && a.slot / windows.cells == window;
  });
}

// From one disc to another above the row, the higher the further they are apart.
void arc(ImDrawList& draw, ImVec2 from, ImVec2 to, float most_lift, ImU32 ink, float thick) {
  const float lift = std::min(px(16) + std::abs(to.x - from.x) * 0.12f, most_lift);
  draw.AddBezierCubic(from, {from.x, from.y - lift * 1.33f}, {to.x, to.y - lift * 1.33f}, to, ink, thick);
}

}  // namespace

std::vector<probe_stop> probe_stops(const index_model& model, const lookup_trace& trace) {
  const std::optional<probe_windows> windows = model.windows();
  if (!windows || windows->cells == 0) return {};
  std::vector<probe_stop> stops;
  const auto most = static_cast<u32>(std::min<std::size_t>(trace.steps.size() + 1, most_stops));
  u32 step = 0;
  for (const u64 window : model.probe_path(trace.key, most)) {
    const u32 before = step;
    while (step < trace.steps.size() && !reads(trace.steps[step], *windows, window)) ++step;
    if (step == trace.steps.size()) {
      // A family may come by without a read of its own; else what is not read any more is where it would go on.
      step = before;
      stops.push_back({window, std::nullopt});
      if (step >= trace.steps.size()) break;
      continue;
    }
    stops.push_back({window, step++});
  }
  return stops;
}

void draw_window_frames(const frame& f, const layout_picture& p) {
  const std::optional<probe_windows> windows = f.model()->windows();
  if (!windows || windows->count == 0) return;
  const strip_camera& camera = f.view.layout.lower.camera;
  const float width = static_cast<float>(camera.cell_width()) * static_cast<float>(windows->cells);
  if (width < px(framed_from)) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect({p.lower_area.low.x - px(3), p.lower_area.low.y - px(20)},
                    {p.lower_area.high.x + px(3), p.lower_area.high.y + px(4)}, true);
  const u64 end = std::min(windows->count, ceil_div<u64>(camera.end_visible(), windows->cells));
  for (u64 w = camera.first_visible() / windows->cells; w < end; ++w) {
    const box at = window_box(f, p, *windows, w);
    draw.AddRect({at.low.x - px(2), at.low.y - px(3)}, {at.high.x - px(1), at.high.y + px(3)}, theme().edge, px(4),
                 px(1.5f));
    const std::string name = fmt::format("window {}", grouped(w)), number = grouped(w);
    const bool whole = text_width(fonts().mono, type::tiny, name) + px(30) < width;
    if (whole || text_width(fonts().mono, type::tiny, number) + px(26) < width)
      draw_text(draw, fonts().mono, type::tiny, {at.low.x, at.low.y - px(19)}, theme().text_faint,
                whole ? name : number);
  }
  draw.PopClipRect();
}

void draw_probe_way(const frame& f, const layout_picture& p) {
  const lookup_trace* trace = f.trace();
  if (!trace || trace->steps.empty() || f.view.transport.path->index != f.session.index) return;
  const std::optional<probe_windows> windows = f.model()->windows();
  if (!windows) return;
  const std::vector<probe_stop> stops = probe_stops(*f.model(), *trace);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box& area = p.lower_area;
  const float y = area.low.y - px(14), radius = px(7.5f);
  const float most_lift = std::max(y - p.top - px(6), px(10));
  const u32 now = f.view.transport.step;
  const auto middle = [&](const probe_stop& s) { return ImVec2{window_box(f, p, *windows, s.window).middle().x, y}; };
  const auto in_view = [&](ImVec2 at) { return at.x >= area.low.x && at.x <= area.high.x; };
  const auto ink_of = [&](const probe_stop& s) {
    return !s.step ? with_alpha(theme().text_faint, 0.7f) : *s.step <= now ? theme().text : theme().text_faint;
  };
  draw.PushClipRect({area.low.x - px(10), p.top - px(2)}, {area.high.x + px(10), area.low.y}, true);
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    const ImVec2 from = middle(stops[i]), to = middle(stops[i + 1]);
    const ImU32 ink = ink_of(stops[i + 1]);
    const float thick = px(stops[i + 1].step == now ? 2.5f : 1.5f);
    const ImVec2 above{0, radius};
    if (in_view(from) && in_view(to)) {
      arc(draw, {from.x, from.y - above.y}, {to.x, to.y - above.y}, most_lift, ink, thick);
    } else if (in_view(from) || in_view(to)) {
      const ImVec2 at = in_view(from) ? from : to, other = in_view(from) ? to : from;
      const float side = other.x < area.low.x ? area.low.x : area.high.x;
      draw_leaving_link(draw, {at.x, at.y - above.y}, {side, at.y - above.y - std::min(px(22), most_lift)}, ink, thick);
    }
  }
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const ImVec2 at = middle(stops[i]);
    if (!in_view(at)) continue;
    if (stops[i].step) {
      draw_step_number(draw, at, static_cast<u32>(i), *stops[i].step == now);
      continue;
    }
    draw.AddCircleFilled(at, radius, theme().panel);
    draw.AddCircle(at, radius, theme().text_faint, 0, px(1));
    draw_text_centred(draw, fonts().mono, 10, at, theme().text_faint, std::to_string(i + 1));
  }
  draw.PopClipRect();
}

}  // namespace pivotscope::viz
