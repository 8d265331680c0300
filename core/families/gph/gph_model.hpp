// A table as views and tests see it: the cells of its index, which lead to buckets; those of the spill behind the others. What is
// in a slot, its row id says.
#pragma once

#include "core/families/gph/gph.hpp"
#include "core/index/built_index.hpp"
#include "core/index/latched_model.hpp"
#include "core/index/model.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

// Buckets that the config has for so many keys, without the spill's; at least 1.
u32 gph_buckets(const gph_config& config, u64 keys);
// Keys of which a table of the config is built at most: slots are counted by 32 bits.
u64 gph_keys_at_most(const gph_config& config);
// An empty table of so many buckets, whose spill has `spill` or as many as most tables need.
gph_view gph_table(const gph_config& config, u32 buckets, u32 seed, u32 spill = 0);

class gph_model final : public index_model, public latched_model {
 public:
  gph_model(const gph_config& config, const gph_view& table);

  u64 keys() const override { return table_.live; }
  u32 levels() const override { return bucket_level() + 1; }
  std::string level_words(u32 level) const override { return level < bucket_level() ? "cell index" : "buckets"; }
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  bool cells_tell() const override { return true; }
  std::string words_of(cell_ref at, const region_reader& read) const override;
  std::string brief_of(cell_ref at, const region_reader& read) const override;
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  // A cell of the index leads to the buckets of its value.
  bool leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const override;
  std::optional<cell_run> level_run(u32 level) const override;
  u64 node_count() const override { return index_cells() + buckets(); }
  std::vector<tree_node> nodes() const override;
  bool links_of(std::span<const tree_node> nodes, const region_reader& read,
                std::vector<node_link>& out) const override;
  // Buckets, by how many of their slots are taken.
  std::optional<fill_parts> fill() const override;
  bool fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const override;
  std::optional<u64> part_of(u64 key, const region_reader& read) const override;
  std::string part_words(u64 part, const region_reader& read) const override;
  // The values of a cell: mappings by offsets.
  std::optional<value_choices> choices_for(u64 key, const region_reader& read) const override;
  std::vector<choice_place> places_of(u64 key, u32 square, const region_reader& read) const override;
  std::optional<pinned_cells> pinned() const override;
  cell_ref pinned_cell(u32 i) const override { return {gph_region::cells, u64{i} * cells_a_word(config_)}; }
  lookup_lanes lanes() const override { return {config_.lanes, cells_a_lane(config_)}; }
  // The latch of cells of the index that share a counter, that of buckets, or a claimed slot.
  std::optional<latch_in_word> latch_in(region_id region, u64 byte, u64 bytes) const override;
  std::string field_words(cell_ref at, const cell_field& field, u64 value) const override;

  std::vector<index_region> region_list() const;

 private:
  u32 bucket_level() const { return is_perfect(config_) ? 1 : 0; }
  u64 index_cells() const { return u64{table_.words} * cells_a_word(config_); }
  u64 buckets() const { return u64{table_.buckets} + table_.spill; }
  u64 slots() const { return buckets() * config_.bucket; }
  std::optional<u32> number_at(cell_ref at, const region_reader& read) const;
  std::optional<u32> value_of_cell(u64 cell, const region_reader& read) const {
    return number_at({gph_region::cells, cell}, read);
  }

  gph_config config_;
  gph_view table_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
