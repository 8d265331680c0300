#include "viz/layout/layout_changes.hpp"

#include <algorithm>
#include <cmath>

#include "viz/parts/key_label.hpp"
#include "viz/parts/widgets.hpp"

namespace pivotscope::viz {
namespace {

// Where cells are narrower than pixels, each column of two says how many of its cells are others: its tick is as high as
// their share, and never less than a pixel.
void draw_ticks(frame& f, const layout_picture& p, const cell_changes& changes, float flash) {
  const strip_camera& camera = f.view.layout.lower.camera;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box& area = p.lower_area;
  const ImU32 ink = theme().text, light = with_alpha(ink, 0.55f * flash);
  const float top = area.high.y + px(2), height = px(3);
  if (!shows_cells(camera)) {
    constexpr float step = 2;
    const auto columns = static_cast<u32>(std::ceil(area.width() / step));
    for (u32 column = 0; column < columns; ++column) {
      const float x = step * static_cast<float>(column);
      const double from = camera.cell_at(x), to = camera.cell_at(x + step);
      const auto first = static_cast<u64>(std::max(from, 0.0));
      const auto end = std::max(first + 1, static_cast<u64>(std::max(to, 0.0)));
      const u64 changed = changed_among(changes, first, end);
      if (changed == 0) continue;
      const auto share = static_cast<float>(static_cast<double>(changed) / static_cast<double>(end - first));
      draw.AddRectFilled({area.low.x + x, top}, {area.low.x + x + step, top + std::max(1.0f, height * share)}, ink);
      if (flash > 0)
        draw.AddRectFilled({area.low.x + x, area.low.y}, {area.low.x + x + step, area.high.y},
                           with_alpha(ink, 0.55f * flash * std::max(share, 0.25f)));
    }
    return;
  }
  const auto first = static_cast<u64>(std::max(camera.cell_at(0), 0.0));
  const auto end = static_cast<u64>(std::max(camera.cell_at(area.width()), 0.0)) + 1;
  auto at = std::lower_bound(changes.cells.begin(), changes.cells.end(), first);
  for (; at != changes.cells.end() && *at < end; ++at) {
    const box cell = cell_box(camera, area, static_cast<double>(*at));
    const float left = std::max(cell.low.x, area.low.x), right = std::min(cell.high.x - px(1), area.high.x);
    if (right <= left) continue;
    draw.AddRectFilled({left, top}, {right, top + height}, ink, px(1));
    if (flash > 0) draw.AddRectFilled({left, area.low.y}, {right, area.high.y}, light, px(3));
  }
}

// An arc, so that cells pass above and below each other instead of through.
void draw_moves(frame& f, const layout_picture& p, const cell_changes& changes, float t) {
  const strip_camera& camera = f.view.layout.lower.camera;
  if (!shows_cells(camera)) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::vector<u64> keys;
  for (const auto& [from, to] : changes.moved)
    if (const auto content = f.read(main_region, to)) keys.push_back(content->key);
  const key_labels labels(keys, static_cast<float>(camera.cell_width()) - px(4));
  for (const auto& [from, to] : changes.moved) {
    const box a = cell_box(camera, p.lower_area, static_cast<double>(from)),
              b = cell_box(camera, p.lower_area, static_cast<double>(to));
    const float x = a.low.x + (b.low.x - a.low.x) * t, width = b.width() - px(2);
    if (x < p.lower_area.low.x || x + width > p.lower_area.high.x) continue;
    const float lift = std::sin(t * 3.14159f) * px(10) * (to > from ? -1.0f : 1.0f);
    const ImU32 colour = level_colour(0, 1);
    const box at{{x, b.low.y + lift}, {x + width, b.high.y + lift}};
    draw_cell(draw, at, colour, false);
    const auto content = f.read(main_region, to);
    if (content) labels.draw(draw, at, at.middle().y, ink_on(colour), content->key);
  }
}

}  // namespace

u64 changed_among(const cell_changes& changes, u64 first, u64 end) {
  const auto from = std::lower_bound(changes.cells.begin(), changes.cells.end(), first);
  return static_cast<u64>(std::lower_bound(from, changes.cells.end(), std::max(first, end)) - from);
}

void take_up_changes(frame& f) {
  layout_state& state = f.view.layout;
  const update_history* const updates = f.session.updates.get();
  state.changes = updates ? updates->changes : nullptr;
  state.changed_at = state.changes && f.view.motion ? f.now : -1;
}

void draw_batch_changes(frame& f, const layout_picture& p) {
  const layout_state& state = f.view.layout;
  if (!state.changes || f.view.build.on) return;
  const double share = state.changed_at < 0 ? 1 : (f.now - state.changed_at) / change_seconds;
  const bool moving = share < 1;
  if (moving) f.moving = true;
  draw_ticks(f, p, *state.changes, moving ? 1 - static_cast<float>(ease(share)) : 0.0f);
  if (moving) draw_moves(f, p, *state.changes, static_cast<float>(ease(share)));
}

namespace {

// Of several changes of a row id, all of them at once: from what it was first to what it is in the end. Nothing for those that
// another one tells.
std::string words_of_change(const std::vector<changed_field>& list, const changed_field& c) {
  if (c.field != field_kind::row_id) return {};  // the key it shows itself
  const auto same = [&](const changed_field& other) {
    return other.done && other.at == c.at && other.field == c.field;
  };
  if (&c != &*std::find_if(list.rbegin(), list.rend(), same)) return {};
  changed_field whole = c;
  whole.before = std::find_if(list.begin(), list.end(), same)->before;
  return whole.words();
}

// Rows that show the cell: its region's, and of one beside another that one's lane.
struct seen_change {
  box at;
  std::optional<float> marks;
};
std::vector<seen_change> places_of(const frame& f, const layout_picture& p, cell_ref cell) {
  std::vector<seen_change> list;
  const auto add = [&](const strip_camera& camera, const box& area, u64 place, std::optional<float> marks) {
    const box at = cell_box(camera, area, static_cast<double>(place));
    if (at.middle().x >= area.low.x && at.middle().x <= area.high.x) list.push_back({at, marks});
  };
  for (const placed_strip& strip : p.strips)
    if (const auto place = strip.row->cell_of_slot(cell.region, cell.cell))
      add(*strip.camera, strip.area, *place, strip.marks);
  if (p.rows_region == cell.region && cell.cell < p.lower->count())
    add(f.view.layout.lower.camera, p.rows_area, cell.cell, p.lower_marks);
  return list;
}

}  // namespace

void draw_step_changes(frame& f, const layout_picture& p) {
  const trace_step* step = f.step();
  if (!step || f.view.transport.path->index != f.session.index) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (const cell_ref& cell : f.view.transport.change.cells)
    for (const seen_change& seen : places_of(f, p, cell)) draw_change(draw, seen.at, f.changed(cell));
  const bool lanes = f.model()->lanes().count > 1;
  float last = -1e9f;
  const std::vector<changed_field> list = changed_by(*f.model(), *step);
  for (const changed_field& c : list) {
    if (!c.done) continue;
    const std::vector<seen_change> places = places_of(f, p, c.at);
    for (const seen_change& seen : places) draw_written(draw, seen.at);
    const std::string words = words_of_change(list, c);
    if (words.empty() || places.empty() || !places.front().marks) continue;
    const float half = text_width(fonts().words_medium, type::small, words) / 2;
    const float left = p.lower_area.low.x + half, right = std::max(p.lower_area.high.x - half, left);
    const float x = std::clamp(places.front().at.middle().x, left, right);
    if (x - half < last + px(6)) continue;
    last = x + half;
    const float y = *places.front().marks + px(9);
    draw.AddRectFilled({x - half - px(4), y - px(8)}, {x + half + px(4), y + px(lanes ? 23 : 8)}, theme().panel);
    draw_text_centred(draw, fonts().words_medium, type::small, {x, y}, theme().text, words);
  }
}

}  // namespace pivotscope::viz
