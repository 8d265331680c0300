// The transport's line while the build is shown: a dot a slot where they have room, else a slider over the slots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/bars/build_scrub.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/view_state.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// Where slots lie along the line.
struct slot_line {
  float x0, span, y;
  u64 slots;

  float x_of(u64 slot) const {
    return slots <= 1 ? x0 : x0 + span * static_cast<float>(static_cast<double>(slot) / static_cast<double>(slots - 1));
  }
  u64 slot_at(float x) const {
    const double share = std::clamp(static_cast<double>((x - x0) / span), 0.0, 1.0);
    return static_cast<u64>(std::llround(share * static_cast<double>(slots - 1)));
  }
};

// A thick line in the levels' colours, as long as their slots.
void draw_levels(const frame& f, const slot_line& line, const pass_info& pass, u64 written) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 levels = f.model()->levels();
  const float half = px(4);
  const auto part = [&](u64 first, u64 end, bool done) {
    if (first >= end) return;
    const ImU32 colour = level_colour(f.model()->describe(pass.region, first).level, levels);
    draw.AddRectFilled({line.x_of(first), line.y - half}, {line.x_of(std::min(end, line.slots - 1)), line.y + half},
                       done ? colour : mix(colour, theme().panel, 0.7f), px(2));
  };
  std::vector<u64> begins = pass.levels;
  if (begins.empty() || begins.front() != 0) begins.insert(begins.begin(), 0);
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const u64 end = i + 1 < begins.size() ? begins[i + 1] : line.slots;
    const u64 reached = std::clamp(written, begins[i], end);
    part(begins[i], reached, true);
    part(reached, end, false);
  }
}

void draw_dots(const frame& f, const slot_line& line, const pass_info& pass, u64 now) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 levels = f.model()->levels();
  draw.AddRectFilled({line.x0, line.y - px(1.5f)}, {line.x0 + line.span, line.y + px(1.5f)}, theme().line, px(2));
  draw.AddRectFilled({line.x0, line.y - px(1.5f)}, {line.x_of(now), line.y + px(1.5f)}, theme().accent, px(2));
  for (u64 slot = 0; slot < line.slots; ++slot) {
    const cell_info cell = f.model()->describe(pass.region, slot);
    const ImVec2 middle{line.x_of(slot), line.y};
    draw.AddCircleFilled(middle, px(6), cell.empty ? theme().panel : level_colour(cell.level, levels));
    draw.AddCircle(middle, px(6), slot < now ? theme().text : theme().text_faint, 0, px(1));
  }
}

void draw_handle(const slot_line& line, u64 now) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 middle{line.x_of(now), line.y};
  draw.AddCircleFilled(middle, px(9), theme().text);
  if (now < 100) draw_text_centred(draw, fonts().mono_bold, 11, middle, theme().panel, std::to_string(now));
}

}  // namespace

void build_scrub(frame& f, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("scrub", {width, px(32)});
  const pass_info* pass = f.pass();
  const auto words = [&](ImU32 colour, const std::string& text) {
    ImGui::SameLine(0, px(12));
    const text_style style(fonts().words, type::small, colour);
    ImGui::SetCursorPosY((height - ImGui::GetTextLineHeight()) / 2);
    ImGui::TextUnformatted(text.c_str());
  };
  if (!pass) return words(theme().text_faint, "nothing to build");
  const slot_line line{at.x + px(10), width - px(20), at.y + px(16), pass->slots};
  const u64 pointed = line.slot_at(ImGui::GetIO().MousePos.x);
  if (ImGui::IsItemActive()) {
    f.view.transport.playing = false;
    go_to_place(f, {f.view.build.at.pass, pointed});
  } else if (ImGui::IsItemHovered()) {
    const cell_info cell = f.model()->describe(pass->region, pointed);
    hover_card(fmt::format("Slot {} of {}", grouped(pointed), pass->name),
               cell.empty ? "It stays empty." : fmt::format("On level {}.", cell.level), "Click or drag to go there.");
  }
  const u64 now = f.view.build.at.slot;
  if (line.slots == 1 || line.span / static_cast<float>(line.slots - 1) >= px(14))
    draw_dots(f, line, *pass, now);
  else
    draw_levels(f, line, *pass, now + 1);
  draw_handle(line, now);
  words(theme().text_dim, fmt::format("{}slot {} of {}", f.view.build.passes.size() > 1 ? pass->name + ", " : "",
                                      grouped(now), grouped(pass->slots)));
  hover_card("The slot that is written", f.view.build.merged.merge
                                             ? "Slots of the new array count from 0."
                                             : "Slots count from 0. Each is written by a thread of its own.");
}

}  // namespace pivotscope::viz
