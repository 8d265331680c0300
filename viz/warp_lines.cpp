#include "viz/warp_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/format.hpp"
#include "viz/marks.hpp"
#include "viz/spotlight.hpp"
#include "viz/warp_model.hpp"
#include "viz/widgets.hpp"

namespace pivotscope::viz {

void warp_lines(frame& f, const warp_step& step, u32 number) {
  const std::vector<touched_line> lines = lines_of(step);
  const auto model = f.model();
  heading(
      fmt::format("Lines of step {}", number + 1),
      "The lines of 128 bytes that the warp touches in this step: four sectors each, and in a sector the threads that "
      "read there. The fewer sectors, the fewer trips to memory.");
  if (lines.empty())
    return caption(step.loads.empty() ? "No thread loads in this step." : "This step reads scratch alone.");
  std::size_t most = 1;
  for (const touched_line& line : lines)
    for (const auto& in : line.threads) most = std::max(most, in.size());
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float disc = px(14);
  // As many lines beside each other as leave each sector room for its threads in two rows of discs, or a few.
  const float wanted = std::clamp(disc * std::ceil(static_cast<float>(most) / 2) + px(8), px(34), px(232));
  const auto columns = static_cast<u32>(
      std::clamp(std::floor((room.x + px(16)) / (wanted * 4 + px(16))), 1.0f, static_cast<float>(lines.size())));
  const float line_width = (room.x + px(16)) / static_cast<float>(columns) - px(16),
              sector_width = std::min(line_width / 4, px(232));
  const auto a_row = static_cast<u32>(std::max(1.0f, std::floor((sector_width - px(6)) / disc)));
  const u32 disc_rows = std::min(3u, ceil_div(static_cast<u32>(most), a_row));
  const float height = disc * static_cast<float>(disc_rows) + px(6), pitch = height + px(20);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 shown_rows = ceil_div(static_cast<u32>(lines.size()), columns);
  ImGui::InvisibleButton("lines", {std::max(room.x, 1.0f), pitch * static_cast<float>(shown_rows)});
  spot("lines");
  const bool over = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const touched_line& line = lines[i];
    const std::size_t across = i % columns, down = i / columns;
    const float x0 = at.x + (line_width + px(16)) * static_cast<float>(across),
                y0 = at.y + pitch * static_cast<float>(down);
    draw_text(draw, fonts().mono, type::tiny, {x0, y0}, theme().text_faint,
              fmt::format("{} line {}, byte {}", model->region(line.line.array).title, grouped(line.line.number),
                          grouped(line.line.number * 128)));
    for (u32 s = 0; s < 4; ++s) {
      const memory_block sector{line.line.array, line.line.number * 4 + s};
      const auto& in = line.threads[s];
      const box b{{x0 + sector_width * static_cast<float>(s), y0 + px(15)},
                  {x0 + sector_width * static_cast<float>(s + 1) - px(2), y0 + px(15) + height}};
      if (in.empty())
        draw.AddRect(b.low, b.high, theme().edge, px(3));
      else {
        draw.AddRectFilled(b.low, b.high, theme().raised, px(3));
        draw.AddRect(b.low, b.high, theme().text, px(3), px(f.view.pointed.sector == sector ? 3.0f : 1.5f));
      }
      const u32 fit = a_row * disc_rows;
      for (std::size_t d = 0; d < in.size() && d < fit; ++d) {
        const std::size_t disc_across = d % a_row, disc_down = d / a_row;
        const ImVec2 middle{b.low.x + px(4) + disc * (static_cast<float>(disc_across) + 0.5f),
                            b.low.y + px(3) + disc * (static_cast<float>(disc_down) + 0.5f)};
        const bool more = d + 1 == fit && in.size() > fit;
        if (!more) draw_lane(draw, middle, disc * 0.45f, true);
        draw_text_centred(draw, fonts().mono_bold, 9, middle, more ? theme().text : theme().panel,
                          more ? fmt::format("+{}", in.size() - fit + 1) : std::to_string(in[d]));
      }
      if (over && mouse.x >= b.low.x && mouse.x < b.high.x && mouse.y >= b.low.y && mouse.y < b.high.y) {
        f.view.points_next.sector = sector;
        hover_card(fmt::format("Sector {} of {}", grouped(sector.number), model->region(sector.array).title),
                   in.empty() ? "Not read in this step."
                              : fmt::format("Bytes {} to {}, read by {}: {}.", grouped(sector.number * 32),
                                            grouped(sector.number * 32 + 31), counted(in.size(), "thread"),
                                            fmt::join(in, ", ")));
      }
    }
  }
}

}  // namespace pivotscope::viz
