// The row ids of ranges that have been counted on the device.
#pragma once

#include "core/machine/cuda/cuda_index.hpp"
#include "core/machine/cuda/device_batch.hpp"

namespace pivotscope {

// A scan of the counts in copy `copy`, then the pass that writes; begins, row ids and both times go into `result`.
// `kernel`: write_rows of range_program().
status write_rows(const cuda_device& device, cudaStream_t stream, const loaded_kernel& kernel, const cuda_index& index,
                  const device_batch& b, u64 copy, batch_result& result, const job_control& control);

}  // namespace pivotscope
