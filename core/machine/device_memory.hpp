// How much memory of the GPU this program holds: the sum of its buffers, without what the driver
// and the kernels' code take.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

u64 device_memory_held();
// Returns the most that was held at once since forget_most_device_memory(), or since the program began.
u64 most_device_memory();
void forget_most_device_memory();

// Called by whoever allocates and frees; from any thread.
void device_memory_taken(u64 bytes);
void device_memory_given_back(u64 bytes);

}  // namespace pivotscope
