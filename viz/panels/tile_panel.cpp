// Tile: what a block does with its share of the batch (lightweight, Figure 12). The lookups as they come, as they are
// served, the answers as they are found and where they are written; a bar's height is the key's place in the tile.
#include "viz/models/tile_model.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/state/tile_in_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/index/check.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/strip.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float name_column = 92;

struct tile_row {
  const char* name;
  std::string below;
  const char* meaning;
  bool served;   // in the order of the search; else as the lookups came
  bool answers;  // row ids; else keys
  box area = {};
};

std::vector<tile_row> rows_of(const tile_study& study) {
  const auto [begin, end] = study.bits();
  const std::string bits = begin < end ? fmt::format("bits {}-{}", begin, end - 1) : "no bits";
  std::vector<tile_row> rows = {
      {"lookups", "as they come", "The keys to look for, as they lie in the batch.", false, false}};
  if (study.reordered()) {
    rows.push_back({"sorted", bits, "The same lookups after the block's sort: in this order the threads serve them.",
                    true, false});
    rows.push_back({"found", "row ids", "The answers in the order in which they are found.", true, true});
  }
  rows.push_back(
      {"written", "row ids", "The answers where they are written: each in its lookup's place.", false, true});
  return rows;
}

u32 place_at(const tile_study& study, const tile_row& row, u32 cell) {
  return row.served ? study.place_of(cell) : cell;
}
u32 cell_of(const tile_study& study, const tile_row& row, u32 place) {
  return row.served ? study.served_of(place) : place;
}

void row_name(const tile_row& row) {
  const float x = row.area.low.x - px(name_column), y = row.area.middle().y;
  ImGui::SetCursorScreenPos({x, y - px(17)});
  ImGui::BeginGroup();
  {
    const text_style style(fonts().words_medium, type::small, theme().text);
    ImGui::TextUnformatted(row.name);
  }
  ImGui::SetCursorScreenPos({x, y + px(1)});
  {
    const text_style style(fonts().mono, type::tiny, theme().text_faint);
    ImGui::TextUnformatted(row.below.c_str());
  }
  ImGui::EndGroup();
  spot(row.name, {{x, row.area.low.y}, row.area.high});
  hover_card(row.name, row.meaning);
}

void draw_bar(ImDrawList& draw, const box& at, float least, float greatest, ImU32 ink) {
  const float room = at.height() - px(2), low = at.high.y - room * greatest - px(2), high = at.high.y - room * least;
  draw.AddRectFilled({at.low.x, low}, {at.high.x, std::max(high, low + px(2))}, ink);
}

// Far out a column of pixels spans from its least to its greatest key: sorted, that is a line.
void draw_columns(const tile_study& study, const strip_camera& camera, const tile_row& row) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  u64 cell = camera.first_visible();
  for (double x = 0; x < camera.width() && cell < camera.end_visible(); x += 1) {
    const u64 end = std::min(camera.end_visible(), static_cast<u64>(std::max(camera.cell_at(x + 1), 0.0)));
    float least = 1, greatest = 0;
    for (; cell < end; ++cell) {
      const float h = study.height(place_at(study, row, static_cast<u32>(cell)));
      least = std::min(least, h), greatest = std::max(greatest, h);
    }
    if (least > greatest) continue;
    const float left = row.area.low.x + static_cast<float>(x);
    draw_bar(draw, {{left, row.area.low.y}, {left + 1, row.area.high.y}}, least, greatest, theme().text_dim);
  }
}

void draw_cells(const frame& f, const tile_study& study, const strip_camera& camera, const tile_row& row) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float space = camera.cell_width() > 12 ? px(2) : 1.0f;
  const auto number = [&](u32 place) { return row.answers ? u64{study.row(place)} : study.key(place); };
  std::vector<u64> numbers;
  for (u64 cell = camera.first_visible(); cell < camera.end_visible() && camera.cell_width() >= px(12); ++cell) {
    const u32 place = place_at(study, row, static_cast<u32>(cell));
    if (!row.answers || (study.traced(place) && study.row(place) != not_found)) numbers.push_back(number(place));
  }
  const key_labels labels(numbers, static_cast<float>(camera.cell_width()) - space - px(2), 12);
  for (u64 cell = camera.first_visible(); cell < camera.end_visible(); ++cell) {
    const u32 place = place_at(study, row, static_cast<u32>(cell));
    box at = cell_box(camera, row.area, static_cast<double>(cell));
    at.high.x -= space;
    const bool sought = f.session.choice.key == study.key(place);
    const bool pointed = f.view.tile.hovered == place;
    draw.AddRectFilled(at.low, at.high, theme().raised, at.width() > px(10) ? px(3) : 0);
    const ImU32 ink = sought ? theme().accent : pointed ? theme().text : theme().text_faint;
    draw_bar(draw, at, 0, study.height(place), with_alpha(ink, (pointed || sought) && !labels.any() ? 0.9f : 0.55f));
    if (sought) {  // the caret of the key looked for
      const float half = std::clamp(at.width() / 2, px(2.5f), px(6));
      draw.AddTriangleFilled({at.middle().x - half, at.low.y}, {at.middle().x + half, at.low.y},
                             {at.middle().x, at.low.y + half * 1.4f}, theme().accent);
    }
    if (pointed) draw.AddRect(at.low, at.high, theme().text, px(3), px(2));
    if (at.width() < px(10)) continue;
    if (row.answers && !study.traced(place)) continue;
    if (row.answers && study.row(place) == not_found) {
      draw_star(draw, at.middle(), false, 12);
      continue;
    }
    labels.draw(draw, at, at.middle().y, theme().text, number(place));
  }
}

// Item i of thread t is the (i threads + t)-th: fine rules part warps, bold ones the items.
void draw_threads(const tile_study& study, const strip_camera& camera, const box& whole) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 threads = study.index()->config().launch.threads;
  const float y = whole.high.y + px(4);
  const u32 step = camera.cell_width() > px(26) ? 1 : camera.cell_width() > px(4) ? 8 : 32;
  float free_from = -1e9f;
  for (u64 cell = camera.first_visible() / step * step; cell < camera.end_visible(); cell += step) {
    const box at = cell_box(camera, whole, static_cast<double>(cell));
    if (at.low.x < whole.low.x - 1) continue;
    const bool item = cell % threads == 0, warp = cell % 32 == 0;
    if (item || (warp && camera.cell_width() * 32 > px(8)))
      draw.AddLine({at.low.x - 1, whole.low.y - px(3)}, {at.low.x - 1, y + px(item ? 18.0f : 4.0f)},
                   item ? theme().text_dim : theme().line, item ? px(2) : 1);
    const u64 thread = cell % threads;
    const std::string words = item        ? fmt::format("item {}, thread 0", cell / threads)
                              : step == 1 ? std::to_string(thread)
                                          : fmt::format("thread {}", thread);
    const float x =
        step == 1 && !item ? at.middle().x - text_width(fonts().mono, type::tiny, words) / 2 : at.low.x + px(4);
    if (x < free_from || x + text_width(fonts().mono, type::tiny, words) > whole.high.x) continue;
    if (!item && step > 1 && !warp) continue;
    draw_text(draw, fonts().mono, type::tiny, {x, y}, item ? theme().text_dim : theme().text_faint, words);
    free_from = x + text_width(fonts().mono, type::tiny, words) + px(item && step == 1 ? 4.0f : 12.0f);
  }
}

void draw_links(const frame& f, const tile_study& study, const strip_camera& camera,
                const std::vector<tile_row>& rows) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool all = camera.end_visible() - camera.first_visible() <= 96;
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    const tile_row &upper = rows[r], &lower = rows[r + 1];
    draw.PushClipRect({upper.area.low.x, upper.area.high.y}, {upper.area.high.x, lower.area.low.y}, true);
    const auto link = [&](u32 place, ImU32 ink, float thickness) {
      const box from = cell_box(camera, upper.area, cell_of(study, upper, place));
      const box to = cell_box(camera, lower.area, cell_of(study, lower, place));
      draw_link(draw, {from.middle().x - 1, upper.area.high.y}, {to.middle().x - 1, lower.area.low.y}, ink, thickness);
    };
    for (u64 cell = camera.first_visible(); all && cell < camera.end_visible(); ++cell)
      link(place_at(study, upper, static_cast<u32>(cell)), with_alpha(theme().text_faint, 0.45f), 1);
    for (u32 place = 0; place < study.size() && f.session.choice.key; ++place)
      if (study.key(place) == *f.session.choice.key) link(place, theme().accent, px(1.75f));
    if (f.view.tile.hovered) link(*f.view.tile.hovered, theme().text, px(2.5f));
    draw.PopClipRect();
  }
}

std::string locality_words(const tile_study& study) {
  if (!study.complete())
    return fmt::format("Counting what its warps load: {} of {}.", grouped(study.traced()),
                       counted(study.size(), "lookup"));
  const auto number = [](double x) {
    return x < 10 ? fmt::format("{:.1f}", x) : grouped(static_cast<u64>(std::llround(x)));
  };
  const std::string ranks = number(study.rank_distance(false)), sorted_ranks = number(study.rank_distance(true));
  const std::string loads = number(study.sectors_a_warp(false)), sorted_loads = number(study.sectors_a_warp(true));
  const char* const places = study.ranked() ? "ranks" : "slots";
  if (!study.reordered())
    return fmt::format(
        "Served as they come, neighbouring lookups end {} {} apart and a warp loads {} sectors. Sorted, it would be "
        "{} {} and {} sectors.",
        ranks, places, loads, sorted_ranks, places, sorted_loads);
  return fmt::format(
      "Sorted, neighbouring lookups end {} {} apart, not {}, and a warp loads {} sectors, not {}. {}", sorted_ranks,
      places, ranks, sorted_loads, loads,
      study.index()->config().launch.reorder == reorder_kind::both
          ? fmt::format("Answers are put back in order in scratch, so a warp writes {} sectors.",
                        number(study.written_a_warp()))
          : fmt::format(
                "Answers go straight to their lookups' places: a warp writes {} sectors, in order it would be 4.",
                number(study.written_a_warp())));
}

void header(frame& f, const tile_study& study, u64 tiles) {
  tile_state& state = f.view.tile;
  const float y = ImGui::GetCursorPosY();
  ImGui::AlignTextToFramePadding();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("tile");
  }
  ImGui::SameLine(0, px(8));
  if (icon_button("tile before", icon::back, "The tile before", state.number > 0, 20)) --state.number;
  ImGui::SameLine(0, px(4));
  const std::string words = fmt::format("{} of {}", grouped(study.number() + 1), grouped(tiles));
  {
    const text_style style(fonts().mono_bold, type::small, theme().text);
    ImGui::TextUnformatted(words.c_str());
  }
  ImGui::SameLine(0, px(4));
  if (icon_button("tile after", icon::forward, "The tile after", state.number + 1 < tiles, 20)) ++state.number;
  ImGui::SameLine(0, px(16));
  const index_config& config = study.index()->config();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::Text("%s: %u threads, %u each", counted(study.size(), "lookup").c_str(), config.launch.threads,
                config.launch.per_thread);
  }
  if (!study.reordered()) {
    index_config sorting = f.session.choice.config;
    sorting.launch.reorder = reorder_kind::lookup;
    ImGui::SameLine(0, px(16));
    if (!check(sorting) && button("sort", "Sort the tile")) f.act.choose_config(sorting);
  }
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), y + px(26)));
  caption(locality_words(study));
  if (study.complete()) provenance_note(provenance::modelled);
}

}  // namespace

void tile_panel(frame& f) {
  if (!f.session.index || f.model()->keys() == 0) return wait_or_explain(f, "a block's tile of the lookups");
  if (const operation asked = operation_of(f.session.choice.load); asked != operation::find)
    return caption(
        fmt::format("A tile is shown of lookups; this workload asks for {}. Choose lookups in the Workload panel.",
                    operation_noun(asked)));
  if (tile_asks_too_much(f)) return;
  tile_state& state = f.view.tile;
  const u64 tiles = shown_tiles(f.session.index->config(), f.session.choice.load);
  if (tiles == 0)
    return caption("The workload has no lookups, so there is no tile. Give it some in the Workload panel.");
  if (!study_tile(f))
    return wait_or_explain(f, "a block's tile of the lookups");  // numbers of one's own are being read
  const tile_study& study = *state.study;
  header(f, study, tiles);
  if (study.size() == 0) return;

  std::vector<tile_row> rows = rows_of(study);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const auto count = static_cast<float>(rows.size());
  const float fixed = px(8 + 34), step = std::max((room.y - fixed) / count, px(40));
  const float height = std::clamp(step * 0.6f, px(26), px(56)), gap = std::min(step - height, px(70));
  const float x0 = at.x + px(name_column), x1 = at.x + room.x - px(8);
  float y = at.y + px(8);
  for (tile_row& row : rows) {
    row.area = {{x0, y}, {x1, y + height}};
    y += height + gap;
  }
  const box whole{rows.front().area.low, rows.back().area.high};
  state.strip.camera.set_extent(study.size(), whole.width(), cell_for_keys(f, px(72)));
  const strip_events events = interact(f, "tile", state.strip, whole);
  state.hovered.reset();
  if (events.hovered && *events.hovered < study.size()) {
    const float mouse = ImGui::GetIO().MousePos.y;
    const auto under = std::find_if(rows.begin(), rows.end(), [&](const tile_row& r) { return mouse < r.area.high.y; });
    const u32 place = place_at(study, under == rows.end() ? rows.back() : *under, static_cast<u32>(*events.hovered));
    const u32 threads = study.index()->config().launch.threads, served = study.served_of(place);
    state.hovered = place;
    hover_card(std::to_string(study.key(place)),
               fmt::format("Lookup {} of the tile. Served by thread {}, item {}, warp {}. {}", place, served % threads,
                           served / threads, served % threads / 32,
                           !study.traced(place)            ? ""
                           : study.row(place) == not_found ? "Not in the index."
                                                           : fmt::format("Row id {}.", grouped(study.row(place)))),
               "Click to see its path.");
    if (events.clicked) show_build(f, false), f.act.choose_key(study.key(place));
  }
  draw_links(f, study, state.strip.camera, rows);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (const tile_row& row : rows) {
    row_name(row);
    draw.PushClipRect(row.area.low, row.area.high, true);
    if (shows_cells(state.strip.camera))
      draw_cells(f, study, state.strip.camera, row);
    else
      draw_columns(study, state.strip.camera, row);
    draw.PopClipRect();
  }
  draw_threads(study, state.strip.camera, whole);
  overview(f, "tile overview", state.strip, {{x0, whole.high.y + px(26)}, {x1, whole.high.y + px(31)}});
  ImGui::SetCursorScreenPos({at.x, whole.high.y + px(32)});
  ImGui::Dummy({1, 1});
}

}  // namespace pivotscope::viz
