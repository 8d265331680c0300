// A batch on the device: up, run, timed, down.
#pragma once

#include "core/machine/cuda/compile/program.hpp"
#include "core/machine/cuda/cuda_index.hpp"

namespace pivotscope {

// Copies of the keys and answers, `bytes_each` together, that the timed runs go round, so that a small batch is not
// read from the cache that the run before filled: enough to pass through four times the L2, and no more than there are
// runs.
u64 batch_copies(u64 count, u32 bytes_each, u64 runs, u64 l2_bytes);

// What the batch's operation runs; the first of its kernels answers.
kernel_program batch_program(operation kind, const index_config& config);

outcome<batch_result> cuda_run(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                               const cuda_index& index, const batch& asked, const batch_options& options,
                               const job_control& control);

}  // namespace pivotscope
