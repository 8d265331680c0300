// A batch of range lookups on the device: up, counted and summed, timed, down; on request their row ids as well.
#pragma once

#include "core/machine/cuda/cuda_index.hpp"

namespace pivotscope {

outcome<range_result> cuda_ranges(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                                  const cuda_index& index, const range_array& ranges, const range_options& options,
                                  const job_control& control);

}  // namespace pivotscope
