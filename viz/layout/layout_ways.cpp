#include "viz/layout/layout_ways.hpp"

#include <algorithm>

#include "core/index/step_words.hpp"
#include "viz/cells/path_ways.hpp"
#include "viz/parts/widgets.hpp"

namespace pivotscope::viz {
namespace {

constexpr u64 most_cells = 400;          // in view of a row, of which each is asked where it leads
constexpr std::size_t most_leads = 800;  // that are drawn

// Where in a row the middle of some cells is; nothing where the row has them not.
std::optional<float> middle_of(const placed_strip& strip, const cell_run& cells) {
  const auto first = strip.row->cell_of_slot(cells.region, cells.first);
  const auto last = strip.row->cell_of_slot(cells.region, cells.first + std::max<u64>(cells.count, 1) - 1);
  if (!first) return std::nullopt;
  const float from = cell_box(*strip.camera, strip.area, static_cast<double>(*first)).low.x;
  return (from + cell_box(*strip.camera, strip.area, static_cast<double>(last.value_or(*first))).high.x) / 2;
}

// From one row down, or up, to another: soft in the room between them, straight through what belongs to a row.
void join(const placed_strip& from, float x0, const placed_strip& to, float x1, ImU32 colour, float thickness) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool down = from.area.low.y < to.area.low.y;
  const placed_strip &upper = down ? from : to, &lower = down ? to : from;
  const float x_upper = down ? x0 : x1, x_lower = down ? x1 : x0;
  const box& area = from.area;  // all are as wide
  const auto in_view = [&](float x) { return x >= area.low.x - px(2) && x <= area.high.x + px(2); };
  const auto edge = [&](float x) { return x < area.low.x ? area.low.x : area.high.x; };
  const ImVec2 begin{x_upper, upper.below}, end{x_lower, lower.above};
  if (in_view(x_upper)) draw.AddLine({x_upper, upper.area.high.y}, begin, colour, thickness);
  if (in_view(x_lower)) draw.AddLine(end, {x_lower, lower.area.low.y}, colour, thickness);
  const float half = (begin.y + end.y) / 2;
  if (in_view(x_upper) && in_view(x_lower))
    draw_link(draw, begin, end, colour, thickness);
  else if (in_view(x_upper))
    draw_leaving_link(draw, begin, {edge(x_lower), half}, colour, thickness);
  else if (in_view(x_lower))
    draw_leaving_link(draw, end, {edge(x_upper), half}, colour, thickness);
}

void join_cells(const layout_picture& p, const cell_run& from, const cell_run& to, ImU32 colour, float thickness) {
  const placed_strip *const a = p.strip_of(from.region), *const b = p.strip_of(to.region);
  if (!a || !b || a == b) return;
  const auto x0 = middle_of(*a, from), x1 = middle_of(*b, to);
  if (x0 && x1) join(*a, *x0, *b, *x1, colour, thickness);
}

void draw_leads(const frame& f, const layout_picture& p) {
  const region_reader read = reader_of(*f.session.index, f.slots);
  std::vector<cell_link> leads;
  for (const placed_strip& strip : p.strips) {
    const u64 first = strip.camera->first_visible(), end = std::min(strip.camera->end_visible(), strip.row->count());
    if (end <= first || end - first > most_cells || strip.row->scattered()) continue;
    const cell_place place = strip.row->at(first);
    f.model()->leads_of({place.array, place.slot, end - first}, read,
                        leads);  // what is on its way comes with another frame
  }
  if (leads.size() > most_leads) return;
  for (const cell_link& lead : leads)
    join_cells(p, {lead.from.region, lead.from.cell, 1}, {lead.to.region, lead.to.cell, lead.cells},
               with_alpha(theme().text_faint, 0.35f), 1);
}

bool has_rank(const frame& f, const cell_run& cells) {
  return f.model()->describe(cells.region, cells.first).rank != no_rank;
}

}  // namespace

void draw_ways(const frame& f, const layout_picture& p) {
  if (p.strips.size() < 2 || f.view.build.on) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box &first = p.strips.front().area, &last = p.strips.back().area;
  draw.PushClipRect({first.low.x - px(2), first.low.y}, {first.high.x + px(2), last.high.y}, true);
  draw_leads(f, p);
  const trace_step* const step = f.step();
  if (step && f.view.transport.path->index == f.session.index) {
    const u32 current = f.view.transport.step;
    for (const path_way& way : ways_of(*f.model(), *f.trace(), current)) {
      if (has_rank(f, way.from)) continue;  // its own entries are linked by their ranks
      const bool now = way.step == current;
      join_cells(p, way.from, way.to, with_alpha(theme().accent, now ? 1.0f : 0.65f), px(now ? 2.5f : 1.25f));
    }
    for (const held_thing& held : step->in_hand) {
      if (held.kind != held_kind::place || step->accesses.empty()) continue;
      const memory_access& read = step->accesses.back();
      join_cells(p, {read.array, read.slot, read.slots}, {held.region, held.cell, 1}, with_alpha(theme().accent, 0.5f),
                 px(1.5f));
    }
  }
  draw.PopClipRect();
}

void draw_in_hand(const frame& f, const layout_picture& p) {
  const trace_step* const step = f.step();
  if (!step || step->in_hand.empty() || f.view.build.on || f.view.transport.path->index != f.session.index) return;
  std::string words = "in hand:";
  for (const held_thing& held : step->in_hand)
    words += (&held == &step->in_hand.front() ? " " : ", ") + held_words(held);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float width = text_width(fonts().mono, type::tiny, words) + px(10);
  for (const memory_access& a : step->accesses) {
    const placed_strip* const strip = p.strip_of(a.array);
    const auto x = strip ? middle_of(*strip, {a.array, a.slot, 1}) : std::nullopt;
    if (!x || *x < strip->area.low.x || *x > strip->area.high.x) continue;
    // Right of the number of the step, which stands above what it reads, or left of it where there is no room.
    const bool right = *x + px(14) + width <= strip->area.high.x;
    const float left = right ? *x + px(14) : std::max(strip->area.low.x, *x - px(14) - width);
    const float y = strip->area.low.y - px(15);
    const box chip{{left, y - px(8)}, {left + width, y + px(8)}};
    draw.AddRectFilled(chip.low, chip.high, theme().panel, px(4));
    draw.AddRect(chip.low, chip.high, theme().accent, px(4), px(1.5f));
    draw_text(draw, fonts().mono, type::tiny, {left + px(5), y - px(7)}, theme().text, words);
    return;
  }
}

}  // namespace pivotscope::viz
