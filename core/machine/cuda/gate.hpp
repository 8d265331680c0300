// A kernel that stands in a stream until the host lets it go.
#pragma once

#include <driver_types.h>

#include "core/common/portable.hpp"

namespace pivotscope {

// What host and kernel share, in pinned memory of the host that the device sees.
struct gate_words {
  u32 opened = 0;   // the host: up to this turn all may pass
  u32 gave_up = 0;  // the kernel: the turn in which it waited in vain
};

// Queues it: it ends when words->opened has come to `turn`, or by itself after `patience_ns`.
cudaError_t queue_gate(gate_words* words, u32 turn, u64 patience_ns, cudaStream_t stream);

}  // namespace pivotscope
