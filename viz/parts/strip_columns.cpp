#include "viz/parts/strip_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/index/cell_state.hpp"
#include "viz/cells/level_counts.hpp"

namespace pivotscope::viz {

namespace {

// Of [first, end) the roundest number: that which the most powers of two divide.
u64 roundest(u64 first, u64 end) {
  u64 round = first;
  for (u64 step = 1, last = end - 1; (last & ~(step - 1)) >= first; step *= 2) {
    round = last & ~(step - 1);
    if (round == 0) break;
  }
  return round;
}

// The same where row ids are bits: cells from the roundest of them on.
std::optional<state_counts> sampled_in_bits(frame& f, region_id array, u64 first, u64 end) {
  constexpr u64 most = 64;
  const u64 from = end - first <= most ? first : roundest(first, end - most + 1);
  std::vector<cell_value> values(std::min(end - first, most));
  if (!f.model()->values_of({array, from, values.size()}, reader_of(*f.session.index, f.slots), values))
    return std::nullopt;
  state_counts counts;
  for (const cell_value& value : values) counts.add(state_of_row(value.row.value_or(not_found)));
  return counts;
}

// What some of the cells [first, end) are, of a row whose cells tell: of many cells those of one page of their row ids. Which
// one does not depend on where the columns begin, so that panning reads few new ones. Nothing: it is on its way.
std::optional<state_counts> sampled(frame& f, region_id array, u64 first, u64 end) {
  const auto place = place_of_row(*f.model(), {array, first});
  if (!place) return sampled_in_bits(f, array, first, end);
  constexpr u64 page_bytes = slot_source::page_bytes;
  u64 from = place->byte_offset / page_bytes;
  u64 to = (place->byte_offset + (end - first - 1) * place->stride) / page_bytes;
  if (to - from > 1) from = to = roundest(from + 1, to);  // of those that lie within as a whole
  state_counts counts;
  const u64 offset = place->byte_offset % place->stride;  // of the row id in its cell
  for (u64 page = from; page <= to; ++page) {
    const std::vector<std::byte>* bytes = f.slots.page(place->region, page);
    if (!bytes) return std::nullopt;
    const u64 begin = page * page_bytes;
    for (u64 cell = std::max(first, ceil_div(begin - std::min(begin, offset), u64{place->stride})); cell < end;
         ++cell) {
      const u64 at = cell * place->stride + offset - begin;
      if (at + sizeof(u32) > bytes->size()) break;
      u32 row = 0;
      std::memcpy(&row, bytes->data() + at, sizeof(row));
      counts.add(state_of_row(row));
    }
  }
  return counts.all() == 0 ? std::nullopt : std::optional(counts);
}

// The same of a few cells that lie here and there.
std::optional<state_counts> counted_one_by_one(const frame& f, const cell_row& row, u64 first, u64 end) {
  state_counts counts;
  for (u64 cell = first; cell < end; ++cell)
    if (row.there(cell)) counts.add(f.seen(row.at(cell)).state);
  return counts.all() == 0 ? std::nullopt : std::optional(counts);
}

// The mix of levels in each column of two pixels, as blocks, and below them what was erased; neighbours that are all of one
// level become one block.
void summarise(frame& f, strip_state& state, const cell_row& row, float height) {
  state.blocks.clear();
  state.blocks_to_come = false;
  const bool tell = row.in_memory() && row.count() > 0 && tells_state(*f.model(), {row.at(0).array, row.at(0).slot});
  const strip_camera& camera = state.camera;
  const double step = 2;
  std::array<u64, max_levels> counts{};
  u64 first = camera.first_visible();
  for (double x = camera.x_of(static_cast<double>(first)); x < camera.width() && first < row.count(); x += step) {
    const double right = std::min(std::floor(x / step + 1) * step, camera.width());
    const auto end = std::min(row.count(), static_cast<u64>(std::max(camera.cell_at(right), 0.0)));
    if (end <= first) continue;
    row.count_levels(first, end, counts.data());
    if (row.scattered() && std::accumulate(counts.begin(), counts.end(), u64{0}) == 0) {  // a gap
      first = end;
      continue;
    }
    const auto states = !tell             ? std::nullopt
                        : row.scattered() ? counted_one_by_one(f, row, first, end)
                                          : sampled(f, row.at(first).array, first, end);
    state.blocks_to_come |= tell && !states;
    // Of all cells, or of those that are not empty as far as the model knows.
    const auto total = static_cast<double>(
        states ? std::max<u64>(std::accumulate(counts.begin(), counts.end(), u64{0}), 1) : end - first);
    const auto all = states ? static_cast<double>(states->all()) : 1.0;
    const double live = states ? static_cast<double>(states->live + states->claimed) / all : 1;
    float y = 0;
    const auto add = [&](double part, u32 level, bool erased) {
      const auto share = static_cast<float>(part);
      const float y1 = std::min(height, y + share * height);
      const auto x0 = static_cast<float>(right - step), x1 = static_cast<float>(right);
      strip_state::block* last = state.blocks.empty() ? nullptr : &state.blocks.back();
      const bool whole = share > 0.999f;
      if (whole && last && last->level == level && last->erased == erased && last->y0 == 0 && last->y1 >= height - 0.5f)
        last->x1 = x1;
      else if (y1 - y > 0.35f)
        state.blocks.push_back({x0, x1, y, whole ? height : y1, level, erased});
      y = y1;
    };
    for (u32 level = 0; level < max_levels; ++level)
      if (counts[level] > 0) add(static_cast<double>(counts[level]) / total * live, level, false);
    if (states && states->erased > 0) add(static_cast<double>(states->erased) / all, 0, true);
    first = end;
  }
}

}  // namespace

void draw_columns(frame& f, strip_state& state, const strip_input& in) {
  const strip_state::blocks_key wanted{f.session.index.get(), state.camera.left(), state.camera.cell_width(),
                                       state.camera.width(), in.area.height()};
  if (!(state.blocks_for == wanted) || state.blocks_to_come) {
    summarise(f, state, in.row, in.area.height());
    state.blocks_for = wanted;
  }
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 levels = f.model()->levels();
  const ImVec2 at = in.area.low;
  for (const strip_state::block& b : state.blocks) {
    const ImU32 colour = b.erased ? theme().erased : level_colour(b.level, levels);
    const bool makes_way = f.view.pointed.level && f.view.pointed.level != b.level;
    draw.AddRectFilled({at.x + b.x0, at.y + b.y0}, {at.x + b.x1, at.y + b.y1},
                       makes_way ? mix(colour, theme().panel, 0.7f) : colour);
  }
  // What lies in scratch, where it is one run; scattered keys are too small to be marked here.
  if (in.row.in_memory() && !in.pinned.empty() && in.pinned.back() - in.pinned.front() + 1 == in.pinned.size()) {
    const float from = cell_box(state.camera, in.area, static_cast<double>(in.pinned.front())).low.x;
    const float to = cell_box(state.camera, in.area, static_cast<double>(in.pinned.back())).high.x;
    if (to > at.x && from < in.area.high.x)
      draw_pinned(draw, {{std::max(from, at.x), at.y}, {std::min(to, in.area.high.x), in.area.high.y}}, theme().text);
  }
  const ImU32 veil = with_alpha(theme().panel, 0.72f);
  if (in.written < in.row.count()) {
    const float from = std::max(cell_box(state.camera, in.area, static_cast<double>(in.written)).low.x, at.x);
    const float to =
        std::min(cell_box(state.camera, in.area, static_cast<double>(in.row.count())).low.x, in.area.high.x);
    if (from < to) draw.AddRectFilled({from, at.y}, {to, in.area.high.y}, veil);
  }
  // What is out of reach, where it is a run of the row.
  if (!in.row.left_ascends()) return;
  const float from = std::max(cell_box(state.camera, in.area, 0).low.x, at.x);
  const float first =
      std::clamp(cell_box(state.camera, in.area, static_cast<double>(in.left_first)).low.x, from, in.area.high.x);
  const float last =
      std::clamp(cell_box(state.camera, in.area, static_cast<double>(in.left_end)).low.x, from, in.area.high.x);
  const float end =
      std::min(cell_box(state.camera, in.area, static_cast<double>(in.row.count())).low.x, in.area.high.x);
  if (first > from) draw.AddRectFilled({from, at.y}, {first, in.area.high.y}, veil);
  if (end > last) draw.AddRectFilled({last, at.y}, {end, in.area.high.y}, veil);
}

}  // namespace pivotscope::viz
