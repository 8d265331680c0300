#include "viz/parts/strip.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/index/cell_state.hpp"
#include "viz/cells/cell_bits.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/strip_columns.hpp"
#include "viz/state/opening.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float byte_pixels = 20;

float gap(double cell_width) { return cell_width > 12 ? px(2) : cell_width > 6 ? 1.0f : 0.0f; }

// The bytes of a cell, each at its place, with a rule between fields, from `rule` down; what pads them is faint.
void draw_bytes(frame& f, const strip_input& in, const box& at, const cell_place& place, ImU32 ink, float rule) {
  const auto stride = static_cast<u64>(in.row.stride());
  // Of the cell in memory, also where the row is a copy of a part of it.
  const u64 begin = f.model()->region(place.array).byte_of(place.slot);
  const std::vector<std::byte> bytes = read_bytes(*f.session.index, f.slots, place.array, begin, stride);
  const float step = at.width() / static_cast<float>(stride), y = at.low.y + at.height() * 0.74f;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (u64 i = 0; i < bytes.size(); ++i) {
    const float x = at.low.x + step * (static_cast<float>(i) + 0.5f);
    const bool padding = std::any_of(in.row.fields().begin(), in.row.fields().end(), [&](const cell_field& field) {
      return field.kind == field_kind::padding && i >= field.offset && i < field.offset + field.bytes;
    });
    draw_text_centred(draw, fonts().mono, 11, {x, y}, with_alpha(ink, padding ? 0.35f : 0.85f),
                      fmt::format("{:02x}", static_cast<unsigned>(bytes[i])));
  }
  for (const cell_field& field : in.row.fields()) {
    if (field.offset == 0 || field.kind == field_kind::padding) continue;
    const float x = at.low.x + step * static_cast<float>(field.offset);
    draw.AddLine({x, rule}, {x, at.high.y - px(4)}, with_alpha(ink, 0.3f));
  }
}

// Under what a cell holds its bits, part by part: each as wide as it has bits, with its name and which bits they are as far as
// there is room.
void draw_bits(const strip_input& in, const box& at, const cell_place& place, ImU32 ink) {
  const std::vector<const bit_field*> parts = bits_of(*in.row.in_bits(), place.slot);
  u32 all = 0, before = 0;
  for (const bit_field* part : parts) all += part->bits;
  const float bit = at.width() / static_cast<float>(all), y = at.low.y + at.height() * 0.80f;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (const bit_field* part : parts) {
    const float from = at.low.x + bit * static_cast<float>(before), to = from + bit * static_cast<float>(part->bits);
    before += part->bits;
    if (part != parts.front())
      draw.AddLine({from, at.low.y + at.height() * 0.62f}, {from, at.high.y}, with_alpha(ink, 0.3f));
    for (const std::string& words : {bits_name(*part), part->name, bits_numbers(*part)}) {
      if (text_width(fonts().mono, 10.5f, words) > to - from - px(4)) continue;
      draw_text_centred(draw, fonts().mono, 10.5f, {(from + to) / 2, y},
                        with_alpha(ink, part->kind == field_kind::padding ? 0.35f : 0.85f), words);
      break;
    }
  }
}

// What of a cell is in view: its words stand in the middle of that.
box visible(const box& at, const box& area) {
  return {{std::max(at.low.x, area.low.x), at.low.y}, {std::min(at.high.x, area.high.x), at.high.y}};
}

// A cell in view, and what it holds, where that has a key and is at hand.
struct seen_cell {
  u64 cell = 0;
  cell_place place;
  box at;
  std::optional<slot_content> content = {};
};

constexpr float least_words = 14;  // pixels: below, nothing else than digits one below the other has room

std::vector<seen_cell> cells_in_view(const frame& f, const strip_camera& camera, const strip_input& in) {
  std::vector<seen_cell> list;
  const float space = gap(camera.cell_width());
  for (u64 cell = camera.first_visible(); cell < camera.end_visible(); ++cell) {
    if (!in.row.there(cell)) continue;
    seen_cell seen{cell, f.seen(in.row.at(cell)), cell_box(camera, in.area, static_cast<double>(cell))};
    seen.at.high.x -= space;
    if (holds_key(*f.model(), seen.place)) seen.content = f.read(seen.place.array, seen.place.slot);
    list.push_back(seen);
  }
  return list;
}

key_labels labels_of(const std::vector<seen_cell>& cells) {
  std::vector<u64> keys;
  for (const seen_cell& seen : cells)
    if (seen.content) keys.push_back(seen.content->key);
  if (cells.empty()) return key_labels();
  const box& at = cells.front().at;
  return key_labels(keys, at.width() - (at.width() < px(least_words) ? 0 : px(2)), 14, at.height() - px(4));
}

void draw_words(frame& f, const strip_input& in, const seen_cell& seen, const key_labels& labels, ImU32 ink) {
  const cell_place& place = seen.place;
  const box &whole = seen.at, at = visible(whole, in.area);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (seen.content && at.width() < px(least_words - 2))
    labels.draw(draw, at, at.middle().y, ink, seen.content->key, place.state == cell_state::erased);
  if (at.width() < px(least_words - 2)) return;
  const float room = at.width() - px(4);
  const bool near = in.row.in_memory() && whole.width() >= px(byte_pixels) * static_cast<float>(in.row.stride());
  const bool bits = near && in.row.in_bits(), bytes = near && !bits;
  if (bits) draw_bits(in, whole, place, ink);
  if (!f.model()->region(place.array).has(field_kind::key)) {
    if (bytes) draw_bytes(f, in, whole, place, ink, at.low.y + at.height() * 0.58f);
    const float y = at.low.y + at.height() * (near ? 0.34f : 0.5f);
    std::string words = f.words(place.array, place.slot);
    if (text_width(fonts().mono, type::tiny, words) > room) words = f.brief(place.array, place.slot);
    words = elided(fonts().mono, type::tiny, words, room);
    return draw_text_centred(draw, fonts().mono, type::tiny, {at.middle().x, y}, ink, words);
  }
  const std::optional<slot_content>& content = seen.content;
  if (!content) return;
  const bool erased = place.state == cell_state::erased;
  const std::string id = erased ? "erased" : content->row ? std::to_string(*content->row) : "";
  // The same in all cells: as it fits the longest. Beside a key that is shortened a number alone would pass for one.
  const bool named = text_width(fonts().mono, 10.5f, fmt::format("row {}", in.row.count() - 1)) <= room;
  const std::string words = named && !erased ? "row " + id : id;
  const bool row = in.show_rows && content->row && !bytes && (named || labels.whole()) &&
                   text_width(fonts().mono, 10.5f, words) <= room;
  const float middle = at.low.y + at.height() * (bits ? 0.2f : bytes ? 0.34f : row ? 0.38f : 0.5f);
  if (bytes) {
    const std::span<const cell_field> fields = in.row.fields();
    const auto x_of = [&](u32 offset) {
      if (static_cast<double>(offset) == in.row.stride()) return whole.high.x;
      return whole.low.x + whole.width() * (static_cast<float>(offset) / static_cast<float>(in.row.stride()));
    };
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const bool is_key = fields[i].kind == field_kind::key;
      if (fields[i].kind == field_kind::padding || (!is_key && !content->row)) continue;
      // Over its own padding, too.
      const bool padded = i + 1 < fields.size() && fields[i + 1].kind == field_kind::padding;
      const cell_field& last = fields[padded ? i + 1 : i];
      const box room_for =
          visible({{x_of(fields[i].offset), at.low.y}, {x_of(last.offset + last.bytes), at.high.y}}, in.area);
      if (is_key) {
        key_labels({&content->key, 1}, room_for.width()).draw(draw, room_for, middle, ink, content->key, erased);
        continue;
      }
      const std::string row_id = row_words(*content->row);
      if (text_width(fonts().mono, 12, row_id) <= room_for.width())
        draw_text_centred(draw, fonts().mono, 12, {room_for.middle().x, middle}, ink, row_id);
    }
    draw_bytes(f, in, whole, place, ink, at.low.y + px(4));
    return;
  }
  labels.draw(draw, at, middle, ink, content->key, erased);
  if (row)
    draw_text_centred(draw, fonts().mono, 10.5f, {at.middle().x, at.low.y + at.height() * (bits ? 0.46f : 0.76f)},
                      with_alpha(ink, 0.9f), words);
}

void draw_cells(frame& f, strip_state& state, const strip_input& in) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 levels = f.model()->levels();
  const std::vector<seen_cell> cells = cells_in_view(f, state.camera, in);
  const key_labels labels = labels_of(cells);
  for (const seen_cell& seen : cells) {
    const auto& [cell, place, at, content] = seen;
    if (place.state == cell_state::empty) {
      const std::string leads = at.width() > px(10) ? f.brief(place.array, place.slot) : "";
      draw_link_cell(draw, at, leads);
      if (leads.empty() && at.width() > px(40))
        draw_text_centred(draw, fonts().words_italic, type::tiny, at.middle(), theme().text_faint, "empty");
      continue;
    }
    // What is read now is drawn in full, though this very step rules it out.
    const bool read_now = std::any_of(in.marks.begin(), in.marks.end(), [&](const strip_mark& m) {
      return m.cell == seen.cell && m.mark == read_mark::now;
    });
    const bool out = !read_now && (cell >= in.written || place.out(in.left_first, in.left_end));
    const ImU32 colour = level_colour(place.level, levels);
    if (place.state == cell_state::claimed) {
      draw_claimed_cell(draw, at);
      continue;
    }
    if (place.live())
      draw_cell(draw, at, colour, out);
    else
      draw_erased_cell(draw, at, content && labels.any());
    if (points_at(f.view.pointed, place)) draw_pointed(draw, at);
    const ImU32 ink = out || !place.live() ? theme().text_dim : ink_on(colour);
    if (std::binary_search(in.pinned.begin(), in.pinned.end(), place.slot)) draw_pinned(draw, at, ink);
    draw_words(f, in, seen, labels, ink);
  }
}

// A read among cells too small for an outline: a needle through the row, with the step's number above it.
void draw_needle(ImDrawList& draw, const box& at, const strip_mark& mark, bool numbered) {
  const bool now = mark.mark == read_mark::now && !mark.from_scratch;
  const float x = std::round(at.middle().x);
  draw.AddLine({x, at.low.y - px(4)}, {x, at.high.y + px(4)}, theme().panel, px(now ? 5.0f : 3.0f));
  draw.AddLine({x, at.low.y - px(4)}, {x, at.high.y + px(4)}, theme().text, px(now ? 3.0f : 1.0f));
  if (numbered) draw_step_number(draw, {x, at.low.y - px(8)}, mark.step, now);
}

// Cells side by side that one step read are one mark: a node. Earlier reads first, so that the current one is on top.
void draw_reads(ImDrawList& draw, const strip_camera& camera, const strip_input& in) {
  float last_number = -1e9f;
  u32 numbered_step = ~0u;
  for (const read_mark pass : {read_mark::before, read_mark::now}) {
    for (std::size_t i = 0, end = 0; i < in.marks.size(); i = end) {
      const strip_mark& mark = in.marks[i];
      end = i + 1;
      while (end < in.marks.size() && in.marks[end].step == mark.step &&
             in.marks[end].cell == in.marks[end - 1].cell + 1)
        ++end;
      if (mark.mark != pass) continue;
      box at = cell_box(camera, in.area, static_cast<double>(mark.cell));
      at.high.x = cell_box(camera, in.area, static_cast<double>(in.marks[end - 1].cell)).high.x;
      if (at.high.x < in.area.low.x || at.low.x > in.area.high.x) continue;
      // One number a step where reads are small, and none on top of another.
      const bool room = mark.mark == read_mark::now || std::abs(at.low.x - last_number) > px(16);
      const bool numbered = mark.numbered && numbered_step != mark.step && room;
      if (at.width() < px(8)) {
        draw_needle(draw, at, mark, numbered);
      } else {
        at.high.x -= gap(camera.cell_width());
        const read_mark shown = mark.from_scratch ? read_mark::before : mark.mark;
        draw_read(draw, at, shown, mark.step, mark.numbered && (numbered || camera.cell_width() > px(18)));
      }
      // Before the number, where there is one.
      if (mark.doubt && numbered && at.width() < px(8))
        draw_doubt(draw, {std::round(at.middle().x) - px(17), at.low.y - px(8)});
      else if (mark.doubt && numbered)
        draw_doubt(draw, {at.high.x - px(18), at.low.y + px(1)});
      if (numbered) last_number = at.low.x, numbered_step = mark.step;
    }
  }
}

u64 nice_step(double cells) {
  u64 step = 1;
  while (static_cast<double>(step) < cells) step *= 2;
  return step;
}

void draw_slot_numbers(const strip_state& state, const strip_input& in, float top) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const strip_camera& camera = state.camera;
  const float widest = text_width(fonts().mono, type::tiny, grouped(camera.end_visible())) + px(10);
  const u64 step = nice_step(widest / camera.cell_width());
  const float space = gap(camera.cell_width());
  for (u64 cell = ceil_div(camera.first_visible(), step) * step; cell < camera.end_visible(); cell += step) {
    const box at = cell_box(camera, in.area, static_cast<double>(cell));
    const float x = step == 1 ? at.middle().x - space / 2 : at.low.x;
    if (x < in.area.low.x || x > in.area.high.x - (step == 1 ? 0 : widest / 2)) continue;
    if (step > 1) draw.AddLine({x, top}, {x, top + px(4)}, theme().text_faint);
    draw_text_centred(draw, fonts().mono, type::tiny, {x, top + px(step > 1 ? 12.0f : 8.0f)}, theme().text_faint,
                      grouped(cell));
  }
}

// As it was before the first click of two.
void put_back(frame& f, strip_state& state) {
  if (!state.before_click) return;
  const auto [key, place] = *std::exchange(state.before_click, std::nullopt);
  f.act.choose_key(key);  // though it may be that still: the first click's is on its way
  if (place.any()) f.view.opening = opening_scenario{.at = place, .asked_at = f.now};
}

}  // namespace

box cell_box(const strip_camera& camera, const box& area, double cell) {
  const auto x0 = static_cast<float>(camera.x_of(cell)), x1 = static_cast<float>(camera.x_of(cell + 1));
  return {{area.low.x + x0, area.low.y}, {area.low.x + std::max(x1, x0 + 1), area.high.y}};
}

strip_events interact(frame& f, const char* id, strip_state& state, const box& area) {
  strip_events events;
  strip_camera& camera = state.camera;
  f.moving |= camera.advance(f.seconds, !f.view.motion);
  ImGui::SetCursorScreenPos(area.low);
  ImGui::InvisibleButton(id, {std::max(area.width(), 1.0f), std::max(area.height(), 1.0f)});
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelX);
  const ImGuiIO& io = ImGui::GetIO();
  const double x = io.MousePos.x - area.low.x;
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) {
    if (io.MouseWheel != 0 && io.KeyShift)
      camera.pan(io.MouseWheel * px(80));
    else if (io.MouseWheel != 0)
      camera.zoom_at(x, std::pow(1.25, io.MouseWheel));
    if (io.MouseWheelH != 0) camera.pan(io.MouseWheelH * px(80));
    const double cell = camera.cell_at(x);
    if (cell >= 0 && cell < static_cast<double>(camera.cells())) events.hovered = static_cast<u64>(cell);
  }
  const bool pressed_twice = hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (ImGui::IsItemActivated()) state.dragged = false, state.fitted = pressed_twice;
  if (ImGui::IsItemActivated() && !pressed_twice)
    state.before_click = {f.session.choice.key, place_in_view(f.session, f.view)};
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, px(3))) {
    state.dragged = true;
    camera.pan(io.MouseDelta.x);
  }
  if (ImGui::IsItemDeactivated() && hovered && !state.dragged && !state.fitted) events.clicked = true;
  if (pressed_twice) {
    camera.go_to(0, static_cast<double>(camera.cells()));
    put_back(f, state);
    f.moving = true;
  }
  return events;
}

void draw_strip(frame& f, strip_state& state, const strip_input& in) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool cells = shows_cells(state.camera);
  draw.PushClipRect({in.area.low.x, in.area.low.y - px(20)}, {in.area.high.x, in.area.high.y + px(24)}, true);
  if (cells)
    draw_cells(f, state, in);
  else
    draw_columns(f, state, in);
  draw.PopClipRect();
  // Marks may stand out a little at the ends.
  draw.PushClipRect({in.area.low.x - px(10), in.area.low.y - px(20)},
                    {in.area.high.x + px(10), in.area.high.y + px(24)}, true);
  draw_reads(draw, state.camera, in);
  draw.PopClipRect();
}

void draw_row_ids(frame& f, const strip_state& state, const strip_input& in) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect(in.area.low, in.area.high, true);
  if (!shows_cells(state.camera)) {
    const float from = std::max(in.area.low.x, cell_box(state.camera, in.area, 0).low.x);
    const float to =
        std::min(in.area.high.x, cell_box(state.camera, in.area, static_cast<double>(in.row.count())).low.x);
    draw.AddRectFilled({from, in.area.low.y}, {to, in.area.high.y}, theme().raised);
  } else {
    for (u64 cell = state.camera.first_visible(); cell < state.camera.end_visible(); ++cell) {
      box at = cell_box(state.camera, in.area, static_cast<double>(cell));
      at.high.x -= gap(state.camera.cell_width());
      const cell_place place = f.seen(in.row.at(cell));
      if (!place.live()) {
        if (place.state == cell_state::erased)
          draw_erased_cell(draw, at, false);
        else
          draw_empty_cell(draw, at);
        continue;
      }
      const bool written = cell < in.written;
      const ImU32 ground = written ? theme().raised : with_alpha(theme().raised, 0.4f);
      draw.AddRectFilled(at.low, at.high, ground, at.width() > px(10) ? px(3) : 0);
      if (at.width() < px(14)) continue;
      const auto content = f.read(place.array, place.slot);
      if (!content || !content->row) continue;
      const std::string id = std::to_string(*content->row);
      if (text_width(fonts().mono, type::tiny, id) <= at.width() - px(4))
        draw_text_centred(draw, fonts().mono, type::tiny, at.middle(), written ? theme().text_dim : theme().text_faint,
                          id);
    }
  }
  draw_reads(draw, state.camera, in);
  draw.PopClipRect();
}

void draw_ruler(const strip_state& state, const strip_input& in, float top, double bytes_per_cell) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect({in.area.low.x - px(8), in.area.low.y}, {in.area.high.x + px(8), top + px(48)}, true);
  draw_slot_numbers(state, in, top);
  const strip_camera& camera = state.camera;
  const double per_byte = camera.cell_width() / bytes_per_cell;
  const double first = std::max(camera.cell_at(0), 0.0) * bytes_per_cell;
  const double end = std::min(camera.cell_at(camera.width()), static_cast<double>(camera.cells())) * bytes_per_cell;
  const float space = gap(camera.cell_width()) / 2;
  const auto x_of = [&](double byte) {
    return std::round(in.area.low.x + static_cast<float>(camera.x_of(byte / bytes_per_cell)) - space);
  };
  const auto each = [&](u64 step, auto&& draw_at) {
    for (u64 byte = ceil_div(static_cast<u64>(first), step) * step; static_cast<double>(byte) <= end; byte += step)
      draw_at(byte);
  };
  if (per_byte * 32 >= px(10)) {
    each(32, [&](u64 byte) {
      const float x = x_of(static_cast<double>(byte));
      draw.AddLine({x, in.area.low.y - px(2)}, {x, in.area.high.y + px(3)}, theme().text_faint, 1);
    });
  }
  if (per_byte * 128 >= px(12)) {
    each(128, [&](u64 byte) {
      const float x = x_of(static_cast<double>(byte));
      draw.AddLine({x, in.area.low.y - px(4)}, {x, in.area.high.y + px(5)}, theme().text_dim, px(2));
    });
  }
  // Addresses, at lines or at round multiples of them.
  const u64 step = std::max<u64>(128, nice_step(px(104) / per_byte));
  each(step, [&](u64 byte) {
    const float x = x_of(static_cast<double>(byte));
    if (x > in.area.high.x - px(24)) return;
    draw.AddLine({x, top + px(20)}, {x, top + px(32)}, theme().text_dim, px(2));
    const bool round = byte % 1024 == 0 && (step >= 1024 || byte == 0);
    const std::string address = round ? bytes_text(byte) : grouped(byte) + " B";
    const std::string words = step == 128 && per_byte * 128 > px(150)
                                  ? fmt::format("line {} \u00B7 {}", grouped(byte / 128), address)
                                  : address;
    draw_text_in(draw, fonts().mono, type::tiny, {x + px(6), top + px(20)}, in.area.high.x + px(2) - x,
                 theme().text_dim, words);
  });
  draw.PopClipRect();
}

void overview(frame& f, const char* id, strip_state& state, const box& area) {
  strip_camera& camera = state.camera;
  if (camera.shows_all() || camera.cells() == 0) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos({area.low.x, area.low.y - px(4)});
  ImGui::InvisibleButton(id, {area.width(), area.height() + px(8)});
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  const double cells = static_cast<double>(camera.cells()), shown = camera.width() / camera.cell_width();
  if (active) {
    const double wanted = (ImGui::GetIO().MousePos.x - area.low.x) / area.width() * cells - shown / 2;
    camera.pan((camera.left() - wanted) * camera.cell_width());
    f.moving = true;
  }
  draw.AddRectFilled(area.low, area.high, theme().raised, px(2));
  const float x0 = area.low.x + static_cast<float>(camera.left() / cells) * area.width();
  const float x1 = std::max(x0 + px(4), x0 + static_cast<float>(shown / cells) * area.width());
  draw.AddRectFilled({x0, area.low.y}, {std::min(x1, area.high.x), area.high.y},
                     active || hovered ? theme().text : theme().text_faint, px(2));
}

}  // namespace pivotscope::viz
