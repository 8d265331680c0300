// PLAIN seen as a family whose search goes from window to window: each step of its search is one of 32 cells, in their order.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "core/index/model.hpp"

namespace pivotscope::testing {

class plain_windows final : public index_model {
 public:
  explicit plain_windows(std::shared_ptr<const index_model> plain) : plain_(std::move(plain)) {}

  u64 keys() const override { return plain_->keys(); }
  u32 levels() const override { return plain_->levels(); }
  std::span<const region_info> regions() const override { return plain_->regions(); }
  cell_info describe(region_id region, u64 cell) const override { return plain_->describe(region, cell); }
  bool cells_tell() const override { return true; }
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override {
    plain_->count_levels(region, first, end, out);
  }
  std::optional<cell_run> level_run(u32 level) const override { return plain_->level_run(level); }
  u64 node_count() const override { return plain_->node_count(); }
  std::vector<tree_node> nodes() const override { return plain_->nodes(); }
  std::optional<probe_windows> windows() const override {
    return probe_windows{node_count(), 32, "Every search goes on to the next window."};
  }
  std::vector<u64> probe_path(u64, u32 most) const override {
    std::vector<u64> path;
    for (u64 w = 0; w < std::min<u64>(most, node_count()); ++w) path.push_back(w);
    return path;
  }

 private:
  std::shared_ptr<const index_model> plain_;
};

}  // namespace pivotscope::testing
