#include "viz/parts/node_marks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope::viz {
namespace {

constexpr const char* lock = "\uF023";  // of Font Awesome 4, as theme/icons.hpp

}  // namespace

void draw_side_link(ImDrawList& to, ImVec2 from, ImVec2 end, float deep, ImU32 colour, float thickness) {
  to.AddBezierCubic(from, {from.x, from.y + deep}, {end.x, end.y + deep}, end, colour, thickness);
  to.AddTriangleFilled({end.x - px(4), end.y + px(7)}, {end.x + px(4), end.y + px(7)}, end, colour);
}

void draw_latch(ImDrawList& to, const box& node, const std::string& holder) {
  const std::string words = holder.empty() ? lock : fmt::format("{} {}", lock, holder);
  const float width = text_width(fonts().words_bold, type::tiny, words) + px(8);
  const box at{{node.low.x - px(2), node.low.y - px(18)}, {node.low.x - px(2) + width, node.low.y - px(3)}};
  to.AddRectFilled(at.low, at.high, theme().text, px(3));
  draw_text_centred(to, fonts().words_bold, type::tiny, at.middle(), theme().panel, words);
}

void draw_node_state(ImDrawList& to, const box& node, const std::string& words) {
  const float width = text_width(fonts().words_bold, type::tiny, words);
  const float x = std::max(node.high.x - width - px(14), node.low.x + px(24));
  draw_text(to, fonts().words_bold, type::tiny, {x, node.low.y - px(18)}, theme().text, words);
}

}  // namespace pivotscope::viz
