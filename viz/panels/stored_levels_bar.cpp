// The levels that a config may store or leave out as a row of squares above the tree: filled where stored, hollow where
// trimmed; a click stores the levels down to there.
#include <fmt/format.h>

#include <algorithm>

#include "core/index/check.hpp"
#include "viz/panels/stored_levels_bar.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/view_state.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

void keep(frame& f, u32 kept) {
  const index_config wanted = f.model()->keep_levels(f.session.choice.config, kept);
  if (!check(wanted) && !(wanted == f.session.choice.config)) f.act.choose_config(wanted);
}

void level_square(frame& f, const stored_levels& levels, u32 level, ImVec2 size) {
  const bool stored = level < levels.kept;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(level));
  const bool clicked = ImGui::InvisibleButton("keep", size);
  ImGui::PopID();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box square{at, {at.x + size.x - px(2), at.y + size.y}};
  const ImU32 colour = level_colour(level, levels.kept + 1);
  if (stored)
    draw_cell(draw, square, colour, false);
  else
    draw_ghost(draw, square);
  draw_text_centred(draw, fonts().mono, 11, square.middle(), stored ? ink_on(colour) : theme().text_faint,
                    std::to_string(level));
  const region_info& region = f.model()->region(levels.region);
  hover_card(fmt::format("{} {}, {}", capitalised(levels.name), level, stored ? "stored" : "not stored"),
             fmt::format("{} {}, {}.", grouped(levels.cells[level]), region.name,
                         bytes_text(region.bytes_of(levels.cells[level]))),
             level + 1 == levels.kept ? "The last that is stored."
             : stored                 ? fmt::format("Click to trim what is below it: {}={}.", levels.knob, level + 1)
                                      : "Click to store the levels down to this one.");
  if (clicked) keep(f, level + 1);
}

std::string trimmed_words(const stored_levels& levels, const std::string& cells) {
  const std::string leaf = fmt::format("leaf partitions of {} entr{}, {}", grouped(levels.leaf_entries),
                                       levels.leaf_entries == 1 ? "y" : "ies", bytes_text(levels.leaf_bytes));
  if (levels.kept == levels.whole()) return fmt::format("{} of {}, {}", bytes_text(levels.whole_bytes), cells, leaf);
  return fmt::format("{} saved: {} of {}, not {}; {}", bytes_text(levels.saved_bytes()), bytes_text(levels.kept_bytes),
                     cells, bytes_text(levels.whole_bytes), leaf);
}

}  // namespace

void stored_levels_bar(frame& f) {
  const auto levels = f.model()->optional_levels();
  if (!levels) return;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float y = ImGui::GetCursorPosY(), right = right_edge();
  ImGui::SetCursorPosY(y + px(3));
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    const std::string title = levels->name + "s";
    ImGui::TextUnformatted(title.c_str());
    hover_card(capitalised(title), levels->meaning);
  }
  const float width = px(levels->whole() > 16 ? 17.0f : 22.0f);
  for (u32 level = 0; level < levels->whole(); ++level) {
    ImGui::SameLine(0, level == 0 ? px(8) : 0);
    ImGui::SetCursorPosY(y + px(2));
    level_square(f, *levels, level, {width, px(18)});
  }
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(y + px(1));
  if (icon_button("fewer levels", icon::back, "Store a level less", levels->kept > 1, 20)) keep(f, levels->kept - 1);
  ImGui::SameLine(0, 0);
  const std::string count = fmt::format("{} of {}", levels->kept, levels->whole());
  const float room = text_width(fonts().mono_bold, type::small, count) + px(8);
  ImGui::SetCursorPosY(y + px(1));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({room, px(20)});
  draw_text_centred(*ImGui::GetWindowDrawList(), fonts().mono_bold, type::small, {at.x + room / 2, at.y + px(10)},
                    theme().text, count);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosY(y + px(1));
  if (icon_button("more levels", icon::forward, "Store a level more", levels->kept < levels->whole(), 20))
    keep(f, levels->kept + 1);
  spot("levels", {corner, {ImGui::GetItemRectMax().x, corner.y + px(22)}});
  const std::string words = trimmed_words(*levels, f.model()->region(levels->region).name);
  const text_style style(fonts().words, type::small, theme().text_dim);
  ImGui::SameLine(0, px(12));
  if (ImGui::GetCursorPosX() + text_width(fonts().words, type::small, words) > right) {
    ImGui::NewLine();
  } else {
    ImGui::SetCursorPosY(y + px(3));
  }
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  hover_card(
      "Why leave levels out",
      "The lowest level is the largest: at fanout 2 as large as all above it. Without it the others stay in the "
      "cache, or fit into scratch. The search goes on in a larger leaf partition instead, whose keys lie side by "
      "side: its last steps find them in sectors that were just read.",
      "Compare tells what it costs and gains: pin the index first.");
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), y + px(26)));
}

}  // namespace pivotscope::viz
