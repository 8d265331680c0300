// Gathers on a device: the array that they load from, the runs, the check of what they say.
#pragma once

#include "core/machine/cuda/runtime.hpp"
#include "core/machine/gather.hpp"

namespace pivotscope {

outcome<std::vector<gather_times>> cuda_gather(const cuda_device& device, cudaStream_t stream,
                                               std::span<const gather_question> asked, const batch_options& options,
                                               const job_control& control);

}  // namespace pivotscope
