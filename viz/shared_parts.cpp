#include <fmt/format.h>

#include <algorithm>

#include "viz/format.hpp"
#include "viz/icons.hpp"
#include "viz/panels.hpp"
#include "viz/widgets.hpp"

namespace pivotscope::viz {
namespace {

// What lies on a level, and where.
std::string level_words(const index_model& model, u32 level, const std::optional<cell_run>& run) {
  if (run) {
    const region_info& region = model.region(run->region);
    return fmt::format("{} {}, {}, in one run from slot {}.", grouped(run->count), region.name,
                       bytes_text(run->count * region.cell_bytes), grouped(run->first));
  }
  u64 counts[max_levels], cells = 0;
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const region_info& region = model.regions()[i];
    if (region.beside) continue;
    model.count_levels(static_cast<region_id>(i), 0, region.cells, counts);
    cells += counts[level];
  }
  return fmt::format("{} {}, scattered over the array.", grouped(cells), model.region(main_region).name);
}

}  // namespace

void wait_or_explain(frame& f, const char* what) {
  const job_state& job = f.session.job;
  if (job.running) {
    const std::string percent = job.fraction >= 0 ? " " + percent_text(job.fraction) : "";
    if (empty_view(icon::clock, fmt::format("Busy {}{}. Then this shows {}.", job.stage, percent, what), "stop",
                   "Stop"))
      f.act.cancel();
    return;
  }
  if (f.session.index && f.model()->keys() == 0) {
    if (empty_view(icon::database, "This key set is empty: there is nothing to draw and every lookup is a miss.",
                   "example", "Open the 14-key example"))
      f.act.choose_workload(workload{});
    return;
  }
  if (empty_view(icon::database, fmt::format("Nothing is built yet. Build it, and this shows {}.", what), "build",
                 "Build"))
    f.act.run_again();
}

void level_legend(frame& f, bool clickable) {
  const index_model& model = *f.model();
  const u32 levels = model.levels();
  const float width = px(levels > 16 ? 17.0f : 22.0f), height = px(18);
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
    draw_text_centred(draw, fonts().mono, 11, {at.x + width / 2, at.y + height / 2}, ink_on(colour),
                      std::to_string(level));
    const std::optional<cell_run> run = model.level_run(level);
    hover_card(fmt::format("Level {}", level), level_words(model, level, run),
               clickable && run ? "Click to look at it in memory." : "");
    if (clicked && clickable && run && run->count > 0) {
      const double first = static_cast<double>(run->first), count = static_cast<double>(run->count);
      f.view.layout.strip_of(run->region).camera.go_to(first - count * 0.02, first + count * 1.02);
      f.moving = true;
    }
  }
  ImGui::SameLine();
  ImGui::SetCursorPosY(y);
}

}  // namespace pivotscope::viz
