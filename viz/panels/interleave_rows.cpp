#include "viz/panels/interleave_rows.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"

namespace pivotscope::viz {
namespace {

constexpr float number_width = 34, bar_width = 4, bar_step = 8;

struct columns {
  float left, first, each;
  float bars = 0;  // room for those of latches, at a column's left side
  float at(u32 task) const { return left + first + each * static_cast<float>(task); }
  float bar(u32 task, u32 lane) const { return at(task) + px(6 + bar_step * static_cast<float>(lane)); }
  float words(u32 task) const { return at(task) + px(6) + bars; }
};

// The latches and claimed cells that operations hold while the access is made: bars that go on from row to row.
void latch_bars(ImDrawList& draw, const interleave_model& model, std::size_t i, const columns& at, float top) {
  const float height = px(access_row_height);
  for (const latch_held& held : model.latches().held) {
    if (!held.at_access(i)) continue;
    const float x = at.bar(held.task, held.lane);
    const bool first = i == held.first, last = i + 1 == held.end;
    const box bar{{x, top + (first ? height * 0.3f : 0)}, {x + px(bar_width), top + (last ? height * 0.7f : height)}};
    draw.AddRectFilled(bar.low, bar.high, theme().edge, first || last ? px(2) : 0);
    if (ImGui::IsMouseHoveringRect({x - px(2), top}, {x + px(bar_width + 2), top + height}))
      card_at_mouse(
          fmt::format("Operation {} {} {}", held.task, held.is_claim ? "has claimed" : "holds the latch of", held.name),
          fmt::format("From access {} to {}.", held.first + 1, held.end));
  }
}

// From an access that found a latch taken, to the bar of whoever holds it.
void wait_arrow(ImDrawList& draw, const interleave_model& model, const latch_wait& wait, const columns& at, float from,
                float end, float y) {
  const latch_held& held = model.latches().held[wait.held];
  const float to = at.bar(held.task, held.lane) + px(bar_width / 2), side = to < from ? 1.0f : -1.0f;
  const float begin = to < from ? from - px(2) : end + px(4), tip = to + side * px(bar_width / 2 + 1);
  draw.AddLine({begin, y}, {tip + side * px(4), y}, theme().text, px(1.5f));
  draw.AddTriangleFilled({tip, y}, {tip + side * px(6), y - px(4)}, {tip + side * px(6), y + px(4)}, theme().text);
}

void heads(const interleave_model& model, const columns& at) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (u32 i = 0; i < model.operations(); ++i)
    draw_text_in(draw, fonts().words_bold, type::small, {at.at(i) + px(6), corner.y + px(2)}, at.each - px(12),
                 theme().text, fmt::format("{}: {}", i, model.operation_words(i)));
  const float y = corner.y + px(access_row_height) + 0.5f, right = at.at(static_cast<u32>(model.operations()));
  draw.AddLine({at.left, y}, {right, y}, theme().line);
  ImGui::Dummy({right - at.left, px(access_row_height) + px(2)});
}

// What each came to.
void feet(const interleave_model& model, const columns& at) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float right = at.at(static_cast<u32>(model.operations()));
  draw.AddLine({at.left, corner.y}, {right, corner.y}, theme().line);
  for (u32 i = 0; i < model.operations(); ++i)
    draw_text_in(draw, fonts().words_medium, type::small, {at.at(i) + px(6), corner.y + px(3)}, at.each - px(12),
                 theme().text, "= " + model.end_words(i));
  ImGui::Dummy({right - at.left, px(access_row_height) + px(2)});
}

void access_row(frame& f, const interleave_model& model, std::size_t i, const columns& at) {
  interleave_state& state = f.view.interleave;
  const theme_tokens& t = theme();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float right = at.at(static_cast<u32>(model.operations())), height = px(access_row_height);
  ImGui::PushID(static_cast<int>(i));
  if (ImGui::InvisibleButton("access", {right - at.left, height})) state.step = i + 1;
  ImGui::PopID();
  const bool hovered = ImGui::IsItemHovered(), now = i + 1 == state.step, done = i < state.step;
  const u32 task = model.task(i);
  const std::string words = model.words(i);
  const std::string& stage = model.stage(i);
  if (hovered)
    hover_card(stage.empty() ? words : stage,
               stage.empty() ? model.meaning(i) : fmt::format("{}. {}", words, model.meaning(i)),
               now ? "" : "A click goes there.");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (now || hovered)
    draw.AddRectFilled(corner, {right, corner.y + height}, hovered && !now ? t.hovered : t.raised, px(3));
  if (now)
    draw.AddRectFilled({corner.x, corner.y + px(3)}, {corner.x + px(3), corner.y + height - px(3)}, t.text, px(1.5f));
  const float y = corner.y + px(2);
  const ImU32 ink = now ? t.text : done ? t.text_dim : t.text_faint;
  const std::string number = std::to_string(i + 1);
  draw_text(draw, fonts().mono, type::tiny,
            {corner.x + px(number_width) - px(8) - text_width(fonts().mono, type::tiny, number), y + px(1)}, ink,
            number);
  // From its column on; further to the left where there is no room for all of it.
  ImFont* font = now ? fonts().mono_bold : fonts().mono;
  const float sign = px(16);
  const float staged = stage.empty() ? 0 : text_width(fonts().words_medium, type::small, stage) + px(10);
  const float last = right - px(6) - sign - (stage.empty() ? text_width(font, type::small, words) : staged);
  const float x = std::max(std::min(at.words(task), last), corner.x + px(number_width));
  if (model.writes(i)) draw_text(draw, fonts().words, type::tiny, {x, y + px(1)}, ink, icon::pencil);
  if (!stage.empty())
    draw_text_in(draw, fonts().words_medium, type::small, {x + sign, y}, right - px(6) - sign - x,
                 done ? t.text : t.text_dim, stage);
  const float room = right - px(6) - sign - x - staged;
  if (stage.empty() || room > px(60))
    draw_text_in(draw, font, type::small, {x + sign + staged, y}, room, stage.empty() ? ink : t.text_faint, words);
  latch_bars(draw, model, i, at, corner.y);
  if (const latch_wait* wait = model.latches().wait_at(i))
    wait_arrow(draw, model, *wait, at, x, std::min(x + sign + staged, right), corner.y + height / 2);
  // Another one goes on: the line turns from its column to this one.
  if (!model.switches(i)) return;
  const float from = at.words(model.task(i - 1)) + px(4), to = at.words(task) + px(4);
  draw.AddLine({at.left + px(number_width), corner.y}, {right, corner.y}, t.edge);
  draw.AddTriangleFilled({to - px(4), corner.y - px(2)}, {to + px(4), corner.y - px(2)}, {to, corner.y + px(3)},
                         t.text_dim);
  draw.AddCircleFilled({from, corner.y}, px(2.5f), t.text_dim);
}

}  // namespace

void interleave_rows(frame& f, const interleave_model& model, float height) {
  interleave_state& state = f.view.interleave;
  const float whole = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
  columns at{ImGui::GetCursorScreenPos().x, px(number_width), 0};
  at.each = (whole - at.first) / static_cast<float>(model.operations());
  if (const u32 lanes = model.latches().lanes(); lanes > 0) at.bars = px(bar_step * static_cast<float>(lanes) + 4);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  heads(model, at);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginChild("accesses", {0, height - 2 * px(access_row_height + 2)}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_NoNav)) {
    const float row = px(access_row_height), room = ImGui::GetWindowHeight();
    if (state.scroll) {
      state.scroll = false;
      const float y = row * static_cast<float>(state.step > 0 ? state.step - 1 : 0), top = ImGui::GetScrollY();
      if (y < top || y + 2 * row > top + room) ImGui::SetScrollY(std::max(0.0f, y - room / 2 + row));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(model.accesses()), row);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        access_row(f, model, static_cast<std::size_t>(i), at);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  feet(model, at);
  spot("accesses", {corner, ImGui::GetItemRectMax()});
}

}  // namespace pivotscope::viz
