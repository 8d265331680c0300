#include "core/machine/cuda/gate.hpp"

namespace pivotscope {
namespace {

__device__ u64 nanoseconds_now() {
  u64 now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void gate_kernel(volatile gate_words* words, u32 turn, u64 patience_ns) {
  const u64 began = nanoseconds_now();
  while (words->opened < turn) {
    if (nanoseconds_now() - began < patience_ns) continue;
    words->gave_up = turn;
    __threadfence_system();
    return;
  }
}

}  // namespace

cudaError_t queue_gate(gate_words* words, u32 turn, u64 patience_ns, cudaStream_t stream) {
  gate_kernel<<<1, 1, 0, stream>>>(words, turn, patience_ns);
  return cudaGetLastError();
}

}  // namespace pivotscope
