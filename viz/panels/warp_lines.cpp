#include "viz/panels/warp_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "viz/models/warp_model.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

struct line_grid {
  ImVec2 at;
  float disc = 0, line_width = 0, sector_width = 0, height = 0, pitch = 0;
  u32 columns = 1, a_row = 1, disc_rows = 1;

  ImVec2 line(std::size_t i) const {
    const std::size_t across = i % columns, down = i / columns;
    return {at.x + (line_width + px(16)) * static_cast<float>(across), at.y + pitch * static_cast<float>(down)};
  }
  box sector(std::size_t i, u32 s) const {
    const ImVec2 low = line(i);
    return {{low.x + sector_width * static_cast<float>(s), low.y + px(15)},
            {low.x + sector_width * static_cast<float>(s + 1) - px(4), low.y + px(15) + height}};
  }
};

// The same for both orders, so that nothing moves when one is chosen after the other.
line_grid place_lines(const std::vector<touched_line>& lines, ImVec2 at, float room) {
  std::size_t most = 1;
  for (const touched_line& line : lines) {
    for (const auto& in : line.threads) most = std::max(most, in.size());
    for (const auto& in : line.otherwise) most = std::max(most, in.size());
  }
  line_grid g;
  g.at = at;
  g.disc = px(14);
  // As many lines beside each other as leave each sector room for its threads in two rows of discs, or a few.
  const float wanted = std::clamp(g.disc * std::ceil(static_cast<float>(most) / 2) + px(10), px(36), px(234));
  g.columns = static_cast<u32>(
      std::clamp(std::floor((room + px(16)) / (wanted * 4 + px(16))), 1.0f, static_cast<float>(lines.size())));
  g.line_width = (room + px(16)) / static_cast<float>(g.columns) - px(16);
  g.sector_width = std::min(g.line_width / 4, px(234));
  g.a_row = static_cast<u32>(std::max(1.0f, std::floor((g.sector_width - px(8)) / g.disc)));
  g.disc_rows = std::min(3u, ceil_div(static_cast<u32>(most), g.a_row));
  g.height = g.disc * static_cast<float>(g.disc_rows) + px(6);
  g.pitch = g.height + px(22);
  return g;
}

void draw_threads(frame& f, const line_grid& g, const box& b, const std::vector<u32>& in, std::optional<u32> pointed) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 fit = g.a_row * g.disc_rows;
  for (std::size_t d = 0; d < in.size() && d < fit; ++d) {
    const std::size_t across = d % g.a_row, down = d / g.a_row;
    const ImVec2 middle{b.low.x + px(4) + g.disc * (static_cast<float>(across) + 0.5f),
                        b.low.y + px(3) + g.disc * (static_cast<float>(down) + 0.5f)};
    const bool more = d + 1 == fit && in.size() > fit;
    const float radius = g.disc * 0.45f;
    if (!more) draw_lane(draw, middle, radius, true);
    if (!more && pointed == in[d]) draw_pointed_lane(draw, middle, radius - px(1));
    if (!more && lane_under_mouse(middle, radius)) f.view.points_next.thread = in[d];
    draw_text_centred(draw, fonts().mono_bold, 9, middle, more ? theme().text : theme().panel,
                      more ? fmt::format("+{}", in.size() - fit + 1) : std::to_string(in[d]));
  }
}

void draw_sector(const box& b, bool in, bool otherwise, bool pointed) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (in) {
    draw.AddRectFilled(b.low, b.high, theme().raised, px(3));
    draw.AddRect(b.low, b.high, theme().text, px(3), px(1.5f));
  } else if (!otherwise) {
    draw.AddRect(b.low, b.high, theme().edge, px(3));
  }
  // About the one that is read here too, as the hollow bar is about the filled one.
  const float out = in ? px(3) : 0;
  if (otherwise) draw_ghost(draw, {{b.low.x - out, b.low.y - out}, {b.high.x + out, b.high.y + out}});
  if (pointed) draw_pointed(draw, b);
}

std::string read_by(const std::vector<u32>& in) {
  return fmt::format("read by {}: {}", counted(in.size(), "thread"), fmt::join(in, ", "));
}

void sector_card(const touched_line& line, u32 s, const std::string& title, const char* other_name) {
  const memory_block sector{line.line.array, line.line.number * 4 + s};
  const std::vector<u32>&in = line.threads[s], &otherwise = line.otherwise[s];
  std::string words = in.empty() ? "Not read in this step."
                                 : fmt::format("Bytes {} to {}, {}.", grouped(sector.number * 32),
                                               grouped(sector.number * 32 + 31), read_by(in));
  if (!otherwise.empty())
    words += fmt::format(" {} it is {}{}.", capitalised(other_name), in.empty() ? "" : "too ", read_by(otherwise));
  hover_card(fmt::format("Sector {} of {}", grouped(sector.number), title), words);
}

// How much of what is read in this step the other order reads as well.
void shared_words(const std::vector<touched_line>& lines, const char* other_name) {
  const shared_sectors shared = count_shared(lines);
  const std::string words =
      fmt::format("{}; {} {}, in broken outlines: {} in both", counted(shared.both + shared.here, "sector"), other_name,
                  shared.both + shared.there, shared.both);
  const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + px(10);
  if (end + text_width(fonts().words, type::small, words) > right_edge()) return caption(words);
  ImGui::SameLine(0, px(10));
  const text_style style(fonts().words, type::small, theme().text_faint);
  ImGui::TextUnformatted(words.c_str());
}

}  // namespace

void warp_lines(frame& f, const warp_step& step, const warp_step* other, const char* other_name, u32 number,
                std::optional<u32> pointed) {
  const std::vector<touched_line> lines = lines_of(step, other);
  const auto model = f.model();
  heading(
      fmt::format("Lines of step {}", number + 1),
      "The lines of 128 bytes that the warp touches in this step: four sectors each, and in a sector the threads that "
      "read there. The fewer sectors, the fewer trips to memory. A broken outline: the other order reads "
      "this sector in this step.");
  if (other && !lines.empty()) shared_words(lines, other_name);
  if (lines.empty())
    return caption(step.loads.empty() ? "No thread loads in this step." : "This step reads scratch alone.");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const line_grid g = place_lines(lines, at, room);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 shown_rows = ceil_div(static_cast<u32>(lines.size()), g.columns);
  ImGui::InvisibleButton("lines", {std::max(room, 1.0f), g.pitch * static_cast<float>(shown_rows)});
  spot("lines");
  const bool over = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const touched_line& line = lines[i];
    const std::string& title = model->region(line.line.array).title;
    const bool here = std::any_of(std::begin(line.threads), std::end(line.threads),
                                  [](const std::vector<u32>& in) { return !in.empty(); });
    const std::string line_number = grouped(line.line.number);
    std::string words = fmt::format("{} line {}, byte {}", title, line_number, grouped(line.line.number * 128));
    if (text_width(fonts().mono, type::tiny, words) > g.line_width)
      words = fmt::format("{} line {}", title, line_number);
    draw_text_in(draw, fonts().mono, type::tiny, g.line(i), g.line_width, here ? theme().text_dim : theme().text_faint,
                 words);
    for (u32 s = 0; s < 4; ++s) {
      const memory_block sector{line.line.array, line.line.number * 4 + s};
      const box b = g.sector(i, s);
      draw_sector(b, !line.threads[s].empty(), !line.otherwise[s].empty(), f.view.pointed.sector == sector);
      draw_threads(f, g, b, line.threads[s], pointed);
      if (!over || mouse.x < b.low.x || mouse.x >= b.high.x || mouse.y < b.low.y || mouse.y >= b.high.y) continue;
      f.view.points_next.sector = sector;
      sector_card(line, s, title, other_name);
    }
  }
}

}  // namespace pivotscope::viz
