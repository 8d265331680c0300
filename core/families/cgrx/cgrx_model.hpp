// A cgRX index as views, words and tests see it: boxes over triangles, triangles over buckets of sorted entries.
#pragma once

#include "core/bucket_scene/bucket_scene_model.hpp"
#include "core/families/cgrx/cgrx.hpp"
#include "core/index/built_index.hpp"
#include "core/index/index_scene.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

class cgrx_model final : public index_model, public index_ranks, public index_scene {
 public:
  cgrx_model(const cgrx_config& config, const cgrx_view& view);

  std::vector<index_region> region_list() const;

  u64 keys() const override { return view_.keys; }
  u32 levels() const override { return view_.keys == 0 ? 0 : entries_level() + 1; }
  std::string level_words(u32 level) const override;
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32 level) const override;
  u64 node_count() const override { return scene_.node_count() + view_.buckets; }
  std::vector<tree_node> nodes() const override;

  std::string words_of(cell_ref at, const region_reader& read) const override;
  std::string brief_of(cell_ref at, const region_reader& read) const override;
  // A box leads to its group, and a representative to its bucket.
  bool leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const override;
  bool links_of(std::span<const tree_node> nodes, const region_reader& read,
                std::vector<node_link>& out) const override;

  std::vector<pass_info> build_passes() const override;
  build_step step_of_build(u32 pass, u64 slot) const override;

  const index_ranks* ranks() const override { return this; }
  u64 count() const override { return view_.keys; }
  cell_ref cell(u64 rank) const override { return {main_region, rank}; }
  std::optional<u64> cell_in(region_id region, u64 rank) const override {
    return region == main_region && rank < view_.keys ? std::optional(rank) : std::nullopt;
  }
  void count_levels(u64 first, u64 end, u64* out) const override { count_levels(main_region, first, end, out); }
  bool ascend_along(region_id region) const override { return region == main_region; }

  const bucket_scene_model& scene() const override { return scene_; }
  scene_triangle look_at(u64 cell, const triangle_cell& triangle, const region_reader& read) const override;
  u64 buckets() const override { return view_.buckets; }
  std::optional<u64> bucket_of_cell(u64 cell) const override { return cell / config_.bucket; }
  std::vector<scene_ray> rays_of(const lookup_trace& trace, const region_reader& read) const override {
    return scene_.rays_of(trace, read);
  }

 private:
  u32 entries_level() const { return scene_.triangles_level() + 1; }
  cell_run entries_of(u32 bucket) const;

  cgrx_config config_;
  cgrx_view view_;
  bucket_scene_model scene_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
