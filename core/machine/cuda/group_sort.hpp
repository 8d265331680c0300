// The two kernels of a sort by groups (group_plan.hpp): what a sample of the keys says, and the pass that puts groups
// in order. Both only queue work on the stream.
#pragma once

#include <driver_types.h>

#include "core/common/portable.hpp"
#include "core/machine/cuda/group_plan.hpp"

namespace pivotscope {

// Adds what samples of the keys say to *seen, in the device's memory and zero before; n > 0. Key: u32 or u64.
template <class Key>
cudaError_t sample_keys(const Key* keys, u64 n, key_sample* seen, cudaStream_t stream);

// Keys and row ids in the order of the keys' bits from `low` on, to sorted ones in the order of all bits. Stable. Sets
// *failed, which was 0, where a group has more than longest_group keys and may not be in order now, or where keys that
// are `in_doubt` were not in that order: what was sorted is then of no use, but keys and rows are as they were. low <=
// B - 24, n < 2^32.
template <class Key>
cudaError_t put_groups_in_order(const Key* keys, const u32* rows, Key* sorted_keys, u32* sorted_rows, u64 n, u32 low,
                                bool in_doubt, u32* failed, cudaStream_t stream);

}  // namespace pivotscope
