#include "core/families/cgrx/cgrx_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {
namespace {

static_assert(cgrx::entries == main_region);

template <class T>
std::optional<T> read_cell(const region_reader& read, region_id region, u64 cell) {
  T value;
  if (!read(region, cell * sizeof(T), std::as_writable_bytes(std::span(&value, 1)))) return std::nullopt;
  return value;
}

std::string place_words(grid_point p) { return fmt::format("({}, {}, {})", p.x, p.y, p.z); }

}  // namespace

cgrx_model::cgrx_model(const cgrx_config& config, const cgrx_view& view) : config_(config), view_(view) {
  const u32 key = key_bytes(config.keys), cell = 2 * key;
  region_info entries{.id = "entries",
                      .name = "entries",
                      .cell_name = "entry",
                      .title = "entries",
                      .meaning = fmt::format("The sorted keys with their row ids, {} a bucket.", config.bucket),
                      .cells = view.keys,
                      .cell_bytes = cell,
                      .fields = {{"key", 0, key, field_kind::key}, {"row id", key, 4, field_kind::row_id}}};
  if (cell > key + 4) entries.fields.push_back({"padding", key + 4, cell - key - 4, field_kind::padding});
  region_info triangles{.id = "triangles",
                        .name = "triangles",
                        .cell_name = "triangle",
                        .title = "triangles",
                        .meaning =
                            "The scene: a small triangle for each bucket's last key, and those that mark rows and "
                            "planes. Neighbours in the scene lie near each other.",
                        .cells = view.tree.triangles,
                        .cell_bytes = sizeof(triangle_cell),
                        .fields = {{"x", 0, 4, field_kind::other},
                                   {"y", 4, 4, field_kind::other},
                                   {"z", 8, 4, field_kind::other},
                                   {"primitive index", 12, 4, field_kind::other}}};
  region_info boxes{
      .id = "boxes",
      .name = "boxes",
      .cell_name = "box",
      .title = "boxes",
      .meaning = fmt::format("The hierarchy: each box holds {} boxes or triangles, level by level. A ray that "
                             "does not meet a box meets nothing in it.",
                             config.wide),
      .cells = view.tree.boxes(),
      .cell_bytes = box_bytes,
      .fields = {{"least x", 0, 4, field_kind::other},
                 {"greatest x", 4, 4, field_kind::other},
                 {"least y", 8, 4, field_kind::other},
                 {"greatest y", 12, 4, field_kind::other},
                 {"least z", 16, 4, field_kind::other},
                 {"greatest z", 20, 4, field_kind::other}}};
  regions_ = {std::move(entries), std::move(triangles), std::move(boxes)};
}

std::vector<index_region> cgrx_model::region_list() const {
  std::vector<index_region> list;
  for (const region_info& r : regions_) list.push_back({r.id, r.title, r.cell_bytes, r.cells});
  return list;
}

std::string cgrx_model::level_words(u32 level) const {
  if (level == entries_level()) return "buckets";
  return level == triangles_level() ? "triangles" : fmt::format("boxes, level {}", level);
}

u32 cgrx_model::box_level(u64 box) const {
  u32 level = 0;
  while (level + 1 < view_.tree.levels && box >= view_.tree.first[level + 1]) ++level;
  return level;
}

cell_info cgrx_model::describe(region_id region, u64 cell) const {
  if (cell >= regions_[number_of(region)].cells) return {};
  if (region == main_region) return {.empty = false, .rank = cell, .level = entries_level()};
  if (region == cgrx::scene.triangles) return {.empty = false, .level = triangles_level()};
  return {.empty = false, .level = box_level(cell)};
}

void cgrx_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  const u64 cells = regions_[number_of(region)].cells;
  first = std::min(first, cells), end = std::min(end, cells);
  if (first >= end) return;
  if (region != cgrx::scene.boxes) {
    out[region == main_region ? entries_level() : triangles_level()] = end - first;
    return;
  }
  for (u32 level = box_level(first); first < end; ++level) {
    const u64 behind = std::min<u64>(end, view_.tree.first[level] + view_.tree.count[level]);
    out[level] = behind - first;
    first = behind;
  }
}

std::optional<cell_run> cgrx_model::level_run(u32 level) const {
  if (level >= entries_level()) return cell_run{main_region, 0, view_.keys};
  if (level == triangles_level()) return cell_run{cgrx::scene.triangles, 0, view_.tree.triangles};
  return cell_run{cgrx::scene.boxes, view_.tree.first[level], view_.tree.count[level]};
}

u64 cgrx_model::node_count() const {
  u64 count = view_.buckets;
  for (u32 level = 0; level <= triangles_level(); ++level) count += groups(level);
  return count;
}

std::vector<tree_node> cgrx_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(node_count());
  u64 above = 0;  // the first node of the level above
  for (u32 level = 0; level <= triangles_level(); ++level) {
    const u64 first_node = list.size(), count = groups(level);
    const cell_run run = *level_run(level);
    for (u64 g = 0; g < count; ++g) {
      tree_node node{
          .level = level, .region = run.region, .first = run.first + g * config_.wide, .cells = config_.wide};
      node.middle = (static_cast<double>(g) + 0.5) / static_cast<double>(count);
      if (level > 0)
        node.parent = static_cast<int>(above + g / config_.wide), node.gap = static_cast<u32>(g % config_.wide);
      list.push_back(node);
    }
    above = first_node;
  }
  for (u32 bucket = 0; bucket < view_.buckets; ++bucket) {
    const cell_run run = entries_of(bucket);
    list.push_back({.level = entries_level(),
                    .first = run.first,
                    .cells = static_cast<u32>(run.count),
                    .middle = (bucket + 0.5) / view_.buckets});
  }
  return list;
}

cell_run cgrx_model::entries_of(u32 bucket) const {
  const u64 first = view_.bucket_begin(bucket, config_.bucket);
  return {main_region, first, view_.bucket_end(bucket, config_.bucket) - first};
}

// The cells that a box of a level bounds.
cell_run cgrx_model::group_below(u32 level, u64 cell) const {
  const cell_run run = *level_run(level + 1);
  const u64 first = (cell - view_.tree.first[level]) * config_.wide;
  return {run.region, run.first + first, std::min<u64>(config_.wide, run.count - first)};
}

grid_point cgrx_model::place_of(const triangle_cell& triangle) const {
  return {static_cast<int>(triangle.x), static_cast<int>(triangle.y / view_.grid.y_unit()),
          static_cast<int>(triangle.z / view_.grid.z_unit())};
}

std::optional<u32> cgrx_model::bucket_of(const triangle_cell& triangle) const {
  if (config_.form == scene_form::naive && triangle.primitive() >= view_.buckets) return std::nullopt;
  const u32 bucket = bucket_of_primitive(triangle.primitive(), view_.buckets);
  return bucket < view_.buckets ? std::optional(bucket) : std::nullopt;
}

std::string cgrx_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.cell >= regions_[number_of(at.region)].cells) return {};
  if (at.region == cgrx::scene.triangles) {
    const auto triangle = read_cell<triangle_cell>(read, at.region, at.cell);
    if (!triangle) return {};
    const auto bucket = bucket_of(*triangle);
    const std::string place = place_words(place_of(*triangle));
    return bucket ? fmt::format("{}: bucket {}{}", place, *bucket, triangle->flipped() ? ", flipped" : "")
                  : fmt::format("{}: marker", place);
  }
  if (at.region != cgrx::scene.boxes) return {};
  const auto bounds = read_cell<box>(read, at.region, at.cell);
  if (!bounds) return {};
  const half_units half = half_units::of(view_.grid);
  const auto centre = [&](float edge, float inwards, u32 axis) {
    return static_cast<int>((edge + inwards * half.axes[axis]) / (2 * half.axes[axis]));
  };
  const auto span = [&](u32 axis) {
    const extent& e = bounds->axes[axis];
    return fmt::format("{} to {}", centre(e.low, 1, axis), centre(e.high, -1, axis));
  };
  return fmt::format("x {}, y {}, z {}", span(0), span(1), span(2));
}

std::string cgrx_model::brief_of(cell_ref at, const region_reader& read) const {
  if (at.region != cgrx::scene.triangles || at.cell >= view_.tree.triangles) return {};
  const auto triangle = read_cell<triangle_cell>(read, at.region, at.cell);
  if (!triangle) return {};
  const auto bucket = bucket_of(*triangle);
  return bucket ? std::to_string(*bucket) : "mark";
}

bool cgrx_model::leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const {
  const u64 end = std::min(cells.first + cells.count, regions_[number_of(cells.region)].cells);
  if (cells.region == main_region) return true;
  for (u64 cell = cells.first; cell < end; ++cell) {
    const cell_ref from{cells.region, cell};
    if (cells.region == cgrx::scene.boxes) {
      const cell_run below = group_below(box_level(cell), cell);
      out.push_back({from, {below.region, below.first}, below.count});
      continue;
    }
    const auto triangle = read_cell<triangle_cell>(read, cells.region, cell);
    if (!triangle) return false;
    if (const auto bucket = bucket_of(*triangle)) {
      const cell_run entries = entries_of(*bucket);
      out.push_back({from, {main_region, entries.first}, entries.count});
    }
  }
  return true;
}

bool cgrx_model::links_of(std::span<const tree_node> nodes, const region_reader& read,
                          std::vector<node_link>& out) const {
  if (!index_model::links_of(nodes, read, out)) return false;
  const u64 first_bucket = node_count() - view_.buckets;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].region != cgrx::scene.triangles) continue;
    for (u32 c = 0; c < nodes[i].cells && nodes[i].cell(c) < view_.tree.triangles; ++c) {
      const auto triangle = read_cell<triangle_cell>(read, cgrx::scene.triangles, nodes[i].cell(c));
      if (!triangle) return false;
      if (const auto bucket = bucket_of(*triangle))
        out.push_back({static_cast<u32>(i), static_cast<u32>(first_bucket + *bucket), c});
    }
  }
  return true;
}

}  // namespace pivotscope
