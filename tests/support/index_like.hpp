// An index that is another one, but for what a test changes.
#pragma once

#include <memory>

#include "core/machine/machine.hpp"

namespace pivotscope::testing {

class index_like : public built_index {
 public:
  explicit index_like(std::shared_ptr<const built_index> index) : honest(std::move(index)) {}
  const index_config& config() const override { return honest->config(); }
  u64 keys() const override { return honest->keys(); }
  u64 rows() const override { return honest->rows(); }
  std::span<const index_region> regions() const override { return honest->regions(); }
  std::span<const std::byte> state() const override { return honest->state(); }
  std::pair<u64, u64> key_range() const override { return honest->key_range(); }
  machine_kind kind() const override { return honest->kind(); }
  status read(region_id region, u64 offset, std::span<std::byte> out) const override {
    return honest->read(region, offset, out);
  }
  std::span<const stage_time> build_times() const override { return honest->build_times(); }
  std::span<const kernel_info> kernels() const override { return honest->kernels(); }

  std::shared_ptr<const built_index> honest;
};

}  // namespace pivotscope::testing
