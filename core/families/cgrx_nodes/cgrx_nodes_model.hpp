// An index of nodes as views, words and tests see it: boxes over triangles, triangles over chains of nodes.
#pragma once

#include "core/bucket_scene/bucket_scene_model.hpp"
#include "core/families/cgrx_nodes/cgrx_nodes.hpp"
#include "core/index/built_index.hpp"
#include "core/index/told_fields.hpp"

namespace pivotscope {

// The head of a node, of either width.
struct told_head {
  u64 greatest = 0;
  u32 next = next_node::none, size = 0;
};

class cgrx_nodes_model final : public index_model, public index_scene, public told_fields {
 public:
  cgrx_nodes_model(const cgrx_nodes_config& config, const cgrx_nodes_view& view);

  std::vector<index_region> region_list() const;

  u64 keys() const override { return view_.entries; }
  u32 levels() const override { return linked_level() + 1; }
  std::string level_words(u32 level) const override;
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  bool cells_tell() const override { return true; }
  bool has_order() const override { return true; }
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32 level) const override;
  u64 node_count() const override { return scene_.node_count() + view_.nodes; }
  std::vector<tree_node> nodes() const override;
  // Linked nodes stand in the order of their keys.
  bool arrange(std::vector<tree_node>& nodes, const region_reader& read) const override;

  std::string words_of(cell_ref at, const region_reader& read) const override;
  std::string brief_of(cell_ref at, const region_reader& read) const override;
  // Of a head: "end", "free", "no end"; of a counter that may be below 0 its number.
  std::string field_words(cell_ref at, const cell_field& field, u64 value) const override;
  // A box leads to its group, a representative to its bucket's first node, a head to its node and to the next one.
  bool leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const override;
  bool links_of(std::span<const tree_node> nodes, const region_reader& read,
                std::vector<node_link>& out) const override;

  // Nodes, by their entries.
  std::optional<fill_parts> fill() const override;
  bool fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const override;
  std::optional<u64> part_of(u64 key, const region_reader& read) const override;
  std::string part_words(u64 part, const region_reader& read) const override;

  // Of an index that has not changed since it was built.
  std::vector<pass_info> build_passes() const override;
  build_step step_of_build(u32 pass, u64 slot) const override;

  const bucket_scene_model& scene() const override { return scene_; }
  // The scene is of the build: which of a bucket's keys a representative stood for may be gone.
  scene_triangle look_at(u64, const triangle_cell& triangle, const region_reader&) const override {
    return scene_.seen(triangle);
  }
  u64 buckets() const override { return view_.buckets; }
  // Nothing of a linked node: its chain would have to be read.
  std::optional<u64> bucket_of_cell(u64 cell) const override {
    return cell < built_cells() ? std::optional(cell / config_.node) : std::nullopt;
  }
  std::vector<scene_ray> rays_of(const lookup_trace& trace, const region_reader& read) const override {
    return scene_.rays_of(trace, read);
  }
  // Nothing: it is not at hand.
  std::optional<told_head> head_of(u64 node, const region_reader& read) const;
  // Reads the heads from node `first` on. Returns false if they are not at hand.
  bool heads_of(u64 first, const region_reader& read, std::span<told_head> out) const;
  // Returns the bucket that a key belongs to: the first whose bound is not smaller.
  std::optional<u32> bucket_of(u64 key, const region_reader& read) const;
  std::string node_words(u64 node) const;  // "node 3", "linked node 12"

 private:
  u32 representative_level() const { return scene_.triangles_level() + 1; }
  u32 linked_level() const { return representative_level() + 1; }
  u64 built_cells() const { return u64{view_.buckets} * config_.node; }
  cell_ref first_cell_of(u64 node) const { return {main_region, node * config_.node}; }
  std::string head_words(u64 node, const told_head& head) const;
  std::optional<u64> number_at(cell_ref at, const region_reader& read) const;

  cgrx_nodes_config config_;
  cgrx_nodes_view view_;
  bucket_scene_model scene_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
