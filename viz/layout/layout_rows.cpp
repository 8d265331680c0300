#include "viz/layout/layout_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/cell_state.hpp"
#include "viz/cells/cell_bits.hpp"
#include "viz/models/tree_model.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/timeline.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/view_state.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

void cell_card(frame& f, const cell_row& row, u64 cell) {
  const index_model& model = *f.model();
  const cell_place place = f.seen(row.at(cell));
  const region_info& region = model.region(place.array);
  if (!ImGui::BeginTooltip()) return;
  const bool key = holds_key(model, place);
  const auto content = key ? f.read(place.array, place.slot) : std::nullopt;
  const std::string leads = place.has_key() ? "" : f.words(place.array, place.slot);
  {
    const text_style style(fonts().mono_bold, type::title, theme().text);
    ImGui::TextUnformatted(!leads.empty()     ? leads.c_str()
                           : !place.has_key() ? fmt::format("{} slot", state_name(place.state)).c_str()
                           : !key             ? f.words(place.array, place.slot).c_str()
                           : content          ? std::to_string(content->key).c_str()
                                              : "reading...");
  }
  if (place.state == cell_state::erased) {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("Erased: a tombstone, which searches pass over.");
  }
  const auto line = [](const char* name, const std::string& value) {
    {
      const text_style style(fonts().words, type::small, theme().text_dim);
      ImGui::TextUnformatted(name);
    }
    ImGui::SameLine(px(84));
    const text_style style(fonts().mono, type::small, theme().text);
    ImGui::TextUnformatted(value.c_str());
  };
  if (content && content->row && place.live()) line("row id", std::to_string(*content->row));
  if (place.rank != no_rank) line("rank", fmt::format("{} of {}", grouped(place.rank), grouped(model.keys())));
  if (place.live() && is_tree(model)) line("level", fmt::format("{} of {}", place.level, model.levels()));
  const auto [byte, end_byte] = region.own_bytes(place.slot);
  if (const auto windows = model.windows(); windows && place.array == main_region)
    line("window", fmt::format("{} of {}", grouped(place.slot / windows->cells), grouped(windows->count)));
  line("slot", fmt::format("{} of {}", grouped(place.slot), region.name));
  line("bytes", fmt::format("{} to {}  (0x{:x})", grouped(byte), grouped(end_byte - 1), byte));
  const std::vector<const bit_field*> parts = bits_of(region, place.slot);
  const std::vector<std::byte> pack =
      parts.empty() ? std::vector<std::byte>{}
                    : read_bytes(*f.session.index, f.slots, place.array, region.pack_of(place.slot) * region.cell_bytes,
                                 region.cell_bytes);
  for (const bit_field* part : parts) {
    const auto value = bits_value(*part, pack);
    line(part == parts.front() ? "bits" : "", bits_name(*part) + (value ? fmt::format(" = 0x{:x}", *value) : ""));
  }
  line("line", fmt::format("{}, sector {} of it", grouped(byte / 128), byte % 128 / 32));
  if (f.view.build.on || key) {
    const text_style style(fonts().words, type::tiny, theme().text_faint);
    ImGui::TextUnformatted(f.view.build.on ? "Click to see how it is built." : "Click to look for this key.");
  }
  ImGui::EndTooltip();
}

}  // namespace

bool row_name(const box& area, const std::string& name, const std::string& below, const char* meaning) {
  const float y = area.middle().y;
  ImGui::SetCursorScreenPos({area.low.x - px(header_column), y - px(17)});
  ImGui::BeginGroup();
  {
    const text_style style(fonts().words_medium, type::small, theme().text);
    ImGui::TextUnformatted(name.c_str());
  }
  ImGui::SetCursorScreenPos({area.low.x - px(header_column), y + px(1)});
  {
    const text_style style(fonts().mono, type::tiny, theme().text_faint);
    ImGui::TextUnformatted(below.c_str());
  }
  ImGui::EndGroup();
  spot(name, {{area.low.x - px(header_column), area.low.y}, area.high});
  hover_card(name, meaning);
  return ImGui::IsItemHovered();
}

void region_name(frame& f, const box& area, region_id id) {
  const region_info& region = f.model()->region(id);
  if (row_name(area, region.title, bytes_text(f.session.index->bytes(id)), region.meaning.c_str()))
    f.view.points_next.array = id;
  if (f.view.pointed.array == id)
    draw_pointed(*ImGui::GetWindowDrawList(), {{area.low.x - px(2), area.low.y - px(2)}, area.high});
}

void handle_row(frame& f, const char* id, strip_state& state, const cell_row& row, const box& area) {
  const strip_events events = interact(f, id, state, area);
  ImGui::PushID(id);
  const bool over = events.hovered && *events.hovered < row.count() && row.there(*events.hovered);
  const cell_place place = over ? f.seen(row.at(*events.hovered)) : cell_place{};
  cell_menu(f, over ? std::optional(cell_ref{place.array, place.slot}) : std::nullopt);
  ImGui::PopID();
  if (!over) return;
  point_at(f.view.points_next, place);
  if (!state.dragged || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) cell_card(f, row, *events.hovered);
  if (events.clicked && f.view.build.on)
    go_to_cell(f, place.array, place.slot);
  else if (events.clicked && holds_key(*f.model(), place))
    f.act.choose_key_at(place.array, place.slot);
}

std::vector<region_id> other_regions(const index_model& model, const layout_picture& p) {
  std::vector<region_id> list;
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const auto id = static_cast<region_id>(i);
    const region_info& region = model.regions()[i];
    const bool above = p.upper && !p.upper_is_sorted && !p.windows && id == p.upper_region;
    if (region.cells > 0 && id != main_region && !region.beside && !above) list.push_back(id);
  }
  return list;
}

std::vector<strip_mark> reads_of_region(const lookup_trace& trace, u32 step, region_id region) {
  std::vector<strip_mark> marks;
  for (u32 i = 0; i <= step && i < trace.steps.size(); ++i)
    for (const memory_access& a : trace.steps[i].accesses) {
      if (a.array != region || a.space != memory_space::global) continue;
      for (u64 cell = a.slot; cell < a.slot + a.slots; ++cell)
        marks.push_back({cell, i == step ? read_mark::now : read_mark::before, i});
    }
  return marks;
}

void place_other_rows(frame& f, layout_picture& p, float top) {
  for (const region_id id : p.other_regions) {
    const box area{{p.lower_area.low.x, top}, {p.lower_area.high.x, top + px(region_strip_height)}};
    p.others.push_back(region_row(f.model(), id));
    strip_camera& camera = f.view.layout.other_strip(id).camera;
    camera.set_extent(p.others.back()->count(), area.width(), cell_for_keys(f, px(112)));
    p.strips.push_back(
        {p.others.back().get(), &camera, area, area.low.y - px(4), area.high.y + px(overview_height + 10)});
    top = area.high.y + px(region_strip_lane);
  }
}

float draw_other_rows(frame& f, const layout_picture& p, float top) {
  const bool path = f.trace() && f.view.transport.path->index == f.session.index;
  layout_state& state = f.view.layout;
  const std::pair followed{f.view.transport.path.get(), f.view.transport.step};
  const std::size_t before = p.strips.size() - p.others.size();
  for (std::size_t i = 0; i < p.others.size(); ++i) {
    const region_id id = p.other_regions[i];
    const cell_row& row = *p.others[i];
    const box& area = p.strips[before + i].area;
    strip_state& strip = state.other_strip(id);
    const auto marks = path ? reads_of_region(*f.trace(), f.view.transport.step, id) : std::vector<strip_mark>{};
    if (path && state.others_followed != followed) follow_reads(f, strip.camera, marks);
    ImGui::PushID(static_cast<int>(number_of(id)));
    handle_row(f, f.model()->region(id).id.c_str(), strip, row, area);
    draw_strip(f, strip, {row, area, p.left_first, p.left_end, marks});
    region_name(f, area, id);
    overview(f, "overview", strip,
             {{area.low.x, area.high.y + px(6)}, {area.high.x, area.high.y + px(6 + overview_height)}});
    ImGui::PopID();
    top = area.high.y + px(region_strip_lane);
  }
  state.others_followed = followed;
  return top;
}

void follow_reads(frame& f, strip_camera& camera, std::span<const strip_mark> marks) {
  u64 first = ~0ull, last = 0;
  for (const strip_mark& mark : marks)
    if (mark.mark == read_mark::now) first = std::min(first, mark.cell), last = std::max(last, mark.cell);
  if (first > last) return;
  if (!f.view.layout.follow) {
    if (shows_cells(camera)) f.moving |= camera.reveal(static_cast<double>(first));
    return;
  }
  // What is read is near enough to be read by the user, with what lies about it.
  const double count = static_cast<double>(last - first + 1), beside = std::max(2.0, (10 - count) / 2);
  camera.go_to(static_cast<double>(first) - beside, static_cast<double>(first) + count + beside);
  f.moving = true;
}

}  // namespace pivotscope::viz
