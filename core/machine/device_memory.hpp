// How much of a GPU's memory this program holds: its buffers, one by one, without what the driver and the kernels' code
// take.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

u64 device_memory_held();
// The most that was held at once since forget_most_device_memory(), or since the program began.
u64 most_device_memory();
void forget_most_device_memory();

// Told by whoever allocates and frees; any thread.
void device_memory_taken(u64 bytes);
void device_memory_given_back(u64 bytes);

}  // namespace pivotscope
