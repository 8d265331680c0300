// A batch of lookups on the device: up, run, timed, down.
#pragma once

#include "core/machine/cuda/cuda_index.hpp"

namespace pivotscope {

// Copies of the lookups and answers that the timed runs go round, so that a small batch is not read from the cache that
// the run before filled: enough to pass through four times the L2, and no more than there are runs.
u64 lookup_copies(u64 lookups, u32 key_bytes, u64 runs, u64 l2_bytes);

outcome<lookup_result> cuda_lookup(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                                   const cuda_index& index, const key_array& lookups, const lookup_options& options,
                                   const job_control& control);

}  // namespace pivotscope
