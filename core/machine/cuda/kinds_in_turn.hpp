// The operations of a block in the order of their kinds. A warp whose groups do several kinds at once goes through the code
// of each, one after the other, and takes as long as all of them together; so those of a kind are given to the same warps.
// The operations of a batch are concurrent: any order is right.
#pragma once

#include "core/common/operation.hpp"

namespace pivotscope {

template <u32 Threads>
struct kinds_in_turn {
  static_assert(Threads <= 1u << 16);
  u32 begins[operation_count];
  u16 order[Threads];

  // By all threads of a block. `kinds`: of its `count` operations, Threads at most.
  __device__ void sort(const operation* kinds, u32 count) {
    const u32 own = threadIdx.x;
    if (own < operation_count) begins[own] = 0;
    __syncthreads();
    const bool has_one = own < count;
    const u32 kind = has_one ? static_cast<u32>(kinds[own]) : 0;
    const u32 of_kind = has_one ? atomicAdd(&begins[kind], 1u) : 0;
    __syncthreads();
    u32 place = of_kind;
    for (u32 other = 0; other < kind; ++other) place += begins[other];
    if (has_one) order[place] = static_cast<u16>(own);
    __syncthreads();
  }
};

}  // namespace pivotscope
