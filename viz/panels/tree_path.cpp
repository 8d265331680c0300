#include "viz/panels/tree_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/index/latched_model.hpp"
#include "core/workload/question_text.hpp"
#include "viz/models/tree_model.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {

bool path_is_of_index(const frame& f) {
  return !f.view.build.on && f.view.transport.path && f.view.transport.path->index == f.session.index;
}

void level_label(frame& f, ImVec2 at, float y, u32 level, ImU32 ink, u32 levels) {
  levels = std::max(levels, f.model()->levels());
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box square{{at.x, y - px(5)}, {at.x + px(10), y + px(5)}};
  draw.AddRectFilled(square.low, square.high, level_colour(level, levels), px(2));
  const staged_model* const tells = staged(*f.model());
  const std::string words = tells ? tells->level_words_of(level, levels) : f.model()->level_words(level);
  draw_text(draw, fonts().words, type::small, {at.x + px(16), y - px(8)}, ink, words);
  const box whole{{at.x - px(2), y - px(8)},
                  {at.x + px(18) + text_width(fonts().words, type::small, words), y + px(9)}};
  if (!is_tree(*f.model())) return;
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(whole.low, whole.high)) f.view.points_next.level = level;
  if (f.view.pointed.level == level) draw_pointed(draw, whole);
}

void draw_sought(const frame& f, float x, float tip, float from, float end) {
  end = std::max(end, from);
  draw_caret(*ImGui::GetWindowDrawList(), {std::clamp(x, from, end), tip}, to_text(question_of(*f.trace())), from, end);
}

namespace {

// A path too deep to be drawn to scale: each node stands a little to the side that the step before it went to.
struct path_shape {
  float row = 0, cell = 0, height = 0;
  std::vector<float> middles;  // of each row's node
};

u32 smaller_keys(const trace_step& step) {
  u32 smaller = 0;
  for (const comparison& c : step.compared) smaller += !c.empty && c.met == relation::greater ? 1 : 0;
  return smaller;
}

// Does one of a step's keys tell on which side the one looked for lies?
bool tells_sides(const trace_step& step) {
  return std::none_of(step.compared.begin(), step.compared.end(),
                      [](const comparison& c) { return c.keyless || (!c.empty && c.met == relation::other); });
}

path_shape shape_path(const lookup_trace& trace, const std::vector<path_row>& rows, ImVec2 at, float width, float row) {
  std::size_t keys = 1;
  float widest = 0;  // of the keys as text
  for (const path_row& r : rows) {
    if (r.scan) continue;
    keys = std::max(keys, trace.steps[r.first].compared.size());
    for (const comparison& c : trace.steps[r.first].compared)
      widest = std::max(widest, text_width(fonts().mono_bold, type::small, std::to_string(c.key)));
  }
  path_shape shape;
  shape.row = row;
  shape.cell = std::min(width / static_cast<float>(keys), std::max(widest + px(32), px(72)));
  shape.height = std::min(row * 0.58f, px(26));
  const float spare = (width - shape.cell * static_cast<float>(keys)) / 2;
  const float sway = std::min(px(44), spare / static_cast<float>(std::max<std::size_t>(rows.size(), 1)) * 2);
  float middle = at.x + width / 2;
  for (const path_row& r : rows) {
    shape.middles.push_back(middle);
    if (r.scan) continue;
    const trace_step& step = trace.steps[r.first];
    if (!tells_sides(step)) continue;
    const auto children = static_cast<float>(std::max<std::size_t>(step.compared.size(), 1));
    middle += sway * (2 * static_cast<float>(smaller_keys(step)) / children - 1);
    middle = std::clamp(middle, at.x + width / 2 - spare, at.x + width / 2 + spare);
  }
  return shape;
}

// The scans of a level as one bar: how much was read so far, and what of it is in the range.
void draw_scan_row(frame& f, const path_shape& shape, const path_row& row, std::size_t number, float top) {
  const lookup_trace& trace = *f.trace();
  const u32 current = f.view.transport.step;
  u64 seen = 0, inside = 0, all = 0;
  for (u32 i = row.first; i < row.end; ++i) {
    for (const comparison& c : trace.steps[i].compared) {
      if (c.empty) continue;
      ++all;
      if (i > current) continue;
      ++seen;
      inside += c.met == relation::equal ? 1 : 0;
    }
  }
  const bool now = current >= row.first && current<row.end, ahead = row.first> current;
  const std::string words =
      ahead ? fmt::format("scan: {} to read", grouped(all))
            : fmt::format("scan: {} of {} read, {} in the range", grouped(seen), grouped(all), grouped(inside));
  const float left = ImGui::GetWindowPos().x + px(tree_label_column + 40),
              right = ImGui::GetWindowPos().x + right_edge() - px(118);
  const float room = std::max(right - left, px(60));
  const float width =
      std::min(room, std::max(text_width(fonts().words_medium, type::small, words) + px(28), shape.cell * 2));
  const float y = top + shape.row / 2, x = std::clamp(shape.middles[number] - width / 2, left, left + room - width);
  const box whole{{x, y - shape.height / 2}, {x + width, y + shape.height / 2}};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 colour = level_colour(trace.steps[row.first].level, f.model()->levels());
  draw_cell(draw, whole, colour, ahead);
  draw_text_centred(draw, fonts().words_medium, type::small, whole.middle(), ahead ? theme().text_dim : ink_on(colour),
                    elided(fonts().words_medium, type::small, words, width - px(12)));
  if (ahead) return;
  draw_read(draw, whole, now ? read_mark::now : read_mark::before, std::min(current, row.end - 1), false);
  draw_step_number(draw, {whole.low.x - px(13), y}, std::min(current, row.end - 1), now);
}

void point_with_mouse(frame& f, const trace_step& step, const comparison& c, const box& at) {
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(at.low, at.high)) return;
  const cell_place place = place_of(*f.model(), {c.array, c.slot});
  point_at(f.view.points_next, place);
  card_at_mouse(std::to_string(c.key),
                fmt::format("{} slot {}. {}", capitalised(f.model()->region(c.array).cell_name), grouped(c.slot),
                            comparison_words(*f.trace(), step, c)),
                "Click to go to this step.");
}

// The node that a step reads, how each of its keys compares, and the way down from the gap that the key falls into.
void draw_path_row(frame& f, const path_shape& shape, const std::vector<path_row>& rows, std::size_t number,
                   float top) {
  const trace_step& step = f.trace()->steps[rows[number].first];
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 current = f.view.transport.step, levels = f.model()->levels();
  const u32 here = rows[number].first;
  const bool now = here == current, ahead = here > current;
  const auto keys = static_cast<float>(std::max<std::size_t>(step.compared.size(), 1));
  const float cell = shape.cell, height = shape.height, middle = shape.middles[number];
  // A step that compares no key says what it comes to instead.
  const std::string said = step.compared.empty() ? compared_words(step) : "";
  const float said_width = text_width(fonts().mono, type::small, said) + px(24);
  const float width = said.empty() ? cell * keys : std::max(said_width, cell);
  const float x0 = middle - width / 2, y = top + shape.row / 2;
  const ImU32 colour = level_colour(step.level, levels);
  const float size = height < px(16) ? type::tiny : type::small;
  // From left to right by rank, where there are ranks, whatever order the search read them in; empty slots last.
  std::vector<comparison> compared = step.compared;
  std::stable_sort(compared.begin(), compared.end(), [](const comparison& a, const comparison& b) {
    return a.empty != b.empty ? b.empty : a.rank < b.rank;
  });
  // How the key lies to each stands before it, where that leaves it room; else the way down alone says it.
  const float sign_room = px(18);
  std::vector<u64> seen;
  for (const comparison& c : compared)
    if (!c.empty && !c.keyless) seen.push_back(c.key);
  key_labels labels(seen, cell - sign_room - px(4), size);
  const bool signs = labels.whole() || labels.chars() > 4;
  if (!signs) labels = key_labels(seen, cell - px(4), size);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const comparison& c = compared[i];
    const box at{{x0 + cell * static_cast<float>(i), y - height / 2},
                 {x0 + cell * static_cast<float>(i + 1) - px(2), y + height / 2}};
    if (c.empty) {
      c.state == cell_state::erased ? draw_erased_cell(draw, at, false) : draw_empty_cell(draw, at);
      continue;
    }
    draw_cell(draw, at, colour, ahead);
    point_with_mouse(f, step, c, at);
    const cell_place place = place_of(*f.model(), {c.array, c.slot});
    if (points_at(f.view.pointed, place) || (now && f.view.pointed.lane == c.lane)) draw_pointed(draw, at);
    const ImU32 ink = ahead ? theme().text_faint : ink_on(colour);
    if (!ahead && (signs || (!labels.any() && cell > px(9))))
      draw_text_centred(draw, fonts().mono_bold, size, {signs ? at.low.x + px(9) : at.middle().x, y},
                        with_alpha(ink, 0.8f), comparison_sign(step, c));
    if (!c.keyless)
      labels.draw(draw, {{at.low.x + (signs && !ahead ? sign_room : 0), at.low.y}, at.high}, y, ink, c.key);
  }
  if (!said.empty()) {
    const box at{{x0, y - height / 2}, {x0 + width - px(2), y + height / 2}};
    draw_cell(draw, at, colour, ahead);
    draw_text_centred(draw, fonts().mono, size, at.middle(), ahead ? theme().text_faint : ink_on(colour), said);
  }
  const ImU32 way = with_alpha(theme().accent, now ? 1.0f : ahead ? 0.25f : 0.75f);
  if (number + 1 < rows.size()) {
    const float from = x0 + cell * static_cast<float>(smaller_keys(step)) - px(1);
    const bool between = step.compared.size() > 1 && tells_sides(step);
    if (!ahead && between)
      draw.AddLine({from, y - height / 2 - px(4)}, {from, y + height / 2 + px(4)}, theme().accent,
                   px(now ? 3.0f : 2.0f));
    const ImVec2 to{shape.middles[number + 1], y + shape.row - height / 2 - px(3)};
    // From a single key the way begins under it: left or right is told by where it ends.
    const float begin = between ? from : middle;
    draw_link(draw, {begin, y + height / 2 + px(3)}, to, way, px(now ? 2.5f : 1.5f));
  }
  if (ahead) return;
  const box whole{{x0 - px(2), y - height / 2 - px(2)}, {x0 + width, y + height / 2 + px(2)}};
  draw_read(draw, whole, now ? read_mark::now : read_mark::before, here, false);
  if (!step.doubt.empty()) draw_doubt(draw, {whole.high.x - px(1), whole.low.y + px(1)});
  const bool beside = whole.low.x - px(24) > ImGui::GetWindowPos().x + px(tree_label_column);
  if (beside) draw_step_number(draw, {whole.low.x - px(13), y}, here, now);
}

// Scrolls to the row of the step that is shown, once for each step.
void follow_row(frame& f, const path_row& row, float top, float height) {
  tree_state& state = f.view.tree;
  const transport_state& t = f.view.transport;
  if (t.step < row.first || t.step >= row.end || (state.followed == t.path && state.followed_step == t.step)) return;
  state.followed = t.path;
  state.followed_step = t.step;
  const float begin = ImGui::GetWindowPos().y, end = begin + ImGui::GetWindowHeight();
  if (top < begin || top + height > end) ImGui::SetScrollFromPosY(top + height / 2 - begin, 0.5f);
}

}  // namespace

void draw_path_only(frame& f) {
  const lookup_trace* trace = f.trace();
  if (f.view.build.on) return caption("The tree is too large to be drawn whole: Layout shows the slot that is built.");
  if (!trace || !path_is_of_index(f)) {
    caption("The tree is too large to be drawn whole. Choose a key, and the nodes on its path are here.");
    return;
  }
  const std::vector<path_row> rows = path_rows(*trace);
  ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  at.y += px(tree_caret_lane), room.y -= px(tree_caret_lane);
  // The rows scroll below the key.
  const ImVec2 lane = at;
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("rows", {0, std::max(room.y, px(20))});
  ImGui::PopStyleVar();
  at = ImGui::GetCursorScreenPos(), room.x = ImGui::GetContentRegionAvail().x;
  const auto count = static_cast<float>(std::max<std::size_t>(rows.size(), 1));
  const float row = std::clamp(room.y / count, px(20), px(64));
  const float right = px(118), left = px(tree_label_column);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::Dummy({room.x, row * count});
  const path_shape shape = shape_path(*trace, rows, {at.x + left + px(20), at.y}, room.x - left - right - px(20), row);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const float y = at.y + row * static_cast<float>(r);
    follow_row(f, rows[r], y, row);
    // What is left after the row's last step that was reached.
    const u32 reached = std::clamp(f.view.transport.step, rows[r].first, rows[r].end - 1);
    const trace_step& step = trace->steps[reached];
    const ImU32 ink = rows[r].first > f.view.transport.step ? theme().text_faint : theme().text_dim;
    level_label(f, at, y + row / 2, step.level, ink);
    if (rows[r].scan)
      draw_scan_row(f, shape, rows[r], r, y);
    else
      draw_path_row(f, shape, rows, r, y);
    const std::string words = step.left;
    draw_text(draw, fonts().mono, type::small,
              {at.x + room.x - px(8) - text_width(fonts().mono, type::small, words), y + row / 2 - px(8)}, ink, words);
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto clicked = static_cast<std::size_t>(std::max(mouse.y - at.y, 0.0f) / row);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && mouse.y >= at.y &&
      clicked < rows.size())
    go_to_step(f, rows[clicked].first);
  ImGui::EndChild();
  if (!rows.empty()) draw_sought(f, shape.middles.front(), lane.y - px(2), lane.x + left, lane.x + room.x - right);
}

}  // namespace pivotscope::viz
