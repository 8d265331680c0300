#include "viz/parts/marks.hpp"

#include <algorithm>
#include <cmath>

#include "viz/theme/icons.hpp"

namespace pivotscope::viz {

void draw_cell(ImDrawList& to, const box& at, ImU32 colour, bool out) {
  to.AddRectFilled(at.low, at.high, cell_ground(colour, out), at.width() > px(10) ? px(3) : 0);
}

void draw_empty_cell(ImDrawList& to, const box& at) {
  to.AddRect({at.low.x + 0.5f, at.low.y + 0.5f}, {at.high.x - 0.5f, at.high.y - 0.5f}, theme().edge,
             at.width() > px(10) ? px(3) : 0);
}

void draw_link_cell(ImDrawList& to, const box& at, const std::string& brief) {
  draw_empty_cell(to, at);
  if (text_width(fonts().mono, type::tiny, brief) <= at.width() - px(2))
    draw_text_centred(to, fonts().mono, type::tiny, at.middle(), theme().text_dim, brief);
}

ImU32 erased_ground() { return mix(theme().erased, theme().panel, 0.72f); }

void draw_erased_cell(ImDrawList& to, const box& at, bool words) {
  const float round = at.width() > px(10) ? px(3) : 0;
  if (at.width() < px(6)) {  // no room for a sign: it stands lower than what is there
    to.AddRectFilled({at.low.x, at.low.y + at.height() / 2}, at.high, theme().erased);
    return;
  }
  to.AddRectFilled(at.low, at.high, erased_ground(), round);
  to.AddRect({at.low.x + 0.5f, at.low.y + 0.5f}, {at.high.x - 0.5f, at.high.y - 0.5f}, theme().erased, round);
  if (words) return;
  const float arm = std::min({at.width() * 0.3f, at.height() * 0.3f, px(6)});
  const ImVec2 m = at.middle();
  to.AddLine({m.x - arm, m.y - arm}, {m.x + arm, m.y + arm}, theme().erased, px(1.5f));
  to.AddLine({m.x - arm, m.y + arm}, {m.x + arm, m.y - arm}, theme().erased, px(1.5f));
}

void draw_claimed_cell(ImDrawList& to, const box& at) {
  draw_empty_cell(to, at);
  if (at.width() < px(8)) return;
  const ImVec2 m = at.middle();
  for (const float x : {-px(3), 0.0f, px(3)}) to.AddCircleFilled({m.x + x, m.y}, px(1), theme().text_dim);
}

void draw_struck(ImDrawList& to, ImVec2 middle, float width, ImU32 ink) {
  const float half = width / 2 + px(2), y = std::round(middle.y);
  to.AddLine({middle.x - half, y}, {middle.x + half, y}, ink, px(1.5f));
}

void draw_ghost(ImDrawList& to, const box& at) {
  const float dash = px(3), step = px(6);
  const ImU32 ink = theme().text_faint;
  const float x0 = std::floor(at.low.x) + 0.5f, x1 = std::floor(at.high.x) - 0.5f;
  const float y0 = std::floor(at.low.y) + 0.5f, y1 = std::floor(at.high.y) - 0.5f;
  for (float x = x0; x < x1; x += step) {
    to.AddLine({x, y0}, {std::min(x + dash, x1), y0}, ink);
    to.AddLine({x, y1}, {std::min(x + dash, x1), y1}, ink);
  }
  for (float y = y0; y < y1; y += step) {
    to.AddLine({x0, y}, {x0, std::min(y + dash, y1)}, ink);
    to.AddLine({x1, y}, {x1, std::min(y + dash, y1)}, ink);
  }
}

void draw_step_number(ImDrawList& to, ImVec2 middle, u32 step, bool now) {
  const float radius = px(7.5f);
  to.AddCircleFilled(middle, radius, now ? theme().text : theme().panel);
  if (!now) to.AddCircle(middle, radius, theme().text_dim, 0, px(1));
  draw_text_centred(to, fonts().mono_bold, 10, middle, now ? theme().panel : theme().text, std::to_string(step + 1));
}

void draw_read(ImDrawList& to, const box& at, read_mark mark, u32 step, bool room_for_number) {
  if (mark == read_mark::none) return;
  const bool now = mark == read_mark::now;
  const float thick = px(now ? 3.0f : 1.25f), grow = now ? px(1) : 0;
  to.AddRect({at.low.x - grow, at.low.y - grow}, {at.high.x + grow, at.high.y + grow}, theme().text, px(4), thick);
  if (room_for_number) draw_step_number(to, {at.high.x - px(1), at.low.y + px(1)}, step, now);
}

void draw_doubt(ImDrawList& to, ImVec2 middle) {
  to.AddCircleFilled(middle, px(7.5f), theme().panel);
  to.AddCircle(middle, px(7.5f), theme().text, 0, px(1.5f));
  draw_text_centred(to, fonts().mono_bold, 11, middle, theme().text, "?");
}

void draw_written(ImDrawList& to, const box& at) {
  const float right = std::max(at.high.x, at.low.x + px(3));
  to.AddRectFilled({at.low.x, at.high.y - px(2)}, {right, at.high.y + px(2)}, theme().text, px(1));
  if (at.width() < px(16)) return;
  const ImVec2 middle{at.low.x + px(2), at.low.y + px(1)};
  to.AddCircleFilled(middle, px(7.5f), theme().text);
  draw_text_centred(to, fonts().words, 9, middle, theme().panel, icon::pencil);
}

void draw_change(ImDrawList& to, const box& at, float strength) {
  if (strength > 0) to.AddRectFilled(at.low, at.high, with_alpha(theme().text, 0.55f * strength), px(3));
}

void draw_pointed(ImDrawList& to, const box& at) {
  to.AddRect({at.low.x - px(1), at.low.y - px(1)}, {at.high.x + px(1), at.high.y + px(1)}, theme().text_dim, px(3),
             px(2));
}

float caret_width(const std::string& words) {
  return words.empty() ? 0 : text_width(fonts().mono_bold, type::small, words) + px(12);
}

box draw_caret(ImDrawList& to, ImVec2 tip, const std::string& words, float from, float end) {
  const float half = px(6), height = px(8), width = caret_width(words);
  to.AddTriangleFilled({tip.x - half, tip.y - height}, {tip.x + half, tip.y - height}, tip, theme().accent);
  const float middle = std::max(std::min(tip.x, end - width / 2), from + width / 2), y = tip.y - height - px(9);
  const box pill{{middle - width / 2, y - px(10)}, {middle + width / 2, y + px(10)}};
  if (words.empty()) return pill;
  to.AddRectFilled(pill.low, pill.high, theme().accent, px(4));
  draw_text_centred(to, fonts().mono_bold, type::small, pill.middle(), theme().on_accent, words);
  return pill;
}

void draw_star(ImDrawList& to, ImVec2 middle, bool found, float size) {
  draw_text_centred(to, fonts().words, size, middle, theme().accent, found ? icon::star : icon::star_empty);
}

void draw_pinned(ImDrawList& to, const box& at, ImU32 ink) {
  const float step = px(6), height = at.height();
  to.PushClipRect(at.low, at.high, true);
  for (float x = at.low.x - height; x < at.high.x; x += step)
    to.AddLine({x, at.high.y}, {x + height, at.low.y}, with_alpha(ink, 0.28f), 1);
  to.PopClipRect();
  if (at.width() > px(44))  // beside the key
    draw_text_centred(to, fonts().words, 10, {at.low.x + px(8), at.low.y + px(9)}, ink, icon::pin);
}

void draw_lane(ImDrawList& to, ImVec2 middle, float radius, bool loads) {
  if (loads)
    to.AddCircleFilled(middle, radius, theme().text);
  else
    to.AddCircle(middle, radius, theme().text_faint, 0, px(1.25f));
}

void draw_pointed_lane(ImDrawList& to, ImVec2 middle, float radius) {
  to.AddCircle(middle, radius + px(2), theme().text_dim, 0, px(2));
}

bool lane_under_mouse(ImVec2 middle, float radius) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float reach = radius + px(1);
  return std::abs(mouse.x - middle.x) <= reach && std::abs(mouse.y - middle.y) <= reach && ImGui::IsWindowHovered();
}

void draw_link(ImDrawList& to, ImVec2 from, ImVec2 down_to, ImU32 colour, float thickness) {
  if (std::abs(from.x - down_to.x) < 1) {
    to.AddLine(from, down_to, colour, thickness);
    return;
  }
  const float bend = (down_to.y - from.y) * 0.5f;
  to.AddBezierCubic(from, {from.x, from.y + bend}, {down_to.x, down_to.y - bend}, down_to, colour, thickness);
}

void draw_leaving_link(ImDrawList& to, ImVec2 from, ImVec2 side, ImU32 colour, float thickness) {
  constexpr int parts = 12;
  ImVec2 last = from;
  for (int i = 1; i <= parts; ++i) {
    const float t = static_cast<float>(i) / parts, u = 1 - t;
    // A quadratic curve, straight at its begin: its middle point is above or below where it leaves.
    const ImVec2 at{u * u * from.x + 2 * u * t * from.x + t * t * side.x,
                    u * u * from.y + 2 * u * t * side.y + t * t * side.y};
    to.AddLine(last, at, with_alpha(colour, 1 - 0.8f * t), thickness);
    last = at;
  }
}

void draw_line_arrow(ImDrawList& to, ImVec2 middle, bool filled) {
  const float half = px(5);
  const ImVec2 a{middle.x - half * 0.8f, middle.y - half}, b{middle.x + half, middle.y},
      c{middle.x - half * 0.8f, middle.y + half};
  if (filled)
    to.AddTriangleFilled(a, b, c, theme().accent);
  else
    to.AddTriangle(a, b, c, theme().text_dim, px(1.5f));
}

void draw_line_dot(ImDrawList& to, ImVec2 middle, bool filled) {
  if (filled)
    to.AddCircleFilled(middle, px(3.5f), theme().text);
  else
    to.AddCircle(middle, px(3.5f), theme().text_faint, 0, px(1));
}

}  // namespace pivotscope::viz
