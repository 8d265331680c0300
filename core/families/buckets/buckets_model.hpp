// The table as views and tests see it: slabs of cells, of which the last one is a link. What is in a cell, its row id
// says; which slab follows which, the links.
#pragma once

#include "core/families/buckets/buckets.hpp"
#include "core/index/built_index.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

class buckets_model final : public index_model {
 public:
  buckets_model(const buckets_config& config, const buckets_view& table);

  u64 keys() const override { return table_.live; }
  u32 levels() const override { return 2; }
  std::string level_words(u32 level) const override { return level == 0 ? "buckets" : "pool"; }
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  bool cells_tell() const override { return true; }
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32 level) const override;
  u64 node_count() const override { return table_.slabs; }
  std::vector<tree_node> nodes() const override;
  lookup_lanes lanes() const override { return {config_.lanes, cells_a_lane(config_)}; }

  // A link has no key.
  bool values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const override;
  std::string words_of(cell_ref at, const region_reader& read) const override;
  std::string brief_of(cell_ref at, const region_reader& read) const override;
  bool leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const override;
  bool links_of(std::span<const tree_node> nodes, const region_reader& read,
                std::vector<node_link>& out) const override;

  // Slabs, by how many of their cells are taken.
  std::optional<fill_parts> fill() const override;
  bool fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const override;
  std::optional<u64> part_of(u64 key, const region_reader& read) const override;
  std::string part_words(u64 part, const region_reader& read) const override;

  std::vector<index_region> region_list() const;

 private:
  u64 cells() const { return u64{table_.slabs} * config_.slab; }
  u64 bucket_cells() const { return u64{table_.buckets} * config_.slab; }
  bool is_link(cell_ref at) const {
    return at.region == buckets_region::entries && at.cell % config_.slab == link_cell(config_);
  }
  // Returns the link of a slab, widened so that none, busy and unused are the greatest 64-bit numbers; nothing: it is not
  // at hand.
  std::optional<u64> link_of(u64 slab, const region_reader& read) const;
  std::optional<u32> number_at(cell_ref at, const region_reader& read) const;

  buckets_config config_;
  buckets_view table_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
