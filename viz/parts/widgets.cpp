#include "viz/parts/widgets.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "viz/parts/spotlight.hpp"
#include "viz/theme/icons.hpp"

namespace pivotscope::viz {
namespace {

constexpr float card_width = 320;

struct click_box {
  ImVec2 low, high;
  bool clicked = false, hovered = false, held = false;
};

click_box click_area(const char* id, ImVec2 size, bool enabled = true) {
  click_box box;
  ImGui::BeginDisabled(!enabled);
  box.low = ImGui::GetCursorScreenPos();
  box.clicked = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
  ImGui::EndDisabled();
  box.high = {box.low.x + size.x, box.low.y + size.y};
  box.hovered = enabled && ImGui::IsItemHovered();
  box.held = enabled && ImGui::IsItemActive();
  return box;
}

float chip_width(const std::string& text) { return text_width(fonts().mono, type::small, text) + px(16); }

}  // namespace

void heading(const std::string& title, const std::string& sentence) {
  const text_style style(fonts().words_medium, type::small, theme().text_dim);
  ImGui::TextUnformatted(title.c_str());
  spot(title);
  if (!sentence.empty()) hover_card(title, sentence);
}

void caption(const std::string& words) {
  const text_style style(fonts().words, type::small, theme().text_faint);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
}

void wrapped(ImFont* font, float size, ImU32 colour, const std::string& words) {
  const text_style style(font, size, colour);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
}

void say_wrong(const std::string& words) {
  if (!words.empty())
    wrapped(fonts().words_medium, type::small, theme().bad, std::string(icon::warning) + "  " + words);
}

void hover_card(const std::string& title, const std::string& words, const std::string& remark) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_AllowWhenDisabled))
    card_at_mouse(title, words, remark);
}

void card_at_mouse(const std::string& title, const std::string& words, const std::string& remark) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(12), px(10)));
  if (ImGui::BeginTooltip()) {
    ImGui::PushTextWrapPos(px(card_width));
    if (!title.empty()) {
      const text_style style(fonts().words_bold, type::body, theme().text);
      ImGui::TextUnformatted(title.c_str());
    }
    if (!words.empty()) {
      const text_style style(fonts().words, type::small, theme().text_dim);
      ImGui::TextUnformatted(words.c_str());
    }
    if (!remark.empty()) {
      const text_style style(fonts().words_medium, type::small, theme().text);
      ImGui::TextUnformatted(remark.c_str());
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

bool chip(const char* id, const std::string& text, chip_look look) {
  const click_box box = click_area(id, {chip_width(text), px(24)});
  const theme_tokens& t = theme();
  ImU32 ground = look == chip_look::refused ? with_alpha(t.raised, 0.35f) : t.raised, ink = t.text_dim;
  if (look == chip_look::refused) ink = t.text_faint;
  if (look == chip_look::reachable) ground = t.panel;
  if (look == chip_look::chosen)
    ground = t.text, ink = t.panel;
  else if (box.held)
    ground = t.pressed, ink = t.text;
  else if (box.hovered)
    ground = t.hovered, ink = look == chip_look::refused ? t.text_dim : t.text;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(box.low, box.high, ground, px(4));
  if (look == chip_look::reachable) draw.AddRect(box.low, box.high, t.text_faint, px(4));
  const ImVec2 middle{(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2};
  spot(text);
  draw_text_centred(draw, look == chip_look::chosen ? fonts().mono_bold : fonts().mono, type::small, middle, ink, text);
  if (look == chip_look::refused)
    draw.AddLine({box.low.x + px(5), middle.y}, {box.high.x - px(5), middle.y}, ink, px(1));
  return box.clicked;
}

void flow_chip(const std::string& text, bool first) {
  if (first) return;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (ImGui::GetItemRectMax().x + px(4) + chip_width(text) <= right) ImGui::SameLine(0, px(4));
}

bool icon_button(const char* id, const char* icon, const std::string& hint, bool enabled, float size) {
  const click_box box = click_area(id, {px(size), px(size)}, enabled);
  spot(id);
  if (!hint.empty()) hover_card("", hint);
  const theme_tokens& t = theme();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (box.held || box.hovered) draw.AddRectFilled(box.low, box.high, box.held ? t.pressed : t.hovered, px(4));
  const ImU32 ink = !enabled ? with_alpha(t.text_faint, 0.5f) : box.hovered ? t.text : t.text_dim;
  draw_text_centred(draw, fonts().words, size * 0.5f, {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2}, ink,
                    icon);
  return box.clicked && enabled;
}

bool button(const char* id, const std::string& words, const char* icon, bool enabled, bool strong) {
  const std::string text = icon ? std::string(icon) + "  " + words : words;
  const float width = text_width(fonts().words_medium, type::small, text) + px(24);
  const click_box box = click_area(id, {width, px(28)}, enabled);
  spot(words);
  const theme_tokens& t = theme();
  ImU32 ground = strong ? t.text : t.raised, ink = strong ? t.panel : t.text;
  if (!strong && (box.held || box.hovered)) ground = box.held ? t.pressed : t.hovered;
  if (strong && (box.held || box.hovered)) ground = mix(t.text, t.panel, box.held ? 0.25f : 0.12f);
  if (!enabled) ground = with_alpha(t.raised, 0.4f), ink = t.text_faint;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(box.low, box.high, ground, px(4));
  draw_text_centred(draw, fonts().words_medium, type::small,
                    {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2}, ink, text);
  return box.clicked && enabled;
}

bool text_field(const char* id, std::string& text, const char* hint, float width, float size, ImU32 colour) {
  ImGui::PushFont(fonts().mono, size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour ? colour : theme().text);
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputTextWithHint(
      id, hint, &text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  // What was typed is done: the next keys step and play, and are no control's.
  if (entered) ImGui::SetNavCursorVisible(false);
  spot(id);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  return entered;
}

void count_field(const char* name, const std::string& meaning, entry_state& entry, u64& value, u64 least, u64 greatest,
                 float width) {
  ImGui::PushID(name);
  entry.forget_old_problem(count_text(value));
  const bool entered = text_field("##value", entry.text, "1000", width, type::small);
  const bool active = ImGui::IsItemActive(), left = ImGui::IsItemDeactivatedAfterEdit();
  if (ImGui::IsItemActivated()) entry.problem.clear();
  if (entry.problem.empty()) hover_card(name, meaning, "As 1000, 2^10 or 1e3. Then Enter.");
  if (entered || left) {
    const outcome<u64> count = parse_count(entry.text, name, least, greatest);
    entry.refuse(count ? "" : count.error().words, count_text(value));
    if (count) value = *count;
  } else if (!active && entry.problem.empty()) {
    entry.text = count_text(value);
  }
  ImGui::PopID();
}

const char* provenance_word(provenance origin) {
  switch (origin) {
    case provenance::live:
      return "live";
    case provenance::measured:
      return "measured";
    case provenance::modelled:
      return "modelled";
  }
  return "";
}

// Regular, bold, italic: told apart without colour.
ImFont* provenance_font(provenance origin) {
  switch (origin) {
    case provenance::live:
      return fonts().words;
    case provenance::measured:
      return fonts().words_bold;
    case provenance::modelled:
      return fonts().words_italic;
  }
  return fonts().words;
}

void provenance_note(provenance origin) {
  {
    const text_style style(provenance_font(origin), type::tiny, theme().text_faint);
    ImGui::TextUnformatted(provenance_word(origin));
  }
  switch (origin) {
    case provenance::live:
      return hover_card("live", "One pass after the last change, not warmed up. Every answer was checked.");
    case provenance::measured:
      return hover_card("measured", "Warmed up, repeated, the median shown. Every answer was checked.");
    case provenance::modelled:
      return hover_card("modelled", "Counted on the trace of a lookup, not timed.");
  }
}

void figure(const std::string& name, const std::string& value, provenance origin, float width) {
  ImGui::BeginGroup();
  const float x = ImGui::GetCursorPosX();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted(name.c_str());
  }
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - px(4));
  {
    const text_style style(fonts().mono, type::large, theme().text);
    ImGui::TextUnformatted(value.c_str());
  }
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - px(4));
  provenance_note(origin);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(x);
  ImGui::Dummy({width, 1});
  ImGui::EndGroup();
  spot(name);
}

bool empty_view(const char* icon, const std::string& words, const char* button_id, const std::string& button_words) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  const float wrap = std::min(room.x - px(16), px(360));
  const ImVec2 extent = fonts().words->CalcTextSizeA(px(type::body), FLT_MAX, wrap, words.c_str());
  const float height = px(40) + extent.y + (button_words.empty() ? 0 : px(44));
  float y = at.y + std::max(px(8), (room.y - height) / 2);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_text_centred(draw, fonts().words, 24, {at.x + room.x / 2, y + px(12)}, theme().text_faint, icon);
  y += px(40);
  draw.AddText(fonts().words, px(type::body), {at.x + (room.x - extent.x) / 2, y}, theme().text_dim, words.c_str(),
               nullptr, wrap);
  y += extent.y + px(16);
  if (button_words.empty()) {
    ImGui::Dummy({1, 1});
    return false;
  }
  const float width = text_width(fonts().words_medium, type::small, button_words) + px(24);
  ImGui::SetCursorScreenPos({at.x + (room.x - width) / 2, y});
  return button(button_id, button_words, nullptr, true, true);
}

float right_edge() {
  return ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x - ImGui::GetCurrentWindow()->ScrollbarSizes.x;
}

void one_line(ImFont* font, float size, ImU32 colour, const std::string& words) {
  const std::string shown = elided(font, size, words, ImGui::GetContentRegionAvail().x);
  {
    const text_style style(font, size, colour);
    ImGui::TextUnformatted(shown.c_str());
  }
  if (shown != words) hover_card("", words);
}

void fact(const std::string& name, const std::string& value, const std::string& meaning) {
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  ImGui::BeginGroup();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted(name.c_str());
  }
  ImGui::SameLine();
  const std::string shown = elided(fonts().mono, type::small, value, right - ImGui::GetCursorPosX());
  const float width = text_width(fonts().mono, type::small, shown);
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right - width));
  {
    const text_style style(fonts().mono, type::small, theme().text);
    ImGui::TextUnformatted(shown.c_str());
  }
  ImGui::EndGroup();
  spot(name);
  if (!meaning.empty() || shown != value) hover_card(name, meaning, shown != value ? value : "");
}

}  // namespace pivotscope::viz
