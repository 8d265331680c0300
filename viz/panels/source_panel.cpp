// Source: the algorithm's own lines, those that the step runs marked, and the values that they have there.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/machine/trace/trace.hpp"
#include "viz/models/source_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/panels/source_in_short.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float line_height = 19, code_at = 96, watch_width = 236, row_height = 22;

const source_model& model_of_path(frame& f) {
  source_state& state = f.view.source;
  if (!state.model || state.modelled.lock() != f.view.transport.path) {
    state.modelled = f.view.transport.path;
    state.model = std::make_shared<source_model>(*f.trace());
    const lookup_trace& trace = *f.trace();
    state.code = std::make_shared<linked_code>(
        family_of(trace.config).pseudo_code_of(trace.config, served_as(trace.config, trace.asked)));
    state.shown.reset();
  }
  return *state.model;
}

// The one chosen, where the step runs through it; else the search's own.
std::size_t shown_file(const source_state& state, const source_model& model, u32 step) {
  const std::optional<std::size_t> chosen = model.find_file(state.chosen);
  return chosen && model.runs_through(step, *chosen) ? *chosen : model.main_file(step);
}

void file_chips(frame& f, const source_model& model, u32 step, std::size_t shown) {
  for (std::size_t i = 0; i < model.files().size(); ++i) {
    const source_file& file = model.files()[i];
    const bool here = model.runs_through(step, i);
    const std::string name(file.short_name);
    flow_chip(name, i == 0);
    if (chip(name.c_str(), name, i == shown ? chip_look::chosen : here ? chip_look::plain : chip_look::reachable)) {
      f.view.source.chosen = file.name;
      if (!here) {  // the next step that does
        u32 to = step;
        const auto steps = static_cast<u32>(f.trace()->steps.size());
        do to = (to + 1) % steps;
        while (to != step && !model.runs_through(to, i));
        f.view.transport.playing = false;
        go_to_step(f, to);
      }
    }
    hover_card(std::string(file.name),
               i == model.main_file(step) ? "The search itself. This step runs through it."
               : here                     ? "Called by the search: this step runs through it as well."
                                          : "This step does not run through it; other steps do.",
               here ? "Click to see its lines." : "Click to go to the next step that does.");
  }
}

void legend() {
  struct entry {
    const char *words, *meaning;
    void (*draw)(ImDrawList&, ImVec2, bool);
    bool filled;
  };
  static constexpr entry entries[] = {
      {"this step", "The line of the search at which this step reads.", draw_line_arrow, true},
      {"next", "The line at which the next step reads; often the same one: a search is a loop.", draw_line_arrow,
       false},
      {"ran", "A line that this step ran.", draw_line_dot, true},
      {"other steps", "A line that other steps ran, and this one did not. Click it to go to one of them.",
       draw_line_dot, false}};
  for (std::size_t i = 0; i < std::size(entries); ++i) {
    const entry& e = entries[i];
    const float width = px(18) + text_width(fonts().words, type::small, e.words);
    if (i > 0) {
      const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
      if (ImGui::GetItemRectMax().x + px(14) + width <= right) ImGui::SameLine(0, px(14));
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, px(16)});
    hover_card(e.words, e.meaning);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    e.draw(draw, {at.x + px(6), at.y + px(8)}, e.filled);
    draw_text(draw, fonts().words, type::small, {at.x + px(18), at.y}, theme().text_dim, e.words);
  }
}

ImU32 ink_of(token_kind kind) {
  switch (kind) {
    case token_kind::keyword:
    case token_kind::directive:
      return theme().code_keyword;
    case token_kind::type:
      return theme().code_type;
    case token_kind::number:
    case token_kind::text:
      return theme().code_number;
    case token_kind::comment:
      return theme().text_faint;
    case token_kind::plain:
      break;
  }
  return theme().text;
}

// "Steps 1, 2 and 5"; of many the first few.
std::string steps_words(std::span<const u32> steps) {
  constexpr std::size_t most = 8;
  std::string words = steps.size() == 1 ? "Step " : "Steps ";
  for (std::size_t i = 0; i < std::min(steps.size(), most); ++i) {
    if (i > 0) words += i + 1 == steps.size() ? " and " : ", ";
    words += std::to_string(steps[i] + 1);
  }
  if (steps.size() > most) words += fmt::format(" and {} more", steps.size() - most);
  return words;
}

// What a line has to do with the step that is shown.
struct line_facts {
  u32 number = 0;
  bool now = false, next = false;
  u32 place = 0;  // among the lines that the step ran; 0: not among them
  std::span<const u32> steps = {};
};

void line_card(const line_facts& line, std::optional<u32> to, u32 step) {
  std::string words = steps_words(line.steps) + " ran it.";
  if (line.place > 0) words += fmt::format(" In this step it is number {} of the file's lines that ran.", line.place);
  if (line.now) words += " Here this step reads.";
  if (line.next) words += " Here the next step reads.";
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(8)));  // lines have none between them
  hover_card(fmt::format("Line {}", line.number), words,
             to && *to != step ? fmt::format("Click to go to step {}.", *to + 1) : "");
  ImGui::PopStyleVar();
}

// `lit`: the line in short that is pointed at is this one.
void draw_line(const source_file& file, const line_facts& line, ImVec2 at, float width, bool hovered, bool lit) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const theme_tokens& t = theme();
  const float height = px(line_height), y = at.y + height / 2;
  if (line.now)
    draw.AddRectFilled(at, {at.x + width, at.y + height}, t.raised);
  else if (lit || hovered)
    draw.AddRectFilled(at, {at.x + width, at.y + height}, with_alpha(t.hovered, lit ? 0.8f : 0.5f));
  if (line.now) draw.AddRectFilled({at.x, at.y + px(2)}, {at.x + px(3), at.y + height - px(2)}, t.accent, px(2));
  if (line.now) draw_line_arrow(draw, {at.x + px(14), y}, true);
  if (line.next) draw_line_arrow(draw, {at.x + px(line.now ? 28.0f : 14.0f), y}, false);
  if (!line.steps.empty()) draw_line_dot(draw, {at.x + px(44), y}, line.place > 0);
  const std::string number = std::to_string(line.number);
  draw_text(draw, fonts().mono, type::tiny,
            {at.x + px(code_at - 14) - text_width(fonts().mono, type::tiny, number), y - px(7.5f)},
            line.place > 0 ? t.text_dim : t.text_faint, number);
  const float letter = text_width(fonts().mono, type::small, "0");
  float x = at.x + px(code_at);
  const bool aside = file.aside[line.number - 1];
  for (const source_token& token : file.lines[line.number - 1]) {
    const std::string words(token.text);
    draw_text(draw, token.kind == token_kind::keyword ? fonts().mono_bold : fonts().mono, type::small,
              {x, y - px(8.5f)}, aside ? t.text_faint : ink_of(token.kind), words);
    x += letter * static_cast<float>(words.size());
  }
}

// Scrolls to the line of the step that is shown, once for each step and file.
void follow_line(source_state& state, u32 step, std::size_t file, u32 line) {
  if (state.followed == state.model.get() && state.followed_step == step && state.followed_file == file) return;
  state.followed = state.model.get(), state.followed_step = step, state.followed_file = file;
  const float height = ImGui::GetWindowHeight(), y = px(line_height) * static_cast<float>(line - 1);
  const float seen = y - ImGui::GetScrollY();
  if (seen < height * 0.15f || seen > height * 0.8f) ImGui::SetScrollY(std::max(0.0f, y - height * 0.4f));
}

void code(frame& f, const source_model& model, u32 step, std::size_t shown, ImVec2 size) {
  const source_file& file = model.files()[shown];
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginChild("code", size, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    source_state& state = f.view.source;
    const u32 now = model.line_in(step, shown), next = model.next_line_in(step, shown);
    follow_line(state, step, shown, now);
    if (state.shown && state.shown->file == file.name) {
      ImGui::SetScrollY(
          std::max(0.0f, px(line_height) * static_cast<float>(state.shown->line) - ImGui::GetWindowHeight() * 0.4f));
      state.shown.reset();
    }
    const float letter = text_width(fonts().mono, type::small, "0");
    const float width =
        std::max(ImGui::GetContentRegionAvail().x, px(code_at + 12) + letter * static_cast<float>(file.longest));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(file.lines.size()), px(line_height));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        line_facts line{.number = static_cast<u32>(i) + 1};
        line.now = line.number == now, line.next = line.number == next;
        line.place = model.place_in_step(step, shown, line.number);
        line.steps = model.steps_at(shown, line.number);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        bool hovered = false;
        const std::optional<std::size_t> in_short = state.code->line_at({file.name, line.number});
        if (line.steps.empty()) {
          ImGui::Dummy({width, px(line_height)});
        } else {
          const std::optional<u32> to = model.step_at(shown, line.number, step);
          const bool clicked = ImGui::InvisibleButton(fmt::format("line {}", line.number).c_str(),
                                                      {width, px(line_height)}, ImGuiButtonFlags_EnableNav);
          hovered = ImGui::IsItemHovered();
          line_card(line, to, step);
          if (clicked && to) {
            f.view.transport.playing = false;
            f.view.source.chosen = file.name;
            go_to_step(f, *to);
          }
        }
        if (in_short && ImGui::IsItemHovered()) state.points_next = in_short;
        draw_line(file, line, at, width, hovered, in_short && in_short == state.pointed);
      }
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

// A line for each run of lanes that agree.
std::string lanes_words(const watch_row& row) {
  std::string words;
  for (std::size_t first = 0, end = 0; first < row.lanes.size(); first = end) {
    while (end < row.lanes.size() && row.lanes[end].second == row.lanes[first].second) ++end;
    const u32 from = row.lanes[first].first, to = row.lanes[end - 1].first;
    words += from == to ? fmt::format("\nlane {}: {}", from, row.lanes[first].second)
                        : fmt::format("\nlanes {} to {}: {}", from, to, row.lanes[first].second);
  }
  return words;
}

void watched(const watch_row& row) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, line = px(row_height - 3);
  ImFont* const font = row.changed() ? fonts().mono_bold : fonts().mono;
  const std::string was = row.changed() ? "was " + row.before : "";
  const float name = text_width(fonts().mono, type::small, row.name) + px(10);
  const float value = text_width(font, type::small, row.value);
  const float before = was.empty() ? 0 : text_width(fonts().words, type::tiny, was) + px(8);
  // What its name leaves no room for stands below it.
  const bool beside = name + value <= width;
  const ImVec2 block = font->CalcTextSizeA(px(type::small), FLT_MAX, width, row.value.c_str());
  ImGui::PushID(row.name.c_str());
  ImGui::InvisibleButton(row.lanes.empty() ? "value" : "values of lanes", {width, beside ? line : line + block.y});
  ImGui::PopID();
  std::string words = row.before_step
                          ? fmt::format("After this step. After step {} it was {}.", *row.before_step + 1, row.before)
                          : "After this step. No step before has it.";
  words += lanes_words(row);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(8)));  // rows have less between them
  hover_card(row.name, words, row.changed() ? "Changed." : "");
  ImGui::PopStyleVar();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_text(draw, fonts().mono, type::small, at, theme().text_dim, row.name);
  if (beside)
    draw_text(draw, font, type::small, {at.x + width - value, at.y}, theme().text, row.value);
  else
    draw.AddText(font, px(type::small), {at.x, at.y + line}, theme().text, row.value.c_str(), nullptr, width);
  const float taken = beside ? name + value : name;
  if (!was.empty() && taken + before <= width)
    draw_text(draw, fonts().words, type::tiny, {at.x + width - (beside ? value : 0) - before, at.y + px(1)},
              theme().text_dim, was);
}

void watch_panel(const lookup_trace& trace, u32 step, ImVec2 size) {
  if (ImGui::BeginChild("watch", size)) {
    const std::vector<watch_row> rows = watch_list(trace, step);
    heading("Values",
            "What the search has in hand in this step, under the names of the source; bold with what it was "
            "where it has changed. Of lanes that differ the values stand in their order.");
    if (rows.empty()) caption("The source lets one watch nothing in this step.");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(3)));
    for (const watch_row& row : rows) watched(row);
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
}

std::string where_words(const source_model& model, u32 step, u32 steps, std::size_t shown) {
  const source_file& file = model.files()[shown];
  const u32 now = model.line_in(step, shown), next = model.next_line_in(step, shown);
  std::string words = fmt::format("Step {} of {}: {}, line {}.", step + 1, steps, file.name, now);
  if (step + 1 == steps) return words + " It is the last one.";
  if (next == now) return words + " The next step is there again.";
  if (next != 0) return words + fmt::format(" The next step is at line {}.", next);
  return words + fmt::format(" The next step is in {}.", model.files()[model.main_file(step + 1)].short_name);
}

// The lines, the same in short and the values: side by side where that leaves the lines room, else one above the other.
void panes(frame& f, const source_model& model, const lookup_trace& trace, u32 step, std::size_t shown) {
  source_state& state = f.view.source;
  state.pointed = std::exchange(state.points_next, std::nullopt);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = px(8);
  // ... and where they would be few, if anything stood above them.
  if (room.x > px(640) || (room.x > px(460) && room.y < px(300))) {
    const float width = state.in_short ? std::clamp(room.x * 0.42f, px(watch_width), px(440)) : px(watch_width);
    ImGui::BeginGroup();
    float left = room.y;
    if (state.in_short) {
      const float height = std::min(in_short_height(*state.code), room.y * 0.6f);
      in_short(f, trace, step, {width, height});
      left -= height + ImGui::GetStyle().ItemSpacing.y;
    }
    watch_panel(trace, step, {width, left});
    ImGui::EndGroup();
    ImGui::SameLine(0, px(12));
    code(f, model, step, shown, {0, room.y});
  } else {
    const auto rows = static_cast<float>(watch_list(trace, step).size() + 1);
    const float values = std::min(px(row_height) * rows + px(12), room.y * (state.in_short ? 0.25f : 0.4f));
    float lines = room.y - values - gap;
    if (state.in_short) {
      const float height = std::min(in_short_height(*state.code), room.y * 0.38f);
      in_short(f, trace, step, {0, height});
      lines -= height + ImGui::GetStyle().ItemSpacing.y;
    }
    code(f, model, step, shown, {0, lines});
    watch_panel(trace, step, {0, values});
  }
}

}  // namespace

void source_panel(frame& f) {
  const lookup_trace* trace = f.trace();
  if (!trace || trace->steps.empty()) {
    if (!f.session.index || !has_cells(*f.model())) return wait_or_explain(f, "the source of a lookup's steps");
    if (trace) return caption(trace->verdict);
    if (empty_view(icon::file, "Choose a key, and the lines that its lookup runs are here.", "draw",
                   "Draw a key at random"))
      f.act.choose_random_key(true);
    return;
  }
  const source_model& model = model_of_path(f);
  if (model.files().empty()) return caption("This lookup has no lines of the source.");
  const auto steps = static_cast<u32>(trace->steps.size());
  const u32 step = std::min(f.view.transport.step, steps - 1);
  file_chips(f, model, step, shown_file(f.view.source, model, step));
  flow_chip("in short", false);
  if (chip("in short", "in short", f.view.source.in_short ? chip_look::chosen : chip_look::plain))
    f.view.source.in_short = !f.view.source.in_short;
  hover_card("In short", "The same operation in some ten lines, beside the source.");
  // A click may have chosen another file, or gone to another step.
  const u32 now = std::min(f.view.transport.step, steps - 1);
  const std::size_t shown = shown_file(f.view.source, model, now);
  caption(where_words(model, now, steps, shown));
  legend();

  panes(f, model, *trace, now, shown);
}

}  // namespace pivotscope::viz
