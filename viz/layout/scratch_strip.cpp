#include "viz/layout/scratch_strip.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/parts/key_label.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/view_state.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// "steps 1 to 3, whole" under the keys that they need; beside them those of a step that did not fit whole.
void draw_parts(const strip_camera& camera, const scratch_row& row, const box& area) {
  const pinned_cells& pinned = row.pinned();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto x_of = [&](u64 cell) { return cell_box(camera, area, static_cast<double>(cell)).low.x; };
  const float y = area.high.y + px(5);
  const auto part = [&](u64 first, u64 end, const std::string& words, ImU32 ink) {
    const float from = std::max(x_of(first), area.low.x), to = std::min(x_of(end), area.high.x) - px(2);
    if (end <= first || to <= from) return;
    draw.AddLine({from, y}, {to, y}, ink, px(2));
    for (const float x : {from + px(1), to - px(1)}) draw.AddLine({x, y - px(3)}, {x, y}, ink, px(2));
    const bool fits = text_width(fonts().words, type::tiny, words) < to - from || first == 0;
    if (fits) draw_text(draw, fonts().words, type::tiny, {from, y + px(3)}, ink, words);
  };
  part(0, pinned.whole,
       pinned.steps == 1 ? "step 1: no load from memory"
                         : fmt::format("steps 1 to {}: no load from memory", pinned.steps),
       theme().text_dim);
  part(pinned.whole, row.count(), fmt::format("step {}: in part", pinned.steps + 1), theme().text_faint);
  if (pinned.whole == 0 || pinned.whole == row.count()) return;
  const float x = x_of(pinned.whole) - px(1);
  if (x > area.low.x && x < area.high.x)
    draw.AddLine({x, area.low.y - px(5)}, {x, area.high.y + px(5)}, theme().text, px(2));
}

// Where one part ends, which blocks of its own pin, and the next begins.
void draw_part_ends(const strip_camera& camera, const scratch_row& row, const box& area) {
  const u64 size = row.pinned().of_part;
  if (size == 0) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  float free = area.low.x;  // of the row of names
  for (u64 part = 0, first = 0; first < row.count(); ++part, first += size) {
    const float x = cell_box(camera, area, static_cast<double>(first)).low.x - px(1);
    if (x > area.high.x) return;
    const float end = cell_box(camera, area, static_cast<double>(first + size)).low.x;
    if (end <= area.low.x) continue;
    if (first > 0 && x > area.low.x)
      draw.AddLine({x, area.low.y - px(5)}, {x, area.high.y + px(5)}, theme().text, px(2));
    const std::string words = fmt::format("part {}", part);
    const float at = std::max(x + px(1), area.low.x);
    if (at < free) continue;
    draw_text(draw, fonts().words, type::tiny, {at + px(4), area.low.y - px(17)}, theme().text_dim, words);
    free = at + text_width(fonts().words, type::tiny, words) + px(12);
  }
}

void strip_name(const scratch_row& row, const box& area) {
  const float x = area.low.x - px(92), y = area.middle().y;
  ImGui::SetCursorScreenPos({x, y - px(17)});
  ImGui::BeginGroup();
  {
    const text_style style(fonts().words_medium, type::small, theme().text);
    ImGui::TextUnformatted("scratch");
  }
  ImGui::SetCursorScreenPos({x, y + px(1)});
  {
    const text_style style(fonts().mono, type::tiny, theme().text_faint);
    ImGui::TextUnformatted(bytes_text(row.bytes_used()).c_str());
    ImGui::SetCursorScreenPos({x, y + px(14)});
    const char* const of = row.pinned().of_part > 0 ? "parts of" : "of";
    ImGui::TextUnformatted(fmt::format("{} {}", of, bytes_text(row.pinned().room)).c_str());
  }
  ImGui::EndGroup();
  spot("scratch", {{x, area.low.y}, area.high});
  const bool parts = row.pinned().of_part > 0;
  hover_card(
      "Scratch",
      fmt::format("{} {} that {} copies into its multiprocessor's own memory before it looks "
                  "anything up. {} of the {} asked for{}. A read of what is pinned is outlined here; in memory, where "
                  "it was copied from, its outline is thin: nothing is loaded there.",
                  grouped(row.count()), row.name(), parts ? "a block, a part each," : "every block",
                  bytes_text(row.bytes_used()), bytes_text(row.pinned().room), parts ? " for each" : ""));
}

void draw_nothing_pinned(const box& area, const scratch_row& row) {
  draw_ghost(*ImGui::GetWindowDrawList(), area);
  draw_text_centred(*ImGui::GetWindowDrawList(), fonts().words, type::small, area.middle(), theme().text_dim,
                    fmt::format("Not one whole step fits {}: nothing is pinned.", bytes_text(row.pinned().room)));
}

}  // namespace

float scratch_strip_height() { return px(30 + 36); }

std::vector<strip_mark> scratch_reads(const scratch_row& row, const lookup_trace& trace, u32 step) {
  std::vector<strip_mark> marks;
  const auto end = std::min<std::size_t>(step + 1, trace.steps.size());
  for (std::size_t i = 0; i < end; ++i) {
    for (const memory_access& a : trace.steps[i].accesses) {
      if (a.space != memory_space::scratch) continue;
      for (u32 s = 0; s < a.slots; ++s)
        marks.push_back({a.byte_offset / row.pinned().cell_bytes + s, i == step ? read_mark::now : read_mark::before,
                         static_cast<u32>(i)});
    }
  }
  return marks;
}

void scratch_strip(frame& f, const box& area, u64 left_first, u64 left_end) {
  layout_state& state = f.view.layout;
  const scratch_row& row = *state.scratch;
  strip_name(row, area);
  if (row.count() == 0) {
    draw_nothing_pinned(area, row);
    return;
  }
  state.scratch_strip.camera.set_extent(row.count(), area.width(), cell_for_keys(f, px(72)));
  const strip_events events = interact(f, "scratch", state.scratch_strip, area);
  if (events.hovered && *events.hovered < row.count()) {
    const cell_place place = row.at(*events.hovered);
    const auto content = f.read(place.array, place.slot);
    const bool key = holds_key(*f.model(), place);
    point_at(f.view.points_next, place);
    hover_card(!place.live() ? "empty slot"
               : !key        ? f.words(place.array, place.slot)
               : content     ? std::to_string(content->key)
                             : "reading...",
               fmt::format("Scratch byte {}, copied from slot {} of {}, level {}.",
                           grouped(*events.hovered * row.pinned().cell_bytes), grouped(place.slot),
                           f.model()->region(place.array).name, place.level),
               key ? "Click to go to that slot and look for its key." : "Click to go to that slot.");
    if (events.clicked && place.live()) {
      if (key) f.act.choose_key_at(place.array, place.slot);
      f.moving |= state.strip_of(place.array).camera.reveal(static_cast<double>(place.slot));
    }
  }
  const lookup_trace* trace = f.trace();
  const bool of_index = trace && f.view.transport.path->index == f.session.index;
  const auto marks = of_index ? scratch_reads(row, *trace, f.view.transport.step) : std::vector<strip_mark>{};
  const bool cells = shows_cells(state.scratch_strip.camera);
  // Far out, a veil over what is ruled out would need ranks that ascend, and here they need not.
  strip_input in{row, area, cells ? left_first : 0, cells ? left_end : ~0ull, marks};
  in.pinned = row.slots();
  draw_strip(f, state.scratch_strip, in);
  if (!cells) draw_pinned(*ImGui::GetWindowDrawList(), area, theme().text);
  draw_parts(state.scratch_strip.camera, row, area);
  draw_part_ends(state.scratch_strip.camera, row, area);
}

}  // namespace pivotscope::viz
