// The last line: what is told, or the first keys to know where there is nothing to tell.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "viz/bars/notice_strip.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/commands.hpp"
#include "viz/state/key_chord.hpp"
#include "viz/state/view_state.hpp"
#include "viz/theme/icons.hpp"

namespace pivotscope::viz {
namespace {

// In one line, cut where it does not fit; the whole of it on hover.
void notice_words(const notice& n, float room) {
  std::string words = n.words;
  std::replace(words.begin(), words.end(), '\n', ' ');
  if (text_width(fonts().words_medium, type::small, words) > room) {
    while (!words.empty() && text_width(fonts().words_medium, type::small, words + "...") > room)
      words.erase(words.size() - words.size() / 40 - 1);
    words += "...";
  }
  ImGui::TextUnformatted(words.c_str());
  if (words != n.words) hover_card("", n.words);
}

// A notice's row: its mark, its words, and the cross that takes it away.
bool notice_row(const notice& n, int which, float width, float height) {
  const ImVec2 at = ImGui::GetCursorPos(), corner = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(corner, {corner.x + width, corner.y + height},
                                            n.fault ? theme().bad_soft : theme().raised);
  ImGui::PushID(which);
  const float line = (height - px(type::small)) / 2 - px(1);
  ImGui::SetCursorPos({at.x + px(16), at.y + line});
  {
    const text_style style(fonts().words_medium, type::small, theme().text);
    ImGui::PushStyleColor(ImGuiCol_Text, n.fault ? theme().bad : theme().text_dim);
    ImGui::TextUnformatted(n.fault ? icon::warning : icon::info);
    ImGui::PopStyleColor();
    ImGui::SameLine(0, px(10));
    notice_words(n, width - px(16 + 24 + 60 + 110));
  }
  ImGui::SetCursorPos({at.x + width - px(44), at.y + (height - px(26)) / 2});
  const bool dismissed = icon_button("dismiss", icon::cross, "Read: away with it", true, 26);
  ImGui::PopID();
  ImGui::SetCursorPos({at.x, at.y + height});
  ImGui::Dummy({width, 0});
  return dismissed;
}

// What a newcomer may do next stands where there is nothing to tell.
void hint_row(const frame& f, float height) {
  ImGui::SetCursorPos({px(16), (height - px(type::small)) / 2 - px(1)});
  const text_style style(fonts().words, type::small, theme().text_faint);
  const auto keys = [&](const char* id) { return to_text(f.view.keys.of(find_command(id).value())); };
  const std::string words = fmt::format(
      "{} plays the steps, {} and {} step; a digit begins the next key; {} finds any command, {} lists the keys",
      keys("play"), keys("step-back"), keys("step-on"), keys("commands"), keys("keys"));
  if (text_width(fonts().words, type::small, words) < ImGui::GetWindowWidth() - px(32))
    ImGui::TextUnformatted(words.c_str());
  else
    ImGui::Dummy({1, 1});
}

}  // namespace

// One line, which is always there, so that nothing moves below the mouse when something is told. The latest is in it, the others are
// behind a click.
void notice_strip(frame& f) {
  const std::size_t total = f.session.notices.size();
  const float width = ImGui::GetWindowWidth(), height = notice_strip_height();
  if (total == 0) return hint_row(f, height);
  std::optional<std::size_t> dismissed;
  ImGui::SetCursorPos({0, 0});
  if (notice_row(f.session.notices.back(), static_cast<int>(total) - 1, width, height)) dismissed = total - 1;
  if (total > 1) {
    ImGui::SetCursorPos({width - px(44 + 100), (height - px(24)) / 2});
    if (chip("more notices", fmt::format("{} more", total - 1), chip_look::plain)) ImGui::OpenPopup("all notices");
  }
  const ImVec2 low = ImGui::GetWindowPos();
  ImGui::SetNextWindowPos({low.x, low.y}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginPopup("all notices")) {
    for (std::size_t i = 0; i + 1 < total; ++i)
      if (notice_row(f.session.notices[i], static_cast<int>(i), width, px(36))) dismissed = i;
    if (total == 1) ImGui::CloseCurrentPopup();
    ImGui::Dummy({0, 0});
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  if (dismissed) f.act.dismiss(*dismissed);
}

float notice_strip_height() { return px(30); }

}  // namespace pivotscope::viz
