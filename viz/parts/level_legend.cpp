#include "viz/parts/level_legend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/family.hpp"
#include "viz/cells/level_counts.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// What lies on a level, and where.
std::string level_words(const index_model& model, u32 level, const std::optional<cell_run>& run) {
  if (run) {
    const region_info& region = model.region(run->region);
    return fmt::format("{} {}, {}, in one run from slot {}.", grouped(run->count), region.name,
                       bytes_text(region.bytes_of(run->count)), grouped(run->first));
  }
  return fmt::format("{} {}, scattered over the array.", grouped(cells_by_level(model)[level]),
                     model.region(main_region).name);
}

}  // namespace

void level_legend(frame& f, bool clickable, float room) {
  const index_model& model = *f.model();
  const u32 levels = model.levels();
  const float height = px(18);
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + px(6));
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("level");
    hover_card("Level",
               "How deep in the search an entry is first read: level 0 is the root, where every search begins. The "
               "colours run from the root, darkest, to the last level.");
  }
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float word = ImGui::GetItemRectSize().x + px(8);
  const float width = std::clamp((room - word) / static_cast<float>(std::max(levels, 1u)), px(4), px(22));
  // Where not every number has room, every second or fifth one, and the last.
  const float number = text_width(fonts().mono, 11, std::to_string(levels)) + px(3);
  const u32 every = width >= number ? 1 : width * 2 >= number ? 2 : 5;
  std::optional<box> pointed;
  for (u32 level = 0; level < levels; ++level) {
    ImGui::SameLine(0, level == 0 ? px(8) : 0);
    ImGui::SetCursorPosY(y + px(5));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(level));
    const bool clicked = ImGui::InvisibleButton("level", {width, height});
    ImGui::PopID();
    const ImU32 colour = level_colour(level, levels);
    const ImDrawFlags corners = levels == 1           ? ImDrawFlags_RoundAll
                                : level == 0          ? ImDrawFlags_RoundLeft
                                : level + 1 == levels ? ImDrawFlags_RoundRight
                                                      : ImDrawFlags_RoundNone;
    draw.AddRectFilled(at, {at.x + width, at.y + height}, colour, px(4), corners);
    const bool beside_last = every > 1 && level + every > levels - 1 && level + 1 != levels;
    if ((level % every == 0 && !beside_last) || level + 1 == levels)
      draw_text_centred(draw, fonts().mono, 11, {at.x + width / 2, at.y + height / 2}, ink_on(colour),
                        std::to_string(level));
    if (ImGui::IsItemHovered()) f.view.points_next.level = level;
    if (f.view.pointed.level == level) pointed = box{at, {at.x + width, at.y + height}};
    const std::optional<cell_run> run = model.level_run(level);
    // Pivots make way for the sorted keys while the entries below them are built.
    const bool shown = clickable && run && (run->region == main_region || f.view.layout.upper_shown == run->region);
    hover_card(fmt::format("Level {}", level), level_words(model, level, run),
               shown ? "Click to look at it in memory." : "");
    if (clicked && shown && run->count > 0) {
      const double first = static_cast<double>(run->first), count = static_cast<double>(run->count);
      f.view.layout.strip_of(run->region).camera.go_to(first - count * 0.02, first + count * 1.02);
      f.moving = true;
    }
  }
  if (pointed) draw_pointed(draw, *pointed);
  ImGui::SameLine();
  ImGui::SetCursorPosY(y);
}

}  // namespace pivotscope::viz
