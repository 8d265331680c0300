// An RX index as views, words and tests see it: boxes over triangles, one for each key.
#pragma once

#include "core/families/rx/rx.hpp"
#include "core/index/built_index.hpp"
#include "core/index/index_scene.hpp"

namespace pivotscope {

class rx_model final : public index_model, public index_scene {
 public:
  rx_model(const rx_config& config, const rx_view& view);

  std::vector<index_region> region_list() const;

  u64 keys() const override { return view_.entries(); }
  bool cells_tell() const override { return view_.holes > 0; }
  u32 levels() const override { return view_.tree.triangles == 0 ? 0 : scene_.triangles_level() + 1; }
  std::string level_words(u32 level) const override { return scene_.level_words(level); }
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32 level) const override { return scene_.level_run(level); }
  u64 node_count() const override { return scene_.node_count(); }
  std::vector<tree_node> nodes() const override;

  // A triangle's place tells its key.
  bool values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const override;
  std::string words_of(cell_ref at, const region_reader& read) const override;
  std::string brief_of(cell_ref, const region_reader&) const override { return {}; }  // a box's extents are too long
  bool leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const override;

  const scene_model& scene() const override { return scene_; }
  scene_triangle look_at(u64 cell, const triangle_cell& triangle, const region_reader& read) const override;
  u64 buckets() const override { return 0; }
  std::optional<u64> bucket_of_cell(u64) const override { return std::nullopt; }
  std::vector<scene_ray> rays_of(const lookup_trace& trace, const region_reader& read) const override;

  std::vector<pass_info> build_passes() const override;
  build_step step_of_build(u32 pass, u64 slot) const override;

 private:
  rx_view view_;
  scene_model scene_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
