// A table as views and tests see it: buckets of cells, those of the stash behind the others; what is in a cell, the cell's row
// id says.
#pragma once

#include "core/families/cuckoo/cuckoo.hpp"
#include "core/index/built_index.hpp"
#include "core/index/homes_model.hpp"
#include "core/index/latched_model.hpp"
#include "core/index/model.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

// Buckets that the config has for so many keys; at least 1.
u32 cuckoo_buckets(const cuckoo_config& config, u64 keys);
// The greatest load, keys of a hundred cells, at which inserts find room: what placement, homes and bucket allow, less a
// little. 0: none that would be worth it.
u32 greatest_load(const cuckoo_config& config);
// Keys of which a table of the config is built at most: cells are counted by 32 bits.
u64 cuckoo_keys_at_most(const cuckoo_config& config);
// An empty table of so many buckets, as the config has them; without one: as it has with evictions.
cuckoo_view cuckoo_table(const cuckoo_config& config, u32 buckets, u32 seed);
cuckoo_view cuckoo_table(u32 buckets, u32 seed);

class cuckoo_model final : public index_model, public homes_model, public latched_model {
 public:
  cuckoo_model(const cuckoo_config& config, const cuckoo_view& table);

  u64 keys() const override { return table_.live; }
  u32 levels() const override { return 1; }
  std::string level_words(u32) const override { return "buckets"; }
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  bool cells_tell() const override { return true; }
  std::string words_of(cell_ref at, const region_reader& read) const override;
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32) const override { return cell_run{main_region, 0, cells()}; }
  u64 node_count() const override { return buckets(); }
  std::vector<tree_node> nodes() const override;
  std::optional<probe_windows> windows() const override;
  std::vector<u64> probe_path(u64 key, u32 most) const override;
  // Buckets, by how many of their cells are taken.
  std::optional<fill_parts> fill() const override;
  bool fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const override;
  std::optional<u64> part_of(u64 key, const region_reader&) const override { return probe_path(key, 1).front(); }
  std::string part_words(u64 part, const region_reader& read) const override;
  lookup_lanes lanes() const override { return {config_.lanes, cells_a_lane(config_)}; }
  // The latch of the keys that share a counter, or a claimed cell.
  std::optional<latch_in_word> latch_in(region_id region, u64 byte, u64 bytes) const override;
  std::string field_words(cell_ref at, const cell_field& field, u64 value) const override;

  u64 buckets_without_stash() const override { return table_.buckets; }
  std::vector<u64> homes_of_key(u64 key) const override;
  std::optional<u64> stash_of_key(u64 key) const override;
  std::vector<u64> moves_of_key(u64 key, u64 bucket) const override;

  std::vector<index_region> region_list() const;

 private:
  std::string passed_words() const;
  std::string placed_words() const;
  u64 buckets() const { return u64{table_.buckets} + config_.stash; }
  u64 cells() const { return buckets() * config_.bucket; }

  cuckoo_config config_;
  cuckoo_view table_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
