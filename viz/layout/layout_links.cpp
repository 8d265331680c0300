#include "viz/layout/layout_links.hpp"

#include <imgui.h>

#include <algorithm>

#include "viz/layout/scratch_strip.hpp"
#include "viz/parts/widgets.hpp"

namespace pivotscope::viz {
namespace {

constexpr u64 most_links = 400;

// From the middle of a cell in the upper row to the middle of one in the lower.
void link(const frame& f, const layout_picture& p, u64 upper, u64 lower, ImU32 colour, float thickness) {
  const layout_state& state = f.view.layout;
  const float from = cell_box(state.upper.camera, p.upper_area, static_cast<double>(upper)).middle().x;
  const float to = cell_box(state.lower.camera, p.lower_area, static_cast<double>(lower)).middle().x;
  // Below the marks of what is compared now, where the upper row has such marks.
  const bool compared = !p.upper_is_sorted && !f.view.build.on &&
                        std::any_of(p.upper_reads.begin(), p.upper_reads.end(),
                                    [&](const strip_mark& m) { return m.cell == upper && m.mark == read_mark::now; });
  const float top = compared ? p.upper_marks + marks_height(*f.model()) - px(2) : p.upper_area.high.y + px(3);
  const float bottom = p.lower_area.low.y - px(4) - p.caret_lane;
  const auto in_view = [&](float x) { return x >= p.upper_area.low.x - px(2) && x <= p.upper_area.high.x + px(2); };
  const auto edge = [&](float x) { return x < p.upper_area.low.x ? p.upper_area.low.x : p.upper_area.high.x; };
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (in_view(to) && p.caret_lane > 0) draw.AddLine({to, bottom}, {to, p.lower_area.low.y - px(4)}, colour, thickness);
  if (in_view(from) && in_view(to)) return draw_link(draw, {from, top}, {to, bottom}, colour, thickness);
  // One end is out of view: the link leaves by that side, half-way down. With both out there is nothing to show.
  const float half = (top + bottom) / 2;
  if (in_view(from)) draw_leaving_link(draw, {from, top}, {edge(to), half}, colour, thickness);
  if (in_view(to)) draw_leaving_link(draw, {to, bottom}, {edge(from), half}, colour, thickness);
}

}  // namespace

void draw_scratch_links(const frame& f, const layout_picture& p, const box& area) {
  const layout_state& state = f.view.layout;
  const scratch_row& row = *state.scratch;
  if (row.count() == 0 || row.array() != main_region) return;  // it lies above
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto link_of = [&](u64 cell, ImU32 colour, float thickness) {
    const u64 slot = row.at(cell).slot;
    const float from = cell_box(state.lower.camera, p.lower_area, static_cast<double>(slot)).middle().x;
    const float to = cell_box(state.scratch_strip.camera, area, static_cast<double>(cell)).middle().x;
    if (std::min(from, to) < area.low.x || std::max(from, to) > area.high.x) return;
    // Straight through the ruler, and not over its numbers.
    const float below = p.ruler + px(ruler_height - 2);
    draw.AddLine({from, p.ruler}, {from, below}, colour, thickness);
    draw_link(draw, {from, below}, {to, area.low.y - px(4)}, colour, thickness);
  };
  const lookup_trace* trace = f.trace();
  if (trace && f.view.transport.path->index == f.session.index) {
    for (const strip_mark& mark : scratch_reads(row, *trace, f.view.transport.step))
      if (mark.mark == read_mark::now) link_of(mark.cell, theme().accent, px(2.0f));
  }
  const auto pointed = f.view.pointed.rank ? row.cell_of_rank(*f.view.pointed.rank) : std::nullopt;
  if (pointed) link_of(*pointed, theme().text, px(2.0f));
}

void draw_links(const frame& f, const layout_picture& p) {
  if (!p.upper) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const layout_state& state = f.view.layout;
  const u32 levels = f.model()->levels();
  draw.PushClipRect({p.upper_area.low.x, p.upper_area.low.y}, {p.upper_area.high.x, p.lower_area.high.y}, true);
  // The row whose cells are fewer in view leads; each of its cells is linked to the other row.
  const strip_camera &upper = state.upper.camera, &lower = state.lower.camera;
  const u64 upper_shown = upper.end_visible() - upper.first_visible(),
            lower_shown = lower.end_visible() - lower.first_visible();
  const bool lead_by_upper = !p.upper_is_sorted || upper_shown < lower_shown;
  const cell_row& row = lead_by_upper ? *p.upper : *p.lower;
  const strip_camera& camera = lead_by_upper ? upper : lower;
  const double narrow = std::min(camera.cell_width(), static_cast<double>(px(40)));
  if ((lead_by_upper ? upper_shown : lower_shown) <= most_links) {
    for (u64 cell = camera.first_visible(); cell < camera.end_visible(); ++cell) {
      const cell_place place = row.at(cell);
      if (place.rank == no_rank) continue;
      const auto other = lead_by_upper && p.upper_is_sorted ? p.lower->cell_of_slot(place.array, place.slot)
                         : lead_by_upper                    ? p.lower->cell_of_rank(place.rank)
                                                            : p.upper->cell_of_rank(place.rank);
      if (!other) continue;
      const u64 above = lead_by_upper ? cell : *other, below = lead_by_upper ? *other : cell;
      const bool out =
          place.rank < p.left_first || place.rank >= p.left_end || above >= p.upper_written || below >= p.lower_written;
      const bool pointed = f.view.pointed.rank == place.rank;
      const auto& level = f.view.pointed.level;  // the others make way for it
      const float alpha = pointed || level == place.level ? 1.0f : out || level ? 0.16f : 0.62f;
      const ImU32 colour = pointed ? theme().text : with_alpha(level_colour(place.level, levels), alpha);
      link(f, p, above, below, colour, pointed ? px(2) : static_cast<float>(std::clamp(narrow / 16, 1.0, 1.75)));
    }
  }
  // The path: the key's own colour, thick where it is read now.
  for (const strip_mark& mark : p.upper_is_sorted ? p.lower_reads : p.upper_reads) {
    const cell_place place = p.upper_is_sorted ? p.lower->at(mark.cell) : p.upper->at(mark.cell);
    if (place.rank == no_rank) continue;
    const bool now = mark.mark == read_mark::now;
    // Among many cells, of an earlier step only the two reads beside the key: the others ruled nothing out.
    if (!now && !shows_cells(upper) && !decided(f.trace()->steps[mark.step], place.rank)) continue;
    const auto other = p.upper_is_sorted ? p.upper->cell_of_rank(place.rank) : p.lower->cell_of_rank(place.rank);
    if (!other) continue;
    link(f, p, p.upper_is_sorted ? *other : mark.cell, p.upper_is_sorted ? mark.cell : *other,
         with_alpha(theme().accent, now ? 1.0f : 0.65f), px(now ? 2.5f : 1.25f));
  }
  draw.PopClipRect();
}

}  // namespace pivotscope::viz
