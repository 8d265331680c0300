#include "viz/layout/layout_glide.hpp"

#include <cmath>
#include <vector>

#include "viz/parts/key_label.hpp"
#include "viz/parts/widgets.hpp"

namespace pivotscope::viz {
namespace {

constexpr u64 most_gliding = 512;
constexpr double glide_seconds = 0.45;

// Where the entry of a rank lies and how it is coloured, in one index and in the next.
struct glide {
  cell_ref from, to;
  ImU32 was, is;
};
glide glide_of(const index_model& before, const index_model& now, u64 rank) {
  const cell_ref from = before.ranks()->cell(rank), to = now.ranks()->cell(rank);
  return {from, to, level_colour(before.describe(from.region, from.cell).level, before.levels()),
          level_colour(now.describe(to.region, to.cell).level, now.levels())};
}

}  // namespace

bool glides(const index_model& before, const index_model& now) {
  const u64 n = now.keys();
  if (!before.ranks() || !now.ranks() || before.keys() != n || n > most_gliding) return false;
  for (u64 rank = 0; rank < n; ++rank) {
    const glide g = glide_of(before, now, rank);
    if (!(g.from == g.to) || g.was != g.is) return true;
  }
  return false;
}

bool draw_glide(frame& f, const layout_picture& p) {
  layout_state& state = f.view.layout;
  const double share = (f.now - state.glide_from) / glide_seconds;
  if (state.glide_from < 0 || share >= 1 || !state.before) {
    state.before.reset();
    return false;
  }
  f.moving = true;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float t = static_cast<float>(ease(share));
  std::vector<u64> keys;
  for (u64 rank = 0; rank < f.model()->keys(); ++rank)
    if (const auto content = f.read(main_region, glide_of(*state.before, *f.model(), rank).to.cell))
      keys.push_back(content->key);
  const key_labels labels(keys, static_cast<float>(state.lower.camera.cell_width()) - px(4));
  for (u64 rank = 0; rank < f.model()->keys(); ++rank) {
    const auto [was_at, is_at, was, is] = glide_of(*state.before, *f.model(), rank);
    const u64 from = was_at.cell, to = is_at.cell;
    const box a = cell_box(state.lower.camera, p.lower_area, static_cast<double>(from));
    box b = cell_box(state.lower.camera, p.lower_area, static_cast<double>(to));
    const float x = a.low.x + (b.low.x - a.low.x) * t, width = b.width() - px(2);
    // An arc, so that cells pass above and below each other instead of through.
    const float lift = std::sin(t * 3.14159f) * px(10) * (to > from ? -1.0f : to < from ? 1.0f : 0.0f);
    const box at{{x, b.low.y + lift}, {x + width, b.high.y + lift}};
    const ImU32 colour = mix(was, is, t);
    draw_cell(draw, at, colour, false);
    const auto content = f.read(is_at.region, to);
    if (content) labels.draw(draw, at, at.middle().y, ink_on(colour), content->key);
  }
  return true;
}

}  // namespace pivotscope::viz
