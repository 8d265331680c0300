#include "viz/layout/layout_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/parts/marks.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float framed_from = 10;    // pixels of a window: below, frames would be all that is seen
constexpr u32 most_stops = 64;       // that are drawn
constexpr u64 most_clusters = 1024;  // windows in view that are looked at

// The row in which windows are shown: that of the lookup's own, or the whole table.
struct shown_windows {
  const strip_camera& camera;
  const box& area;
  const window_row* own;
  u32 cells;

  // Nothing where it is not in the row.
  std::optional<box> place(u64 window) const {
    const std::optional<u64> first = own ? own->cell_of_window(window) : std::optional(window * cells);
    if (!first) return std::nullopt;
    const float from = cell_box(camera, area, static_cast<double>(*first)).low.x;
    const float to = cell_box(camera, area, static_cast<double>(*first + cells)).low.x;
    return box{{from, area.low.y}, {std::max(to, from + 1), area.high.y}};
  }
  float width() const { return static_cast<float>(camera.cell_width()) * static_cast<float>(cells); }
  // Those in view, as runs of neighbours.
  std::vector<window_row::run> in_view(u64 count) const {
    if (!own) {
      const u64 first = camera.first_visible() / cells;
      return {{first, std::min(count, ceil_div<u64>(camera.end_visible(), cells)) - first, first * cells}};
    }
    std::vector<window_row::run> list;
    for (const window_row::run& r : own->runs()) {
      if (r.at + r.count * cells < camera.first_visible() || r.at > camera.end_visible()) continue;
      list.push_back(r);
    }
    return list;
  }
};

shown_windows whole_table(const frame& f, const layout_picture& p, const probe_windows& windows) {
  return {f.view.layout.lower.camera, p.lower_area, nullptr, windows.cells};
}
shown_windows shown(const frame& f, const layout_picture& p, const probe_windows& windows) {
  if (!p.windows) return whole_table(f, p, windows);
  return {f.view.layout.upper.camera, p.upper_area, p.windows, windows.cells};
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

std::vector<u64> windows_of(const index_model& model, const lookup_trace& trace) {
  std::vector<u64> list;
  for (const probe_stop& stop : probe_stops(model, trace))
    if (std::find(list.begin(), list.end(), stop.window) == list.end()) list.push_back(stop.window);
  return list;
}

bool forms_clusters(const index_model& model) {
  const auto windows = model.windows();
  for (const u64 key : {u64{1}, u64{2}}) {
    const std::vector<u64> path = model.probe_path(key, 3);
    if (!windows || path.size() < 3) return false;
    for (std::size_t i = 1; i < path.size(); ++i)
      if (path[i] != (path[i - 1] + 1) % windows->count) return false;
  }
  return true;
}

namespace {

// Full windows side by side: a bar above them, on which a search walks from one to the next.
void draw_clusters(const frame& f, const shown_windows& row, const probe_windows& windows) {
  const std::optional<fill_parts> parts = f.model()->fill();
  if (!parts || parts->count != windows.count || !forms_clusters(*f.model()) || row.width() < px(3)) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float y = row.area.low.y - px(5);
  for (const window_row::run& r : row.in_view(windows.count)) {
    if (r.count == 0 || r.count > most_clusters) continue;
    std::vector<part_fill> fills(r.count);
    if (!f.model()->fills_of(r.first, reader_of(*f.session.index, f.slots), fills)) continue;
    for (u64 i = 0, end = 0; i < r.count; i = end + 1) {
      for (end = i; end < r.count && fills[end].filled >= parts->room;) ++end;
      if (end < i + 2) continue;
      const box from = *row.place(r.first + i), to = *row.place(r.first + end - 1);
      draw.AddLine({from.low.x, y}, {to.high.x - px(3), y}, theme().text_dim, px(3));
    }
  }
}

// Where windows are left out: how many.
void draw_breaks(const shown_windows& row) {
  if (!row.own) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const std::span<const window_row::run> runs = row.own->runs();
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const box before = *row.place(runs[i - 1].end() - 1), behind = *row.place(runs[i].first);
    const ImVec2 middle{(before.high.x + behind.low.x) / 2, row.area.middle().y};
    if (middle.x < row.area.low.x || middle.x > row.area.high.x) continue;
    const float room = behind.low.x - before.high.x - px(8), slant = px(3), half = row.area.height() * 0.22f;
    const std::string words = grouped(runs[i].first - runs[i - 1].end());
    const bool named = text_width(fonts().mono, type::tiny, words) <= room;
    for (const float x : {middle.x - px(3), middle.x + px(3)})
      draw.AddLine({x - slant, row.area.high.y}, {x + slant, row.area.high.y - half * (named ? 1.0f : 2.0f)},
                   theme().text_faint, px(1.5f));
    if (named)
      draw_text_centred(draw, fonts().mono, type::tiny, {middle.x, row.area.low.y + row.area.height() * 0.36f},
                        theme().text_faint, words);
  }
}

// `numbered`: windows that have a disc of the way in their middle.
void draw_frames(const shown_windows& row, u64 count, bool named, std::span<const u64> numbered = {}) {
  const float width = row.width();
  if (width < px(framed_from)) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (const window_row::run& r : row.in_view(count))
    for (u64 w = r.first; w < r.end(); ++w) {
      const box at = *row.place(w);
      if (at.high.x < row.area.low.x || at.low.x > row.area.high.x) continue;
      draw.AddRect({at.low.x - px(2), at.low.y - px(3)}, {at.high.x - px(1), at.high.y + px(3)}, theme().edge, px(4),
                   px(1.5f));
      // Cut at an edge it would be another number.
      if (!named || at.low.x < row.area.low.x - px(1) || at.low.x + width > row.area.high.x + px(4)) continue;
      const std::string name = fmt::format("window {}", grouped(w)), number = grouped(w);
      const bool disc = std::find(numbered.begin(), numbered.end(), w) != numbered.end();
      const float room = disc ? width / 2 - px(12) : width - px(6);
      const bool whole = text_width(fonts().mono, type::tiny, name) <= room;
      if (whole || text_width(fonts().mono, type::tiny, number) <= room)
        draw_text(draw, fonts().mono, type::tiny, {at.low.x, at.low.y - px(22)}, theme().text_faint,
                  whole ? name : number);
    }
}

}  // namespace

void draw_window_frames(const frame& f, const layout_picture& p) {
  const std::optional<probe_windows> windows = f.model()->windows();
  if (!windows || windows->count == 0) return;
  const shown_windows row = shown(f, p, *windows);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto clip = [&](const box& area) {
    draw.PushClipRect({area.low.x - px(3), area.low.y - px(24)}, {area.high.x + px(3), area.high.y + px(4)}, true);
  };
  clip(row.area);
  draw_breaks(row);
  draw_clusters(f, row, *windows);
  const bool path = f.trace() && !f.view.build.on && f.view.transport.path->index == f.session.index;
  draw_frames(row, windows->count, true, path ? windows_of(*f.model(), *f.trace()) : std::vector<u64>{});
  draw.PopClipRect();
  if (!p.windows) return;
  clip(p.lower_area);
  draw_frames(whole_table(f, p, *windows), windows->count, false);
  draw.PopClipRect();
}

void draw_window_links(const frame& f, const layout_picture& p) {
  const lookup_trace* trace = f.trace();
  const std::optional<probe_windows> windows = f.model()->windows();
  if (!p.windows || !trace || !windows) return;
  const shown_windows own = shown(f, p, *windows), whole = whole_table(f, p, *windows);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float top = p.upper_marks + marks_height(*f.model()) + px(overview_height + 8),
              bottom = p.lower_area.low.y - px(4);
  draw.PushClipRect({p.lower_area.low.x, p.upper_area.high.y}, {p.lower_area.high.x, p.lower_area.high.y}, true);
  for (const probe_stop& stop : probe_stops(*f.model(), *trace)) {
    const auto from = own.place(stop.window), to = whole.place(stop.window);
    if (!from || !to || !stop.step) continue;
    const bool now = *stop.step == f.view.transport.step;
    const ImU32 ink = with_alpha(theme().accent, now ? 1.0f : *stop.step < f.view.transport.step ? 0.65f : 0.25f);
    const float x0 = from->middle().x - px(1), x1 = to->middle().x;
    const auto in_view = [&](float x) { return x >= p.lower_area.low.x && x <= p.lower_area.high.x; };
    const auto edge = [&](float x) { return x < p.lower_area.low.x ? p.lower_area.low.x : p.lower_area.high.x; };
    const float thick = px(now ? 2.5f : 1.25f), half = (top + bottom) / 2;
    if (in_view(x0) && in_view(x1))
      draw_link(draw, {x0, top}, {x1, bottom}, ink, thick);
    else if (in_view(x0))
      draw_leaving_link(draw, {x0, top}, {edge(x1), half}, ink, thick);
    else if (in_view(x1))
      draw_leaving_link(draw, {x1, bottom}, {edge(x0), half}, ink, thick);
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
  const shown_windows row = shown(f, p, *windows);
  const box& area = row.area;
  const float y = area.low.y - px(16), radius = px(7.5f);
  const float most_lift = std::max(y - p.top - px(6), px(10));
  const u32 now = f.view.transport.step;
  const auto middle = [&](const probe_stop& s) {
    const auto at = row.place(s.window);
    return ImVec2{at ? at->middle().x : -1e9f, y};
  };
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
