// Kernels of gathers and of what they gather from.
#pragma once

#include <driver_types.h>

#include "core/common/portable.hpp"

namespace pivotscope {

inline constexpr u32 gather_threads = 256;  // of a block, unless there are fewer in all

struct gather_work {
  const void* array;
  u32 entry_bytes, lanes, loading, entries_apart;  // as gather_question's
  bool dependent;
  u32 threads, steps, places, salt;
  u64* said;  // of each thread: its steps in the upper half, its sum in the lower
};

// Word i of the array is gather_word(i).
cudaError_t queue_gather_words(u32* array, u64 words, cudaStream_t stream);
cudaError_t queue_gather(const gather_work& work, cudaStream_t stream);
// 16 bytes at a time by as many threads as there is room for; `bytes` is a multiple of 16.
cudaError_t queue_copy(void* to, const void* from, u64 bytes, u32 blocks, cudaStream_t stream);

// Blocks of the kernel that a multiprocessor has room for.
cudaError_t gather_blocks(u32& blocks);

}  // namespace pivotscope
