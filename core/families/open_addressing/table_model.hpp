// A table as views and tests see it: windows of cells, each as any other; what is in a cell, the cell's row id says.
#pragma once

#include "core/families/open_addressing/open_addressing.hpp"
#include "core/index/built_index.hpp"
#include "core/index/model.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

// Windows that the config has for so many keys; at least 1.
u32 table_windows(const open_addressing_config& config, u64 keys);
// Keys of which a table of the config is built at most: windows have numbers of 32 bits.
u64 table_keys_at_most(const open_addressing_config& config);

class table_model final : public index_model {
 public:
  table_model(const open_addressing_config& config, const table_view& table);

  u64 keys() const override { return table_.live; }
  u32 levels() const override { return 1; }
  std::string level_words(u32) const override { return "windows"; }
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  bool cells_tell() const override { return true; }
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32) const override { return cell_run{main_region, 0, cells()}; }
  u64 node_count() const override { return table_.size.windows; }
  std::vector<tree_node> nodes() const override;
  std::optional<probe_windows> windows() const override;
  std::vector<u64> probe_path(u64 key, u32 most) const override;
  // Windows, by how many of their cells are taken.
  std::optional<fill_parts> fill() const override;
  bool fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const override;
  std::optional<u64> part_of(u64 key, const region_reader&) const override { return probe_path(key, 1).front(); }
  std::string part_words(u64 part, const region_reader& read) const override;
  lookup_lanes lanes() const override { return {config_.lanes, cells_a_lane(config_)}; }

  std::vector<index_region> region_list() const;

 private:
  u64 cells() const { return u64{table_.size.windows} * config_.window; }

  open_addressing_config config_;
  table_view table_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
