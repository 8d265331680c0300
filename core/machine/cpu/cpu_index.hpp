// cpu_index: an index in the host's memory.
#pragma once

#include "core/machine/cpu/host_pages.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

class cpu_index final : public built_index {
 public:
  cpu_index(const index_config& config, u64 keys) : config_(config), keys_(keys), rows_(keys) {}
  static outcome<std::shared_ptr<const built_index>> build(const index_config& config, const resident_keys& keys,
                                                           const job_control& control);

  // A copy that a batch of the script changed.
  static outcome<update_result> update(const cpu_index& index, const script& s, u64 batch, const job_control& control);

  const index_config& config() const override { return config_; }
  u64 keys() const override { return keys_; }
  u64 rows() const override { return rows_; }
  machine_kind kind() const override { return machine_kind::cpu; }
  std::span<const index_region> regions() const override { return regions_; }
  std::span<const std::byte> state() const override { return state_.span(); }
  std::pair<u64, u64> key_range() const override { return key_range_; }
  std::span<const stage_time> build_times() const override { return build_times_; }
  std::span<const kernel_info> kernels() const override { return {}; }

  status read(region_id region, u64 byte_offset, std::span<std::byte> out) const override;

  index_view view() const;

 private:
  friend class cpu_executor;
  cpu_index(const cpu_index& of, const state_bytes& state);  // with no regions yet
  index_config config_;
  u64 keys_, rows_;
  state_bytes state_;
  std::pair<u64, u64> key_range_{0, 0};
  std::vector<index_region> regions_;
  host_array<std::byte> cells_[max_regions];
  std::vector<stage_time> build_times_;
};

}  // namespace pivotscope
