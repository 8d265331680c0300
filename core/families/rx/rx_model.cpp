#include "core/families/rx/rx_model.hpp"

#include <algorithm>

namespace pivotscope {

static_assert(rx::scene.triangles == main_region);

rx_model::rx_model(const rx_config& config, const rx_view& view)
    : view_(view), scene_(rx::scene, view.tree, view.grid, config.wide) {
  region_info triangles{.id = "triangles",
                        .name = "triangles",
                        .cell_name = "triangle",
                        .title = "triangles",
                        .meaning =
                            "The scene: a small triangle for each key, whose place is the key, with its row id. "
                            "Neighbours in the scene lie near each other.",
                        .cells = view.tree.triangles,
                        .cell_bytes = sizeof(triangle_cell),
                        .fields = {{"x", 0, 4, field_kind::key},
                                   {"y", 4, 4, field_kind::key},
                                   {"z", 8, 4, field_kind::key},
                                   {"row id", 12, 4, field_kind::row_id}}};
  if (view.refitted)
    triangles.meaning =
        "The scene: a small triangle for each key, whose place is the key, with its row id. Since an update by refit "
        "they "
        "lie where there was room, in no order. A hole is a cell whose triangle was erased: no ray hits it.";
  regions_ = {std::move(triangles), scene_.boxes()};
}

std::vector<index_region> rx_model::region_list() const {
  std::vector<index_region> list;
  for (const region_info& r : regions_) list.push_back({r.id, r.title, r.cell_bytes, r.cells});
  return list;
}

cell_info rx_model::describe(region_id region, u64 cell) const {
  if (cell >= regions_[number_of(region)].cells) return {};
  return {.empty = false, .level = region == main_region ? scene_.triangles_level() : scene_.box_level(cell)};
}

void rx_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  const u64 cells = regions_[number_of(region)].cells;
  first = std::min(first, cells), end = std::min(end, cells);
  if (first >= end) return;
  if (region == rx::scene.boxes) return scene_.count_boxes(first, end, out);
  out[scene_.triangles_level()] = end - first;
}

std::vector<tree_node> rx_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(node_count());
  scene_.add_nodes(list);
  return list;
}

bool rx_model::values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const {
  if (cells.region != main_region) return index_model::values_of(cells, read, out);
  std::vector<triangle_cell> triangles(cells.count);
  if (cells.count > 0 &&
      !read(main_region, cells.first * sizeof(triangle_cell), std::as_writable_bytes(std::span(triangles))))
    return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const triangle_cell& triangle = triangles[i];
    out[i].row = triangle.mark;
    out[i].key = triangle.is_hole() ? std::nullopt : std::optional(rx_key_at(view_.grid, triangle));
  }
  return true;
}

std::string rx_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.region == rx::scene.boxes) return scene_.box_words(at.cell, read);
  const auto triangle = scene_.triangle(at.cell, read);
  if (!triangle) return {};
  return triangle->is_hole() ? "a hole: its triangle was erased" : place_words(scene_.place_of(*triangle));
}

bool rx_model::leads_of(const cell_run& cells, const region_reader&, std::vector<cell_link>& out) const {
  if (cells.region == rx::scene.boxes)
    scene_.add_leads(cells.first, std::min(cells.first + cells.count, regions_[1].cells), out);
  return true;
}

std::vector<pass_info> rx_model::build_passes() const {
  if (keys() == 0 || view_.refitted) return {};  // where triangles lie then, only the batches tell
  std::vector<pass_info> list = {scene_.triangles_pass()};
  if (view_.tree.levels > 0) list.push_back(scene_.boxes_pass());
  return list;
}

build_step rx_model::step_of_build(u32 pass, u64 slot) const {
  if (pass == 1) return scene_.step_of_box(slot);
  build_step step = scene_.step_of_triangle(slot);
  step.turn = slot;
  return step;
}

}  // namespace pivotscope
