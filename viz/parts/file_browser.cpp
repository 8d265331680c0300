#include "viz/parts/file_browser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float most_rows = 9;

std::string path_in(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

// True: clicked. The size stands on the right, as far from the edge as a scroll bar is wide.
bool row_of(const folder_list::entry& one, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const bool clicked = ImGui::InvisibleButton(one.name.c_str(), {std::max(room, 1.0f), height});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) draw.AddRectFilled(at, {at.x + room, at.y + height}, theme().hovered, px(3));
  const float y = at.y + (height - px(type::small)) / 2 - px(1);
  draw_text(draw, fonts().words, type::small, {at.x + px(4), y}, theme().text_faint,
            one.is_folder ? icon::folder : icon::file);
  const std::string size = size_words(one);
  const float number = size.empty() ? 0 : text_width(fonts().mono, type::tiny, size) + px(10);
  draw_text_in(draw, one.is_folder ? fonts().words_medium : fonts().words, type::small, {at.x + px(24), y},
               room - px(28) - number, theme().text, one.name);
  if (!size.empty())
    draw_text(draw, fonts().mono, type::tiny, {at.x + room - number + px(4), y + px(1)}, theme().text_dim, size);
  return clicked;
}

}  // namespace

std::string size_words(const folder_list::entry& of) { return of.is_folder ? "" : bytes_text(of.bytes); }

std::optional<std::string> file_browser(frame& f) {
  const folder_list* const list = f.session.folder.get();
  if (!list) {
    caption("Looking into the folder.");
    return std::nullopt;
  }
  if (icon_button("above", icon::above, "The folder that this one is in", !list->above.empty(), 22))
    f.act.list_folder(list->above);
  ImGui::SameLine(0, px(4));
  ImGui::AlignTextToFramePadding();
  one_line(fonts().mono, type::tiny, theme().text_dim, list->folder);
  if (!list->problem.empty()) say_wrong(list->problem);
  std::optional<std::string> chosen;
  const float height = px(22);
  const float rows = std::min(static_cast<float>(list->entries.size()), most_rows);
  if (ImGui::BeginChild("folder", {0, height * std::max(rows, 1.0f) + px(2)})) {
    if (list->entries.empty() && list->problem.empty()) caption("There is nothing in it.");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(list->entries.size()), height);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const folder_list::entry& one = list->entries[static_cast<std::size_t>(i)];
        if (!row_of(one, height)) continue;
        const std::string path = path_in(list->folder, one.name);
        if (one.is_folder)
          f.act.list_folder(path);
        else
          chosen = path;
      }
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
  if (list->left_out > 0) caption(fmt::format("and {} more: type the path.", short_count(list->left_out)));
  return chosen;
}

}  // namespace pivotscope::viz
