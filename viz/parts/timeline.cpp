#include "viz/parts/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/cells/cells.hpp"
#include "viz/models/stops.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/navigation.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// The tile of the index in view, once it is counted.
const tile_study* counted_tile(const frame& f) {
  const tile_study* tile = f.view.tile.study.get();
  return tile && tile->complete() && tile->index() == f.session.index ? tile : nullptr;
}

// What is said before the line of steps, as much as there is room for.
void accesses_words(const read_target& target, std::size_t reading, std::size_t steps, u32 of_tile, ImVec2 end,
                    float room) {
  const bool lane = target.what == read_target::kind::lane;
  const std::string what =
      fmt::format("{}: {} in {} of {} steps", target.name, lane ? "reads" : "read", reading, steps);
  const std::string bars = fmt::format("; bars: by how many of the tile's {} lookups", of_tile);
  for (const std::string& words : {of_tile > 0 ? what + bars : what, what, target.name}) {
    const float width = text_width(fonts().words, type::tiny, words);
    if (width > room) continue;
    return draw_text(*ImGui::GetWindowDrawList(), fonts().words, type::tiny, {end.x - width, end.y}, theme().text_dim,
                     words);
  }
}

// A pinned step is of the same path and has its stops.
frame* pinned_path(const frame& f) { return f.other && f.other->session.index != f.session.index ? f.other : nullptr; }

void chips_of(frame& of, std::string_view whose, int& shown) {
  std::vector<stop_mark>& stops = of.view.transport.stops;
  std::optional<std::size_t> away;
  for (std::size_t i = 0; i < stops.size() && of.session.index; ++i, ++shown) {
    const bool known = number_of(stops[i].array) < of.model()->regions().size();
    const std::string words =
        fmt::format("{}{}  {}", whose, known ? to_text(stops[i], *of.model()) : "of another index", icon::cross);
    flow_chip(words, shown == 0);
    ImGui::PushID(shown);
    if (chip("stop", words, chip_look::plain)) away = i;
    hover_card("", "Click to take this stop away.");
    ImGui::PopID();
  }
  if (away) stops.erase(stops.begin() + static_cast<std::ptrdiff_t>(*away));
}

}  // namespace

void draw_step_events(frame& f, const lookup_trace& trace, const std::function<float(u32)>& x_of, float y) {
  const auto steps = static_cast<u32>(trace.steps.size());
  if (steps < 2 || x_of(1) - x_of(0) < px(8)) return;  // no room for marks
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::vector<step_events> events;
  for (u32 i = 0; i < steps; ++i) events.push_back(events_of(trace, i));
  const bool levels_repeat =
      std::any_of(events.begin(), events.end(), [](const step_events& e) { return !e.new_level; });
  for (u32 i = 0; i < steps; ++i) {
    const float x = x_of(i);
    if (events[i].leaves_scratch) {
      const float middle = (x + x_of(i - 1)) / 2;
      draw.AddLine({middle, y - px(7)}, {middle, y + px(7)}, theme().text_dim, px(1.5f));
      draw_text_centred(draw, fonts().words, 10, {middle - px(1), y - px(13)}, theme().text_dim, icon::pin);
    }
    if (levels_repeat && events[i].new_level)
      draw.AddLine({x, y + px(8)}, {x, y + px(12)}, theme().text_faint, px(1.5f));
    if (events[i].hit)
      draw_star(draw, {x, y - px(14)}, true, 10);
    else if (events[i].doubt)
      draw_text_centred(draw, fonts().mono_bold, 11, {x, y - px(14)}, theme().text, "?");
    if (stops_at(f, i)) {
      const float top = y + px(9);
      draw.AddTriangleFilled({x - px(4.5f), top + px(7)}, {x + px(4.5f), top + px(7)}, {x, top}, theme().text);
    }
  }
}

void draw_accesses(frame& f, const lookup_trace& trace, const std::function<float(u32)>& x_of, float top, float y) {
  if (f.view.pointed == pointing{} || f.view.transport.path->index != f.session.index) return;
  const read_target target = target_of(f.view.pointed, f.model());
  if (target.what == read_target::kind::nothing) return;
  const tile_study* tile = counted_tile(f);
  const std::vector<u32> lookups = tile ? tile->lookups_by_step(target) : std::vector<u32>{};
  const bool told = std::any_of(lookups.begin(), lookups.end(), [](u32 n) { return n > 0; });
  const auto steps = static_cast<u32>(trace.steps.size());
  const float gap = steps < 2 ? px(100) : x_of(1) - x_of(0), width = std::clamp(gap - px(2), 1.0f, px(8));
  const float height = px(accesses_height - 4), bottom = top + px(2) + height;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::size_t reading = 0;
  for (u32 i = 0; i < steps; ++i) {
    const float x = x_of(i);
    const u32 lanes = lanes_reading(trace.steps[i], target), n = i < lookups.size() ? lookups[i] : 0;
    reading += lanes > 0 ? 1 : 0;
    if (lanes > 0 && gap > px(8)) draw.AddCircle({x, y}, px(12), theme().text, 0, px(2));
    if (told && n > 0) {
      const float share = static_cast<float>(n) / static_cast<float>(tile->size());
      draw.AddRectFilled({x - width / 2, bottom - std::max(height * share, px(1.5f))}, {x + width / 2, bottom},
                         theme().text_dim, px(1));
    }
    // Lanes are told of the lookup in view, and only where there may be several.
    const std::string by_lanes = lanes > 1 ? fmt::format("\u00D7{}", lanes) : "";
    const std::string by_tile = told && n > 0 ? grouped(n) : "";
    const float lanes_width = text_width(fonts().mono_bold, type::tiny, by_lanes);
    const float words_width = lanes_width + text_width(fonts().mono, type::tiny, by_tile) + px(14);
    if (words_width > gap) continue;
    draw_text(draw, fonts().mono, type::tiny, {x + px(7), top}, theme().text_dim, by_tile);
    draw_text(draw, fonts().mono_bold, type::tiny, {x - px(7) - lanes_width, top}, theme().text, by_lanes);
  }
  const float x0 = x_of(0) - px(gap > px(60) ? 36.0f : 14.0f);
  accesses_words(target, reading, steps, told ? tile->size() : 0, {x0, top}, x0 - ImGui::GetWindowPos().x - px(12));
}

void stop_chips(frame& f) {
  frame* const a = pinned_path(f);
  if (!f.session.index || (f.view.transport.stops.empty() && (!a || a->view.transport.stops.empty()))) return;
  heading(
      "Stops",
      "Where playing stops, as a debugger's breakpoints. Right-click a cell, a sector or a step to set one; F5 goes to "
      "the next step that one is at, shift F5 to the one before.");
  int shown = 0;
  chips_of(f, "", shown);
  if (a) chips_of(*a, "A: ", shown);
  ImGui::Spacing();
}

void cell_menu(frame& f, const std::optional<cell_ref>& hovered) {
  std::optional<cell_ref>& at = f.view.menu_at;
  if (hovered && ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    at = hovered;
    ImGui::OpenPopup("cell menu");
  }
  if (!ImGui::BeginPopup("cell menu")) return;
  const index_model* model = f.session.index ? f.model().get() : nullptr;
  if (!model || !at || number_of(at->region) >= model->regions().size() ||
      at->cell >= model->region(at->region).cells) {
    ImGui::CloseCurrentPopup();  // another index has come
    ImGui::EndPopup();
    return;
  }
  const region_info& region = model->region(at->region);
  const region_id keys = region.beside.value_or(at->region);
  const cell_place place = f.seen_at({keys, at->cell});
  const auto content = place.has_key() ? f.read(keys, at->cell) : std::nullopt;
  const auto stop = [&](const stop_mark& mark) {
    std::vector<stop_mark>& stops = f.view.transport.stops;
    const bool set = std::find(stops.begin(), stops.end(), mark) != stops.end();
    if (ImGui::MenuItem(fmt::format("Stop at {}", to_text(mark, *model)).c_str(), nullptr, set)) toggle(stops, mark);
  };
  stop({stop_mark::kind::slot, at->cell, at->region});
  stop({stop_mark::kind::sector, region.byte_of(at->cell) / 32, at->region});
  if (place.live()) stop({stop_mark::kind::level, place.level});
  if (content) stop({stop_mark::kind::key, content->key});
  ImGui::Separator();
  if (content && ImGui::MenuItem(fmt::format("Look for {}", content->key).c_str())) {
    show_build(f, false);
    f.act.choose_key(content->key);
  }
  if (ImGui::MenuItem("Show it in Memory")) {
    look_in_memory(f, *at);
    go_to_panel(f, panel::memory);
  }
  if (ImGui::MenuItem("Show it in Layout")) {
    look_in_layout(f, {keys, at->cell, 1});
    go_to_panel(f, panel::layout);
  }
  ImGui::EndPopup();
}

void step_menu(frame& f, const std::optional<u32>& hovered) {
  std::optional<u32>& at = f.view.menu_step;
  if (hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    at = hovered;
    ImGui::OpenPopup("step menu");
  }
  if (!ImGui::BeginPopup("step menu")) return;
  const lookup_trace* trace = f.trace();
  if (!trace || !at || *at >= trace->steps.size()) {
    ImGui::CloseCurrentPopup();  // another path has come
    ImGui::EndPopup();
    return;
  }
  std::vector<stop_mark>& stops = f.view.transport.stops;
  const stop_mark mark{stop_mark::kind::level, trace->steps[*at].level};
  const bool set = std::find(stops.begin(), stops.end(), mark) != stops.end();
  if (ImGui::MenuItem(fmt::format("Stop at level {}", mark.number).c_str(), nullptr, set)) toggle(stops, mark);
  if (ImGui::MenuItem("Compare with this step", nullptr, f.view.pinned_step == at)) compare_with_step(f, *at);
  ImGui::EndPopup();
}

}  // namespace pivotscope::viz
