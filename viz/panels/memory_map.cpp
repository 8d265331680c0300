#include "viz/panels/memory_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {

namespace {
constexpr u64 map_columns = 16;
}  // namespace

// In steps of two, so that few and one can be told apart.
ImU32 heat_ink(u32 lookups, u32 hottest) {
  if (lookups == 0) return with_alpha(theme().text, 0);
  const float share = std::log2(1.0f + static_cast<float>(lookups)) / std::log2(1.0f + static_cast<float>(hottest));
  return with_alpha(theme().text, 0.10f + 0.5f * share);
}

u64 map_boxes(u64 sectors, float height) {
  return std::min(sectors, map_columns * static_cast<u64>(std::max(1.0f, height / px(5))));
}

void count_heat(memory_state& state, const std::shared_ptr<const tile_study>& tile, const region_info& region,
                u64 boxes) {
  memory_state::map_heat& map = state.map;
  if (map.of.lock() == tile && map.array == state.array && map.parts.size() == boxes) return;
  map.of = tile;
  map.array = state.array;
  map.parts.resize(boxes);
  const u64 sectors = ceil_div<u64>(region.bytes(), sector_size);
  for (u64 i = 0; i < boxes; ++i)
    map.parts[i] = most_lookups(tile->touched(), state.array, first_of_part(i, sectors, boxes),
                                first_of_part(i + 1, sectors, boxes));
  map.touched = map.alone = map.hottest = 0;
  for (const sector_heat& h : tile->touched()) {
    if (h.sector.array != state.array) continue;
    ++map.touched;
    map.alone += h.lookups == 1 ? 1 : 0;
    map.hottest = std::max(map.hottest, h.lookups);
  }
}

// The whole array from afar: a block of it a small box, row by row, as dark as its hottest sector; what the path reads is
// outlined, what is shown beside has a frame. A click or a drag goes there.
void draw_map(frame& f, const shown_memory& m, const box& area, float rows_in_view) {
  memory_state& state = f.view.memory;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u64 sectors = m.sectors();
  const u64 columns = std::min<u64>(sectors, map_columns), boxes = map_boxes(sectors, area.height());
  const u64 lines = ceil_div(boxes, columns);
  const float w = area.width() / static_cast<float>(columns),
              h = std::min(area.height() / static_cast<float>(lines), px(14));
  const auto first_of = [&](u64 i) { return first_of_part(i, sectors, boxes); };
  const auto box_of = [&](u64 sector) { return part_of_sector(std::min(sector, sectors - 1), sectors, boxes); };
  const auto place = [&](u64 i) {
    const u64 across = i % columns, down = i / columns;
    const ImVec2 low{area.low.x + w * static_cast<float>(across), area.low.y + h * static_cast<float>(down)};
    return box{low, {low.x + w - 1, low.y + h - 1}};
  };
  for (u64 i = 0; i < boxes; ++i) {
    const box b = place(i);
    draw.AddRectFilled(b.low, b.high, theme().raised);
    const u32 lookups = i < m.map.size() ? m.map[i] : 0;
    if (lookups > 0) draw.AddRectFilled(b.low, b.high, heat_ink(lookups, m.hottest));
  }
  // What is shown beside: whole lines of the map, at least one.
  const double sectors_a_row = m.sectors_a_row();
  const u64 from = box_of(static_cast<u64>(std::max(0.0, state.first_row * sectors_a_row)));
  const u64 to = box_of(
      std::min(sectors - 1, static_cast<u64>((state.first_row + static_cast<double>(rows_in_view)) * sectors_a_row)));
  draw.AddRect({area.low.x - px(3), place(from).low.y - px(1)}, {area.high.x + px(2), place(to).high.y + px(2)},
               theme().text_dim, px(3), px(1.5f));
  for (const sector_read& read : state.reads) {
    if (read.sector.array != m.array) continue;
    const box b = place(box_of(read.sector.number));
    const bool now = read.mark == read_mark::now;
    draw.AddRect({b.low.x - px(1), b.low.y - px(1)}, {b.high.x + px(1), b.high.y + px(1)}, theme().text, px(2),
                 px(now ? 2.5f : 1.0f));
  }
  ImGui::SetCursorScreenPos(area.low);
  ImGui::InvisibleButton("map", {area.width(), std::max(h * static_cast<float>(lines), 1.0f)});
  spot("map");
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto line = static_cast<u64>(std::clamp((mouse.y - area.low.y) / h, 0.0f, static_cast<float>(lines - 1)));
  const auto column = static_cast<u64>(std::clamp((mouse.x - area.low.x) / w, 0.0f, static_cast<float>(columns - 1)));
  const u64 i = std::min(line * columns + column, boxes - 1), first = first_of(i);
  const u64 end = first_of(i + 1);
  if (ImGui::IsItemActive()) {
    state.first_row = std::floor(static_cast<double>(first) / sectors_a_row) - std::floor(rows_in_view / 2.0);
    return;
  }
  const u32 lookups = i < m.map.size() ? m.map[i] : 0;
  hover_card(fmt::format("Bytes {} to {}", grouped(first * sector_size), grouped(end * sector_size - 1)),
             fmt::format("{}: as dark as the one that most lookups of the tile read, here {}. What the path reads is "
                         "outlined, what is shown beside has a frame.",
                         end - first == 1 ? "A sector" : grouped(end - first) + " sectors", lookups),
             "Click to go there.");
}

}  // namespace pivotscope::viz
