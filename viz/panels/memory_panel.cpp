// Memory: an array as rows of bytes. In each sector its cells, and how many of the tile's lookups touch it; what the step
// reads is outlined. Beside them the whole array from afar, as a map of that heat.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/index/cell_state.hpp"
#include "core/index/family.hpp"
#include "viz/cells/cell_bits.hpp"
#include "viz/cells/cells.hpp"
#include "viz/models/reads.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/models/tree_model.hpp"
#include "viz/panels/memory_map.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/timeline.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/tile_in_view.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr u32 row_sizes[] = {32, 64, 128};
constexpr float least_words = 9, row_size = 10, least_cell = 11;  // pixels: no number has room in less
constexpr float least_map = 64, widest_map = 132, address_column = 84;

void follow_step(frame& f) {
  memory_state& state = f.view.memory;
  const transport_state& t = f.view.transport;
  if (state.of.lock() != f.session.index) {
    state.of = f.session.index;
    if (number_of(state.array) >= f.model()->regions().size() || f.model()->region(state.array).cells == 0)
      state.array = main_region;
    state.first_row = 0;
    state.followed.reset();
  }
  const bool in_view = t.path && t.path->index == f.session.index;
  if (state.followed == t.path && state.followed_step == t.step) return;
  state.followed = t.path;
  state.followed_step = t.step;
  state.reads = in_view ? sectors_read(t.path->trace, t.step) : std::vector<sector_read>{};
}

// Brings what the step reads into view: where nothing of it is in the array that is shown, the array that is read.
void reveal_step(memory_state& state, float rows_in_view) {
  const auto now = [](const sector_read& r) { return r.mark == read_mark::now; };
  auto read = std::find_if(state.reads.begin(), state.reads.end(),
                           [&](const sector_read& r) { return now(r) && r.sector.array == state.array; });
  if (read == state.reads.end()) read = std::find_if(state.reads.begin(), state.reads.end(), now);
  if (read == state.reads.end()) return;
  state.array = read->sector.array;
  const double row = std::floor(static_cast<double>(read->sector.number * sector_size) / state.row_bytes);
  const double last = state.first_row + rows_in_view - 1;
  if (row < state.first_row || row > last) state.first_row = row - std::floor(rows_in_view / 3.0);
}

void header(frame& f, const tile_study* tile) {
  memory_state& state = f.view.memory;
  const index_model& model = *f.model();
  bool first = true;
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const region_info& region = model.regions()[i];
    if (region.cells == 0) continue;
    if (!first) ImGui::SameLine(0, px(4));
    first = false;
    const auto id = static_cast<region_id>(i);
    if (chip(("array " + region.id).c_str(), region.title, id == state.array ? chip_look::chosen : chip_look::plain)) {
      state.array = id;
      state.first_row = 0;
    }
    if (ImGui::IsItemHovered()) f.view.points_next.array = id;
    if (f.view.pointed.array == id)
      draw_pointed(*ImGui::GetWindowDrawList(), {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
    hover_card(region.title,
               fmt::format("{} {}{} of {} bytes, {} in all. {}", grouped(region.cells), region.name,
                           region.cells_a_pack == 1 ? "" : fmt::format(", {} in a pack", region.cells_a_pack),
                           region.cell_bytes, bytes_text(region.bytes()), region.meaning));
  }
  ImGui::SameLine(0, px(20));
  ImGui::AlignTextToFramePadding();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("a row is");
  }
  for (const u32 bytes : row_sizes) {
    ImGui::SameLine(0, bytes == row_sizes[0] ? px(8) : px(4));
    const std::string words = fmt::format("{} B", bytes);
    if (chip(words.c_str(), words, bytes == state.row_bytes ? chip_look::chosen : chip_look::plain)) {
      state.first_row = std::floor(state.first_row * state.row_bytes / bytes);
      state.row_bytes = bytes;
    }
    hover_card(words, bytes == 32   ? "A row is a sector: the least that a load brings."
                      : bytes == 64 ? "A row is two sectors: the least that memory itself is asked for."
                                    : "A row is a line of the cache: four sectors.");
  }
  question_pill(f, true);
  if (!tile) return;
  const memory_state::map_heat& map = state.map;
  if (!tile->complete() || map.of.lock().get() != tile || map.array != state.array) {
    f.moving = true;
    return caption("Counting what the tile's lookups read...");
  }
  const region_info& region = model.region(state.array);
  caption(
      fmt::format("The {} lookups of tile {} touch {} of {} sectors here, {} of them for one lookup alone; at most {} "
                  "share one.",
                  grouped(tile->size()), grouped(tile->number() + 1), grouped(map.touched),
                  grouped(ceil_div<u64>(region.bytes(), sector_size)), grouped(map.alone), grouped(map.hottest)));
  provenance_note(provenance::modelled);
}

// Bytes that packed cells share: their parts in bits, each named where there is room.
void draw_shared(const shown_memory& m, const cell_part& part, const box& at) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(at.low, at.high, theme().raised, px(3));
  const u64 end = m.region.cell_bytes, first = end - (part.end - part.begin);
  const float bit = at.width() / static_cast<float>(8 * (end - first));
  for (const bit_field* field : bits_among(m.region, first, end)) {
    const float from = at.low.x + bit * (static_cast<float>(field->first) - static_cast<float>(8 * first));
    const float width = bit * static_cast<float>(field->bits);
    if (from > at.low.x + 1) draw.AddLine({from, at.low.y}, {from, at.high.y}, theme().edge);
    const std::string words = field->cell ? fmt::format("{}", *field->cell) : field->name;
    if (text_width(fonts().mono, least_words, words) < width)
      draw_text_centred(draw, fonts().mono, least_words, {from + width / 2, at.middle().y}, theme().text_faint, words);
  }
}

// A part of a row that is in view, and what is in it. A row id's place is that of its entry, in the array that it lies beside.
struct seen_part {
  cell_part part;
  box at;
  cell_place place = {};
  std::optional<slot_content> content = {};

  bool erased() const { return place.state == cell_state::erased; }
};

// What stands in it: its key, or in an array of row ids its row id.
std::optional<u64> number_in(const shown_memory& m, const seen_part& seen) {
  if (!seen.content) return std::nullopt;
  if (m.region.has(field_kind::key)) return seen.content->key;
  if (!m.region.has(field_kind::row_id) || !seen.content->row || seen.erased()) return std::nullopt;
  return *seen.content->row;
}

void draw_part(frame& f, const shown_memory& m, const seen_part& seen, const trace_step* step) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const index_model& model = *f.model();
  const auto& [part, at, place, content] = seen;
  if (part.shared) return draw_shared(m, part, at);
  if (place.state == cell_state::empty) {
    if (at.width() > px(4)) draw_empty_cell(draw, at);
    return;
  }
  const bool erased = seen.erased();
  const std::optional<u64> number = number_in(m, seen);
  const bool out = step && place.out(step->left_first, step->left_end);
  const ImU32 colour = level_colour(place.level, std::max(1u, model.levels()));
  if (place.live())
    draw_cell(draw, at, colour, out);
  else if (erased)
    draw_erased_cell(draw, at, number && m.labels.any());
  else
    draw_claimed_cell(draw, at);
  const bool lane = step && f.view.pointed.lane && read_by_lane(*step, *f.view.pointed.lane, {m.array, part.cell});
  if (lane || points_at(f.view.pointed, place)) draw_pointed(draw, at);
  if (!place.has_key()) return;
  const ImU32 ink = out || erased ? theme().text_dim : ink_on(colour);
  if (!m.region.has(field_kind::key) && !m.region.has(field_kind::row_id)) {
    if (part.whole && at.width() > px(48))
      draw_text_centred(draw, fonts().mono, least_words, at.middle(), ink,
                        elided(fonts().mono, least_words, f.words(m.array, part.cell), at.width()));
    return;
  }
  if (!number) return;
  const bool row = m.row_words && content->row && !erased;
  m.labels.draw(draw, at, at.middle().y - (row ? px(6) : 0), ink, *number, erased);
  if (row)
    draw_text_centred(draw, fonts().mono, row_size, {at.middle().x, at.middle().y + px(8)}, ink,
                      fmt::format("row {}", *content->row));
}

// Where the bytes of a row are on the screen. A frame of each sector's heat stays around its cells.
struct byte_row {
  ImVec2 at;
  float width, height;
  u32 row_bytes;

  float first_byte() const { return at.x + px(address_column); }
  float byte_px() const { return (width - px(address_column)) / static_cast<float>(row_bytes); }
  box sector(u32 s) const {
    return {{first_byte() + byte_px() * static_cast<float>(s * sector_size) + px(1), at.y + px(1)},
            {first_byte() + byte_px() * static_cast<float>((s + 1) * sector_size) - px(4), at.y + height - px(4)}};
  }
  float x_of(u32 byte, bool end) const {
    const u32 in = end ? byte - (byte - 1) / sector_size * sector_size : byte % sector_size;
    const u32 first = byte - in;
    return first_byte() + byte_px() * static_cast<float>(first) + px(5) +
           (byte_px() * sector_size - px(11)) * static_cast<float>(in) / sector_size - (end ? px(2) : 0);
  }
  box cells(u32 begin, u32 end) const {
    return {{x_of(begin, false), at.y + px(4)}, {x_of(end, true), at.y + height - px(7)}};
  }
};

// The parts of the rows in view, with what is read of them once.
std::vector<std::vector<seen_part>> parts_in_view(frame& f, const shown_memory& m, u64 first,
                                                  const std::vector<byte_row>& places) {
  const region_id keys = m.region.beside.value_or(m.array);
  std::vector<std::vector<seen_part>> rows;
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::vector<seen_part>& parts = rows.emplace_back();
    for (const cell_part& part : cells_of_row(m.region, first + i, m.row_bytes)) {
      seen_part seen{part, places[i].cells(part.begin, part.end)};
      if (!part.shared) {
        seen.place = f.seen_at({keys, part.cell});
        if (seen.place.has_key() && seen.at.width() >= px(least_cell)) seen.content = f.read(keys, part.cell);
      }
      parts.push_back(seen);
    }
  }
  return rows;
}

// How the numbers of what is in view are written. A key is what stays where there is no room for the row id too.
void choose_labels(shown_memory& m, const std::vector<std::vector<seen_part>>& rows, u64 most_rows) {
  std::vector<u64> numbers;
  float narrowest = 1e9f;  // of whole cells; of some a part alone is in a row
  for (const std::vector<seen_part>& parts : rows)
    for (const seen_part& seen : parts) {
      const std::optional<u64> number = number_in(m, seen);
      if (!number) continue;
      numbers.push_back(*number);
      if (seen.part.whole) narrowest = std::min(narrowest, seen.at.width());
    }
  m.labels = key_labels(numbers, narrowest > 1e8f ? 0 : narrowest - px(1), 12);
  m.row_words = m.region.has(field_kind::key) && m.region.has(field_kind::row_id) &&
                text_width(fonts().mono, row_size, fmt::format("row {}", most_rows)) <= narrowest;
}

// What the numbers in the cells are.
std::string legend_words(const shown_memory& m) {
  const bool keys = m.region.has(field_kind::key);
  if (!keys && !m.region.has(field_kind::row_id)) return "Each cell is one " + m.region.cell_name + ".";
  const char* what = keys ? "key" : "row id";
  if (!m.labels.any())
    return fmt::format("Cells are too narrow for a {}: it is on hover, or choose shorter rows.", what);
  std::string words = fmt::format("In each cell: its {}", what);
  if (!m.labels.whole()) words += ", the digits that tell it from others";
  if (m.row_words)
    words += ", and below it its row id";
  else if (keys && m.region.has(field_kind::row_id))
    words += "; its row id is on hover";
  return words + ".";
}

void draw_row(frame& f, const shown_memory& m, u64 row, const byte_row& place, const std::vector<seen_part>& parts,
              const trace_step* step) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_text(draw, fonts().mono, type::tiny, {place.at.x, place.at.y + place.height / 2 - px(8)}, theme().text_faint,
            grouped(row * m.row_bytes));
  for (u32 s = 0; s < m.sectors_a_row(); ++s) {
    const memory_block sector{m.array, row * m.sectors_a_row() + s};
    if (sector.number >= m.sectors()) break;
    const box b = place.sector(s);
    const u32 lookups = m.lookups(sector);
    draw.AddRectFilled(b.low, b.high, heat_ink(lookups, m.hottest), px(4));
    if (lookups == 0) draw.AddRect(b.low, b.high, theme().edge, px(4));
  }
  for (const seen_part& seen : parts) draw_part(f, m, seen, step);
  for (const cell_ref& cell : f.view.transport.change.cells) {
    const auto [begin, end] = m.region.own_bytes(cell.cell);
    if (cell.region != m.array || begin / m.row_bytes != row) continue;
    const auto from = static_cast<u32>(begin % m.row_bytes);
    draw_change(draw, place.cells(from, from + static_cast<u32>(end - begin)), f.changed(cell));
  }
  for (const changed_field& c : step ? changed_by(*f.model(), *step) : std::vector<changed_field>{}) {
    const u64 begin = m.region.byte_of(c.at.cell) + c.begin;
    if (!c.done || c.at.region != m.array || begin / m.row_bytes != row) continue;
    const auto from = static_cast<u32>(begin % m.row_bytes);
    draw_written(draw, place.cells(from, from + c.bytes));
  }
  for (u32 s = 0; s < m.sectors_a_row(); ++s) {
    const memory_block sector{m.array, row * m.sectors_a_row() + s};
    const box b = place.sector(s);
    if (const sector_read* read = find_read(f.view.memory.reads, sector))
      draw_read(draw, b, read->mark, read->step, true);
    if (f.view.pointed.sector == sector)
      draw_pointed(draw, {{b.low.x - px(1), b.low.y - px(1)}, {b.high.x + px(1), b.high.y + px(1)}});
  }
}

// `byte`: under the mouse, and the cell that it is of.
void sector_card(frame& f, const shown_memory& m, memory_block sector, u64 byte, std::optional<u64> cell) {
  std::string words = fmt::format("Bytes {} to {}.", grouped(sector.number * sector_size),
                                  grouped(sector.number * sector_size + sector_size - 1));
  if (!m.heat.empty()) {
    const u32 lookups = m.lookups(sector);
    words += fmt::format(" {} of the tile's {} lookups read{} it.", lookups == 0 ? "None" : grouped(lookups),
                         grouped(m.tile_lookups), lookups == 1 ? "s" : "");
  }
  if (const sector_read* read = find_read(f.view.memory.reads, sector))
    words += fmt::format(" The lookup of this path read{} in step {}.", read->mark == read_mark::now ? "s it" : " it",
                         read->step + 1);
  std::string remark;
  const trace_step* step =
      f.view.transport.path && f.view.transport.path->index == f.session.index ? f.step() : nullptr;
  for (const changed_field& c : step ? changed_by(*f.model(), *step) : std::vector<changed_field>{})
    if (c.at.region == m.array && c.at.cell == cell)
      words += fmt::format("\nThis step writes its {}: {}.", c.name, c.words());
  if (cell) {
    const cell_place place = f.seen_at({m.region.beside.value_or(m.array), *cell});
    words += fmt::format("\n{} slot {}", capitalised(m.region.cell_name), grouped(*cell));
    if (!place.has_key()) {
      words += fmt::format(": {}.", state_name(place.state));
    } else {
      if (place.rank != no_rank) words += fmt::format(", rank {}", grouped(place.rank));
      if (is_tree(*f.model())) words += fmt::format(", level {}", place.level);
      if (const auto content = f.read(m.region.beside.value_or(m.array), *cell)) {
        words += fmt::format(": key {}", content->key);
        if (place.state == cell_state::erased)
          words += ", erased";
        else if (content->row)
          words += fmt::format(", row id {}", *content->row);
        remark = "Click to look for this key.";
      } else if (const std::string said = f.words(m.array, *cell); !said.empty()) {
        words += ": " + said;
      }
      words += ".";
    }
    const u64 within = byte % m.region.cell_bytes;
    for (const bit_field* field : bits_among(m.region, within, within + 1))
      words += fmt::format(
          "\nByte {}: {}{}", within, bits_name(*field),
          field->cell && m.region.cells_a_pack > 1
              ? fmt::format(", of slot {}", grouped(m.region.pack_of(*cell) * m.region.cells_a_pack + *field->cell))
              : "");
  }
  hover_card(fmt::format("Sector {} of {}", grouped(sector.number), m.region.title), words, remark);
}

void draw_rows(frame& f, shown_memory& m, const box& area, float height, float rows_in_view) {
  memory_state& state = f.view.memory;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool in_view = f.view.transport.path && f.view.transport.path->index == f.session.index;
  const trace_step* step = in_view ? f.step() : nullptr;
  ImGui::SetCursorScreenPos(area.low);
  ImGui::InvisibleButton("rows", {std::max(area.width(), 1.0f), std::max(area.height(), 1.0f)});
  spot("rows");
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && ImGui::GetIO().MouseWheel != 0)
    state.first_row -= std::round(static_cast<double>(ImGui::GetIO().MouseWheel) * 3);
  const bool clicked = ImGui::IsItemDeactivated() && hovered;
  const double most = std::max(0.0, static_cast<double>(m.rows) - std::floor(static_cast<double>(rows_in_view)));
  state.first_row = std::clamp(state.first_row, 0.0, most);

  draw.PushClipRect({area.low.x - px(3), area.low.y - px(8)}, {area.high.x + px(8), area.high.y}, true);
  const auto first = static_cast<u64>(state.first_row);
  std::vector<byte_row> places;
  for (u64 i = 0; i < static_cast<u64>(std::ceil(rows_in_view)) && first + i < m.rows; ++i)
    places.push_back({{area.low.x, area.low.y + height * static_cast<float>(i)}, area.width(), height, m.row_bytes});
  const auto parts = parts_in_view(f, m, first, places);
  choose_labels(m, parts, f.model()->keys());
  for (std::size_t i = 0; i < places.size(); ++i) draw_row(f, m, first + i, places[i], parts[i], step);
  draw.PopClipRect();

  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float byte_px = (area.width() - px(address_column)) / static_cast<float>(m.row_bytes);
  const float x = (mouse.x - area.low.x - px(address_column)) / byte_px;
  const u64 row = first + static_cast<u64>((mouse.y - area.low.y) / height);
  const bool on_bytes = hovered && x >= 0 && x < static_cast<float>(m.row_bytes) && row < m.rows;
  const u64 byte = on_bytes ? row * m.row_bytes + static_cast<u64>(x) : 0;
  const memory_block sector{m.array, byte / sector_size};
  const u64 cell = m.region.cell_at(byte);
  const bool there = on_bytes && cell < m.region.cells;
  cell_menu(f, there ? std::optional(cell_ref{m.array, cell}) : std::nullopt);
  if (!on_bytes || sector.number >= m.sectors()) return;
  f.view.points_next.sector = sector;
  sector_card(f, m, sector, byte, there ? std::optional(cell) : std::nullopt);
  if (!there) return;
  // A row id's key is that of its entry.
  const region_id keys = m.region.beside.value_or(m.array);
  const cell_place place = f.seen_at({keys, cell});
  point_at(f.view.points_next, place);
  if (clicked && holds_key(*f.model(), place)) f.act.choose_key_at(keys, cell);
}

}  // namespace

void memory_panel(frame& f) {
  if (!f.session.index || !has_cells(*f.model())) return wait_or_explain(f, "the bytes of the index");
  memory_state& state = f.view.memory;
  const auto before = state.followed;
  const u32 step_before = state.followed_step;
  follow_step(f);
  const index_config& config = f.session.index->config();
  const tile_study* tile = f.model()->keys() <= family_of(config).sensible_keys(config) ? study_tile(f) : nullptr;

  const float row_height = px(40);
  const auto make = [&](float height) {
    shown_memory m{f.model()->region(state.array), state.array, state.row_bytes, 0, {}, {}, 1, 0};
    m.rows = rows_of(m.region, m.row_bytes);
    if (tile && tile->complete()) {
      count_heat(state, f.view.tile.study, m.region, map_boxes(m.sectors(), height));
      m.heat = tile->touched();
      m.map = state.map.parts;
      m.hottest = std::max(1u, state.map.hottest);
      m.tile_lookups = tile->size();
    }
    return m;
  };
  header(f, tile);
  const ImVec2 legend = ImGui::GetCursorScreenPos();
  ImGui::Dummy({1, px(16)});
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float map_width = std::clamp(room.x * 0.14f, px(least_map), px(widest_map));  // keys need the rest
  const box area{{at.x + map_width + px(16), at.y + px(8)},
                 {at.x + room.x - px(4), at.y + std::max(room.y - px(8), px(60))}};
  const float rows_in_view = std::max(1.0f, area.height() / row_height);
  if (before != state.followed || step_before != state.followed_step) reveal_step(state, std::floor(rows_in_view));
  shown_memory m = make(area.height());
  draw_rows(f, m, area, row_height, rows_in_view);
  draw_text_in(*ImGui::GetWindowDrawList(), fonts().words, type::small, legend, room.x, theme().text_dim,
               legend_words(m));
  draw_map(f, m, {{at.x + px(2), area.low.y}, {at.x + map_width, area.high.y}}, rows_in_view);
  ImGui::SetCursorScreenPos({at.x, area.high.y});
  ImGui::Dummy({1, 1});
}

}  // namespace pivotscope::viz
