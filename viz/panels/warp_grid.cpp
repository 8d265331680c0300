#include "viz/panels/warp_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "viz/parts/key_label.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {

std::optional<u32> pointed_thread(const frame& f, const shown_warp& w, std::optional<u32> chosen) {
  if (f.view.pointed.thread) return f.view.pointed.thread;
  if (!chosen || !f.view.pointed.lane || *f.view.pointed.lane >= w.study.group()) return std::nullopt;
  return w.thread_of(*chosen, *f.view.pointed.lane);
}

namespace {

// The numbers beside the bars; without how many threads load where there is little room: it is on hover too.
constexpr float name_column = 76, numbers_column = 124, few_numbers_column = 76;

struct grid {
  ImVec2 at;
  float cell = 0, row = 0, bars = 0, bars_width = 0, numbers_width = 0;
  float sectors_px = 0;  // per sector
  key_labels keys = {};  // of the lookups, above the threads that serve each
  box of(u32 step, u32 thread) const {
    const float x = at.x + cell * static_cast<float>(thread), y = at.y + row * static_cast<float>(step);
    return {{x, y}, {x + cell - (cell > px(8) ? px(2) : 1), y + row - (row > px(8) ? px(2) : 1)}};
  }
  box line(u32 step) const {
    const float y = at.y + row * static_cast<float>(step);
    return {{at.x - px(name_column), y}, {bars + bars_width + numbers_width, y + row - px(2)}};
  }
};

// The mouse is over a thread; where it serves the lookup of the path, it is one of its lanes.
void point_at_thread(frame& f, const shown_warp& w, u32 thread, std::optional<u32> chosen) {
  f.view.points_next.thread = thread;
  if (chosen && w.lookup_of(thread) == *chosen) f.view.points_next.lane = w.lane_of(thread);
}

constexpr float numbers_lane = 24, keys_lane = 17;
constexpr u32 least_shown = 4;  // characters of a lookup's key

// The key that each thread, or all those together that serve it, look for.
void thread_keys(const shown_warp& w, const grid& g, std::optional<u32> chosen) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float y = g.at.y - px(numbers_lane) - px(2);
  draw_text(draw, fonts().mono, type::tiny, {g.line(0).low.x + px(8), y - px(7)}, theme().text_faint, "keys");
  for (u32 t = 0; t < threads; t += w.study.group()) {
    const std::optional<u32> lookup = w.lookup_of(t);
    if (!lookup) continue;
    const box at{{g.of(0, t).low.x, y - px(8)}, {g.of(0, t + w.study.group() - 1).high.x, y + px(8)}};
    const bool its = chosen == lookup;
    if (its) draw.AddRectFilled({at.low.x - px(1), at.low.y}, {at.high.x + px(1), at.high.y}, theme().accent, px(3));
    g.keys.draw(draw, at, y, its ? theme().on_accent : theme().text_dim, w.now.traces[*lookup].key);
  }
}

key_labels labels_of(const shown_warp& w, float cell) {
  std::vector<u64> keys;
  for (u32 t = 0; t < threads; t += w.study.group())
    if (const auto lookup = w.lookup_of(t)) keys.push_back(w.now.traces[*lookup].key);
  const key_labels labels(keys, cell * static_cast<float>(w.study.group()) - px(3), 12);
  return labels.whole() || labels.chars() >= least_shown ? labels : key_labels();  // else the lane is better saved
}

void thread_numbers(frame& f, const shown_warp& w, const grid& g, std::optional<u32> chosen) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float y = g.at.y - px(12);
  for (u32 t = 0; t < threads; ++t) {
    const box at = g.of(0, t);
    const std::optional<u32> lookup = w.lookup_of(t);
    const bool its = chosen && lookup == *chosen;
    if (its) draw.AddRectFilled({at.low.x - px(1), y - px(8)}, {at.high.x + px(1), y + px(8)}, theme().accent, px(3));
    if (g.cell >= px(14) || t % 4 == 0)
      draw_text_centred(draw, fonts().mono, g.cell >= px(16) ? 11 : 9.5f, {at.middle().x, y},
                        its      ? theme().on_accent
                        : lookup ? theme().text_dim
                                 : theme().text_faint,
                        std::to_string(t));
  }
  // Threads that serve a lookup together.
  for (u32 t = 0; w.study.group() > 1 && t < threads; t += w.study.group()) {
    const float x0 = g.of(0, t).low.x, x1 = g.of(0, t + w.study.group() - 1).high.x;
    draw.AddLine({x0, g.at.y - px(3)}, {x1, g.at.y - px(3)}, theme().text_faint, px(1.5f));
  }
  if (g.keys.any()) thread_keys(w, g, chosen);
  const float lane = g.keys.any() ? px(keys_lane) : 0;
  ImGui::SetCursorScreenPos({g.at.x, y - px(9) - lane});
  const bool clicked = ImGui::InvisibleButton("threads", {g.cell * threads, px(18) + lane});
  spot("threads");
  if (!ImGui::IsItemHovered()) return;
  const auto t = static_cast<u32>(std::clamp((ImGui::GetIO().MousePos.x - g.at.x) / g.cell, 0.0f, threads - 1.0f));
  const std::optional<u32> lookup = w.lookup_of(t);
  point_at_thread(f, w, t, chosen);
  if (!lookup) return hover_card(fmt::format("Thread {}", t), "It has no lookup in this round.");
  const lookup_trace& trace = w.now.traces[*lookup];
  hover_card(fmt::format("Thread {}", t),
             fmt::format("Serves lookup {} of the tile, which looks for {}{}. {}", w.now.places[*lookup], trace.key,
                         w.study.group() > 1 ? fmt::format(", with {} others", w.study.group() - 1) : "",
                         trace.row == not_found ? "Not in the index." : fmt::format("Row id {}.", trace.row)),
             "Click to see its path.");
  if (!clicked) return;
  show_build(f, false);
  f.act.choose_key(trace.key);
}

void step_name(const frame& f, const shown_warp& w, const grid& g, u32 s, bool now, u32 levels) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box line = g.line(s);
  const float y = g.of(s, 0).middle().y;
  if (now) {
    draw.AddRectFilled(line.low, {line.high.x, line.high.y + px(1)}, theme().raised, px(4));
    draw.AddRectFilled(line.low, {line.low.x + px(3), line.high.y + px(1)}, theme().accent, px(2));
  }
  const ImU32 ink = now ? theme().text : theme().text_dim;
  draw_text(draw, now ? fonts().mono_bold : fonts().mono, type::tiny, {line.low.x + px(8), y - px(7)}, ink,
            fmt::format("step {}", s + 1));
  const box square{{g.at.x - px(20), y - px(4)}, {g.at.x - px(12), y + px(4)}};
  draw.AddRectFilled(square.low, square.high, level_colour(w.steps()[s].level, levels), px(2));
  if (f.view.pointed.level == w.steps()[s].level) {
    draw_pointed(draw, square);
    draw_pointed(draw, {g.of(s, 0).low, g.of(s, threads - 1).high});
  }
}

// How many sectors the step brings: as long as their number, filled as far as their bytes are used; the other order's
// hollow around it.
void bar(const grid& g, u32 s, u64 sectors, double used, std::optional<u64> otherwise) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box line = g.of(s, 0);
  const float y0 = line.low.y + px(2), y1 = line.high.y - px(1), x0 = g.bars;
  const float x1 = x0 + g.sectors_px * static_cast<float>(sectors);
  draw.AddRectFilled({x0, y0}, {x1, y1}, with_alpha(theme().text_faint, 0.55f), px(2));
  draw.AddRectFilled({x0, y0}, {x0 + (x1 - x0) * static_cast<float>(used), y1}, theme().text, px(2));
  if (otherwise)
    draw.AddRect({x0 - px(1), y0 - px(1.5f)},
                 {x0 + std::max(g.sectors_px * static_cast<float>(*otherwise), px(1)) + px(1), y1 + px(1.5f)},
                 theme().text_dim, px(3), px(1.25f));
}

void numbers(const grid& g, u32 s, const std::string& sectors, const std::string& used, const std::string& remark,
             bool warns) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float x = g.bars + g.bars_width, y = g.of(s, 0).middle().y - px(7);
  const auto right = [&](ImFont* font, float end, const std::string& words, ImU32 ink) {
    draw_text(draw, font, type::tiny, {end - text_width(font, type::tiny, words), y}, ink, words);
  };
  right(fonts().mono_bold, x + px(32), sectors, theme().text);
  right(fonts().mono, x + px(72), used, theme().text_dim);
  if (g.numbers_width < px(numbers_column)) return;
  draw_text(draw, fonts().mono, type::tiny, {x + px(80), y}, warns ? theme().text : theme().text_faint, remark);
}

void cells_of_step(frame& f, const shown_warp& w, const grid& g, u32 s, u32 levels, std::optional<u32> chosen) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const warp_step& step = w.steps()[s];
  const std::vector<std::string> labels = sector_labels(step);
  const ImU32 colour = level_colour(step.level, levels);
  bool loads[threads] = {}, scratch[threads] = {}, pointed[threads] = {};
  for (const thread_load& l : step.loads) {
    (l.access.space == memory_space::scratch ? scratch : loads)[l.thread] = true;
    const auto& sector = f.view.pointed.sector;
    if (sector && touches(l.access, *sector)) pointed[l.thread] = true;
  }
  for (u32 t = 0; t < threads; ++t) {
    const box at = g.of(s, t);
    if (!loads[t] && !scratch[t]) {
      draw_empty_cell(draw, at);
    } else if (!loads[t]) {
      draw_cell(draw, at, mix(colour, theme().panel, 0.5f), false);
      draw_pinned(draw, at, theme().text);
    } else {
      draw_cell(draw, at, colour, false);
      for (const float size : {11.0f, 9.5f, 8.0f}) {
        if (text_width(fonts().mono_bold, size, labels[t]) > at.width() - px(1) || at.height() < size) continue;
        draw_text_centred(draw, fonts().mono_bold, size, at.middle(), ink_on(colour), labels[t]);
        break;
      }
    }
    if (pointed[t]) draw_pointed(draw, at);
    if (chosen && w.lookup_of(t) == *chosen)
      draw.AddLine({at.low.x, at.high.y + px(1)}, {at.high.x, at.high.y + px(1)}, theme().accent, px(2));
  }
}

std::string active_words(const warp_step& step) {
  if (step.scratch_passes > step.least_scratch_passes) return fmt::format("{} passes", step.scratch_passes);
  return step.loading < threads ? fmt::format("{} of 32", step.loading) : "";
}

void cell_card(const shown_warp& w, u32 s, u32 t) {
  const warp_step& step = w.steps()[s];
  const std::optional<u32> lookup = w.lookup_of(t);
  const std::string title = fmt::format("Thread {}, step {}", t, s + 1);
  if (!lookup) return hover_card(title, "It has no lookup in this round.");
  std::string words = fmt::format("Looks for {}.", w.now.traces[*lookup].key);
  const auto model = model_of(*w.study.tile()->index());
  bool any = false;
  for (const thread_load& l : step.loads) {
    if (l.thread != t) continue;
    any = true;
    const memory_access& a = l.access;
    if (a.space == memory_space::scratch) {
      words += fmt::format(" Reads {} of scratch at byte {}.", bytes_text(a.bytes), grouped(a.byte_offset));
      continue;
    }
    u32 with = 0;
    for (u32 other = 0; other < threads; ++other)
      with += std::any_of(step.loads.begin(), step.loads.end(), [&](const thread_load& o) {
        return o.thread == other && other != t && o.access.space == memory_space::global && o.access.array == a.array &&
               o.access.byte_offset / 32 == a.byte_offset / 32;
      });
    words += fmt::format(" Loads {} of {} at byte {}: sector {}, with {} of the other threads.", bytes_text(a.bytes),
                         model->region(a.array).title, grouped(a.byte_offset), grouped(a.byte_offset / 32), with);
  }
  if (!any) words += " It loads nothing in this step, and goes along idle.";
  hover_card(title, words, "Click to see this step of its path.");
}

void bar_card(const shown_warp& w, u32 s) {
  const warp_step& step = w.steps()[s];
  const warp_step* other = w.other_step(s);
  std::string words = fmt::format(
      "The warp's loads bring {} of {}: {}, of which the threads use {}. The bar is as long as there are sectors and "
      "filled as far as they are used.",
      counted(step.sectors.size(), "sector"), counted(step.lines, "line"), bytes_text(step.loaded_bytes()),
      bytes_text(step.bytes));
  if (other)
    words += fmt::format(" Hollow: {}, it would be {}.", w.other_name(), counted(other->sectors.size(), "sector"));
  words += fmt::format(" {} of 32 threads load; the others wait for them.", step.loading);
  if (step.least_scratch_passes > 0)
    words += fmt::format(" Scratch is read {} times; without conflicts of its 32 banks it would be {}.",
                         step.scratch_passes, step.least_scratch_passes);
  hover_card(fmt::format("Step {}", s + 1), words);
}

void writes_row(const shown_warp& w, const grid& g, u32 s) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_text(draw, fonts().mono, type::tiny, {g.line(s).low.x + px(8), g.of(s, 0).middle().y - px(7)}, theme().text_dim,
            "writes");
  for (u32 t = 0; t < threads; ++t) {
    const box at = g.of(s, t);
    if (t >= w.now.places.size()) {
      draw_empty_cell(draw, at);
      continue;
    }
    const u32 place = w.puts_back() ? w.study.number() * threads + t : w.now.places[t];
    draw.AddRectFilled(at.low, at.high, theme().raised, px(3));
    draw.AddRect(at.low, at.high, theme().line, px(3));
    const std::string label = std::to_string(place / 8);
    for (const float size : {11.0f, 9.5f, 8.0f}) {
      if (text_width(fonts().mono, size, label) > at.width() - px(1) || at.height() < size) continue;
      draw_text_centred(draw, fonts().mono, size, at.middle(), theme().text, label);
      break;
    }
  }
  const u64 written = w.written();
  bar(g, s, written, static_cast<double>(w.now.places.size()) / static_cast<double>(std::max<u64>(written, 1) * 8),
      w.sorted ? std::optional(w.written_otherwise()) : std::nullopt);
  numbers(g, s, grouped(written),
          percent_text(static_cast<double>(w.now.places.size()) / (8.0 * static_cast<double>(written))), "", false);
}

void writes_card(const shown_warp& w) {
  std::string words =
      fmt::format("The row ids that the warp's 32 threads have found, 4 bytes each, go to {} of the answers. ",
                  counted(w.written(), "sector"));
  if (!w.sorted)
    words += "They lie in the order of the lookups, so the threads write side by side.";
  else if (w.puts_back())
    words += fmt::format(
        "Double reordering puts them back in order in scratch first; straight to their lookups' places "
        "it would be {}: the hollow bar.",
        counted(w.written_otherwise(), "sector"));
  else
    words += fmt::format(
        "Each goes straight to its lookup's place. Double reordering would put them back in order "
        "first and write {}: the hollow bar.",
        counted(w.written_otherwise(), "sector"));
  hover_card("Writes", words);
}

void point_at_cell(frame& f, const shown_warp& w, u32 s, u32 t, bool clicked) {
  cell_card(w, s, t);
  for (const thread_load& l : w.steps()[s].loads) {
    if (l.thread != t || l.access.space != memory_space::global) continue;
    f.view.points_next.sector = memory_block{l.access.array, l.access.byte_offset / 32};
    break;
  }
  const auto lookup = w.lookup_of(t);
  if (!clicked || !lookup) return;
  show_build(f, false);
  f.act.choose_key(w.now.traces[*lookup].key);
}

}  // namespace

void draw_warp_grid(frame& f, const shown_warp& w, float height, u32 current, u32 levels, std::optional<u32> chosen) {
  warp_state& state = f.view.warp;
  const auto rows = static_cast<u32>(w.steps().size());
  const float room = ImGui::GetContentRegionAvail().x;
  float head = px(numbers_lane);
  grid g;
  const float gaps = px(name_column + 14) + ImGui::GetStyle().ScrollbarSize, least_cell = px(7);
  const float beside = std::max(room - gaps - least_cell * threads, px(few_numbers_column + 30));
  g.numbers_width = px(beside < px(numbers_column + 70) ? few_numbers_column : numbers_column);
  g.bars_width = std::min(std::clamp(room * 0.2f, px(30), px(220)), beside - g.numbers_width);
  g.cell = std::clamp((room - gaps - g.numbers_width - g.bars_width) / threads, px(4), px(30));
  g.keys = labels_of(w, g.cell);
  if (g.keys.any()) head += px(keys_lane);
  g.row = std::clamp((height - head - px(4)) / static_cast<float>(rows + 1), px(14), px(24));
  u64 most = std::max(w.written(), w.written_otherwise());
  for (std::size_t s = 0; s < w.steps().size(); ++s) {
    most = std::max<u64>(most, w.steps()[s].sectors.size());
    if (const warp_step* other = w.other_step(s)) most = std::max<u64>(most, other->sectors.size());
  }
  g.sectors_px = (g.bars_width - px(6)) / static_cast<float>(std::max<u64>(most, 1));

  const ImVec2 top = ImGui::GetCursorScreenPos();
  g.at = {top.x + px(name_column), top.y + head};
  g.bars = g.at.x + g.cell * threads + px(12);
  thread_numbers(f, w, g, chosen);
  ImDrawList& outer = *ImGui::GetWindowDrawList();
  const float words_y = top.y + px(5);
  draw_text(outer, fonts().words, type::tiny, {g.bars, words_y}, theme().text_faint,
            elided(fonts().words, type::tiny, "sectors, used of them", g.bars_width + g.numbers_width));

  ImGui::SetCursorScreenPos({top.x, g.at.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("steps", {0, std::min(height - head - g.row, g.row * static_cast<float>(rows))});
  ImGui::PopStyleVar();
  if (state.scrolled_to != current) {
    state.scrolled_to = current;
    const float y = g.row * static_cast<float>(current), now = ImGui::GetScrollY(), seen = ImGui::GetWindowHeight();
    if (y < now) ImGui::SetScrollY(y);
    if (y + g.row > now + seen) ImGui::SetScrollY(y + g.row - seen);
  }
  g.at.y = ImGui::GetCursorScreenPos().y;
  const auto first = static_cast<u32>(std::max(0.0f, ImGui::GetScrollY() / g.row));
  const auto end = std::min(rows, first + static_cast<u32>(ImGui::GetWindowHeight() / g.row) + 2);
  for (u32 s = first; s < end; ++s) {
    const warp_step& step = w.steps()[s];
    step_name(f, w, g, s, s == current, levels);
    cells_of_step(f, w, g, s, levels, chosen);
    const warp_step* other = w.other_step(s);
    const double used =
        step.sectors.empty() ? 0 : static_cast<double>(step.bytes) / static_cast<double>(step.loaded_bytes());
    bar(g, s, step.sectors.size(), used, other ? std::optional<u64>(other->sectors.size()) : std::nullopt);
    numbers(g, s, grouped(step.sectors.size()), step.sectors.empty() ? "" : percent_text(used), active_words(step),
            step.scratch_passes > step.least_scratch_passes);
  }

  if (const auto thread = pointed_thread(f, w, chosen); thread && end > first)
    draw_pointed(*ImGui::GetWindowDrawList(), {g.of(first, *thread).low, g.of(end - 1, *thread).high});

  // One item for all cells: a click on a step's row goes there, on a thread's cell to its lookup too.
  ImGui::SetCursorScreenPos({g.line(0).low.x, g.at.y});
  const bool clicked =
      ImGui::InvisibleButton("grid", {g.line(0).width(), std::max(g.row * static_cast<float>(rows), 1.0f)});
  if (ImGui::IsItemHovered()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto s = static_cast<u32>(std::clamp((mouse.y - g.at.y) / g.row, 0.0f, static_cast<float>(rows - 1)));
    const float column = (mouse.x - g.at.x) / g.cell;
    const bool on_cell = column >= 0 && column < threads;
    if (on_cell)
      point_at_cell(f, w, s, static_cast<u32>(column), clicked),
          point_at_thread(f, w, static_cast<u32>(column), chosen);
    else
      bar_card(w, s);
    if (column < 0) f.view.points_next.level = w.steps()[s].level;
    if (clicked) go_to_step(f, s);
  }
  ImGui::EndChild();
  const box seen{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  spot("steps", {{seen.low.x, seen.low.y}, {g.bars - px(8), seen.high.y}});
  spot("sectors", {{g.bars, top.y + px(4)}, {g.bars + g.bars_width + g.numbers_width, seen.high.y}});

  // The writes stay in view.
  g.at.y = ImGui::GetCursorScreenPos().y;
  writes_row(w, g, 0);
  ImGui::InvisibleButton("writes", {g.line(0).width(), g.row});
  spot("writes");
  if (ImGui::IsItemHovered()) writes_card(w);
}

}  // namespace pivotscope::viz
