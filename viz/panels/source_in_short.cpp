#include "viz/panels/source_in_short.hpp"

#include <fmt/format.h>

#include "viz/parts/marks.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float row_height = 19, text_at = 34;

// The next step that runs it, from the end on the first one again; nothing when none does.
std::optional<u32> step_that_runs(const linked_code& code, std::size_t line, const lookup_trace& trace, u32 step) {
  const auto steps = static_cast<u32>(trace.steps.size());
  for (u32 i = 1; i <= steps; ++i)
    if (const u32 to = (step + i) % steps; code.runs(line, trace, to)) return to;
  return std::nullopt;
}

void card(const linked_code& code, std::size_t line, bool runs, std::optional<u32> to, u32 step) {
  std::string where;
  std::string_view file;
  for (const source_spot& spot : code.source(line)) {
    if (spot.file != file) where += fmt::format("{}{}: ", file.empty() ? "" : "\n", spot.file);
    where += fmt::format("{}{}", spot.file == file ? ", " : "", spot.line);
    file = spot.file;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(8)));  // lines have none between them
  hover_card(runs ? "This step runs it" : "This step does not run it",
             where.empty() ? "No line of the source by itself." : where,
             !runs && to && *to != step ? fmt::format("Click to go to step {}.", *to + 1)
             : where.empty()            ? ""
                                        : "Click to see it in the source.");
  ImGui::PopStyleVar();
}

}  // namespace

float in_short_height(const linked_code& code) {
  return px(row_height) * static_cast<float>(code.lines().size()) + px(30);
}

void in_short(frame& f, const lookup_trace& trace, u32 step, ImVec2 size) {
  source_state& state = f.view.source;
  const linked_code& code = *state.code;
  if (ImGui::BeginChild("lines in short", size, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    heading("In short",
            "The same in some ten lines. Those with a mark are what this step does; the arrow is where it reads. Point "
            "at one and its "
            "lines in the source are lit, and the other way round.");
    const trace_step& at_step = trace.steps[step];
    const std::optional<std::size_t> main =
        at_step.ran.empty() ? std::nullopt
                            : code.line_at({at_step.ran[at_step.main_line].file, at_step.ran[at_step.main_line].line});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    float longest = 0;
    for (const pseudo_line& line : code.lines())
      longest = std::max(longest, text_width(fonts().mono, type::small, line.text));
    const float width = std::max(ImGui::GetContentRegionAvail().x, px(text_at + 8) + longest), height = px(row_height);
    for (std::size_t i = 0; i < code.lines().size(); ++i) {
      const pseudo_line& line = code.lines()[i];
      const bool runs = code.runs(i, trace, step), now = i == main;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool clicked = ImGui::InvisibleButton(fmt::format("short line {}", i + 1).c_str(), {width, height},
                                                  ImGuiButtonFlags_EnableNav);
      const bool hovered = ImGui::IsItemHovered();
      if (hovered) {
        state.points_next = i;
        card(code, i, runs, step_that_runs(code, i, trace, step), step);
      }
      if (clicked) {
        u32 to = step;
        if (!runs) to = step_that_runs(code, i, trace, step).value_or(step);
        if (to != step) {
          f.view.transport.playing = false;
          go_to_step(f, to);
        }
        if (const auto spot = code.source_in(i, trace.steps[to])) state.shown = spot, state.chosen = spot->file;
      }
      ImDrawList& draw = *ImGui::GetWindowDrawList();
      const theme_tokens& t = theme();
      const float y = at.y + height / 2;
      if (now)
        draw.AddRectFilled(at, {at.x + width, at.y + height}, t.raised);
      else if (state.pointed == i)
        draw.AddRectFilled(at, {at.x + width, at.y + height}, with_alpha(t.hovered, 0.6f));
      if (now) {
        draw.AddRectFilled({at.x, at.y + px(2)}, {at.x + px(3), at.y + height - px(2)}, t.accent, px(2));
        draw_line_arrow(draw, {at.x + px(14), y}, true);
      }
      if (runs && !now) draw_line_dot(draw, {at.x + px(14), y}, true);
      draw_text(draw, runs ? fonts().mono_bold : fonts().mono, type::small, {at.x + px(text_at - 8), y - px(8.5f)},
                runs || i == 0 ? t.text : t.text_dim, line.text);
    }
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
}

}  // namespace pivotscope::viz
