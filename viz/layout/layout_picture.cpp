#include "viz/layout/layout_picture.hpp"

#include <algorithm>

namespace pivotscope::viz {

void choose_rows(layout_picture& p, const std::shared_ptr<const index_model>& model, std::optional<region_id> wanted,
                 bool sorted_above) {
  for (std::size_t i = 0; i < model->regions().size(); ++i) {
    const region_info& region = model->regions()[i];
    const auto id = static_cast<region_id>(i);
    if (region.cells == 0 || id == main_region) continue;
    if (region.beside == main_region)
      p.rows_region = id;
    else if (p.upper_region == main_region || id == wanted)
      p.upper_region = id;
  }
  if (sorted_above && model->ranks()) p.upper_region = main_region;
  p.upper_is_sorted = p.upper_region == main_region && model->ranks();
  if (p.upper_is_sorted)
    p.upper = sorted_row(model);
  else if (p.upper_region != main_region)
    p.upper = region_row(model, p.upper_region);
  p.lower = region_row(model, main_region);
}

void add_windows(layout_picture& p, const std::shared_ptr<const index_model>& model, std::span<const u64> windows) {
  constexpr u64 around = 1;  // so that one sees what lies beside
  if (p.upper || windows.empty()) return;
  auto row = std::make_unique<window_row>(model, windows, around);
  p.windows = row.get();
  p.upper = std::move(row);
}

const placed_strip* layout_picture::strip_of(region_id region) const {
  for (const placed_strip& strip : strips)
    if (strip.row->count() > 0 && strip.row->at(0).array == region) return &strip;
  return nullptr;
}

void place_rows(layout_picture& p, const index_model& model, ImVec2 at, ImVec2 room) {
  const bool row_ids = p.rows_region.has_value();
  const float marks = marks_height(model);
  // The caret stands above the row that has the ranks.
  const bool caret_between = p.upper && !p.upper_is_sorted && !p.windows;
  const float upper_marks = caret_between || p.windows ? marks : 0;
  const float upper_bar = p.upper ? px(overview_height + 8) : 0;
  p.caret_lane = caret_between ? px(caret_lane) : 0;
  p.top = at.y;
  float top = caret_between ? px(step_lane) : px(caret_lane);
  if (model.windows()) {  // a key's way from window to window has room above them
    const float rest = marks + (row_ids ? px(30) : 0) + px(ruler_height) + px(overview_height + 12) + px(50);
    const float upper_rest = p.windows ? upper_marks + upper_bar + px(32 + 14) : 0;
    top = std::clamp(room.y - rest - upper_rest, px(p.windows ? 36 : 44), px(120));
  }
  const float fixed = top + upper_marks + upper_bar + p.caret_lane + marks + (row_ids ? px(30) : 0) + px(ruler_height) +
                      px(overview_height + 12);
  float upper = p.windows ? px(32) : p.upper ? px(36) : 0, lower = px(p.windows ? 38 : 50);
  float links = room.y - fixed - upper - lower;
  if (links > px(150)) {  // a tall panel: taller rows, then longer links
    const float more = std::min((links - px(150)) / 2, px(22));
    if (p.upper) upper += more * 0.6f;
    lower += more;
    links -= 1.6f * more;
  } else if (p.upper && !p.windows && links < px(48)) {  // a low one: lower rows, as far as key and row id have room
    const float less = std::min((px(48) - links) / 2, px(11));
    upper -= less * 0.8f;
    lower -= less;
    links += 1.8f * less;
  }
  links = p.upper ? std::clamp(links, px(p.windows ? 14 : 28), px(230)) : 0;
  const float x0 = at.x + px(header_column), x1 = at.x + room.x - px(8);
  float y = at.y + top;
  p.upper_area = {{x0, y}, {x1, y + upper}};
  p.upper_marks = y + upper + px(2);
  y += upper + upper_marks + upper_bar + links + p.caret_lane;
  p.lower_area = {{x0, y}, {x1, y + lower}};
  y += lower;
  if (row_ids) {
    p.rows_area = {{x0, y + px(6)}, {x1, y + px(30)}};
    y += px(30);
  }
  p.lower_marks = y + px(2);
  p.ruler = y + marks;
}

}  // namespace pivotscope::viz
