#include "core/families/cgrx/cgrx_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {

static_assert(cgrx::entries == main_region);

cgrx_model::cgrx_model(const cgrx_config& config, const cgrx_view& view)
    : config_(config), view_(view), scene_(cgrx::scene, view_, config.form, config.wide) {
  const u32 key = key_bytes(config.keys), cell = entry_bytes(config);
  const bool columns = config.layout == entry_layout::column;
  region_info entries{
      .id = "entries",
      .name = "entries",
      .cell_name = "entry",
      .title = "entries",
      .meaning = fmt::format("The sorted keys{}, {} a bucket.", columns ? "" : " with their row ids", config.bucket),
      .cells = view.keys,
      .cell_bytes = cell,
      .fields = {{"key", 0, key, field_kind::key}}};
  if (!columns) entries.fields.push_back({"row id", key, 4, field_kind::row_id});
  if (cell > key + 4) entries.fields.push_back({"padding", key + 4, cell - key - 4, field_kind::padding});
  region_info rows{.id = "rows",
                   .name = "row ids",
                   .cell_name = "row id",
                   .title = "row ids",
                   .meaning = "Row id i is that of entry i.",
                   .cells = columns ? view.keys : 0,
                   .cell_bytes = 4,
                   .fields = {{"row id", 0, 4, field_kind::row_id}},
                   .beside = main_region};
  regions_ = {std::move(entries), scene_.triangles(), scene_.boxes(), std::move(rows)};
}

std::vector<index_region> cgrx_model::region_list() const {
  std::vector<index_region> list;
  for (const region_info& r : regions_) list.push_back({r.id, r.title, r.cell_bytes, r.cells});
  return list;
}

std::string cgrx_model::level_words(u32 level) const {
  return level == entries_level() ? "buckets" : scene_.level_words(level);
}

cell_info cgrx_model::describe(region_id region, u64 cell) const {
  if (cell >= regions_[number_of(region)].cells) return {};
  if (region == main_region || region == cgrx::rows) return {.empty = false, .rank = cell, .level = entries_level()};
  if (region == cgrx::scene.triangles) return {.empty = false, .level = scene_.triangles_level()};
  return {.empty = false, .level = scene_.box_level(cell)};
}

void cgrx_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  const u64 cells = regions_[number_of(region)].cells;
  first = std::min(first, cells), end = std::min(end, cells);
  if (first >= end) return;
  if (region == cgrx::scene.boxes) return scene_.count_boxes(first, end, out);
  out[region == cgrx::scene.triangles ? scene_.triangles_level() : entries_level()] = end - first;
}

std::optional<cell_run> cgrx_model::level_run(u32 level) const {
  return level >= entries_level() ? cell_run{main_region, 0, view_.keys} : scene_.level_run(level);
}

std::vector<tree_node> cgrx_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(node_count());
  scene_.add_nodes(list);
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

std::string cgrx_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.region == cgrx::scene.boxes) return scene_.box_words(at.cell, read);
  return at.region == cgrx::scene.triangles ? scene_.triangle_words(at.cell, read) : "";
}

std::string cgrx_model::brief_of(cell_ref at, const region_reader& read) const {
  return at.region == cgrx::scene.triangles ? scene_.triangle_brief(at.cell, read) : "";
}

bool cgrx_model::leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const {
  const u64 end = std::min(cells.first + cells.count, regions_[number_of(cells.region)].cells);
  if (cells.region == cgrx::scene.boxes) scene_.add_leads(cells.first, end, out);
  if (cells.region != cgrx::scene.triangles) return true;
  for (u64 cell = cells.first; cell < end; ++cell) {
    const auto triangle = scene_.triangle(cell, read);
    if (!triangle) return false;
    const auto bucket = scene_.bucket_of(*triangle);
    if (!bucket) continue;
    const cell_run entries = entries_of(*bucket);
    out.push_back({{cells.region, cell}, {main_region, entries.first}, entries.count});
  }
  return true;
}

bool cgrx_model::links_of(std::span<const tree_node> nodes, const region_reader& read,
                          std::vector<node_link>& out) const {
  if (!index_model::links_of(nodes, read, out)) return false;
  const u64 first_bucket = scene_.node_count();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].region != cgrx::scene.triangles) continue;
    for (u32 c = 0; c < nodes[i].cells; ++c) {
      const auto triangle = scene_.triangle(nodes[i].cell(c), read);
      if (!triangle) return false;
      if (const auto bucket = scene_.bucket_of(*triangle))
        out.push_back({static_cast<u32>(i), static_cast<u32>(first_bucket + *bucket), c});
    }
  }
  return true;
}

std::vector<pass_info> cgrx_model::build_passes() const {
  if (view_.keys == 0) return {};
  std::vector<pass_info> list = {
      {"entries",
       "One pass: for each slot a thread reads the key of that rank from the sorted ones, with its row id, and stores "
       "both.",
       main_region,
       view_.keys,
       {}},
      scene_.triangles_pass()};
  if (view_.tree.levels > 0) list.push_back(scene_.boxes_pass());
  return list;
}

build_step cgrx_model::step_of_build(u32 pass, u64 slot) const {
  if (pass == 1) return scene_.step_of_triangle(slot);
  if (pass == 2) return scene_.step_of_box(slot);
  build_step step;
  step.turn = slot, step.at_once = cgrx::build_at_once, step.rank = slot;
  step.terms.push_back({"rank", "slot", std::to_string(slot), slot,
                        "The key's place in sorted order: this is the one that the thread fetches."});
  step.words = fmt::format("Slot {} gets the key of rank {}. It is in bucket {}.", slot, slot, slot / config_.bucket);
  return step;
}

}  // namespace pivotscope
