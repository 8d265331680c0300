// Routes a batch's lookups on the device: sorts them to the parts of an index, and starts the blocks that have a part
// (batch/routed.hpp).
#pragma once

#include <array>

#include "core/machine/cuda/cuda_index.hpp"
#include "core/machine/cuda/device_batch.hpp"

namespace pivotscope {

class lookup_router {
 public:
  // Problem: no memory for the sorted lookups, or more parts than the grid has columns.
  static outcome<lookup_router> make(const cuda_device& device, const cuda_index& index, u64 lookups, u64 parts);

  // `route` and `lookup`: the kernels of a routed lookup's program.
  cudaError_t route(const loaded_kernel& route, cudaStream_t stream, const cuda_index& index, const void* keys);
  cudaError_t lookup(const loaded_kernel& lookup, cudaStream_t stream, const cuda_index& index, void* answers) const;

 private:
  template <class Key>
  cudaError_t sort(cudaStream_t stream);

  u64 lookups_ = 0, space_bytes_ = 0;
  u32 parts_ = 1, ways_ = 1;  // ways: blocks that have the same part
  bool wide_ = false;         // 64-bit keys
  std::size_t current_ = 0;   // which of routed_ holds the sorted lookups
  std::array<device_buffer, 2> numbers_, routed_;
  device_buffer begins_, space_;
};

}  // namespace pivotscope
