#include "viz/parts/sweep_plot.hpp"

#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

#include "core/sweep/sweep_svg.hpp"
#include "core/workload/host_memory.hpp"
#include "viz/parts/widgets.hpp"

namespace pivotscope::viz {
namespace {

void mark(ImDrawList& draw, ImVec2 at, std::size_t line, float radius) {
  const ImU32 ink = ink_of_series(line);
  const float r = px(radius);
  const auto corner = [&](float x, float y) { return ImVec2(at.x + x * r, at.y + y * r); };
  switch (style_of_series(line).shape) {
    case 0:
      draw.AddCircleFilled(at, r, ink);
      break;
    case 1:
      draw.AddRectFilled(corner(-0.9f, -0.9f), corner(0.9f, 0.9f), ink);
      break;
    case 2:
      draw.AddTriangleFilled(corner(0, -1.2f), corner(1.1f, 0.8f), corner(-1.1f, 0.8f), ink);
      break;
    case 3:
      draw.AddQuadFilled(corner(0, -1.3f), corner(1.1f, 0), corner(0, 1.3f), corner(-1.1f, 0), ink);
      break;
    case 4:
      draw.AddRectFilled(corner(-1.2f, -0.4f), corner(1.2f, 0.4f), ink);
      draw.AddRectFilled(corner(-0.4f, -1.2f), corner(0.4f, 1.2f), ink);
      break;
    default:
      draw.AddTriangleFilled(corner(0, 1.2f), corner(1.1f, -0.8f), corner(-1.1f, -0.8f), ink);
  }
}

void dashed(ImDrawList& draw, ImVec2 from, ImVec2 to, ImU32 ink, float dash, float gap, float thickness = px(1.6f)) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  for (float at = 0; at < length; at += dash + gap) {
    const float end = std::min(length, at + dash);
    const auto point = [&](float l) {
      return ImVec2(from.x + (to.x - from.x) * l / length, from.y + (to.y - from.y) * l / length);
    };
    draw.AddLine(point(at), point(end), ink, thickness);
  }
}

void set_ticks(ImAxis axis, const std::vector<plot_tick>& ticks) {
  std::vector<double> at;
  std::vector<const char*> words;
  for (const plot_tick& tick : ticks) at.push_back(tick.at), words.push_back(tick.words.c_str());
  if (!at.empty()) ImPlot::SetupAxisTicks(axis, at.data(), static_cast<int>(at.size()), words.data());
}

// A straight line through all dots of a scatter, and what each dot is.
void draw_fit(ImDrawList& draw, const sweep_plot& plot, std::span<const plot_line> lines, const plot_range& x,
              const plot_range& y) {
  if (const auto fit = fit_of(lines)) {
    const auto at = [&](double along) {
      return ImPlot::PlotToPixels(along, std::clamp(fit->at_zero + fit->slope * along, y.low, y.high));
    };
    dashed(draw, at(x.low), at(x.high), theme().edge, px(5), px(4));
    const ImVec2 corner = ImPlot::PlotToPixels(x.low, y.high);
    draw_text(draw, fonts().words, type::tiny, {corner.x + px(8), corner.y + px(5)}, theme().text_dim, fit_words(*fit));
  }
  for (const dot_label& label : dot_labels(plot, lines)) {
    const ImVec2 at = ImPlot::PlotToPixels(label.x, label.y);
    const float width = text_width(fonts().words, type::tiny, label.words);
    draw_text(draw, fonts().words, type::tiny, {at.x - width / 2, at.y - px(20)}, theme().text, label.words);
  }
}

void draw_band(ImDrawList& draw, const plot_line& line, std::size_t i, const plot_range& x) {
  constexpr float opacity = 0.2f;
  const ImU32 ink = with_alpha(ink_of_series(i), opacity);
  const auto quad = [&](double x0, const plotted_value& a, double x1, const plotted_value& b) {
    draw.AddQuadFilled(ImPlot::PlotToPixels(x0, a.high), ImPlot::PlotToPixels(x1, b.high),
                       ImPlot::PlotToPixels(x1, b.low), ImPlot::PlotToPixels(x0, a.low), ink);
  };
  if (line.level && !line.dots.empty()) return quad(x.low, line.dots[0].y, x.high, line.dots[0].y);
  for (std::size_t d = 1; d < line.dots.size(); ++d)
    quad(line.dots[d - 1].x, line.dots[d - 1].y, line.dots[d].x, line.dots[d].y);
}

// Where a dot is: of a level line as far along it as the mouse.
ImVec2 place_of(const plot_line& line, const plot_dot& dot) {
  const ImVec2 at = ImPlot::PlotToPixels(dot.x, dot.y.value);
  return line.level ? ImVec2(ImGui::GetIO().MousePos.x, at.y) : at;
}

// Through, or of dashes.
void draw_path(ImDrawList& draw, const std::vector<ImVec2>& path, ImU32 ink, u32 dashes, float thickness) {
  if (dashes == 0) return draw.AddPolyline(path.data(), static_cast<int>(path.size()), ink, thickness);
  for (std::size_t i = 1; i < path.size(); ++i)
    dashed(draw, path[i - 1], path[i], ink, px(dashes == 1 ? 10.0f : 2.5f), px(3), thickness);
}

// What another machine came to.
void draw_behind(ImDrawList& draw, const curves_behind& curves, const plot_range& x, std::size_t which) {
  constexpr float faint = 0.5f;
  bool named = false;
  for (std::size_t i = 0; i < curves.lines.size(); ++i) {
    const plot_line& line = curves.lines[i];
    if (line.dots.empty()) continue;
    std::vector<ImVec2> path;
    if (line.level)
      path = {ImPlot::PlotToPixels(x.low, line.dots[0].y.value), ImPlot::PlotToPixels(x.high, line.dots[0].y.value)};
    else
      for (const plot_dot& dot : line.dots) path.push_back(ImPlot::PlotToPixels(dot.x, dot.y.value));
    draw_path(draw, path, with_alpha(ink_of_series(i), faint), which == 0 ? 0 : 2, px(1));
    if (named || path.size() < 2 || line.level) continue;
    named = true;
    const float width = text_width(fonts().words, type::tiny, curves.device);
    const ImVec2 end = path.back();
    const float right = ImPlot::GetPlotPos().x + ImPlot::GetPlotSize().x;
    draw_text(draw, fonts().words, type::tiny, {std::min(end.x + px(4), right - width - px(3)), end.y - px(14)},
              theme().text_dim, curves.device);
  }
}

void draw_line(ImDrawList& draw, const plot_line& line, std::size_t i, const plot_range& x, bool joined) {
  if (line.dots.empty()) return;
  if (line.level) {
    const double y = line.dots[0].y.value;
    return dashed(draw, ImPlot::PlotToPixels(x.low, y), ImPlot::PlotToPixels(x.high, y), ink_of_series(i), px(7),
                  px(4));
  }
  std::vector<ImVec2> path;
  for (const plot_dot& dot : line.dots) path.push_back(ImPlot::PlotToPixels(dot.x, dot.y.value));
  if (joined) draw_path(draw, path, ink_of_series(i), dashes_of_series(i), px(1.6f));
  for (const ImVec2& at : path) mark(draw, at, i, 4);
}

void draw_cache_rule(ImDrawList& draw, const sweep_plot& plot, u64 cache_bytes, const plot_range& x,
                     const plot_range& y) {
  const auto at = leaves_cache_at(plot, cache_bytes);
  if (!at || *at <= x.low || *at >= x.high) return;
  const ImVec2 low = ImPlot::PlotToPixels(*at, y.low), high = ImPlot::PlotToPixels(*at, y.high);
  dashed(draw, low, high, theme().edge, px(2), px(3));
  const std::string words = fmt::format("a sorted array leaves the {} of L2", bytes_text(cache_bytes));
  const float width = text_width(fonts().words, type::tiny, words);
  draw_text(draw, fonts().words, type::tiny, {high.x - width - px(5), high.y + px(3)}, theme().text_dim, words);
}

// Across a series' line, where its own index leaves the cache.
void draw_leaving(ImDrawList& draw, const sweep_plot& plot, const plot_line& line, std::size_t i, u64 cache_bytes) {
  const auto leaves = leaves_cache_at(plot, line, cache_bytes);
  if (!leaves) return;
  const ImVec2 at = ImPlot::PlotToPixels(leaves->x, leaves->y);
  const float half = px(9);
  draw.AddLine({at.x, at.y - half}, {at.x, at.y + half}, theme().panel, px(4.5f));
  draw.AddLine({at.x, at.y - half}, {at.x, at.y + half}, ink_of_series(i), px(2.5f));
}

pointed_dot nearest(std::span<const plot_line> lines) {
  pointed_dot found;
  float best = px(9);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const plot_dot& dot : lines[i].dots) {
      const ImVec2 at = place_of(lines[i], dot);
      const float away = std::hypot(at.x - mouse.x, at.y - mouse.y);
      if (away < best) best = away, found = {&dot, i};
    }
  }
  return found;
}

}  // namespace

ImU32 ink_of_series(std::size_t i) {
  constexpr double least_contrast = 3;
  const u32 rgb = style_of_series(i).rgb;
  if (rgb == 0 && contrast(IM_COL32_BLACK, theme().panel) < least_contrast) return theme().text;  // not one more grey
  const ImU32 colour = IM_COL32(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, 255);
  for (const float share : {0.0f, 0.3f, 0.5f, 0.7f})
    if (const ImU32 seen = mix(colour, theme().text, share); contrast(seen, theme().panel) >= least_contrast)
      return seen;
  return theme().text;
}

u32 dashes_of_series(std::size_t i) {
  constexpr std::size_t colours = 8;  // of style_of_series(), which then begin again
  return static_cast<u32>(i / colours % 3);
}

pointed_dot draw_sweep_plot(const pivotscope::sweep& of, std::span<const plot_line> lines,
                            std::span<const curves_behind> behind, u64 cache_bytes, ImVec2 size) {
  const sweep_plot& plot = *of.plot;
  const text_style style(fonts().words, type::tiny, theme().text_dim);
  if (!ImPlot::BeginPlot(
          "##sweep", size,
          ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect))
    return {};
  std::vector<plot_line> all(lines.begin(), lines.end());
  for (const curves_behind& one : behind) all.insert(all.end(), one.lines.begin(), one.lines.end());
  const plot_range x = x_range(plot, all), y = y_range(plot, all);
  ImPlot::SetupAxes(plot.x_words.c_str(), std::string(plot_y_words(plot.y)).c_str(),
                    ImPlotAxisFlags_NoGridLines | ImPlotAxisFlags_Lock, ImPlotAxisFlags_Lock);
  if (is_log_x(plot)) ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
  if (plot.log_y) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
  ImPlot::SetupAxisLimits(ImAxis_X1, x.low, x.high, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, y.low, y.high, ImPlotCond_Always);
  const auto room = static_cast<std::size_t>(std::max(2.0f, size.x / px(44)));
  const std::vector<plot_tick> along = x_ticks(plot, all, room), up = y_ticks(plot, y.low, y.high);
  set_ticks(ImAxis_X1, along);
  set_ticks(ImAxis_Y1, up);
  ImPlot::SetupFinish();
  ImDrawList& draw = *ImPlot::GetPlotDrawList();
  ImPlot::PushPlotClipRect();
  draw_cache_rule(draw, plot, cache_bytes, x, y);
  const bool scatter = is_scatter(plot);
  if (scatter) draw_fit(draw, plot, lines, x, y);
  for (std::size_t i = 0; i < behind.size() && !scatter; ++i) draw_behind(draw, behind[i], x, i);
  for (std::size_t i = 0; i < lines.size() && !scatter; ++i) draw_band(draw, lines[i], i, x);
  for (std::size_t i = 0; i < lines.size(); ++i) draw_line(draw, lines[i], i, x, !scatter);
  for (std::size_t i = 0; i < lines.size(); ++i) draw_leaving(draw, plot, lines[i], i, cache_bytes);
  pointed_dot pointed;
  if (ImPlot::IsPlotHovered()) pointed = nearest(lines);
  for (const plot_line& line : lines)
    if (!line.dots.empty() && !line.level && !pointed.first)
      pointed.first = ImPlot::PlotToPixels(line.dots[0].x, line.dots[0].y.value);
  if (pointed.dot) draw.AddCircle(place_of(lines[pointed.line], *pointed.dot), px(8), theme().text, 0, px(1.5f));
  ImPlot::PopPlotClipRect();
  ImPlot::EndPlot();
  return pointed;
}

void draw_sweep_legend(const pivotscope::sweep& of, std::span<const plot_line> lines, u64 cache_bytes,
                       std::optional<std::size_t> pointed, float width) {
  const float height = px(18), sample = px(24), left = ImGui::GetCursorPosX(),
              right = left + ImGui::GetContentRegionAvail().x;
  float at_x = left;
  const auto entry = [&](const std::string& words, ImFont* font, ImU32 colour, std::optional<std::size_t> line) {
    if (at_x > left && at_x + width <= right + 1)
      ImGui::SameLine(at_x);
    else
      at_x = left;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float middle = at.y + height / 2;
    if (line && lines[*line].level)
      dashed(draw, {at.x, middle}, {at.x + sample, middle}, ink_of_series(*line), px(7), px(4));
    if (line && !lines[*line].level) {
      draw_path(draw, {{at.x, middle}, {at.x + sample, middle}}, ink_of_series(*line), dashes_of_series(*line),
                px(1.6f));
      mark(draw, {at.x + sample / 2, middle}, *line, 4);
    }
    draw_text_in(draw, font, type::small, {at.x + sample + px(6), at.y + px(1)}, width - sample - px(10), colour,
                 words);
    ImGui::Dummy({width, height});
    if (ImGui::IsItemHovered() && text_width(font, type::small, words) > width - sample - px(10)) hover_card(words);
    at_x += width;
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, px(1)));
  for (std::size_t i = 0; i < lines.size(); ++i)
    entry(lines[i].series, pointed == i ? fonts().words_bold : fonts().words,
          lines[i].dots.empty() ? theme().text_faint : theme().text, i);
  for (const missing_series& one : of.missing) {
    entry("missing: " + one.name, fonts().words_italic, theme().text_dim, std::nullopt);
    hover_card("missing: " + one.name, one.why);
  }
  const bool marked = std::any_of(lines.begin(), lines.end(), [&](const plot_line& line) {
    return leaves_cache_at(*of.plot, line, cache_bytes).has_value();
  });
  if (marked) {
    entry(fmt::format("its index leaves {} of L2", bytes_text(cache_bytes)), fonts().words, theme().text_dim,
          std::nullopt);
    const ImVec2 low = ImGui::GetItemRectMin();
    ImGui::GetWindowDrawList()->AddLine({low.x + sample / 2, low.y + px(2)}, {low.x + sample / 2, low.y + px(16)},
                                        theme().text_dim, px(2.5f));
    hover_card("Where a series leaves L2",
               "By the bytes of its own index, between the points that were measured: what is larger goes to memory.");
  }
  ImGui::PopStyleVar();
}

}  // namespace pivotscope::viz
