#include "viz/panels/scene_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pivotscope::viz {
namespace {

std::array<scene_place, 8> corners_of(const grid_box& b) {
  std::array<scene_place, 8> all;
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned a = 0; a < 3; ++a) all[i][a] = (i >> a & 1) != 0 ? b.high[a] : b.low[a];
  return all;
}

float turn(ImVec2 a, ImVec2 b, ImVec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// The outline around points (Andrew's monotone chain).
int hull_of(std::array<ImVec2, 8>& points, std::array<ImVec2, 16>& out) {
  std::ranges::sort(points, [](ImVec2 a, ImVec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::size_t n = 0;
  const auto add = [&](ImVec2 p, std::size_t least) {
    while (n >= least + 2 && turn(out[n - 2], out[n - 1], p) <= 0) --n;
    out[n++] = p;
  };
  for (const ImVec2& p : points) add(p, 0);
  const std::size_t upper = n - 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) add(points[i], upper);
  return static_cast<int>(n) - 1;
}

}  // namespace

ImVec2 scene_lines::at(const scene_place& place) const {
  const picture_point p = map_.of(place);
  constexpr double far = 1e6;  // pixels: beyond, a float has none
  return {area_.low.x + static_cast<float>(std::clamp(p.x, -far, far)),
          area_.low.y + static_cast<float>(std::clamp(p.y, -far, far))};
}

// Liang and Barsky.
bool scene_lines::cut(ImVec2& a, ImVec2& b) const {
  const float dx = b.x - a.x, dy = b.y - a.y;
  float first = 0, last = 1;
  const auto side = [&](float towards, float room) {
    if (towards == 0) return room >= 0;
    const float share = room / towards;
    if (towards < 0)
      first = std::max(first, share);
    else
      last = std::min(last, share);
    return first <= last;
  };
  if (!side(-dx, a.x - area_.low.x) || !side(dx, area_.high.x - a.x) || !side(-dy, a.y - area_.low.y) ||
      !side(dy, area_.high.y - a.y))
    return false;
  const ImVec2 from = a;
  a = {from.x + dx * first, from.y + dy * first}, b = {from.x + dx * last, from.y + dy * last};
  return true;
}

void scene_lines::line(const scene_place& from, const scene_place& end, ImU32 ink, float thick) {
  ImVec2 a = at(from), b = at(end);
  if (cut(a, b)) to_.AddLine(a, b, ink, thick);
}

void scene_lines::broken_line(const scene_place& from, const scene_place& end, ImU32 ink, float thick) {
  ImVec2 a = at(from), b = at(end);
  if (!cut(a, b)) return;
  const float whole = std::hypot(b.x - a.x, b.y - a.y), dash = px(4), step = px(8);
  if (whole < dash) return to_.AddLine(a, b, ink, thick);
  const ImVec2 d{(b.x - a.x) / whole, (b.y - a.y) / whole};
  const int dashes = static_cast<int>(std::ceil(whole / step));
  for (int i = 0; i < dashes; ++i) {
    const float s = step * static_cast<float>(i), e = std::min(s + dash, whole);
    to_.AddLine({a.x + d.x * s, a.y + d.y * s}, {a.x + d.x * e, a.y + d.y * e}, ink, thick);
  }
}

// A flat box has four edges, and a corner of it is drawn once.
template <class Line>
void scene_lines::each_edge(const grid_box& bounds, Line&& line) const {
  const std::array<scene_place, 8> all = corners_of(bounds);
  for (unsigned a = 0; a < 3; ++a) {
    if (bounds.low[a] == bounds.high[a]) continue;
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned other = i | 1u << a;
      bool twice = other == i;
      for (unsigned flat = 0; flat < 3; ++flat)
        twice = twice || (bounds.low[flat] == bounds.high[flat] && (i >> flat & 1) != 0);
      if (!twice) line(all[i], all[other]);
    }
  }
}

void scene_lines::wire(const grid_box& bounds, ImU32 ink, float thick) {
  each_edge(bounds, [&](const scene_place& a, const scene_place& b) { line(a, b, ink, thick); });
}
void scene_lines::broken_wire(const grid_box& bounds, ImU32 ink, float thick) {
  each_edge(bounds, [&](const scene_place& a, const scene_place& b) { broken_line(a, b, ink, thick); });
}

void scene_lines::fill(const grid_box& bounds, ImU32 ink) {
  std::array<ImVec2, 8> points;
  const std::array<scene_place, 8> all = corners_of(bounds);
  std::ranges::transform(all, points.begin(), [&](const scene_place& p) { return at(p); });
  std::array<ImVec2, 16> outline;
  const int count = hull_of(points, outline);
  if (count >= 3) to_.AddConvexPolyFilled(outline.data(), count, ink);
}

box scene_lines::extent(const grid_box& bounds) const {
  box out{{1e9f, 1e9f}, {-1e9f, -1e9f}};
  for (const scene_place& corner : corners_of(bounds)) {
    const ImVec2 p = at(corner);
    out.low = {std::min(out.low.x, p.x), std::min(out.low.y, p.y)};
    out.high = {std::max(out.high.x, p.x), std::max(out.high.y, p.y)};
  }
  return out;
}

}  // namespace pivotscope::viz
