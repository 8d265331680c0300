#include "viz/layout/layout_build.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/cells/old_array_row.hpp"
#include "viz/models/merge_rows.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// Where the slot and the cell that its key comes from are, when they are in view.
struct build_ends {
  const strip_camera* to_camera = nullptr;
  const box* to_area = nullptr;
  const strip_camera* from_camera = nullptr;
  const box* from_area = nullptr;
  u64 slot = 0;
  std::optional<u64> source;
  bool slot_above = false;
};

constexpr const char* rank_meaning =
    "The key's place in sorted order, from 0. The thread of the slot fetches the key that stands here.";

float middle_of(const strip_camera& camera, const box& area, u64 cell) {
  const box at = cell_box(camera, area, static_cast<double>(cell));
  return at.middle().x - (camera.cell_width() > 12 ? px(1) : 0);
}

build_ends ends_of(const frame& f, const layout_picture& p, const build_step& step) {
  const layout_state& state = f.view.layout;
  build_ends ends;
  ends.slot = f.view.build.at.slot;
  ends.slot_above = f.pass()->region != main_region;
  const bool above = ends.slot_above;
  ends.to_camera = above ? &state.upper.camera : &state.lower.camera;
  ends.to_area = above ? &p.upper_area : &p.lower_area;
  ends.from_camera = above ? &state.lower.camera : &state.upper.camera;
  ends.from_area = above ? &p.lower_area : &p.upper_area;
  const cell_row* from = above ? p.lower.get() : p.upper.get();
  if (from && step.rank != no_rank) ends.source = from->cell_of_rank(step.rank);
  return ends;
}

// A name in the picture, with what it means on hover.
void explain(ImVec2 middle, float width, const std::string& title, const std::string& words) {
  ImGui::SetCursorScreenPos({middle.x - width / 2, middle.y - px(9)});
  ImGui::Dummy({width, px(18)});
  hover_card(title, words);
}
std::string meaning_of(const build_step& step, const std::string& term) {
  const auto at =
      std::find_if(step.terms.begin(), step.terms.end(), [&](const step_term& t) { return t.name == term; });
  return at == step.terms.end() ? "" : at->meaning;
}

bool within(const box& area, float x) { return x >= area.low.x - px(2) && x <= area.high.x + px(2); }

// The arrow's head at the slot; the link itself is drawn with the others.
void draw_head(const build_ends& ends) {
  const float x = middle_of(*ends.to_camera, *ends.to_area, ends.slot);
  if (!within(*ends.to_area, x)) return;
  const float tip = ends.slot_above ? ends.to_area->high.y + px(3) : ends.to_area->low.y - px(3);
  const float back = ends.slot_above ? tip + px(9) : tip - px(9);
  ImGui::GetWindowDrawList()->AddTriangleFilled({x - px(5.5f), back}, {x + px(5.5f), back}, {x, tip}, theme().accent);
}

// What writes the slot: "turn 5", "step 9 of the merge path".
std::string writer_words(const frame& f, const build_step& step) {
  if (const batch_merge* const merge = f.view.build.merged.merge.get()) {
    const path_step at = merge->at_slot(f.view.build.at.slot);
    const std::string of = fmt::format("step {}", grouped(at.step));
    return at.part == path_part::keep ? of : fmt::format("{}: {}", of, write_words(merge->write(at.writes)));
  }
  return step.turn ? fmt::format("turn {}", grouped(*step.turn)) : "written now";
}

// "turn 5" at the slot: below memory's row, above the pivots'.
void name_slot(const frame& f, const build_ends& ends, const layout_picture& p, const build_step& step) {
  const float x = middle_of(*ends.to_camera, *ends.to_area, ends.slot);
  if (!within(*ends.to_area, x)) return;
  const std::string words = writer_words(f, step);
  const float half = text_width(fonts().mono_bold, type::small, words) / 2;
  const float y = ends.slot_above ? ends.to_area->low.y - px(14) : p.lower_marks + px(9);
  const float at =
      std::clamp(x, ends.to_area->low.x + half, std::max(ends.to_area->high.x - half, ends.to_area->low.x + half));
  draw_text_centred(*ImGui::GetWindowDrawList(), fonts().mono_bold, type::small, {at, y}, theme().text, words);
  explain({at, y}, half * 2, words,
          p.upper_is_old ? "The step of the merge path that makes this slot. Path shows the steps about it."
          : step.turn
              ? "Which turn this slot is on a GPU; a pivot has that of its entry. Path says which thread has it."
              : "The slot that is shown being written.");
}

// Along the top of the sorted row: where the key would come from without the correction, and how far that slides it.
void draw_shift(const build_ends& ends, const build_step& step, float pill_left, float pill_right) {
  const rank_shift& shift = *step.shift;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box& area = *ends.from_area;
  const auto inside = [&](float x) { return std::clamp(x, area.low.x, area.high.x); };
  const float from = middle_of(*ends.from_camera, area, shift.before);
  const float to = middle_of(*ends.from_camera, area, *ends.source);
  const float y = area.low.y - px(4), tick = px(9);
  if (within(area, from)) {
    const box cell = cell_box(*ends.from_camera, area, static_cast<double>(shift.before));
    if (cell.width() > px(8))
      draw_ghost(draw, {{cell.low.x - px(1), cell.low.y - px(1)}, {cell.high.x, cell.high.y + px(1)}});
    draw.AddLine({from, y - tick}, {from, area.low.y}, theme().accent, px(2));
  }
  const float x0 = inside(from), x1 = inside(to);
  if (x1 - x0 > px(3)) {
    draw.AddLine({x0, y - tick / 2}, {x1 - px(4), y - tick / 2}, theme().accent, px(2));
    if (x1 == to && x1 - x0 > px(12))
      draw.AddTriangleFilled({x1 - px(12), y - tick / 2 - px(4.5f)}, {x1 - px(12), y - tick / 2 + px(4.5f)},
                             {x1 - px(5), y - tick / 2}, theme().accent);
  }
  const std::string before = fmt::format("{} = {}", shift.before_name, grouped(shift.before));
  const std::string by = fmt::format("{} = {}", shift.name, grouped(shift.by));
  const float before_width = text_width(fonts().mono, type::small, before);
  const float by_width = text_width(fonts().mono_bold, type::small, by);
  const float label = area.low.y - px(24);
  const float middle = (x0 + pill_left) / 2;
  const bool apart = middle - by_width / 2 > x0 + before_width / 2 + px(8) && middle + by_width / 2 < pill_left - px(8);
  if (apart && within(area, from)) {
    const ImVec2 at{std::max(x0, area.low.x + before_width / 2 - px(40)), label};
    draw_text_centred(draw, fonts().mono, type::small, at, theme().text_dim, before);
    explain(at, before_width, before, meaning_of(step, shift.before_name));
    draw_text_centred(draw, fonts().mono_bold, type::small, {middle, label}, theme().text, by);
    explain({middle, label}, by_width, by, meaning_of(step, shift.name));
    return;
  }
  // Too near to each other: both stand beside the rank, before it where there is room.
  const std::string both = fmt::format("{}, {}", before, by);
  const float width = text_width(fonts().mono, type::small, both);
  const bool room = pill_left - px(10) - width >= area.low.x - px(header_column - 8);
  const float x = room ? pill_left - px(10) - width : pill_right + px(10);
  draw_text(draw, fonts().mono, type::small, {x, label - px(8)}, theme().text_dim, both);
  explain({x + width / 2, label}, width, both,
          fmt::format("{}: {} {}: {}", shift.before_name, meaning_of(step, shift.before_name), shift.name,
                      meaning_of(step, shift.name)));
}

// Entries that the batch dropped. Their keys are in memory no longer, but the batch has them.
void draw_dropped(const frame& f, const layout_picture& p) {
  const batch_merge& merge = *f.view.build.merged.merge;
  const strip_camera& camera = f.view.layout.upper.camera;
  if (!shows_cells(camera)) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (u64 cell = camera.first_visible(); cell < camera.end_visible(); ++cell) {
    const path_step at = merge.at_entry(cell);
    if (at.part != path_part::drop) continue;
    box seen = cell_box(camera, p.upper_area, static_cast<double>(cell));
    seen.low.x = std::max(seen.low.x, p.upper_area.low.x);
    seen.high.x = std::min(seen.high.x - (camera.cell_width() > 12 ? px(2) : 0), p.upper_area.high.x);
    if (seen.width() <= 0) continue;
    const u64 key = *merge.key_of(at);
    const key_labels label({&key, 1}, seen.width() - px(2), 14, seen.height() - px(4));
    draw_erased_cell(draw, seen, label.any());
    label.draw(draw, seen, seen.middle().y, theme().text_dim, key, true);
    if (ImGui::IsMouseHoveringRect(seen.low, seen.high))
      card_at_mouse(fmt::format("{}, dropped", key), step_words(merge, at));
  }
}

}  // namespace

void put_old_array_above(layout_picture& p, const frame& f) {
  if (!f.pass() || !f.view.build.merged.merge) return;
  p.upper = old_array_row(f.model(), f.view.build.merged.merge);
  p.upper_is_old = true;
}

bool build_wants_sorted(const frame& f) { return f.pass() && f.pass()->region == main_region; }

void collect_build(layout_picture& p, const frame& f) {
  const pass_info* pass = f.pass();
  if (!pass) return;
  const build_step step = *f.writes();
  const build_ends ends = ends_of(f, p, step);
  const strip_mark slot{.cell = ends.slot, .mark = read_mark::now, .numbered = false};
  (ends.slot_above ? p.upper_reads : p.lower_reads).push_back(slot);
  (ends.slot_above ? p.upper_written : p.lower_written) = ends.slot + 1;
  if (p.rows_region && !ends.slot_above) p.row_reads.push_back(slot);
  if (p.upper_is_old) {
    const path_step at = f.view.build.merged.merge->at_slot(ends.slot);
    p.upper_written = at.entries + (at.part == path_part::keep ? 1 : 0);
  }
  if (!ends.source) return;
  const strip_mark source{.cell = *ends.source, .mark = read_mark::now, .numbered = false};
  (ends.slot_above ? p.lower_reads : p.upper_reads).push_back(source);
}

void follow_build(frame& f, const layout_picture& p) {
  build_state& b = f.view.build;
  if (!f.pass() || (!b.follow && b.followed == b.at)) return;
  b.followed = b.at;
  b.follow = false;
  for (const bool upper : {true, false}) {
    strip_camera& camera = upper ? f.view.layout.upper.camera : f.view.layout.lower.camera;
    if (!shows_cells(camera)) continue;
    for (const strip_mark& mark : upper ? p.upper_reads : p.lower_reads)
      f.moving |= camera.reveal(static_cast<double>(mark.cell));
  }
}

void draw_build(const frame& f, const layout_picture& p) {
  if (!f.pass()) return;
  const build_step step = *f.writes();
  const build_ends ends = ends_of(f, p, step);
  if (p.upper_is_old) draw_dropped(f, p);
  name_slot(f, ends, p, step);
  if (!ends.source) return;
  draw_head(ends);
  const float x = middle_of(*ends.from_camera, *ends.from_area, *ends.source);
  const std::string words =
      p.upper_is_old ? fmt::format("old slot {}", grouped(*ends.source)) : fmt::format("rank {}", grouped(step.rank));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (ends.slot_above) {  // from below: the lane under the entries
    if (!within(*ends.from_area, x)) return;
    draw_text_centred(draw, fonts().mono_bold, type::small, {x, p.lower_marks + px(9)}, theme().text, words);
    explain({x, p.lower_marks + px(9)}, px(60), words, rank_meaning);
    return;
  }
  const float half = text_width(fonts().mono_bold, type::small, words) / 2 + px(6);
  if (within(*ends.from_area, x)) {
    draw_caret(draw, {x, ends.from_area->low.y - px(7)}, words);
    explain({x, ends.from_area->low.y - px(24)}, half * 2, words,
            p.upper_is_old ? "The slot of the old array that the entry is copied from." : rank_meaning);
  }
  const float pill = std::clamp(x, ends.from_area->low.x, ends.from_area->high.x);
  if (step.shift && step.shift->by > 0) draw_shift(ends, step, pill - half, pill + half);
}

}  // namespace pivotscope::viz
