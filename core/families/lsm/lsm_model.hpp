// lsm_model: an lsm as views, words and tests see it.
#pragma once

#include "core/families/lsm/lsm.hpp"
#include "core/index/told_levels.hpp"

namespace pivotscope {

// The state of an index as it is built from so many different keys.
lsm_view lsm_as_built(const lsm_config& config, u64 keys);

// A level of the model is a level of the index. Its nodes are pieces of its run, side by side. Whether an entry is a
// tombstone its row id tells; whether it is shadowed only a look at the newer levels does.
class lsm_model final : public index_model, public told_levels {
 public:
  static constexpr u32 node_cells = 16;

  lsm_model(const lsm_config& config, const lsm_view& state);

  u64 keys() const override { return entries_; }
  u64 entries() const override { return entries_; }
  bool counts_entries() const override { return runs_ <= 1; }
  u32 levels() const override { return lsm_.levels; }
  std::string level_words(u32 level) const override;  // with its bit: "level 2: 1"
  std::string levels_words() const override;
  std::span<const region_info> regions() const override { return {&region_, 1}; }
  cell_info describe(region_id region, u64 cell) const override;
  bool cells_tell() const override { return true; }
  bool values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const override;
  bool held(const region_reader& read, const entry_taker& f) const override;
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32 level) const override;
  u64 node_count() const override;
  std::vector<tree_node> nodes() const override;
  bool has_order() const override { return true; }

  const lsm_view& state() const { return lsm_; }

 private:
  bool is_entry(u64 cell) const;

  lsm_view lsm_;
  u64 entries_ = 0;  // of all levels, tombstones and shadowed versions included
  u32 runs_ = 0;     // levels that have entries
  region_info region_;
};

}  // namespace pivotscope
