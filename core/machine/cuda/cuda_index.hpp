// An index in the device's memory: entries, row ids and pivots, each an array of its own.
#pragma once

#include <array>

#include "core/machine/cuda/cuda_keys.hpp"
#include "core/machine/cuda/kernel_store.hpp"

namespace pivotscope {

class cuda_index final : public built_index {
 public:
  // One slot a thread, a kernel an array, each timed.
  static outcome<std::shared_ptr<const cuda_index>> build(const cuda_device& device, cudaStream_t stream,
                                                          kernel_store& kernels, const index_config& config,
                                                          const cuda_keys& keys, const job_control& control);

  const index_config& config() const override { return config_; }
  const index_shape& shape() const override { return shape_; }
  machine_kind kind() const override { return machine_kind::cuda; }
  u64 bytes(region_id array) const override { return arrays_[static_cast<std::size_t>(array)].bytes(); }
  status read(region_id array, u64 byte_offset, std::span<std::byte> out) const override;
  std::span<const stage_time> build_times() const override { return times_; }
  std::span<const kernel_info> kernels() const override { return kernels_; }

  index_view view() const;
  int device() const { return device_; }

 private:
  device_buffer& array(region_id id) { return arrays_[static_cast<std::size_t>(id)]; }
  status allocate(const cuda_device& device);
  status fill(const loaded_kernel& kernel, std::string_view stage, u64 slots, const cuda_keys& keys,
              cudaStream_t stream, const job_control& control);

  int device_ = 0;
  index_config config_;
  index_shape shape_;
  pin_plan pin_;
  std::pair<u32, u32> sort_bits_{0, 0};
  std::array<device_buffer, 3> arrays_;  // by region_id
  std::vector<stage_time> times_;
  std::vector<kernel_info> kernels_;
};

// Blocks that serve a batch (O1): one a tile, or with the static schedule no more than are to be resident.
u64 grid_blocks(const cuda_device& device, const index_config& config, u64 lookups);

}  // namespace pivotscope
