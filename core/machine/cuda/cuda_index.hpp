// cuda_index: an index in the device's memory. Each region is an array of its own.
#pragma once

#include <array>

#include "core/index/gpu_regions.hpp"
#include "core/machine/cuda/compile/kernel_store.hpp"
#include "core/machine/cuda/cuda_keys.hpp"

namespace pivotscope {

class cuda_index final : public built_index, public gpu_regions {
 public:
  // Builds an index. A pass is a kernel, with one item per thread, and each is timed.
  static outcome<std::shared_ptr<const cuda_index>> build(const cuda_device& device, cudaStream_t stream,
                                                          kernel_store& kernels, const index_config& config,
                                                          const cuda_keys& keys, const job_control& control);

  // Makes a copy of an index and does a batch of the script to it.
  static outcome<update_result> update(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                                       const cuda_index& index, const script& s, u64 batch, const job_control& control);

  const index_config& config() const override { return config_; }
  u64 keys() const override { return keys_; }
  u64 rows() const override { return rows_; }
  machine_kind kind() const override { return machine_kind::cuda; }
  std::span<const index_region> regions() const override { return regions_; }
  std::span<const std::byte> state() const override { return state_.span(); }
  std::pair<u64, u64> key_range() const override { return key_range_; }
  status read(region_id region, u64 byte_offset, std::span<std::byte> out) const override;
  const void* gpu_address(region_id region) const override { return cells_[number_of(region)].data(); }
  std::span<const stage_time> build_times() const override { return times_; }
  std::span<const kernel_info> kernels() const override { return kernels_; }

  index_view view() const;
  int device() const { return device_; }

 private:
  friend class cuda_executor;
  int device_ = 0;
  index_config config_;
  u64 keys_ = 0, rows_ = 0;
  state_bytes state_;
  std::pair<u64, u64> key_range_{0, 0};
  std::vector<index_region> regions_;
  std::array<device_buffer, max_regions> cells_;  // by region_id
  std::vector<stage_time> times_;
  std::vector<kernel_info> kernels_;
};

// Returns how many blocks serve a batch (O1): one per tile, or with the static schedule at most
// those that are to be resident.
u64 grid_blocks(const cuda_device& device, const launch_config& launch, u64 lookups);

}  // namespace pivotscope
