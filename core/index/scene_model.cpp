#include "core/index/scene_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {
namespace {

template <class T>
std::optional<T> read_cell(const region_reader& read, region_id region, u64 cell) {
  T value;
  if (!read(region, cell * sizeof(T), std::as_writable_bytes(std::span(&value, 1)))) return std::nullopt;
  return value;
}

}  // namespace

std::string place_words(grid_point place) { return fmt::format("({}, {}, {})", place.x, place.y, place.z); }

region_info scene_model::boxes() const {
  return {
      .id = "boxes",
      .name = "boxes",
      .cell_name = "box",
      .title = "boxes",
      .meaning = fmt::format("The hierarchy: each box holds {} boxes or triangles, level by level. A ray that does not "
                             "meet a box meets nothing in it.",
                             wide_),
      .cells = tree_.boxes(),
      .cell_bytes = box_bytes,
      .fields = {{"least x", 0, 4, field_kind::other},
                 {"greatest x", 4, 4, field_kind::other},
                 {"least y", 8, 4, field_kind::other},
                 {"greatest y", 12, 4, field_kind::other},
                 {"least z", 16, 4, field_kind::other},
                 {"greatest z", 20, 4, field_kind::other}}};
}

u32 scene_model::box_level(u64 box) const {
  u32 level = 0;
  while (level + 1 < tree_.levels && box >= tree_.first[level + 1]) ++level;
  return level;
}

std::string scene_model::level_words(u32 level) const {
  return level == triangles_level() ? "triangles" : fmt::format("boxes {}", level);
}

cell_run scene_model::level_run(u32 level) const {
  if (level >= triangles_level()) return {in_.triangles, 0, tree_.triangles};
  return {in_.boxes, tree_.first[level], tree_.count[level]};
}

void scene_model::count_boxes(u64 first, u64 end, u64* out) const {
  for (u32 level = box_level(first); first < end; ++level) {
    const u64 behind = std::min<u64>(end, u64{tree_.first[level]} + tree_.count[level]);
    out[level] = behind - first;
    first = behind;
  }
}

u64 scene_model::node_count() const {
  u64 count = 0;
  for (u32 level = 0; level <= triangles_level(); ++level) count += groups(level);
  return count;
}

void scene_model::add_nodes(std::vector<tree_node>& list) const {
  u64 above = 0;  // the first node of the level above
  for (u32 level = 0; level <= triangles_level(); ++level) {
    const u64 first_node = list.size(), count = groups(level);
    const cell_run run = level_run(level);
    for (u64 g = 0; g < count; ++g) {
      tree_node node{.level = level, .region = run.region, .first = run.first + g * wide_};
      node.cells = static_cast<u32>(std::min<u64>(wide_, tree_.cells_that_hold(level, wide_) - g * wide_));
      node.middle = (static_cast<double>(g) + 0.5) / static_cast<double>(count);
      if (level > 0) node.parent = static_cast<int>(above + g / wide_), node.gap = static_cast<u32>(g % wide_);
      list.push_back(node);
    }
    above = first_node;
  }
}

void scene_model::add_leads(u64 first, u64 end, std::vector<cell_link>& out) const {
  for (u64 box = first; box < end; ++box) {
    const u32 level = box_level(box);
    const cell_run run = level_run(level + 1);
    const u64 below = (box - tree_.first[level]) * wide_;
    const u64 hold = tree_.cells_that_hold(level + 1, wide_);
    if (below >= hold) continue;  // it fills up its level
    out.push_back({{in_.boxes, box}, {run.region, run.first + below}, std::min<u64>(wide_, hold - below)});
  }
}

pass_info scene_model::triangles_pass() const {
  return {"triangles",
          "The places of all triangles are numbered along the Morton curve through the scene, and the numbers sorted: "
          "neighbours on the curve are near each other. A thread stores the triangle that comes to its slot.",
          in_.triangles,
          tree_.triangles,
          {}};
}

pass_info scene_model::boxes_pass() const {
  pass_info pass{
      "boxes",
      "A pass a level, from the triangles up: a thread reads the boxes or triangles of a group, and stores the "
      "least box that holds them.",
      in_.boxes,
      tree_.boxes(),
      {}};
  for (u32 level = 0; level < tree_.levels; ++level) pass.levels.push_back(tree_.first[level]);
  return pass;
}

build_step scene_model::step_of_triangle(u64 cell) const {
  build_step step;
  step.words = fmt::format("Slot {} gets the triangle that is number {} along the Morton curve.", cell, cell);
  return step;
}

build_step scene_model::step_of_box(u64 box) const {
  build_step step;
  const u32 level = box_level(box);
  const cell_run run = level_run(level + 1);
  const u64 hold = tree_.cells_that_hold(level + 1, wide_);
  if ((box - tree_.first[level]) * wide_ >= hold) {
    step.level = level;
    step.words = "A box of nothing, which fills up its level: groups begin at whole fours of boxes.";
    return step;
  }
  const u64 first = run.first + (box - tree_.first[level]) * wide_,
            last = std::min(first + wide_, run.first + hold) - 1;
  step.level = level;
  step.words = fmt::format("The least box that holds {} {} to {}.", level + 1 < tree_.levels ? "boxes" : "triangles",
                           first, last);
  return step;
}

grid_point scene_model::place_of(const triangle_cell& triangle) const {
  return {static_cast<int>(triangle.x), static_cast<int>(triangle.y / grid_.y_unit()),
          static_cast<int>(triangle.z / grid_.z_unit())};
}

std::optional<triangle_cell> scene_model::triangle(u64 cell, const region_reader& read) const {
  if (cell >= tree_.triangles) return std::nullopt;
  return read_cell<triangle_cell>(read, in_.triangles, cell);
}

std::array<double, box_axes> scene_model::in_grid(const float (&place)[box_axes]) const {
  return {place[0], place[1] / grid_.y_unit(), place[2] / grid_.z_unit()};
}

grid_box scene_model::in_grid(const box& bounds) const {
  const auto& [x, y, z] = bounds.axes;
  return {in_grid({x.low, y.low, z.low}), in_grid({x.high, y.high, z.high})};
}

std::string scene_model::box_words(u64 number, const region_reader& read) const {
  const auto bounds = number < tree_.boxes() ? read_cell<box>(read, in_.boxes, number) : std::nullopt;
  if (!bounds) return {};
  if (const u32 level = box_level(number);
      (number - tree_.first[level]) * wide_ >= tree_.cells_that_hold(level + 1, wide_))
    return "nothing: it fills up its level";
  if (bounds->is_empty()) return "nothing: all that it held was erased";
  const half_units half = half_units::of(grid_);
  // A box ends half a unit outside of the outermost places.
  const auto span = [&](u32 axis) {
    const extent& e = bounds->axes[axis];
    const float h = half.axes[axis];
    return fmt::format("{} to {}", static_cast<int>((e.low + h) / (2 * h)), static_cast<int>((e.high - h) / (2 * h)));
  };
  return fmt::format("x {}, y {}, z {}", span(0), span(1), span(2));
}

}  // namespace pivotscope
