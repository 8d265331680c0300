// Fill: how full the parts of an index are, buckets of a key range or windows of a table: each of them, and all by how full they
// are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/statistics/compare.hpp"
#include "viz/cells/level_counts.hpp"
#include "viz/models/fill_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/strip.hpp"
#include "viz/parts/timeline.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/navigation.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float number_column = 44;
constexpr double column_width = 2;

ImU32 kind_colour(const fill_parts& parts, u32 kind) {
  return level_colour(kind, std::max<u32>(static_cast<u32>(parts.kinds.size()), 2));
}

fill_study* study_fill(frame& f) {
  constexpr double frame_share = 0.006;  // seconds of a frame that may go into it
  fill_state& state = f.view.fill;
  if (!state.study || state.study->index() != f.session.index)
    state.study = std::make_shared<fill_study>(f.session.index, f.model()), state.studied_at = -1;
  if (state.studied_at != f.now && state.study->go_on(frame_share)) f.moving = true;
  state.studied_at = f.now;
  return state.study.get();
}

// The part in which the search of the path begins.
std::optional<u64> part_in_question(const frame& f) {
  const lookup_trace* trace = f.trace();
  if (!trace || f.view.transport.path->index != f.session.index) return std::nullopt;
  return f.model()->part_of(searched_key(*trace), reader_of(*f.session.index, f.slots));
}

// Columns of two pixels, or a part each where there is room. Read again only when one looks elsewhere.
void take_columns(frame& f, const fill_parts& parts) {
  fill_state& state = f.view.fill;
  const strip_camera& camera = state.strip.camera;
  const strip_state::blocks_key wanted{f.session.index.get(), camera.left(), camera.cell_width(), camera.width(), 0};
  if (state.columns_for == wanted && !state.columns_to_come) return;
  state.columns.clear(), state.columns_to_come = false, state.columns_for = wanted;
  const region_reader read = reader_of(*f.session.index, f.slots);
  const auto take = [&](u64 first, u64 end) {
    if (const auto column = fill_of(*f.model(), first, end, read))
      state.columns.push_back(*column);
    else
      state.columns_to_come = true;
  };
  u64 first = camera.first_visible();
  if (shows_cells(camera)) {
    for (; first < camera.end_visible(); ++first) take(first, first + 1);
    return;
  }
  for (double x = camera.x_of(static_cast<double>(first)); x < camera.width() && first < parts.count;) {
    x = std::min(std::floor(x / column_width + 1) * column_width, camera.width());
    const auto end = std::min(parts.count, static_cast<u64>(std::max(camera.cell_at(x), 0.0)));
    if (end <= first) continue;
    take(first, end);
    first = end;
  }
}

struct fill_scale {
  box area;
  double top = 1;  // of what a part holds; what holds more stands out above
  float y_of(double filled) const {
    const double share = std::min(filled / top, 1.0);
    return area.high.y - static_cast<float>(share) * area.height();
  }
};

// What has room, as a rule across; and the numbers at the left.
void draw_scale(const fill_scale& s, const fill_parts& parts, double mean) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto rule = [&](double value, const std::string& words, ImU32 ink, float thick) {
    const float y = std::round(s.y_of(value));
    draw.AddLine({s.area.low.x, y}, {s.area.high.x, y}, ink, px(thick));
    draw_text(draw, fonts().mono, type::tiny,
              {s.area.low.x - px(6) - text_width(fonts().mono, type::tiny, words), y - px(7.5f)}, theme().text_dim,
              words);
  };
  rule(0, "0", theme().edge, 1);
  rule(parts.room, std::to_string(parts.room), theme().text_dim, 1);
  const double apart = px(16) / s.area.height() * s.top;
  if (s.top >= 2.0 * parts.room)
    rule(2.0 * parts.room, std::to_string(2 * parts.room), with_alpha(theme().edge, 0.5f), 1);
  if (mean > apart && std::abs(mean - parts.room) > apart) rule(mean, fmt::format("{:.1f}", mean), theme().edge, 1);
}

void draw_column(const fill_scale& s, const fill_parts& parts, const fill_column& c, float x0, float x1) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool one = c.end - c.first == 1;
  u32 kind = 0;  // the last of those that it has
  while (c.kinds >> (kind + 1) != 0) ++kind;
  const ImU32 colour = kind_colour(parts, one ? kind : 0);
  const float bottom = s.area.high.y;
  if (c.most > 0) {
    draw.AddRectFilled({x0, s.y_of(c.most)}, {x1, bottom}, one ? colour : mix(colour, theme().panel, 0.45f));
    if (!one) draw.AddRectFilled({x0, s.y_of(c.least)}, {x1, bottom}, colour);
  }
  if (!one) {
    const float y = s.y_of(c.mean());
    draw.AddRectFilled({x0, y - px(1)}, {x1, y + px(1)}, theme().text);
  }
  // What is more than plain is marked above, whatever its height.
  for (u32 k = 1; k < parts.kinds.size(); ++k) {
    if ((c.kinds >> k & 1) == 0) continue;
    const float y = s.area.low.y - px(6) - px(5) * static_cast<float>(k - 1);
    const bool named = one && x1 - x0 >= px(11);
    if (named)
      draw_text_centred(draw, fonts().mono_bold, 10, {(x0 + x1) / 2, s.area.low.y - px(8)}, theme().text,
                        capitalised(parts.kinds[k].name).substr(0, 1));
    else
      draw.AddRectFilled({x0, y - px(2)}, {std::max(x1, x0 + px(1)), y + px(1.5f)}, kind_colour(parts, k));
  }
  if (c.most > s.top) {
    const float x = (x0 + x1) / 2, half = std::clamp((x1 - x0) / 2, px(1), px(4));
    draw.AddTriangleFilled({x - half, s.area.low.y + px(7)}, {x + half, s.area.low.y + px(7)},
                           {x, s.area.low.y + px(1)}, theme().panel);
  }
}

void kinds_legend(const fill_parts& parts, const fill_counts& counts) {
  if (parts.kinds.size() < 2) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (u32 k = 0; k < parts.kinds.size(); ++k) {
    if (k > 0) ImGui::SameLine(0, px(14));
    const u64 have = k < counts.kinds.size() ? counts.kinds[k] : 0;
    const std::string words = fmt::format("{} {}", parts.kinds[k].name, grouped(have));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = text_width(fonts().words, type::small, words) + px(18);
    ImGui::PushID(static_cast<int>(k));
    ImGui::InvisibleButton("kind", {width, px(18)});
    ImGui::PopID();
    draw.AddRectFilled({at.x, at.y + px(4)}, {at.x + px(10), at.y + px(14)}, kind_colour(parts, k), px(2));
    draw_text(draw, fonts().words, type::small, {at.x + px(16), at.y + px(1)}, theme().text_dim, words);
    hover_card(fmt::format("{}: {}", capitalised(parts.kinds[k].name), counted(have, parts.name)),
               parts.kinds[k].meaning);
  }
}

// Numbers of parts below the map, and the keys at its ends.
void draw_numbers(const frame& f, const fill_parts& parts, const box& area) {
  const strip_camera& camera = f.view.fill.strip.camera;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u64 first = camera.first_visible(), last = std::max(camera.end_visible(), first + 1) - 1;
  const auto words = [&](u64 part, bool end) {
    const auto keys = f.model()->keys_of_part(part);
    const std::string name = fmt::format("{} {}", parts.name, grouped(part));
    return keys ? fmt::format("{}, {} {}", name, end ? "to key" : "from key", end ? keys->last : keys->first) : name;
  };
  const std::string left = words(first, false), right = words(last, true);
  const float y = area.high.y + px(6), width = text_width(fonts().mono, type::tiny, right);
  // Below the first and the last, where few of them have room to spare.
  const float x0 = area.low.x + std::max(static_cast<float>(camera.x_of(static_cast<double>(first))), 0.0f);
  const float x1 = area.low.x + std::min(static_cast<float>(camera.x_of(static_cast<double>(last) + 1)), area.width());
  const float left_width = text_width(fonts().mono, type::tiny, left), both = left_width + width + px(16);
  const float begin = std::max(area.low.x, std::min(x0, x1 - both)),
              end = std::min(area.high.x, std::max(x1, begin + both));
  draw_text_in(draw, fonts().mono, type::tiny, {begin, y}, end - begin - width - px(16), theme().text_dim, left);
  if (last > first) draw_text(draw, fonts().mono, type::tiny, {end - width, y}, theme().text_dim, right);
}

void hover_part(frame& f, const fill_parts& parts, u64 part, bool clicked) {
  fill_state& state = f.view.fill;
  const cell_run cells{parts.region, part * parts.cells, parts.cells};
  if (shows_cells(state.strip.camera)) {
    const cell_place place = f.seen_at({cells.region, cells.first});
    point_at(f.view.points_next, place);
    hover_card(part_title(parts, part), part_card(*f.model(), parts, part, reader_of(*f.session.index, f.slots)),
               "Click to see it in Layout and Memory, right-click for more.");
    if (!clicked) return;
    look_in_memory(f, {cells.region, cells.first});
    look_in_layout(f, cells);
    return go_to_panel(f, panel::layout);
  }
  const auto column = std::find_if(state.columns.begin(), state.columns.end(),
                                   [&](const fill_column& c) { return part >= c.first && part < c.end; });
  if (column == state.columns.end()) return;
  const u64 all = column->end - column->first;
  hover_card(
      all == 1 ? part_title(parts, part)
               : fmt::format("{} {} to {}", capitalised(parts.name), grouped(column->first), grouped(column->end - 1)),
      fmt::format("{:.1f} {} on average, {} to {}{}.", column->mean(), parts.units, grouped(column->least),
                  grouped(column->most),
                  column->counted < all ? fmt::format(", of {} that were looked at", grouped(column->counted)) : ""),
      "Click to look nearer.");
  if (!clicked) return;
  const auto middle = static_cast<double>(part);
  state.strip.camera.go_to(middle - 24, middle + 25);
  f.moving = true;
}

void draw_map(frame& f, const fill_study& study, float height) {
  const fill_parts& parts = study.parts();
  const fill_counts& counts = study.counts();
  fill_state& state = f.view.fill;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x - px(number_column + 4), px(60));
  fill_scale s{
      .area = {{at.x + px(number_column), at.y + px(44)}, {at.x + px(number_column) + width, at.y + height - px(36)}}};
  s.top = 1.15 * std::clamp<double>(counts.most, parts.room, 2.0 * parts.room);
  state.strip.camera.set_extent(parts.count, width, px(64));
  const auto part = part_in_question(f);
  if (part && state.followed != f.view.transport.path) {
    state.followed = f.view.transport.path;
    f.moving |= state.strip.camera.reveal(static_cast<double>(*part));
  }
  const strip_events events = interact(f, "parts", state.strip, {{s.area.low.x, s.area.low.y - px(10)}, s.area.high});
  spot("parts");
  const bool near = shows_cells(state.strip.camera);
  const std::optional<u64> over = events.hovered && *events.hovered < parts.count ? events.hovered : std::nullopt;
  cell_menu(f, over && near ? std::optional(cell_ref{parts.region, *over * parts.cells}) : std::nullopt);
  if (over) hover_part(f, parts, *over, events.clicked);
  take_columns(f, parts);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_scale(s, parts, counts.mean());
  draw.PushClipRect({s.area.low.x, at.y}, {s.area.high.x, s.area.high.y + px(2)}, true);
  for (const fill_column& c : state.columns) {
    const auto x_of = [&](u64 p) {
      return s.area.low.x + static_cast<float>(state.strip.camera.x_of(static_cast<double>(p)));
    };
    float x0 = x_of(c.first), x1 = std::max(x_of(c.end), x0 + 1);
    if (near) x1 -= state.strip.camera.cell_width() > 8 ? px(2) : 1.0f;
    draw_column(s, parts, c, x0, x1);
    const bool pointed = near && f.view.pointed.cell && f.view.pointed.cell->region == parts.region &&
                         f.view.pointed.cell->cell / parts.cells == c.first;
    if (pointed) draw_pointed(draw, {{x0, s.area.low.y}, {x1, s.area.high.y}});
  }
  draw.PopClipRect();
  draw_numbers(f, parts, s.area);
  overview(f, "parts overview", state.strip,
           {{s.area.low.x, s.area.high.y + px(24)}, {s.area.high.x, s.area.high.y + px(29)}});
  if (part) {
    const box cell = cell_box(state.strip.camera, s.area, static_cast<double>(*part));
    const float x = cell.middle().x;
    if (x >= s.area.low.x && x <= s.area.high.x) {
      draw_caret(draw, {x, s.area.low.y - px(12)}, std::to_string(searched_key(*f.trace())), s.area.low.x,
                 s.area.high.x);
      if (cell.width() > px(3))
        draw_read(draw, {{cell.low.x, s.area.low.y}, {cell.high.x - 1, s.area.high.y}}, read_mark::now, 0, false);
      else
        draw.AddLine({x, s.area.low.y - px(12)}, {x, s.area.high.y}, with_alpha(theme().accent, 0.8f), px(1));
    }
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({px(60), height});
}

// All parts by how full they are; the rule parts those that have room.
void draw_counts(const fill_study& study, float height) {
  const fill_parts& parts = study.parts();
  const fill_counts& counts = study.counts();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x - px(number_column + 4), px(60));
  const box area{{at.x + px(number_column), at.y + px(8)}, {at.x + px(number_column) + width, at.y + height - px(18)}};
  const u32 last = counts.most > parts.room ? study.longest() : parts.room;
  u64 most = 1;
  for (const u64 n : counts.parts) most = std::max(most, n);
  const float step = std::min(area.width() / static_cast<float>(last + 1), px(40));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddLine({area.low.x, area.high.y}, {area.low.x + step * static_cast<float>(last + 1), area.high.y},
               theme().edge);
  const std::string top = percent_text(static_cast<double>(most) / static_cast<double>(std::max<u64>(counts.count, 1)));
  draw_text(draw, fonts().mono, type::tiny,
            {area.low.x - px(6) - text_width(fonts().mono, type::tiny, top), area.low.y - px(7)}, theme().text_dim,
            top);
  const float number = text_width(fonts().mono, type::tiny, std::to_string(last) + "+") + px(6);
  const u32 every = std::max(1u, static_cast<u32>(std::ceil(number / step)));
  ImGui::InvisibleButton("counts", {std::max(step * static_cast<float>(last + 1) + px(number_column), 1.0f), height});
  spot("counts");
  const float mouse = ImGui::GetIO().MousePos.x - area.low.x;
  const bool hovered = ImGui::IsItemHovered() && mouse >= 0 && mouse < step * static_cast<float>(last + 1);
  for (u32 i = 0; i <= last; ++i) {
    const u64 n = i < counts.parts.size() ? counts.parts[i] : 0;
    const float x0 = area.low.x + step * static_cast<float>(i), x1 = x0 + step - (step > 4 ? px(2) : 0.5f);
    float y = area.high.y;
    for (u32 k = 0; k < counts.of_kind.size(); ++k) {
      const u64 have = i < counts.of_kind[k].size() ? counts.of_kind[k][i] : 0;
      if (have == 0) continue;
      const auto share = static_cast<float>(static_cast<double>(have) / static_cast<double>(most));
      const float above = y - std::max(area.height() * share, px(1.5f));
      draw.AddRectFilled({x0, above}, {x1, y}, kind_colour(parts, k));
      y = above;
    }
    const bool more = i == study.longest();
    if (i % every == 0 || more)
      if (!more || i % every == 0 || step * static_cast<float>(i % every) > number)
        draw_text_centred(draw, fonts().mono, type::tiny, {(x0 + x1) / 2, area.high.y + px(9)}, theme().text_dim,
                          std::to_string(i) + (more ? "+" : ""));
    if (hovered && mouse >= step * static_cast<float>(i) && mouse < step * static_cast<float>(i + 1))
      hover_card(
          fmt::format("{}{} {}", i, more ? " and more" : "", i == 1 ? parts.unit : parts.units),
          fmt::format("{}, {} of those counted.", counted(n, parts.name),
                      percent_text(static_cast<double>(n) / static_cast<double>(std::max<u64>(counts.count, 1)))));
  }
  if (last > parts.room) {
    const float x = area.low.x + step * static_cast<float>(parts.room + 1) - px(1);
    draw.AddLine({x, area.low.y - px(14)}, {x, area.high.y + px(3)}, theme().text_dim, px(1));
    draw_text(draw, fonts().words, type::tiny, {x + px(5), area.low.y - px(15)}, theme().text_dim,
              "beyond: " + parts.beyond);
  }
}

std::string sum_words(const fill_study& study) {
  const fill_parts& parts = study.parts();
  const fill_counts& counts = study.counts();
  if (counts.count < study.to_count())
    return fmt::format("Counting: {} of {}.", grouped(counts.count), counted(study.to_count(), parts.name));
  const std::string all =
      study.all_counted() ? counted(parts.count, parts.name)
                          : fmt::format("A sample, {} of {}", grouped(counts.count), counted(parts.count, parts.name));
  return fmt::format("{}: {:.1f} {} on average, {} at most; room for {} in each.", all, counts.mean(), parts.units,
                     grouped(counts.most), grouped(parts.room));
}

// Of an index whose nodes are full: how its cells are shared out among its levels.
void level_shares(frame& f) {
  const index_model& model = *f.model();
  const u32 levels = model.levels();
  heading("Cells by level",
          "Its parts do not fill by chance: every node has as many keys as fit, save on the last level.");
  if (levels < 2)
    return caption(
        "This index has no levels and no parts that fill by chance: its cells are one after the other. A hash table's "
        "windows and the buckets of a packed index do, and here is how full they are.");
  const std::array<u64, max_levels> counts = cells_by_level(model);
  u64 all = 0;
  for (u32 level = 0; level < levels; ++level) all += counts[level];
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (u32 level = 0; level < levels; ++level) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const double share = all == 0 ? 0 : static_cast<double>(counts[level]) / static_cast<double>(all);
    const std::string words = fmt::format("{}, {}", short_count(counts[level]), share_words(share));
    const float name = px(70), number = px(120), room = ImGui::GetContentRegionAvail().x, height = px(20);
    draw_text(draw, fonts().words, type::small, {at.x, at.y + px(2)}, theme().text_dim, fmt::format("level {}", level));
    const float from = at.x + name, to = std::max(from + px(20), at.x + room - number);
    draw.AddRectFilled({from, at.y + px(4)}, {to, at.y + height - px(2)}, theme().raised, px(2));
    draw.AddRectFilled({from, at.y + px(4)},
                       {std::max(from + px(2), from + (to - from) * static_cast<float>(share)), at.y + height - px(2)},
                       level_colour(level, levels), px(2));
    draw_text(draw, fonts().mono, type::small, {to + px(8), at.y + px(2)}, theme().text, words);
    ImGui::Dummy({room, height});
  }
  caption(
      "The lowest levels hold most cells: where these lie beyond the caches, a search waits for memory. A hash table's "
      "windows and the buckets of a packed index fill by chance: of these this panel shows how full they are.");
}

}  // namespace

void fill_panel(frame& f) {
  if (!f.session.index || !has_cells(*f.model())) return wait_or_explain(f, "how full its parts are");
  if (!f.model()->fill()) return level_shares(f);
  const fill_study* study = study_fill(f);
  if (study->failed()) return caption("The index could not be read.");
  const fill_parts& parts = study->parts();
  heading(fmt::format("{}s: {} in each", capitalised(parts.name), parts.units), parts.meaning);
  wrapped(fonts().words, type::small, theme().text_dim, sum_words(*study));
  kinds_legend(parts, study->counts());
  const float room = std::max(ImGui::GetContentRegionAvail().y - px(30), px(220));
  draw_map(f, *study, std::floor(room * 0.62f));
  heading("How many are how full", "All of them, by what they hold: how evenly the keys lie.");
  draw_counts(*study, std::max(ImGui::GetContentRegionAvail().y - px(4), px(70)));
}

}  // namespace pivotscope::viz
