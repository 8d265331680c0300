#include "viz/parts/key_label.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/machine/trace/trace.hpp"
#include "core/workload/question_text.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {
namespace {

constexpr float sizes[] = {14, 12, 11, 10, 9};
// One below the other: of a digit's width what is left of the narrowest cell, and lines as close as digits can stand.
constexpr float stacked_size = 8, stacked_line = 7.5f;
// Shortened keys keep a size that is read with ease, where that tells them apart.
constexpr float shortened[] = {12, 10, 9};

u32 chars_in(float room, float size) {
  const float one = text_width(fonts().mono_bold, size, "0");
  return one > 0 && room > 0 ? static_cast<u32>(room / one) : 0;
}

// The characters of a shortened key, one a line: the ellipsis stands upright.
std::vector<std::string> signs_of(const std::string& words) {
  std::vector<std::string> signs;
  for (std::size_t i = 0; i < words.size();) {
    const bool ellipsis = words.compare(i, 3, "\u2026") == 0;
    signs.push_back(ellipsis ? "\u22EE" : words.substr(i, 1));
    i += ellipsis ? 3 : 1;
  }
  return signs;
}

}  // namespace

key_labels::key_labels(std::span<const u64> keys, float room, float largest, float height) {
  if (keys.empty()) return;
  const u32 longest = digits_of(*std::max_element(keys.begin(), keys.end()));
  for (const float size : sizes) {
    if (size > largest || chars_in(room, size) < longest) continue;
    form_ = {.chars = longest}, size_ = size, whole_ = true;
    return;
  }
  for (const float size : shortened) {
    const u32 chars = chars_in(room, size);
    if (size > largest || chars < least_key_chars) continue;
    const bool more = size_ == 0 || chars > form_.chars;
    if (more) form_ = form_of(keys, chars), size_ = size;
    if (form_.distinct) return;
  }
  const auto lines = static_cast<u32>(std::max(height, 0.0f) / px(stacked_line));
  if (lines <= std::max(chars(), least_key_chars - 1) || chars_in(room, stacked_size) < 1) return;
  size_ = stacked_size, stacked_ = true, whole_ = lines >= longest;
  form_ = whole_ ? key_form{.chars = longest} : form_of(keys, lines);
}

bool key_labels::draw(ImDrawList& to, const box& at, float y, ImU32 ink, u64 key, bool struck) const {
  const std::string words = of(key);
  if (words.empty()) return false;
  if (stacked_) return draw_stacked(to, at, y, ink, words, struck);
  const float width = text_width(fonts().mono_bold, size_, words);
  if (width > at.width()) return false;
  draw_text_centred(to, fonts().mono_bold, size_, {at.middle().x, y}, ink, words);
  if (struck) draw_struck(to, {at.middle().x, y}, width, ink);
  return true;
}

bool key_labels::draw_stacked(ImDrawList& to, const box& at, float y, ImU32 ink, const std::string& words,
                              bool struck) const {
  const std::vector<std::string> signs = signs_of(words);
  const float height = px(stacked_line) * static_cast<float>(signs.size());
  if (height > at.height() || text_width(fonts().mono_bold, size_, "0") > at.width() + 1) return false;
  float line = y - height / 2 + px(stacked_line) / 2;
  for (const std::string& sign : signs) {
    draw_text_centred(to, fonts().mono_bold, size_, {at.middle().x, line}, ink, sign);
    line += px(stacked_line);
  }
  if (struck) to.AddLine({at.middle().x, y - height / 2}, {at.middle().x, y + height / 2}, ink, 1);
  return true;
}

float cell_for_keys(const frame& f, float usual) {
  const std::string longest = std::to_string(f.session.index->key_range().second);
  return std::max(usual, text_width(fonts().mono_bold, sizes[0], longest) + px(10));
}

void question_pill(const frame& f, bool same_line) {
  if (!f.session.choice.key) return;
  const std::string words = to_text(*f.session.choice.key);
  const float caret = px(16), width = text_width(fonts().mono_bold, type::small, words) + caret + px(12);
  if (same_line) {
    ImGui::SameLine(0, px(16));
    if (ImGui::GetCursorPosX() + width > right_edge()) ImGui::NewLine();
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const box pill{at, {at.x + width, at.y + px(20)}};
  ImGui::Dummy({width, px(20)});
  spot("looked for");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(pill.low, pill.high, theme().accent, px(4));
  const ImVec2 tip{at.x + px(12), pill.middle().y + px(4)};
  draw.AddTriangleFilled({tip.x - px(5), tip.y - px(7)}, {tip.x + px(5), tip.y - px(7)}, tip, theme().on_accent);
  draw_text(draw, fonts().mono_bold, type::small, {at.x + caret + px(6), pill.middle().y - px(8.5f)}, theme().on_accent,
            words);
  hover_card("Looking for " + words);
}

}  // namespace pivotscope::viz
