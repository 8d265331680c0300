// merged_model: a merged index as views, words and tests see it.
#pragma once

#include <array>

#include "core/families/merged/merged.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

// The search tree is implicit: a step of length s reads slots s - 1, 3 s - 1, 5 s - 1 ..., each under the slots that
// longer steps read.
class merged_model final : public index_model, public index_ranks {
 public:
  merged_model(const merged_config& config, u64 entries);

  u64 keys() const override { return entries_; }
  u32 levels() const override { return merged_levels(static_cast<u32>(entries_)); }
  std::span<const region_info> regions() const override { return {&region_, 1}; }
  cell_info describe(region_id region, u64 cell) const override;
  void count_levels(region_id, u64 first, u64 end, u64* out) const override { count_levels(first, end, out); }
  std::optional<cell_run> level_run(u32) const override { return std::nullopt; }
  u64 node_count() const override { return entries_; }
  std::vector<tree_node> nodes() const override;
  std::vector<pass_info> build_passes() const override;
  build_step step_of_build(u32 pass, u64 slot) const override;

  const index_ranks* ranks() const override { return this; }
  u64 count() const override { return entries_; }
  cell_ref cell(u64 rank) const override { return {main_region, rank}; }
  std::optional<u64> cell_in(region_id, u64 rank) const override {
    return rank < entries_ ? std::optional(rank) : std::nullopt;
  }
  void count_levels(u64 first, u64 end, u64* out) const override;
  bool ascend_along(region_id) const override { return true; }

 private:
  u64 step_of(u32 level) const { return u64{1} << (levels() - 1 - level); }

  u64 entries_;
  region_info region_;
};

}  // namespace pivotscope
