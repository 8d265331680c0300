// A packed index as views and tests see it: entries in the order of their keys, three a pack, and prefix blocks above
// them.
#pragma once

#include "core/families/packed/directory.hpp"
#include "core/index/built_index.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

class packed_model final : public index_model, public index_ranks {
 public:
  packed_model(const packed_config& config, const packed_view& view);

  std::vector<index_region> region_list() const;

  u64 keys() const override { return view_.keys; }
  u32 levels() const override { return view_.keys == 0 ? 0 : leaf_level() + 1 + (view_.escapes > 0 ? 1 : 0); }
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32 level) const override;
  u64 node_count() const override { return blocks() + view_.leaves; }
  std::vector<tree_node> nodes() const override;
  lookup_lanes lanes() const override;

  std::optional<pinned_cells> pinned() const override;
  cell_ref pinned_cell(u32 i) const override { return {packed_region::blocks, i}; }

  // A leaf's entries are told by their bits and by where the leaf lies in the directory.
  bool values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const override;
  std::string words_of(cell_ref at, const region_reader& read) const override;
  std::string brief_of(cell_ref at, const region_reader& read) const override;
  // A block leads to the leaves that begin in its bucket, and to the one that its bucket begins in; a node to its
  // blocks, a list to its keys too; an escaped leaf to its entries in full.
  bool leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const override;
  bool links_of(std::span<const tree_node> nodes, const region_reader& read,
                std::vector<node_link>& out) const override;

  // Buckets of the whole range, by how many leaves begin in them.
  std::optional<fill_parts> fill() const override;
  bool fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const override;
  std::optional<u64> part_of(u64 key, const region_reader& read) const override;
  std::optional<key_span> keys_of_part(u64 part) const override;
  std::string part_words(u64 part, const region_reader& read) const override;

  std::vector<pass_info> build_passes() const override;
  build_step step_of_build(u32 pass, u64 slot) const override;

  const index_ranks* ranks() const override { return this; }
  u64 count() const override { return view_.keys; }
  cell_ref cell(u64 rank) const override { return {main_region, rank}; }
  std::optional<u64> cell_in(region_id region, u64 rank) const override {
    return region == main_region && rank < view_.keys ? std::optional(rank) : std::nullopt;
  }
  void count_levels(u64 first, u64 end, u64* out) const override;
  bool ascend_along(region_id region) const override { return region == main_region; }

 private:
  u64 blocks() const { return view_.levels == 0 ? view_.blocks : view_.level_ends[view_.levels - 1]; }
  u32 leaf_level() const { return std::max(view_.levels, 1u); }
  u32 block_level(u64 block) const;
  bool escapes_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const;
  u64 first_of_level(u32 level) const { return level == 0 ? 0 : view_.level_ends[level - 1]; }

  packed_config config_;
  packed_view view_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
